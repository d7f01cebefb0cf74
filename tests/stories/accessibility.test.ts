import { AxeBuilder } from '@axe-core/playwright'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { story } from '../support/chromium.ts'
import { openSite, type Site } from '../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

/** One page of each anatomy. */
const pages = [
  '/',
  '/hospital/purchaseOrder',
  '/hospital/purchaseOrder/new',
  '/ptm/OrganizationalStructure',
  '/hospital/traceabilityManage',
]
const sizes = { 'a desk': { width: 1920, height: 940 }, 'a laptop': { width: 1366, height: 640 } }

describe.each(Object.entries(sizes))('on %s', (_, size) => {
  story('axe finds nothing serious in either theme', { timeout: 300_000 }, async () => {
    const { page, open } = await site.visit('hospital', size)
    for (const theme of ['浅色', '深色']) {
      if (theme === '深色') await page.getByRole('button', { name: '切换到深色' }).click()
      for (const address of pages) {
        await open(address)
        await page.locator('h1:visible').waitFor()
        // Colours that are still fading in are nobody's contrast.
        await page.waitForLoadState('networkidle')
        await page.waitForTimeout(1_000)
        const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa']).analyze()
        const serious = violations.filter(each => each.impact === 'serious' || each.impact === 'critical')
        expect({ address, theme, found: serious.map(each => each.id) }).toEqual({ address, theme, found: [] })
      }
    }
  })
})
