import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '../support/chromium.ts'
import { call } from '../support/ui-driver.ts'
import { openSite, type Site } from '../support/site.ts'

/** A phone held upright, and tablets: the menu, a list, a document and the scan counter by thumb. */
let site: Site
beforeAll(async () => {
  site = await openSite({ documents: false })
})
afterAll(() => site?.close())

const PHONE = { width: 390, height: 844 }
const TABLETS = [
  { width: 820, height: 1180 },
  { width: 1024, height: 768 },
] as const

/** Nothing is wider than the screen: a thumb scrolls in one direction. */
const widest = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)
/** Where something stands, once it does: a page that is drawn anew has it nowhere for a moment. */
async function boxOf(what: Locator) {
  let box: Awaited<ReturnType<Locator['boundingBox']>> = null
  await expect.poll(async () => (box = await what.boundingBox())).not.toBeNull()
  return box!
}

/** Scans like a hand-held scanner. */
async function scan(page: Page, code: string): Promise<void> {
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
}

story('on a phone the menu covers the page, orders are cards, and goods are received by scanning', async () => {
  const { page, open, problems } = await site.visit('hospital', PHONE)
  const [inflator] = (await call(page, 'specification/list?q=P009-01')).list
  const [known] = (await call(page, 'hospitalProduct/list?q=P009-01')).list
  const order = await call(page, 'purchaseOrder/add', {
    counterparty_sn: known.supplier_sn,
    lines: [{ specification_sn: inflator.specification_sn, quantity: '5', price: '145' }],
  })
  expect(order).toMatchObject({ code: 0 })

  const menu = page.getByRole('navigation', { name: '主菜单' })
  await expect.poll(() => menu.count()).toBe(0)
  const whole = await boxOf(page.getByRole('main'))
  await page.getByRole('button', { name: '展开菜单' }).click()
  await menu.getByText('采购管理').click()
  expect(await boxOf(page.getByRole('main'))).toEqual(whole)
  await menu.getByText('采购订单', { exact: true }).click()
  await expect.poll(() => menu.count()).toBe(0)

  const card = page.getByRole('row').filter({ hasText: order.info.sn })
  await card.waitFor()
  expect(await widest(page)).toBe(PHONE.width)
  expect((await boxOf(card)).width).toBeLessThanOrEqual(PHONE.width)
  await expect.poll(() => card.getByText('草稿').isVisible()).toBe(true)
  await card.getByText(order.info.sn).click()

  // What is decided stands at the lower edge.
  const submit = page.getByRole('button', { name: '提交', exact: true })
  await submit.waitFor()
  expect((await boxOf(submit)).y).toBeGreaterThan(PHONE.height - 80)
  expect(await widest(page)).toBe(PHONE.width)
  await submit.click()
  await page.getByText(`${order.info.sn} 已提交`).waitFor()
  const { version, delivery_address } = (await call(page, `purchaseOrder/info?sn=${order.info.sn}`)).info
  expect(delivery_address).not.toBe('')
  expect(await call(page, 'purchaseOrder/review', { sn: order.info.sn, version })).toMatchObject({ code: 0 })

  await open('/hospital/purchaseGrn/new')
  await page.getByRole('button', { name: /引用来源/ }).click()
  await page.getByRole('menuitem', { name: '采购订单' }).click()
  const sources = page.getByRole('dialog', { name: '引用采购订单' })
  await sources.getByText(order.info.sn).waitFor()
  await sources.getByRole('checkbox').last().check()
  await sources.getByRole('button', { name: /引用 1 行/ }).click()
  await page.getByRole('button', { name: '扫码台' }).click()
  const lines = page.getByRole('table', { name: '扫码明细' })
  await lines.waitFor()
  await scan(page, `(01)${inflator.udi_di}(17)290131(10)LOT-A`)
  const figures = lines.locator('tbody tr').first().locator('[data-label]')
  await expect.poll(() => figures.allInnerTexts()).toEqual(['5', expect.stringMatching(/^1\b/), '-4'])
  for (const figure of await figures.all()) {
    const { x, width } = await boxOf(figure)
    expect(x + width).toBeLessThanOrEqual(PHONE.width)
  }
  expect((await boxOf(page.getByRole('button', { name: '完成并保存' }))).height).toBeGreaterThanOrEqual(44)
  expect(await widest(page)).toBe(PHONE.width)

  for (const size of TABLETS) {
    await page.setViewportSize(size)
    for (const name of ['应扫', '已扫', '差异']) {
      const head = lines.getByRole('columnheader', { name })
      await head.waitFor()
      const { x, width } = await boxOf(head)
      expect([name, x + width <= size.width]).toEqual([name, true])
    }
  }
  expect(problems).toEqual([])
})
