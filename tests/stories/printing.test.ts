import { parseInteger } from '#kernel/values/integer.ts'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { story } from '../support/chromium.ts'
import { openSite, type Site } from '../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

/** Fetches data in the page's session. */
const firstOf = (path: string) => `fetch('/v1/business/${path}').then(reply => reply.json()).then(reply => reply.list)`
type Row = Readonly<Record<string, string>>

/** A line that fills every column of a delivery note. */
const LONG_WORDS = {
  product_name: '一次性使用冠状动脉球囊扩张导管系统（快速交换型）',
  specification_name: 'RX 2.50mm×15mm 0.014in',
  manufacturer_name: '广东省深圳迈瑞生物医疗电子股份有限公司',
  manufacturer_licence_no: '粤食药监械生产许20010453号（2029年延续）',
  registration_no: '国食药监械(准)字2014第3770123号',
  udi_di: '06901234567892',
  storage_condition: '冷藏 2-8℃，避光，防潮',
  lot_no: 'LOT202601150001A',
  quantity: '1200.000',
  price: '12800.0000',
  taxed_amount: '15360000.00',
  remark: '随货附检验报告',
  is_cold_chain: true,
  unit_codes: [],
}

describe('the printed sheet', () => {
  story('stands on its pages whole, counts its prints and says so on the second', async () => {
    const { page, leave } = await site.visit('dealer')
    const longest = (await page.evaluate(
      firstOf('saleOdo/list?pageSize=500&sort=-line_count&state=completed'),
    )) as Row[]
    // Of several pages, and no book.
    const doc = longest.find(({ line_count }) => parseInteger(line_count!) <= 40)
    await page.goto(`${site.url}/newprint/outboundOrder?kind=saleOdo&sn=${doc!.sn}`)
    const pages = page.locator('section:not([aria-hidden="true"])')
    await pages.first().waitFor()
    const printed = await pages.evaluateAll(all =>
      all.map(each => ({
        rows:
          (each as HTMLElement).dataset.list === 'true'
            ? 0
            : each.querySelectorAll('tbody tr:not([data-below])').length,
        spills: each.scrollHeight > each.clientHeight + 1,
      })),
    )
    expect(printed.reduce((sum, each) => sum + each.rows, 0)).toBe(parseInteger(doc!.line_count))
    expect(printed.filter(each => each.spills)).toEqual([])
    const last = pages.last()
    await last.getByText(`第${printed.length}页/共${printed.length}页`).waitFor()
    const signed = page.locator('section[data-list="false"]:not([aria-hidden="true"])').last()
    await signed.getByText(/合计金额：[\d.]+（.*[整角分]）/).waitFor()
    await signed.getByText('收货人签字及日期：').waitFor()
    await page.evaluate(() => (window.print = () => undefined))
    // A trial print is marked as such and not counted.
    await page.getByRole('button', { name: '试打印' }).click()
    await pages.first().getByText('试打印').first().waitFor()
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    await expect.poll(() => pages.first().getByText('试打印').count()).toBe(0)
    await page.getByRole('button', { name: '打印', exact: true }).click()
    await expect.poll(() => page.getByText(/补打/).count()).toBe(0)
    await page.getByRole('button', { name: '打印', exact: true }).click()
    await pages.first().getByText('补打(2)').waitFor()
    // Reopened, it uses the template of the first print until the newest is requested.
    await page.reload()
    await page.getByLabel('使用最新模板').waitFor()
    await expect.poll(() => page.getByLabel('选择模板').count()).toBe(0)
    await page.getByLabel('使用最新模板').check()
    await page.getByLabel('选择模板').waitFor()
    // Nine lines with the longest texts that manufacturers and licences have: eight fit on the perforated form; the
    // last has more serials than fit below it.
    await page.route('**/saleOdo/print?*', async route => {
      const reply = await route.fetch()
      const { info, ...rest } = await reply.json()
      if (info === undefined) return route.fulfill({ response: reply, json: rest })
      const long = { ...info.lines[0], ...LONG_WORDS }
      const pieces = Array.from({ length: 14 }, (_, at) => `(01)06901234567892(21)20260115${at}`)
      const lines = [...Array.from({ length: 8 }, () => long), { ...long, unit_codes: pieces }]
      await route.fulfill({ json: { ...rest, info: { ...info, lines } } })
    })
    await page.goto(`${site.url}/newprint/outboundOrder?kind=saleOdo&sn=${doc!.sn}&copies=2`)
    await pages.first().waitFor()
    const rows = () =>
      pages.evaluateAll(all => all.map(each => each.querySelectorAll('tbody tr:not([data-below])').length))
    await expect.poll(rows).toEqual([8, 1, 2, 8, 1, 2])
    await pages.first().getByText('启运温度：').waitFor()
    await pages
      .nth(1)
      .getByText(/^序列号\/院内码：.*20260115[0-5]　等14个，附清单$/)
      .waitFor()
    await pages.nth(2).getByText('附清单').waitFor()
    // If one of several documents does not exist, it is named and the other is shown.
    await page.goto(`${site.url}/newprint/outboundOrder?kind=saleOdo&sn=${doc!.sn},CK0`)
    await page.getByText('单据CK0不存在或无权限').waitFor()
    await expect.poll(rows).toEqual([8, 1, 2])
    const many = Array.from({ length: 101 }, (_, at) => `CK${at}`).join(',')
    await page.goto(`${site.url}/newprint/outboundOrder?kind=saleOdo&sn=${many}`)
    await page.getByText('一次最多打印100张单据').waitFor()
    await page.goto(`${site.url}/newprint`)
    await page.getByText('404').first().waitFor()
    await page.goto(`${site.url}/newprint/nothing`)
    await page.getByText('404').first().waitFor()
    await leave()
  })

  story('labels bear the piece, its lot and its code', async () => {
    const { page, leave } = await site.visit('hospital')
    const rows = (await page.evaluate(firstOf('unitLabel/list?pageSize=3&status=in_stock'))) as Row[]
    await page.goto(`${site.url}/newprint/QrcodePrint?units=${rows.map(row => row.unit_sn).join(',')}`)
    await page.getByRole('region', { name: rows[0]!.code! }).getByText(`批号 ${rows[0]!.lot_no}`).waitFor()
    await expect.poll(() => page.getByRole('region').count()).toBe(rows.length)
    await expect.poll(() => page.getByRole('region').getByRole('img').count()).toBe(rows.length)
    await leave()
  })
})
