import { afterAll, beforeAll, describe, expect } from 'vitest'
import { story } from '../support/chromium.ts'
import { openSite, type Site } from '../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

/** What the signed-in page is told, as a program would ask. */
const firstOf = (path: string) => `fetch('/v1/business/${path}').then(reply => reply.json()).then(reply => reply.list)`
type Row = Readonly<Record<string, string>>

describe('the printed paper', () => {
  story('stands on its pages whole, counts its prints and says so on the second', async () => {
    const { page, leave } = await site.visit('dealer')
    const [paper] = (await page.evaluate(firstOf('saleOdo/list?pageSize=1&sort=-line_count&state=completed'))) as Row[]
    await page.goto(`${site.url}/newprint/outboundOrder?kind=saleOdo&sn=${paper!.sn}`)
    const pages = page.locator('section:not([aria-hidden="true"])')
    await pages.first().waitFor()
    const printed = await pages.evaluateAll(all =>
      all.map(each => ({
        rows: each.querySelectorAll('tbody tr').length,
        spills: each.scrollHeight > each.clientHeight + 1,
      })),
    )
    expect(printed.reduce((sum, each) => sum + each.rows, 0)).toBe(Number(paper!.line_count))
    expect(printed.filter(each => each.spills)).toEqual([])
    const last = pages.last()
    await last.getByText(`第${printed.length}页/共${printed.length}页`).waitFor()
    await last.getByText(/价税合计：[\d.]+（.*[整角分]）/).waitFor()
    await last.getByText('收货人签字及日期：').waitFor()
    await page.evaluate(() => (window.print = () => undefined))
    // A trial says so and is not counted.
    await page.getByRole('button', { name: '试打印' }).click()
    await pages.first().getByText('试打印').first().waitFor()
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    await expect.poll(() => pages.first().getByText('试打印').count()).toBe(0)
    await page.getByRole('button', { name: '打印', exact: true }).click()
    await expect.poll(() => page.getByText(/补打/).count()).toBe(0)
    await page.getByRole('button', { name: '打印', exact: true }).click()
    await pages.first().getByText('补打(2)').waitFor()
    // Opened again it follows the template of the first print, until the newest is asked for.
    await page.reload()
    await page.getByLabel('使用最新模板').waitFor()
    await expect.poll(() => page.getByLabel('选择模板').count()).toBe(0)
    await page.getByLabel('使用最新模板').check()
    await page.getByLabel('选择模板').waitFor()
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
