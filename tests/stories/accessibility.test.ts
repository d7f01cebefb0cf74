import { afterAll, beforeAll, describe, expect } from 'vitest'
import { namedInEnglish, seriousOn, settled } from '../support/axe.ts'
import { story } from '../support/chromium.ts'
import { openSite, type Site } from '../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

const desktop = { width: 1920, height: 940 }
const laptop = { width: 1366, height: 640 }

/**
 * One page of each layout, in both themes, by the account that works there. All pages on rights, people, partners and
 * messages are looked at in one theme by the sweep, which opens every page anyway.
 */
const looks = [
  {
    who: 'hospital',
    size: laptop,
    addresses: [
      '/',
      '/hospital/purchaseOrder',
      '/hospital/purchaseOrder/new',
      '/hospital/traceabilityManage',
      '/commonView/inventorySummaryReport',
      '/ptm/userManage/userRole',
    ],
  },
  { who: 'platform', size: desktop, addresses: ['/ptm/maintenance/menuTree', '/ptm/agencyManage/RegistAudit'] },
]

describe.each(looks)('what $who looks at', ({ who, size, addresses }) => {
  story('has nothing that axe finds serious, in either theme', { timeout: 300_000 }, async () => {
    const { page, leave } = await site.visit(who, size)
    const found: Record<string, readonly string[]> = {}
    for (const [at, address] of addresses.entries()) {
      // From scratch: content kept alive behind other tabs would be checked again and again.
      await page.goto(site.url + address)
      await settled(page)
      // The frame around the page is the same everywhere, so it is checked once.
      const part = at === 0 ? 'html' : 'main'
      const first = [...(await seriousOn(page, part)), ...(await namedInEnglish(page, part))]
      await page.getByRole('button', { name: /^切换到(深|浅)色$/ }).click()
      // Of what axe checks, the theme changes only colours. The next page starts in the theme this one ends in.
      const second = await seriousOn(page, part, ['color-contrast'])
      if (first.length + second.length > 0) found[address] = [...first, ...second]
    }
    expect(found).toEqual({})
    await leave()
  })
})
