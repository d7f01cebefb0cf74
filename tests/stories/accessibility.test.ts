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

const desk = { width: 1920, height: 940 }
const laptop = { width: 1366, height: 640 }
const screens = [...[...documents, ...entities, ...reports].flatMap(definition => definition.screens), ...tools]
/** One screen a route, and every tab where a route has several. */
const addressesOf = (routes: RegExp, org: 'P' | 'H' | 'D') => [
  ...new Map(
    screens
      .filter(screen => routes.test(screen.route) && screen.orgs.includes(org))
      .map(screen => [screenKey(screen), screenAddress(screen)]),
  ).values(),
]

/** Pages of which one is loaded from the start. */
const ANEW = 4

/**
 * Who looks at what: one page of each anatomy, and all pages on which rights, people, partners and messages are kept. Those of an anatomy that
 * was looked at before, after the first `shapes`, are looked at in one theme each, in turn.
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
    size: desk,
    shapes: 2,
    addresses: addressesOf(
      /(menuTree|motherTree|groupTemplate|systemRole|accountList|logController|RegistAudit|AgencyApproval|AgencyManagement|businessConfig|messageNotifacation|dictionaryManage|vipLever|videoCourse|appManagement|restoreData|monitorInterface)$/,
      'P',
    ),
  },
  { who: 'dealer', size: desk, shapes: 1, addresses: addressesOf(/dealerManagement$/, 'D') },
]

describe.each(looks)('what $who looks at', ({ who, size, shapes, addresses }) => {
  story('has nothing that axe finds serious, in either theme', { timeout: 300_000 }, async () => {
    expect(addresses.length).toBeGreaterThan(0)
    const { page, open, leave } = await site.visit(who, size)
    const found: Record<string, readonly string[]> = {}
    for (const [at, address] of addresses.entries()) {
      // Anew now and then: what stays alive behind other tabs would be looked at again and again.
      if (at % ANEW === 0) await page.goto(site.url + address)
      else await open(address)
      await page.locator('h1:visible').waitFor()
      // While its program is on the way the page is a grey sketch that scrolls, with nothing in it that takes the keyboard.
      await page.locator('main [class*="_layer_"] :is(a[href], button, input):visible').first().waitFor()
      await page
        .locator('[aria-busy="true"]:visible, .ant-skeleton-active:visible')
        .first()
        .waitFor({ state: 'detached' })
      // The frame around the page is the same everywhere: it is looked at once.
      const part = at === 0 ? 'html' : 'main'
      const first = await seriousOn(page, part)
      await page.getByRole('button', { name: /^切换到(深|浅)色$/ }).click()
      // Of what axe looks at, the theme changes colours alone. The next page begins in the theme that this one ends in.
      const second = at < shapes ? await seriousOn(page, part, ['color-contrast']) : []
      if (first.length + second.length > 0) found[address] = [...first, ...second]
    }
    expect(found).toEqual({})
    await leave()
  })
})
