import { compare } from '#kernel/values/decimal.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Page } from 'playwright-core'
import { story } from '../support/chromium.ts'
import { openSite, type Site, type Visit } from '../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

const cell = (page: Page, row: number, title: string) =>
  page.locator(`[role="gridcell"][data-at="${row - 1}"][data-column]`).nth(columns.indexOf(title))
const columns = ['产品名称', '规格型号', '单位', '采购数量', '含税单价', '税率']

/** The number of the document at an address. */
const numberIn = (address: string): string => decodeURIComponent(new URL(address).pathname.split('/').at(-1) ?? '')

/** A cell by its column heading. */
const cellUnder = async (page: Page, title: string, row = 1) => {
  const at = await page
    .locator('[role=columnheader]')
    .filter({ hasText: new RegExp(`^${title}$`) })
    .evaluate(head => [...head.parentElement!.children].indexOf(head))
  return page.locator(`[role="gridcell"][data-at="${row - 1}"]`).nth(at - 1)
}

/** Starts a new order and selects the supplier. */
async function newOrder(
  { page, open }: Visit,
  route = '/hospital/purchaseOrder',
  supplier = '苏州栎舟',
): Promise<void> {
  await open(route)
  await page.getByRole('toolbar').getByRole('button', { name: '新增' }).click()
  await page.getByText('新增采购订单').waitFor()
  await page.getByRole('combobox', { name: '供应商' }).click()
  await page.keyboard.type(supplier)
  await page.locator('.ant-select-item-option:visible').filter({ hasText: supplier }).first().waitFor()
  await page.keyboard.press('Enter')
}

