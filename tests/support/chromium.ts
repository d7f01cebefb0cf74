import { type Browser, chromium } from 'playwright-core'
import { inject, test } from 'vitest'

const FLAGS = [
  '--no-sandbox', // root may not use the sandbox
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
]

/** A browser test: skipped, not failed, if there is no browser. */
export const story = test.skipIf(!inject('chromium'))

export async function launchChromium(): Promise<Browser> {
  const executablePath = inject('chromium')
  if (!executablePath) throw new Error('没有可用的 Chromium')
  return chromium.launch({ executablePath, args: FLAGS })
}
