import { existsSync } from 'node:fs'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the browser executable; null: the browser tests are skipped. */
    chromium: string | null
  }
}

/** The one without windows first: it is the same Chromium, and a page costs a third less in it. */
const PLACES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  name => `/usr/bin/${name}`,
)
const PACKED_BROWSER: string = '@sparticuz/chromium'
const ADVICE =
  '未找到 Chromium，浏览器用例已跳过；安装：apt-get install -y chromium fonts-noto-cjk，或用 CHROMIUM_PATH 指定'

/** Looks for a browser once for all browser tests. */
export default async function setup(project: TestProject): Promise<void> {
  const chromium = await findChromium()
  const required = Boolean(process.env.CI || process.env.REQUIRE_BROWSER)
  if (!chromium && required) throw new Error(ADVICE.replace('已跳过', '无法运行'))
  if (!chromium) console.log(ADVICE)
  project.provide('chromium', chromium)
}

/** The executable of an installed browser, or null. */
async function findChromium(): Promise<string | null> {
  const chosen = process.env.CHROMIUM_PATH
  if (chosen) {
    if (existsSync(chosen)) return chosen
    throw new Error(`CHROMIUM_PATH 指向的 ${chosen} 不存在，请改正或去掉该变量。`)
  }
  return PLACES.find(place => existsSync(place)) ?? (await unpackChromium())
}

/** The optional package has a compressed browser for machines without one; npm omits it under Node 20. */
async function unpackChromium(): Promise<string | null> {
  try {
    const { default: packed } = await import(PACKED_BROWSER)
    return await packed.executablePath()
  } catch {
    return null
  }
}