describe('a buyer writes an order with the keyboard', () => {
  story('types lines, saves with Ctrl+S, submits with Ctrl+Enter, finds it among the waiting', async () => {
    const visit = await site.visit('hospital')
    const { page, problems } = visit
    await newOrder(visit)
    await page.getByRole('button', { name: '添加一行' }).click()
    await page.keyboard.type('P001-01')
    await page
      .getByRole('option', { name: /P001-01|2\.50×15mm/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => cell(page, 1, '产品名称').textContent()).toContain('支架')
    // The unit price was agreed: a hospital reads it here and cannot edit it.
    await expect.poll(() => cell(page, 1, '含税单价').getAttribute('aria-readonly')).toBe('true')
    await cell(page, 1, '采购数量').click()
    await page.keyboard.type('5')
    await page.keyboard.press('Enter')
    await page.getByText('未保存', { exact: true }).waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText(/CG\d+ 已保存/).waitFor()
    const sn = numberIn(page.url())
    expect(sn).toMatch(/^CG\d{10}$/)
    const submitted = page.getByText(`${sn} 已提交`)
    const submit = async () => {
      await page.keyboard.press('Control+Enter')
      await page.waitForTimeout(1_500)
      return submitted.isVisible()
    }
    await expect.poll(submit, { timeout: 30_000 }).toBe(true)
    // However fast the keys were pressed, only one document was created.
    expect(numberIn(page.url())).toBe(sn)
    await page.getByRole('button', { name: '返回列表' }).click()
    await page.getByRole('button', { name: /待审核/ }).click()
    await page.getByRole('button', { name: sn, exact: true }).waitFor()
    await page.getByRole('button', { name: /^(copy )?复制$/ }).click()
    await page.getByText('请先选中表格中一行数据，再进行相关操作。').waitFor()
    await page.getByRole('checkbox', { name: `选择${sn}` }).check()
    await page.getByRole('button', { name: /^(copy )?复制$/ }).click()
    await page.getByText(`已复制${sn}，请核对后保存`).waitFor()
    await expect.poll(() => cell(page, 1, '采购数量').textContent()).toBe('5')
    expect(problems).toEqual([])
  })

  story('pastes a block from Excel, fills down and takes a step back', async () => {
    const visit = await site.visit('dealer')
    const { page } = visit
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await newOrder(visit, '/commonView/purchaseOrder', '上海澜屿')
    await page.getByRole('button', { name: '添加一行' }).click()
    await cell(page, 1, '采购数量').click()
    await page.evaluate(() => navigator.clipboard.writeText('12\t1,050.50\t13%\r\n7\t２０\t9\r\nmany\t3\t13\r\n'))
    await page.keyboard.press('Control+v')
    await expect.poll(() => cell(page, 2, '含税单价').textContent()).toBe('20.00')
    await expect.poll(() => cell(page, 1, '含税单价').textContent()).toBe('1,050.50')
    await expect.poll(() => cell(page, 3, '采购数量').getAttribute('aria-invalid')).toBe('true')
    await page.getByRole('button', { name: /1处有误/ }).waitFor()
    await cell(page, 3, '采购数量').click()
    await page.keyboard.press('Control+d')
    await expect.poll(() => cell(page, 3, '采购数量').textContent()).toBe('7')
    await page.keyboard.press('Control+z')
    await expect.poll(() => cell(page, 3, '采购数量').textContent()).toBe('many')
    // The supplier states the total: the price and the running total follow from it.
    await (await cellUnder(page, '价税合计')).click()
    await page.keyboard.type('1200')
    await page.keyboard.press('Enter')
    await expect.poll(() => cell(page, 1, '含税单价').textContent()).toBe('100.00')
    await expect
      .poll(() => page.locator('[role=row]:has([role=rowheader]:text-is("合计"))').textContent())
      .toContain('1,340.00')
  })

  story('nothing unsaved is lost by going to another tab; closing the tab asks', async () => {
    const visit = await site.visit('hospital')
    const { page } = visit
    await newOrder(visit)
    await page.getByLabel('收货地址').fill('急诊楼一层库房')
    await page.getByRole('button', { name: '工作台' }).first().click()
    await page.getByRole('heading', { name: '工作台' }).waitFor()
    await page.getByRole('button', { name: /^采购订单 新增/ }).click()
    await expect.poll(() => page.getByLabel('收货地址').inputValue()).toBe('急诊楼一层库房')
    await page.getByRole('button', { name: '关闭采购订单 新增' }).click()
    await page.getByRole('button', { name: '继续编辑' }).click()
    await expect.poll(() => page.getByLabel('收货地址').isVisible()).toBe(true)
  })
})

describe('a line has pictures', () => {
  story('a broken box is reported with its photograph and handed in', async () => {
    const visit = await site.visit('hospital')
    const { page, open, problems } = visit
    const listed = (query: string) =>
      page.evaluate(async (path: string) => {
        const reply = await fetch(`/v1/business/${path}`)
        return (await reply.json()).list as Record<string, string>[]
      }, query)
    const shelves = (await listed('stockBalance/list?pageNum=1&pageSize=200')).filter(
      row =>
        row.quality_state === 'qualified' &&
        compare(row.available ?? '0', '5') >= 0 &&
        row.lot_no &&
        (row.expiry_date ?? '') > new Date().toISOString().slice(0, 10),
    )
    // Goods without a code a piece: those would have to be scanned.
    const isCoded = async ({ specification_sn }: Record<string, string>) =>
      (await listed(`unitLabel/list?status=in_stock&specification_sn=${specification_sn}&pageSize=1`)).length > 0
    let inStock = shelves.shift()!
    while (await isCoded(inStock)) inStock = shelves.shift()!
    await open('/commonView/frmLoss')
    await page.getByRole('toolbar').getByRole('button', { name: '新增' }).click()
    await page.getByText('新增报损单').waitFor()
    await page.getByRole('combobox', { name: '仓库' }).click()
    await page.keyboard.type(inStock.warehouse_name!)
    await page.locator('.ant-select-item-option:visible').filter({ hasText: inStock.warehouse_name! }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: '添加一行' }).click()
    await page.keyboard.type(inStock.specification_code!)
    await page.locator('#cell-choices [role=option]').first().waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await cellUnder(page, '产品名称')).textContent()).toContain(inStock.product_name)
    for (const [title, text] of [
      ['报损数量', '1'],
      ['报损原因', '跌落'],
    ] as const) {
      await (await cellUnder(page, title)).click()
      await page.keyboard.type(text!)
      await page.keyboard.press('Enter')
    }
    // Users do not know lots by heart: the system proposes the one that expires first.
    await page.getByRole('button', { name: '分配批号' }).click()
    await expect.poll(async () => (await cellUnder(page, '批号')).textContent()).toMatch(/\S/)
    const submit = page.getByRole('button', { name: '提交', exact: true })
    await expect.poll(() => submit.isDisabled()).toBe(true)
    await (await cellUnder(page, '照片')).locator('[data-files]').click()
    const dialog = page.getByRole('dialog', { name: '第1行 照片' })
    const buffer = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#844' } })
      .png()
      .toBuffer()
    await dialog.locator('input[type=file]').setInputFiles({ name: '外包装破损.png', mimeType: 'image/png', buffer })
    await dialog.getByRole('link', { name: '外包装破损.png' }).waitFor()
    await dialog.getByRole('button', { name: /完\s*成/ }).click()
    await expect.poll(async () => (await cellUnder(page, '照片')).textContent()).toContain('1个文件')
    await submit.click()
    await page.getByText(/BS\d+ 已提交/).waitFor()
    // The reviewer can view the picture but not remove it.
    await (await cellUnder(page, '照片')).locator('[data-files]').click()
    await dialog.getByRole('link', { name: '外包装破损.png' }).waitFor()
    await expect.poll(() => dialog.getByRole('button', { name: /移除|上传/ }).count()).toBe(0)
    expect(problems).toEqual([])
  })
})
