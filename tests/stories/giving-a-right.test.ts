import { afterAll, beforeAll, describe, expect } from 'vitest'
import { story } from '../support/chromium.ts'
import { openSite, type Site } from '../support/site.ts'

/** A nurse gets a right while the page is open: the button appears after her next click. */
let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

describe('the nurse', () => {
  story(
    'sees 新增 on the departments at the next click after she was given the right',
    async () => {
      const nurse = await site.visit('nurse')
      const boss = await site.visit('hospital')
      const given = (flags: readonly string[]) =>
        boss.page.evaluate(async names => {
          const call = async (to: string, body?: object) =>
            (
              await fetch(
                to,
                body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
              )
            ).json()
          const { list } = await call('/v1/business/role/list?name=%E7%A7%91%E5%AE%A4%E6%8A%A4%E5%A3%AB')
          const [role] = list
          const sent = { sn: role.role_sn, version: role.version, flags: [...new Set([...role.flags, ...names])] }
          const asked = await call('/v1/business/role/edit', sent)
          const { code } = await call('/v1/business/role/edit', { ...sent, confirm: asked.info.token })
          return code as number
        }, flags)
      expect(await given(['page:/ptm/OrganizationalStructure'])).toBe(0)
      await nurse.open('/ptm/OrganizationalStructure')
      const { page } = nurse
      await page.getByRole('heading', { level: 1, name: '组织架构' }).waitFor()
      await page.getByRole('row').nth(3).waitFor()
      const add = page.getByRole('button', { name: '新增' }).locator('visible=true')
      await expect.poll(() => add.count()).toBe(0)
      expect(await given(['department.add', 'department.edit'])).toBe(0)
      // Any click that calls the server updates the page's rights.
      await page.getByRole('button', { name: '刷新' }).locator('visible=true').first().click()
      await add.first().waitFor()
      // She has no price permission: her documents open without prices and without errors.
      await nurse.open('/hospital/SuppliesClaim')
      await page.getByRole('heading', { level: 1, name: '物资申领' }).waitFor()
      await page.getByRole('row').nth(2).waitFor()
      expect(
        await page
          .getByRole('columnheader', { name: /金额|单价/ })
          .locator('visible=true')
          .count(),
      ).toBe(0)
      await page.locator('button.link.mono').locator('visible=true').first().click()
      await page.getByRole('region', { name: '明细' }).locator('visible=true').first().waitFor()
      await expect.poll(() => page.getByText('页面出错了').locator('visible=true').count()).toBe(0)
      expect(nurse.problems).toEqual([])
      await nurse.leave()
      await boss.leave()
    },
    120_000,
  )
})
