import { afterAll, beforeAll, describe, expect } from 'vitest'
import { screenAddress, screenKey } from '#kernel/definition/screen.ts'
import { documents, entities, reports, tools } from '#modules/registry.ts'
import { seriousOn } from '../support/axe.ts'
import { story } from '../support/chromium.ts'
import { openSite, type Site } from '../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

const desktop = { width: 1920, height: 940 }
const laptop = { width: 1366, height: 640 }
const screens = [...[...documents, ...entities, ...reports].flatMap(definition => definition.screens), ...tools]
/** One screen per route, and every tab if a route has several. */
const addressesOf = (routes: RegExp, org: 'P' | 'H' | 'D') => [
  ...new Map(
    screens
      .filter(screen => routes.test(screen.route) && screen.orgs.includes(org))
      .map(screen => [screenKey(screen), screenAddress(screen)]),
  ).values(),
]

/** Every how many pages one is loaded from scratch. */
const ANEW = 4

/**
 * Which account checks which pages: one page of each layout, and all pages on rights, people, partners and messages.
 * Pages after the first `shapes` repeat a layout already checked, so each is checked in one theme only, alternating.
 */
const looks = [
  {
    who: 'hospital',
    size: laptop,
    shapes: 6,
    addresses: [
      '/',
      '/hospital/purchaseOrder',
      '/hospital/purchaseOrder/new',
      '/hospital/traceabilityManage',
      '/commonView/inventorySummaryReport',
      ...addressesOf(
        /(userRoles?|\/user|OrganizationalStructure|HumanResources|auditSetting|logView|AgencyManagementNew|ReviewOrg|noticeManage|noticeRecord|errorRecord)$/,
        'H',
      ),
    ],
  },
  {
    who: 'platform',
    size: desktop,
    shapes: 2,
    addresses: addressesOf(
      /(menuTree|motherTree|groupTemplate|systemRole|accountList|logController|RegistAudit|AgencyApproval|AgencyManagement|businessConfig|messageNotifacation|dictionaryManage|vipLever|videoCourse|appManagement|restoreData|monitorInterface|backgroundJobs)$/,
      'P',
    ),
  },
  { who: 'dealer', size: desktop, shapes: 1, addresses: addressesOf(/dealerManagement$/, 'D') },
]

describe.each(looks)('what $who looks at', ({ who, size, shapes, addresses }) => {
  story('has nothing that axe finds serious, in either theme', { timeout: 300_000 }, async () => {
    expect(addresses.length).toBeGreaterThan(0)
    const { page, open, leave } = await site.visit(who, size)
    const found: Record<string, readonly string[]> = {}
    for (const [at, address] of addresses.entries()) {
      // Reload now and then: content kept alive behind other tabs would be checked again and again.
      if (at % ANEW === 0) await page.goto(site.url + address)
      else await open(address)
      await page.locator('h1:visible').waitFor()
      // While its code loads the page is a grey skeleton that scrolls, with nothing focusable in it.
      await page.locator('main [class*="_layer_"] :is(a[href], button, input):visible').first().waitFor()
      await page
        .locator('[aria-busy="true"]:visible, .ant-skeleton-active:visible')
        .first()
        .waitFor({ state: 'detached' })
      // The frame around the page is the same everywhere, so it is checked once.
      const part = at === 0 ? 'html' : 'main'
      const first = await seriousOn(page, part)
      await page.getByRole('button', { name: /^切换到(深|浅)色$/ }).click()
      // Of what axe checks, the theme changes only colours. The next page starts in the theme this one ends in.
      const second = at < shapes ? await seriousOn(page, part, ['color-contrast']) : []
      if (first.length + second.length > 0) found[address] = [...first, ...second]
    }
    expect(found).toEqual({})
    await leave()
  })
})
