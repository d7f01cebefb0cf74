import { afterAll, beforeAll, describe, expect } from 'vitest'
import { story } from '../support/chromium.ts'
import { openSite, type Site } from '../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

const finance = '/commonView/financeStaff/systemInvoice/inboundAndOutbound'

describe('a page of several lists', () => {
  story(
    "the dealer's accountant turns from what came in to what went out, opens a document and comes back to it",
    async () => {
      const visit = await site.visit('dealer')
      const { page, problems } = visit
      await visit.open(finance)
      const tab = (name: string) => page.getByRole('button', { name, exact: true }).locator('visible=true')
      const numbers = (prefix: string) =>
        page.getByRole('button', { name: new RegExp(`^${prefix}\\d{10}$`) }).locator('visible=true')
      await numbers('JX').first().waitFor()
      await expect.poll(() => tab('进项').getAttribute('aria-current')).toBe('page')
      await tab('销项').click()
      await numbers('XX').first().waitFor()
      await expect.poll(() => numbers('JX').count()).toBe(0)
      const sn = (await numbers('XX').first().textContent()) ?? ''
      await numbers('XX').first().click()
      await page.getByText('销项发票').locator('visible=true').first().waitFor()
      expect(decodeURIComponent(page.url())).toContain(`${finance}/${sn}?tab=销项`)
      await page.getByRole('button', { name: '返回列表' }).click()
      await numbers('XX').first().waitFor()
      await expect.poll(() => tab('销项').getAttribute('aria-current')).toBe('page')
      expect(problems).toEqual([])
      await visit.leave()
    },
  )

  story('a hospital has no outgoing invoices, and three steps from a due invoice to its payment', async () => {
    const visit = await site.visit('hospital')
    const { page, problems } = visit
    await visit.open(finance)
    await page.getByRole('heading', { level: 1, name: '进销项发票（财务）' }).locator('visible=true').waitFor()
    await expect.poll(() => page.getByRole('button', { name: '销项', exact: true }).count()).toBe(0)
    await visit.open('/hospital/paymentApplicationH')
    for (const name of ['待申请', '已申请待付款', '付款完成']) {
      const tab = page.getByRole('button', { name, exact: true }).locator('visible=true')
      await tab.click()
      await expect.poll(() => tab.getAttribute('aria-current')).toBe('page')
      const prefix = name === '待申请' ? 'JX' : 'FKSQ'
      await page
        .getByRole('button', { name: new RegExp(`^${prefix}\\d{10}$`) })
        .locator('visible=true')
        .first()
        .waitFor()
    }
    // The finance menu opens the approval settings with the finance kinds selected; the settings' own menu opens
    // them as they were left.
    const menu = page.getByRole('navigation', { name: '主菜单' })
    await menu.getByText('审核设置', { exact: true }).locator('visible=true').click()
    await expect.poll(() => page.url()).toContain('/commonView/auditSetting?category=finance')
    await page.getByRole('heading', { level: 1, name: '审核设置' }).locator('visible=true').waitFor()
    expect(problems).toEqual([])
    await visit.leave()
  })
})

describe('settling a period', () => {
  story('the hospital has what was used up to today made into settlements, and looks at one', async () => {
    const visit = await site.visit('hospital')
    const { page, problems } = visit
    await visit.open('/commonView/settlementManage')
    await page.getByRole('button', { name: '按期间生成' }).locator('visible=true').click()
    const dialog = page.getByRole('dialog')
    const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
    for (const [label, day] of [
      ['结算期间起', `${today.slice(0, 4)}-01-01`],
      ['结算期间止', today],
    ] as const) {
      await dialog.getByLabel(label).click()
      await page.keyboard.type(day)
      await page.keyboard.press('Enter')
    }
    await dialog.getByRole('button', { name: '确定' }).click()
    await page.getByText('按期间生成完成').waitFor()
    await expect.poll(() => page.url()).toMatch(/settlementManage\/JS\d{10}$/)
    await page.getByText('结算明细').or(page.getByText('使用日期')).locator('visible=true').first().waitFor()
    expect(problems).toEqual([])
    await visit.leave()
  })
})
