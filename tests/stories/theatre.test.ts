import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { addDays, today } from '#kernel/values/date.ts'
import { story } from '../support/chromium.ts'
import { openDatabase } from '#server/plugins/database.ts'
import { compareIds } from '#kernel/values/order.ts'
import { call } from '../support/ui-driver.ts'
import { openSite, type Site } from '../support/site.ts'

/** Operations on loaned goods, as a dealer's dispatcher and his technician see them. */
let site: Site
beforeAll(async () => {
  site = await openSite({ documents: false })
  const { owner, close } = await openDatabase(site.config)
  // The dealer's archive holds a letter of one of his people for every hospital.
  await owner`
    insert into licence (org_id, holder_id, licence_type, licence_no, valid_from, valid_to, person_name, audit_state,
      status)
    select o.id, o.id, '法人授权委托书（跟台人员）', 'WT-S', current_date - 30, current_date + 300, e.name, 'passed', 'enabled'
      from organisation o join employee e on e.org_id = o.id and e.status = 'enabled'
     where o.code = 'D01' order by e.id limit 1`
  await close()
})
afterAll(() => site?.close())

const WINDOW = { width: 1366, height: 768 }
const PHONE = { width: 390, height: 844 }
/** A week in which the demo has no operations. */
const DAY = addDays(today(), 40)
const weekday = new Date(`${DAY}T00:00:00Z`).getUTCDay()
/** Another day of the same week: the one after, and on Sunday the one before. */
const NEXT = weekday === 0 ? -1 : 1

type Plan = { readonly sn: string; readonly version: number }
/** A plan of the hospital's for the dealer, in force. */
async function plan(page: Page, at: string, procedure: string): Promise<string> {
  const [known] = (await call(page, 'hospitalProduct/list?q=P001-01')).list
  const [department] = (await call(page, 'department/list?pageSize=1')).list
  const made = await call(page, 'bonePlan/add', {
    counterparty_sn: known.supplier_sn,
    department_inner_sn: department.department_inner_sn,
    surgeon_name: '顾医生',
    surgery_at: at,
    procedure_name: procedure,
    patient_name: '上官晚晴',
    admission_no: 'ZY2611301',
    lines: [{ specification_sn: known.specification_sn, quantity: '1' }],
  })
  for (const action of ['submit', 'review']) {
    const { version } = (await call(page, `bonePlan/info?sn=${made.info.sn}`)).info
    expect(await call(page, `bonePlan/${action}`, { sn: made.info.sn, version })).toMatchObject({ code: 0 })
  }
  return made.info.sn
}
/** Who has a letter for the hospital: the first of the dealer's people. */
const technicianOf = async (page: Page): Promise<Record<'employee_inner_sn' | 'name', string>> => {
  const { list } = await call(page, 'employee/list?status=enabled&pageSize=200')
  return list.toSorted((a: Record<string, string>, b: Record<string, string>) =>
    compareIds(a.employee_inner_sn!, b.employee_inner_sn!),
  )[0]
}
async function accept(page: Page, sn: string, technician_inner_sn: string): Promise<void> {
  const { version } = await copyOf(page, sn)
  expect(await call(page, 'bonePlan/accept', { sn, version, technician_inner_sn })).toMatchObject({ code: 0 })
}
const copyOf = async (page: Page, sn: string): Promise<Plan & Record<string, string>> =>
  (await call(page, `bonePlan/list?role=counterparty&sn=${sn}`)).list[0]

story('a dispatcher carries operations to whoever attends; twice at one time is refused and goes back', async () => {
  const hospital = await site.visit('hospital', WINDOW)
  const [one, other, next] = [
    await plan(hospital.page, `${DAY}T01:00:00.000Z`, '全髋关节置换术'),
    await plan(hospital.page, `${DAY}T02:00:00.000Z`, '膝关节置换术'),
    await plan(hospital.page, `${addDays(DAY, NEXT)}T02:00:00.000Z`, '腰椎后路融合术'),
  ]
  await hospital.leave()
  const { page, open, problems } = await site.visit('dealer', WINDOW)
  await expect.poll(() => copyOf(page, next)).toBeDefined()
  const person = await technicianOf(page)
  await accept(page, one, person.employee_inner_sn)

  await open(`/commonView/opCooperationDea?view=technician&week=${DAY}`)
  const lane = (name: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })
  const his = lane(person.name)
  const nobody = lane('未指派')
  await his.getByText(one).waitFor()
  const [free, busy] = [nobody.getByText(next), nobody.getByText(other)]
  const on = (offset: number) => his.getByRole('cell').nth(placeOf(offset))
  await free.dragTo(on(NEXT))
  await page.getByText(`${next} 已接单`).waitFor()
  await his.getByText(next).waitFor()

  await busy.dragTo(on(0))
  await page.getByText(`跟台人员${person.name}在该时段已有手术：${one}`).waitFor()
  await nobody.getByText(other).waitFor()
  await expect.poll(() => his.getByText(other).count()).toBe(0)
  expect(await copyOf(page, other)).toMatchObject({ accept_state: '1' })

  // Without a mouse: the menu of the card names the same places.
  await page.getByRole('button', { name: `改派${other}` }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: person.name }).click()
  await page.getByText(`跟台人员${person.name}在该时段已有手术：${one}`).last().waitFor()
  await nobody.getByText(other).waitFor()
  expect(problems.filter(problem => !problem.includes('status of'))).toEqual([])
})
/** The place of a day of the story in its week, from Monday. */
const placeOf = (offset: number): number => (weekday + 6 + offset) % 7

story('the technician notes on his phone what the operation used', async () => {
  const hospital = await site.visit('hospital', WINDOW)
  const sn = await plan(hospital.page, `${addDays(DAY, 7)}T01:00:00.000Z`, '桡骨内固定术')
  await hospital.leave()
  const { page, open, problems } = await site.visit('dealer', PHONE)
  await expect.poll(() => copyOf(page, sn)).toBeDefined()
  await accept(page, sn, (await technicianOf(page)).employee_inner_sn)
  await open(`/commonView/opCooperationDea?sn=${sn}`)
  const card = page.getByRole('row').filter({ hasText: sn })
  await card.waitFor()
  await card.getByRole('button', { name: `${sn}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '跟台登记' }).click()
  const dialog = page.getByRole('dialog', { name: `跟台登记 ${sn}` })
  await dialog.waitFor()
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide).toBe(PHONE.width)
  const box = (await dialog.boundingBox())!
  expect(box.x).toBeGreaterThanOrEqual(0)
  expect(box.x + box.width).toBeLessThanOrEqual(PHONE.width)
  await dialog.getByLabel('跟台登记的使用件数').fill('2')
  await dialog.getByLabel('跟台小结').fill('术中使用两件，余下取回')
  const go = dialog.getByRole('button', { name: /跟台登记|确\s*定/ }).last()
  await go.scrollIntoViewIfNeeded()
  await expect.poll(() => go.boundingBox().then(found => found!.y + found!.height)).toBeLessThanOrEqual(PHONE.height)
  await go.click()
  await page.getByText(`${sn} 已跟台登记`).waitFor()
  const { info } = await call(page, `bonePlan/info?sn=${sn}&role=counterparty`)
  expect(info).toMatchObject({ reported_quantity: '2.000', report_summary: '术中使用两件，余下取回' })
  expect(problems.filter(problem => !problem.includes('status of'))).toEqual([])
})
