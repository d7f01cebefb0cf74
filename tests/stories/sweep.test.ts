import { afterAll, beforeAll, describe, expect } from 'vitest'
import { documents, entities, reports, tools } from '#app/modules.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { screenAddress } from '#kernel/definition/screen.ts'
import { seriousOn, settled } from '../support/axe.ts'
import { story } from '../support/chromium.ts'
import { openSite, type Site } from '../support/site.ts'
import { sampled } from '../support/thorough.ts'

/**
 * Every route, in `npm test` every sixth, opened by a kind of organisation that has it: a heading, rows, no console
 * errors, and on the pages about rights, people, partners and messages nothing that axe finds serious, in one theme
 * after the other.
 */
let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

/** The last part of the routes that axe looks at. */
const AUDITED = new Set(
  `accountList AgencyApproval AgencyManagement AgencyManagementNew appManagement auditSetting
    backgroundJobs bi1 businessConfig dealerManagement dictionaryManage errorRecord groupTemplate
    HumanResources logController logView menuTree messageNotifacation monitorInterface motherTree
    noticeManage noticeRecord OrganizationalStructure RegistAudit restoreData ReviewOrg systemRole user
    userRole userRoles videoCourse vipLever`.split(/\s+/),
)
/** Each of them once: for others it is drawn by the same definition. */
const audited = new Set<string>()
/** Pages that were left stay behind it, hidden: looking through them takes longer than looking at it. */
const OPEN_PAGE = 'main [class*="_layer_"]:not([style*="none"])'
const people: Readonly<Record<OrgType, string>> = { P: 'platform', H: 'hospital', D: 'dealer', V: 'vendor' }
// A wall that no menu lists is opened from a row of another.
const screens = [...[...documents, ...entities, ...reports].flatMap(definition => definition.screens), ...tools].filter(
  ({ apart, hidden }) => !(apart && hidden),
)

/**
 * A page shared by several kinds of organisations is opened by one of them, in turn: each opens pages of every sort.
 */
const opener = (orgs: string, at: number): string => {
  const sharing = [...orgs].filter(type => !(type === 'V' && orgs.includes('D')))
  return sharing[at % sharing.length]!
}
const screensOf = (type: OrgType) =>
  sampled(
    screens.filter(({ orgs }, at) => opener(orgs, at) === type),
    6,
  )

// Two at a time, one per core: while one page renders, the other waits for its rows.
describe.concurrent.each(Object.entries(people))('as %s (%s)', (type, login) => {
  story(
    'every page of the menu opens with its title and says nothing to the console',
    async () => {
      const visit = await site.visit(login)
      const wrong: string[] = []
      for (const screen of screensOf(type as OrgType)) {
        await visit.open(screenAddress(screen))
        const heading = visit.page.getByRole('heading', { level: 1, name: screen.title }).locator('visible=true')
        const shown = await heading
          .first()
          .waitFor({ timeout: 30_000 })
          .then(
            () => true,
            () => false,
          )
        if (!shown) wrong.push(`${screen.route}: no heading “${screen.title}”`)
        await visit.page
          .locator('.ant-spin-spinning, .ant-skeleton-active')
          .locator('visible=true')
          .first()
          .waitFor({ state: 'detached', timeout: 30_000 })
          .catch(() => wrong.push(`${screen.route}: still loading`))
        const failed = await visit.page.getByText(/服务错误|加载失败|没有操作权限/).count()
        if (failed > 0) wrong.push(`${screen.route}: the page failed`)
        if (AUDITED.has(screen.route.split('/').at(-1)!) && !audited.has(screen.route)) {
          audited.add(screen.route)
          await settled(visit.page)
          wrong.push(...(await seriousOn(visit.page, OPEN_PAGE)).map(finding => `${screen.route}: ${finding}`))
          await visit.page.getByRole('button', { name: /^切换到(深|浅)色$/ }).click()
        }
        wrong.push(...visit.problems.splice(0).map(problem => `${screen.route}: ${problem}`))
      }
      expect(wrong).toEqual([])
      await visit.leave()
    },
    900_000,
  )
})
