import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { story } from '../support/chromium.ts'
import { openSite, type Site } from '../support/site.ts'

const PASSWORD = 'Spd@2026'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

/** A page of a user who is not signed in. */
async function outsider(): Promise<{ page: Page; context: BrowserContext }> {
  const { page: known } = await site.visit('buyer')
  const context = await known.context().browser()?.newContext({ locale: 'zh-CN', baseURL: site.url })
  if (context === undefined) throw new Error('no browser')
  return { page: await context.newPage(), context }
}

/** The first input is the account, the second the password; Enter signs in. */
async function signIn(page: Page, login: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('登录账号').fill(login)
  await page.getByLabel('登录密码').fill(password)
  await page.keyboard.press('Enter')
}

describe('signing in', () => {
  story('says what is missing, what is wrong, and then lets in', async () => {
    const { page } = await outsider()
    await page.goto('/Login')
    await page.getByRole('button', { name: '登录' }).click()
    await page.getByText('请填写登录账号').waitFor()
    await page.getByText('请填写登录密码').waitFor()
    await signIn(page, 'buyer', 'not the password')
    await page.getByText('账号或密码错误').waitFor()
    await signIn(page, 'buyer')
    await page.getByRole('heading', { name: '工作台' }).waitFor()
  })

  story('a known person whose session ended comes back to the page he wanted', async () => {
    const { page, context } = await outsider()
    await page.goto('/hospital/purchaseOrder')
    await expect.poll(() => page.url()).toBe(`${site.url}/Login`)
    await signIn(page, 'buyer')
    await page.getByRole('heading', { name: '工作台' }).waitFor()
    await context.clearCookies()
    await page.goto('/hospital/purchaseOrder?state=draft')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/Login')
    await signIn(page, 'buyer')
    await page.getByRole('heading', { name: '采购订单' }).waitFor()
    expect(page.url()).toContain('state=draft')
  })

  story('a session that ends asks for the password over the page, and the call goes on', async () => {
    const { page, open } = await site.visit('buyer')
    await open('/hospital/purchaseOrder')
    await page.getByText(/共 \d+ 条/).waitFor()
    await page.context().clearCookies({ name: 'sid' })
    await page.getByRole('button', { name: '刷新' }).click()
    const dialog = page.getByRole('dialog', { name: '重新登录' })
    await dialog.getByLabel('登录密码').fill(PASSWORD)
    await expect.poll(async () => (await dialog.boundingBox())?.width).toBe(360)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    expect(new URL(page.url()).pathname).toBe('/hospital/purchaseOrder')
    await page.getByText(/共 \d+ 条/).waitFor()
  })

  story('the dark theme stays chosen; an unknown address is the 404 page', async () => {
    const { page } = await site.visit('buyer')
    await page.getByRole('button', { name: '切换到深色' }).click()
    await page.goto(`${site.url}/hospital/thereIsNoSuchPage`)
    await page.getByText('抱歉，您访问的页面不存在').waitFor()
    // So is an address with an invalid escape sequence.
    await page.goto(`${site.url}/commonView/%zz`)
    await page.getByText('抱歉，您访问的页面不存在').waitFor()
    await page.goto(`${site.url}/01/%zz`)
    await page.getByText('这个链接里没有可以识别的产品标识').waitFor()
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark')
  })
})
