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

/** Begins a new order and chooses the supplier. */
async function newOrder({ page, open }: Visit): Promise<void> {
  await open('/hospital/purchaseOrder')
  await page.getByRole('toolbar').getByRole('button', { name: '新增' }).click()
  await page.getByText('新增采购订单').waitFor()
  await page.getByRole('combobox', { name: '供应商' }).click()
  await page.keyboard.type('苏州')
  await page.locator('.ant-select-item-option:visible').filter({ hasText: '苏州' }).first().waitFor()
  await page.keyboard.press('Enter')
}

describe('a buyer writes an order with the keyboard', () => {
  story('types lines, saves with Ctrl+S, submits with Ctrl+Enter, finds it among the waiting', async () => {
    const visit = await site.visit('hospital')
    const { page, problems } = visit
    await newOrder(visit)
    await page.getByRole('button', { name: '添加一行' }).click()
    await page.keyboard.type('支架')
    await page.getByRole('option', { name: /支架/ }).first().waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => cell(page, 1, '产品名称').textContent()).toContain('支架')
    await cell(page, 1, '采购数量').click()
    await page.keyboard.type('5')
    await page.keyboard.press('Enter')
    await page.getByText('未保存', { exact: true }).waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText(/CG\d+ 已保存/).waitFor()
    const sn = decodeURIComponent(page.url().split('/').at(-1) ?? '')
    expect(sn).toMatch(/^CG\d{10}$/)
    const submitted = page.getByText(`${sn} 已提交`)
    const submit = async () => {
      await page.keyboard.press('Control+Enter')
      await page.waitForTimeout(1_500)
      return submitted.isVisible()
    }
    await expect.poll(submit, { timeout: 30_000 }).toBe(true)
    // However quickly one key followed the other, one paper came of it.
    expect(decodeURIComponent(page.url().split('/').at(-1) ?? '')).toBe(sn)
    await page.getByRole('button', { name: '返回列表' }).click()
    await page.getByRole('button', { name: /待审核/ }).click()
    await page.getByRole('button', { name: sn, exact: true }).waitFor()
    expect(problems).toEqual([])
  })

  story('pastes a block from Excel, fills down and takes a step back', async () => {
    const visit = await site.visit('hospital')
    const { page } = visit
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await newOrder(visit)
    await page.getByRole('button', { name: '添加一行' }).click()
    await cell(page, 1, '采购数量').click()
    await page.evaluate(() => navigator.clipboard.writeText('12\t1,050.50\t13%\r\n7\t２０\t9\r\nmany\t3\t13\r\n'))
    await page.keyboard.press('Control+v')
    await expect.poll(() => cell(page, 2, '含税单价').textContent()).toBe('20.00')
    expect(await cell(page, 1, '含税单价').textContent()).toBe('1,050.50')
    expect(await cell(page, 3, '采购数量').getAttribute('aria-invalid')).toBe('true')
    await page.getByRole('button', { name: /1处有误/ }).waitFor()
    await cell(page, 3, '采购数量').click()
    await page.keyboard.press('Control+d')
    expect(await cell(page, 3, '采购数量').textContent()).toBe('7')
    await page.keyboard.press('Control+z')
    expect(await cell(page, 3, '采购数量').textContent()).toBe('many')
  })

  story('nothing unsaved is lost by going to another tab; closing the tab asks', async () => {
    const visit = await site.visit('hospital')
    const { page } = visit
    await newOrder(visit)
    await page.getByLabel('收货地址').fill('急诊楼一层库房')
    await page.getByRole('button', { name: '工作台' }).first().click()
    await page.getByRole('heading', { name: '工作台' }).waitFor()
    await page.locator('[data-route="/hospital/purchaseOrder"]').getByRole('button').first().click()
    expect(await page.getByLabel('收货地址').inputValue()).toBe('急诊楼一层库房')
    await page.getByRole('button', { name: '关闭采购订单' }).click()
    await page.getByRole('button', { name: '继续编辑' }).click()
    expect(await page.getByLabel('收货地址').isVisible()).toBe(true)
  })
})
