import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Config } from '#server/config.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { serve } from '#app/main.ts'
import { launchChromium } from './chromium.ts'
import { freshDatabase } from './database.ts'

/** The complete product: a server with the demo's year, and a browser. */
export interface Site {
  readonly url: string
  readonly config: Config
  /** A page that is not signed in. */
  outsider(size?: { width: number; height: number }): Promise<Page>
  /** The last outbox entry that mentions `about`: a captcha's id, a phone number. */
  lastInOutbox(file: 'sms' | 'captcha', about?: string): Promise<Record<string, string>>
  /**
   * A new signed-in page; `problems` collects console errors a user would not see. `hasTouch`: a finger points, not a
   * mouse.
   */
  visit(login: string, size?: Screen): Promise<Visit>
  close(): Promise<void>
}
export interface Visit {
  readonly page: Page
  readonly problems: string[]
  open(route: string): Promise<void>
  leave(): Promise<void>
}

type Screen = { readonly width: number; readonly height: number; readonly hasTouch?: boolean }

/** How long a page or a part of it may take to come: a machine that runs other tests as well may be slow. */
const PATIENCE_MS = 90_000

/** `BROWSER_SLOWDOWN=6`: pages run on a processor six times slower, to find what a slow machine would. */
const SLOWDOWN = parseInteger(process.env.BROWSER_SLOWDOWN ?? '1')

const fullHd: Screen = { width: 1920, height: 1080 }
/** With reduced motion: content appears without animation, so tests need not wait. */
const reader = { locale: 'zh-CN', reducedMotion: 'reduce' } as const

/** `documents: false`: only the demo's organisations, users and goods: fast. `env`: what it is connected with. */
export async function openSite({
  documents = true,
  env = {},
}: {
  readonly documents?: boolean
  readonly env?: Readonly<Record<string, string>>
} = {}): Promise<Site> {
  const { buildWeb } = await import('../../scripts/build-web.mjs')
  await buildWeb(path.resolve(import.meta.dirname, '../..'))
  const fresh = await freshDatabase({ demo: documents, masters: !documents, env })
  const running = await serve({ ...fresh.config, demo: false })
  const browser = await launchChromium()
  return {
    url: running.url,
    config: fresh.config,
    outsider: async (size = fullHd) =>
      (await patient(browser.newContext({ ...reader, viewport: size, baseURL: running.url }))).newPage(),
    lastInOutbox: (file, about) => lastInOutbox(fresh.config, file, about),
    visit: (login, size = fullHd) => visit(browser, running.url, login, size),
    close: async () => {
      await browser.close()
      await running.close()
      await fresh.drop()
    },
  }
}

async function lastInOutbox(config: Config, file: string, about = ''): Promise<Record<string, string>> {
  const text = await readFile(path.join(config.dataDir, 'outbox', `${file}.jsonl`), 'utf8')
  const line = text
    .trim()
    .split('\n')
    .findLast(each => each.includes(about))
  if (line === undefined) throw new Error(`nothing about ${about} in the ${file} outbox`)
  return JSON.parse(line) as Record<string, string>
}

async function patient(opened: Promise<BrowserContext>): Promise<BrowserContext> {
  const context = await opened
  context.setDefaultTimeout(PATIENCE_MS)
  return context
}

async function visit(
  browser: Browser,
  url: string,
  login: string,
  { hasTouch = false, ...size }: Screen,
): Promise<Visit> {
  const screen = { viewport: size, hasTouch, isMobile: hasTouch }
  const context = await patient(browser.newContext({ ...reader, ...screen, timezoneId: 'Asia/Shanghai' }))
  const page = await context.newPage()
  if (SLOWDOWN > 1) {
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  }
  const problems: string[] = []
  page.on('console', message => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', error => problems.push(error.message))
  await page.goto(`${url}/Login`)
  await page.locator('input').nth(0).fill(login)
  await page.locator('input').nth(1).fill('Spd@2026')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: '工作台' }).waitFor()
  // Messages from before sign-in (no session yet) are not problems of a page.
  problems.length = 0
  return {
    page,
    problems,
    open: async route => {
      // As a click in the menu does: without reloading the web app.
      await page.evaluate(to => {
        history.pushState({}, '', to)
        dispatchEvent(new PopStateEvent('popstate'))
      }, route)
    },
    leave: () => context.close(),
  }
}
