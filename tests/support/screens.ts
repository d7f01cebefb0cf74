import fs from 'node:fs'
import path from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { readConfig, type SocketDatabase } from '#server/config.ts'
import { serve } from '#app/main.ts'

interface ScreensOptions {
  into: string
  socket: SocketDatabase
}

const sizes = { 1920: { width: 1920, height: 1080 }, 1366: { width: 1366, height: 768 } }
const themes = ['light', 'dark'] as const

/** Sign-in, workbench, list, editor with 200 lines and trace: both themes, both sizes. */
export async function takeScreens({ into, socket }: ScreensOptions): Promise<void> {
  fs.mkdirSync(into, { recursive: true })
  const config = readConfig({ ...process.env, PORT: '0', DEMO: '1', DATA_DIR: path.dirname(socket.folder) })
  const running = await serve({ ...config, databaseUrl: null, socket })
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  })
  try {
    for (const theme of themes)
      for (const [name, size] of Object.entries(sizes)) await takeSet(browser, running.url, { theme, name, size, into })
  } finally {
    await browser.close()
    await running.close()
  }
}

interface Set {
  theme: (typeof themes)[number]
  name: string
  size: { width: number; height: number }
  into: string
}

async function takeSet(browser: Browser, url: string, { theme, name, size, into }: Set): Promise<void> {
  const context = await browser.newContext({ viewport: size, locale: 'zh-CN', timezoneId: 'Asia/Shanghai' })
  await context.addCookies([{ name: 'theme', value: theme, url }])
  const page = await context.newPage()
  const shoot = async (what: string) => {
    await settle(page)
    await page.screenshot({ path: path.join(into, `${what}-${theme}-${name}.png`) })
  }
  await page.goto(`${url}/Login`)
  await shoot('sign-in')
  await page.locator('input').nth(0).fill('hospital')
  await page.locator('input').nth(1).fill('Spd@2026')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: '工作台' }).waitFor()
  await shoot('workbench')
  await page.goto(`${url}/hospital/purchaseGrn`)
  await shoot('list')
  const sn = await longOrder(page)
  await page.goto(`${url}/hospital/purchaseOrder/${sn}`)
  await shoot('editor')
  const code = await usedUnit(page)
  await page.goto(`${url}/hospital/traceabilityManage?code=${encodeURIComponent(code)}`)
  await shoot('trace')
  await context.close()
}

/** No pending requests, no spinners. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(700)
}

/** A draft of 200 lines, created by the same calls as the page uses. */
const longOrder = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const get = async (to: string) => (await fetch(to)).json()
    const { list: found } = await get('/v1/business/purchaseOrder/list?q=&pageSize=50&state=draft')
    const ready = found.find((order: { line_count: number }) => order.line_count === 200)
    if (ready) return ready.sn
    const { list: products } = await get('/v1/business/hospitalProduct/list?pageSize=500&admission_state=admitted')
    const suppliers = Map.groupBy(products, (product: { supplier_sn: string }) => product.supplier_sn)
    const [supplier, sold] = [...suppliers].sort((a, b) => b[1].length - a[1].length)[0]!
    const lines = Array.from({ length: 200 }, (_, at) => {
      const product = sold[at % sold.length] as unknown as { specification_sn: string }
      return { specification_sn: product.specification_sn, quantity: String(10 + ((at * 7) % 90)) }
    })
    const reply = await fetch('/v1/business/purchaseOrder/add', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ counterparty_sn: supplier, lines }),
    })
    return (await reply.json()).info.sn
  })

/** A serial used on a patient. */
const usedUnit = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const { list } = await (await fetch('/v1/business/unitLabel/list?status=used&pageSize=50')).json()
    return (list.find((unit: { code: string }) => unit.code.startsWith('(01)')) ?? list[0]).code
  })
