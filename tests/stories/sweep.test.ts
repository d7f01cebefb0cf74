import { afterAll, beforeAll, describe, expect } from 'vitest'
import { documents, entities, reports, tools } from '#modules/registry.ts'
import type { OrgType } from '#kernel/organisation.ts'
import { screenAddress } from '#kernel/screen.ts'
import { story } from '../support/chromium.ts'
import { openSite, type Site } from '../support/site.ts'

/** Every route of the house, opened as each kind of organisation that has it: a heading, rows, and nothing in the console. */
let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

const people: Readonly<Record<OrgType, string>> = { P: 'platform', H: 'hospital', D: 'dealer', V: 'vendor' }
const screens = [...[...documents, ...entities, ...reports].flatMap(definition => definition.screens), ...tools]

/** A maker's pages that a dealer has too are the same pages: they are opened once, as the dealer. */
const screensOf = (type: OrgType) =>
  screens.filter(({ orgs }) => orgs.includes(type) && !(type === 'V' && orgs.includes('D')))

describe.each(Object.entries(people))('as %s (%s)', (type, login) => {
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
          .waitFor({ timeout: 8_000 })
          .then(
            () => true,
            () => false,
          )
        if (!shown) wrong.push(`${screen.route}: no heading “${screen.title}”`)
        await visit.page
          .locator('.ant-spin-spinning, .ant-skeleton-active')
          .locator('visible=true')
          .first()
          .waitFor({ state: 'detached', timeout: 8_000 })
          .catch(() => wrong.push(`${screen.route}: still loading`))
        const failed = await visit.page.getByText(/服务错误|加载失败|没有操作权限/).count()
        if (failed > 0) wrong.push(`${screen.route}: the page failed`)
        wrong.push(...visit.problems.splice(0).map(problem => `${screen.route}: ${problem}`))
      }
      expect(wrong).toEqual([])
      await visit.leave()
    },
    240_000,
  )
})
