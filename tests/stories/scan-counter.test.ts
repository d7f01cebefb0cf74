import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { story } from '../support/chromium.ts'
import { call } from '../support/ui-driver.ts'
import { openSite, type Site } from '../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite({ documents: false })
})
afterAll(() => site?.close())

/** Types a code like a scanner. */
async function scan(page: Page, code: string): Promise<void> {
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
}
/** The same through a Chinese input method: key events arrive, characters do not. */
const scanThroughInputMethod = (page: Page, digits: string) =>
  page.evaluate(text => {
    const say = (code: string) =>
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Process', code, isComposing: true, bubbles: true, cancelable: true }),
      )
    for (const digit of text) say(`Digit${digit}`)
    say('Enter')
  }, digits)
const result = (page: Page) => page.getByRole('status', { name: '扫码结果' })
const scanned = (page: Page, row = 0) =>
  page.getByRole('table', { name: '扫码明细' }).locator('tbody tr').nth(row).innerText()

describe('goods are received at the scan counter', () => {
  story(
    'against an order, through a dead network, a reload and an input method; nothing is lost or booked twice',
    async () => {
      const { page, open, problems } = await site.visit('hospital')
      const [inflator] = (await call(page, 'specification/list?q=P009-01')).list
      const [known] = (await call(page, 'hospitalProduct/list?q=P009-01')).list
      const order = await call(page, 'purchaseOrder/add', {
        counterparty_sn: known.supplier_sn,
        lines: [{ specification_sn: inflator.specification_sn, quantity: '5', price: '145' }],
      })
      expect(order).toMatchObject({ code: 0 })
      for (const action of ['submit', 'review'])
        expect(
          await call(page, `purchaseOrder/${action}`, { sn: order.info.sn, version: action === 'submit' ? 1 : 2 }),
        ).toMatchObject({ code: 0 })
      await open('/hospital/purchaseGrn/new')
      await page.getByRole('button', { name: /引用来源/ }).click()
      await page.getByRole('menuitem', { name: '采购订单' }).click()
      const sources = page.getByRole('dialog', { name: '引用采购订单' })
      await sources.getByText(order.info.sn).waitFor()
      await sources.getByRole('checkbox').last().check()
      await sources.getByRole('button', { name: /引用 1 行/ }).click()
      await page.getByRole('button', { name: '扫码台' }).click()
      await expect.poll(() => scanned(page)).toMatch(/\s5\s+0/)

      const di = String(inflator.udi_di)
      await scan(page, di)
      await result(page).getByText('1/5', { exact: false }).waitFor()
      // The label's second symbol: the same box, not another one.
      await scan(page, '(17)290131(10)LOT-A')
      await expect.poll(() => result(page).innerText()).toMatch(/两个条码已合并.*LOT-A.*1\/5/)
      await scan(page, `(01)${di}(17)290131(10)LOT-A`)
      await expect.poll(() => scanned(page)).toMatch(/LOT-A\s+2029-01-31\s+5\s+2/)
      await scan(page, '06901234567892')
      await expect.poll(() => result(page).innerText()).toContain('产品库中没有')
      await scanThroughInputMethod(page, di)
      await expect.poll(() => scanned(page)).toMatch(/\s5\s+3/)
      await page.keyboard.press('Control+z')
      await page.keyboard.press('Control+z')
      await expect.poll(() => scanned(page)).toMatch(/\s5\s+2/)

      await page.context().setOffline(true)
      await scan(page, `(01)${di}(17)300131(10)LOT-B`)
      await page.getByText('网络不可用，1条待识别').waitFor()
      await scan(page, `(01)${di}(17)290131(10)LOT-A`)
      await expect.poll(() => scanned(page)).toMatch(/\s5\s+3/)
      await page.context().setOffline(false)
      await expect.poll(() => scanned(page)).toMatch(/LOT-A、LOT-B.*\s5\s+4/)
      await page.reload()
      await expect.poll(() => scanned(page)).toMatch(/LOT-A、LOT-B.*\s5\s+4/)

      // The response to the save is lost: the posting is not repeated.
      let lost = 0
      await page.route('**/v1/business/purchaseGrn/add', async route => {
        lost += 1
        await route.fetch()
        await (lost === 1 ? route.abort('connectionreset') : route.continue())
      })
      await page.getByRole('button', { name: '完成并保存' }).click()
      await page.getByText(/RK\d+ 已按扫码结果保存/).waitFor()
      expect(lost).toBe(2)
      const { list } = await call(page, 'purchaseGrn/list')
      expect(list).toHaveLength(1)
      const { info } = await call(page, `purchaseGrn/info?sn=${list[0].sn}`)
      expect(info.lines.map((line: Record<string, string>) => [line.lot_no, line.quantity, line.source_sn])).toEqual([
        ['LOT-A', '3.000', order.info.sn],
        ['LOT-B', '1.000', order.info.sn],
      ])
      expect(await page.evaluate(() => Object.keys(localStorage).filter(key => key.startsWith('scans:')))).toEqual([])
      expect(
        problems.filter(
          problem => !/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_RESET|Failed to load|WebSocket/.test(problem),
        ),
      ).toEqual([])
    },
  )
})
