import { afterAll, beforeAll, expect } from 'vitest'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { story } from '#tests/support/steps.ts'
import { day, type Person } from '#tests/support/story.ts'

/** Reports of what was used: rows, their sums, shares, cases and comparisons, for each side of the trade. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  const { hospital, ward, balloon, inflator, d } = scene
  await scene.shelve(hospital, ward, [
    lotOf(balloon, 'UR1', { unit_codes: ['UR-1', 'UR-2', 'UR-3', 'UR-4'], owner_org_sn: d }),
    lotOf(inflator, 'UR2', { quantity: '40', price: '50' }),
  ])
})
afterAll(() => scene?.close())

const today = { begin_date: day(), end_date: day() }
async function ask(who: Person, kind: string, query: Record<string, string> = {}) {
  const reply = await who.client.get(`/v1/report/${kind}`, { ...today, ...query })
  expect(reply.code, reply.msg).toBe(0)
  return reply
}
async function use(lines: object[], more: object = {}): Promise<string> {
  const { hospital, ward, department } = scene
  const sn = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    use_type: 'consume',
    ...more,
    lines,
  })
  await hospital.pass('departmentUse', sn)
  return sn
}
const patient = (no: string, name: string) => ({
  use_type: 'patient',
  patient_no: no,
  patient_name: name,
  admission_no: `ZY${no}`,
  visit_type: 'inpatient',
})

story('uses of a day, from one report to the next', step => {
  const sns: string[] = []
  step('a use taken back is a row with a minus, and no use any more', async () => {
    const { hospital, inflator } = scene
    sns.push(await use([{ specification_sn: inflator, lot_no: 'UR2', quantity: '3' }]))
    sns.push(await use([{ specification_sn: inflator, lot_no: 'UR2', quantity: '1' }]))
    await hospital.done('departmentUse', 'redReverse', sns[1]!, { reason: '登记有误' })
    const rows = await ask(hospital, 'usageDetails', { lot_no: 'UR2' })
    expect(rows.list.map((row: { quantity: string }) => row.quantity).sort()).toEqual(['-1.000', '1.000', '3.000'])
    expect(rows.summary.quantity).toBe('3.000')
    const { list } = await ask(hospital, 'useAmountSummary', { lot_no: 'UR2', group_by: 'product_name' })
    expect(list).toMatchObject([
      {
        document_count: '1',
        used_quantity: '4.000',
        returned_quantity: '1.000',
        used_amount: '200.00',
        returned_amount: '50.00',
        amount: '150.00',
        high_amount: '150.00',
        low_amount: '0.00',
        // Bought goods are not settled.
        settled_amount: '150.00',
        unsettled_amount: '0.00',
      },
    ])
  })

  step('cases are stays with something left on them; what is used on nobody is in none', async () => {
    const { hospital } = scene
    sns.push(await use([{ unit_codes: ['UR-1', 'UR-2'] }], patient('71', '欧阳一')))
    sns.push(await use([{ unit_codes: ['UR-3'] }], patient('72', '林二')))
    const gone = await use([{ unit_codes: ['UR-4'] }], patient('73', '何三'))
    await hospital.done('departmentUse', 'redReverse', gone, { reason: '登记有误' })
    const { list, summary } = await ask(hospital, 'useStat', { group_by: 'department_name' })
    const [row] = list
    expect(row).toMatchObject({ case_count: '2', document_count: '3', high_amount: '654.00', low_amount: '0.00' })
    expect([row.amount, row.case_amount, row.amount_per_case]).toEqual(['654.00', '504.00', '252.0000'])
    expect([row.share, row.rank, row.change, summary.amount]).toEqual(['1.0000', 1, null, '654.00'])
  })

  step('consigned goods wait for their settlement; both sides count the same, and only one the patients', async () => {
    const { hospital, dealer, finance, d, h, department } = scene
    const ours = await ask(hospital, 'usageSummary', { supplier_sn: d, group_by: 'supplier_name' })
    const theirs = await ask(dealer, 'usageSummary', {
      counterparty_sn: h,
      regime: 'consigned',
      group_by: 'hospital_name',
    })
    for (const { list } of [ours, theirs])
      expect(list).toMatchObject([
        { amount: '504.00', settled_quantity: '0.000', unsettled_quantity: '3.000', unsettled_amount: '504.00' },
      ])
    const rows = await ask(dealer, 'usageDetails', { regime: 'consigned' })
    expect(rows.list.length).toBeGreaterThan(3)
    expect(JSON.stringify(rows.list)).not.toMatch(/欧阳|林二|何三|ZY7/)
    for (const name of ['patient_name', 'department_name', 'doctor_name', 'charge_state'])
      expect(rows.list[0]).not.toHaveProperty(name)
    // A filter on what he does not see is not heard.
    const narrowed = await ask(dealer, 'usageDetails', { regime: 'consigned', department_inner_sn: department })
    expect(narrowed.total).toBe(rows.total)
    const { list: masked } = await ask(finance, 'usageDetails', { unit_code: 'UR-1' })
    const { list: seen } = await ask(hospital, 'usageDetails', { unit_code: 'UR-1' })
    expect([seen[0].patient_name, seen[0].admission_no]).toEqual(['欧阳一', 'ZY71'])
    expect([masked[0].patient_name, masked[0].admission_no]).toEqual(['欧*', '****ZY71'])
  })

  step('goods of high value stand by patient, and by case; who may not see patients reads them masked', async () => {
    const { hospital, finance } = scene
    const { list, summary } = await ask(hospital, 'highValueCases', { group_by: 'department_name' })
    expect(list).toMatchObject([{ case_count: '2', amount: '504.00' }])
    expect(summary.amount).toBe((await ask(hospital, 'highValuePatients')).summary.amount)
    const { list: masked } = await ask(finance, 'highValuePatients', { unit_code: 'UR-1' })
    expect(masked[0]).toMatchObject({ patient_name: '欧*', admission_no: '****ZY71' })
    // A reader who may not see patients' names does not find them by name either.
    const named = await ask(finance, 'highValuePatients', { patient_name: '欧阳一' })
    expect(named.total).toBe((await ask(finance, 'highValuePatients')).total)
    expect((await ask(hospital, 'highValuePatients', { patient_name: '欧阳一' })).summary.quantity).toBe('2.000')
    // The finance of the same pieces knows no patient at all.
    const lines = await ask(hospital, 'highValueLines')
    expect(lines.summary.amount).toBe('654.00')
    expect(JSON.stringify(lines.list)).not.toMatch(/欧阳|林二|ZY7/)
  })

  step('what to keep follows from daily use and the days of supply; rare use is proposed nothing', async () => {
    const { hospital, inflator } = scene
    const of = async (more: Record<string, string> = {}) =>
      (await ask(hospital, 'usagePlanning', { specification_sn: inflator, ...more })).list
    expect(await of()).toMatchObject([
      { quantity: '3.000', day_mean: '3.000', evenness: 'steady', proposed_low: '24.000', proposed_high: '45.000' },
    ])
    expect(await of({ supply_days: '2', safety_days: '1', cycle_days: '3' })).toMatchObject([
      { proposed_low: '9.000', proposed_high: '18.000' },
    ])
    expect(await of({ abc: 'C' })).toEqual([])
  })

  step('proposed limits become those of the store, by who has the right; the old ones are in the log', async () => {
    const { hospital, inflator, stent, ward, h } = scene
    const query = new URLSearchParams(today).toString()
    const call = (who: Person, keys: readonly string[]) =>
      who.client.post('/v1/report/usagePlanning/applyLimits', { query, sns: JSON.stringify(keys) })
    expect((await call(hospital, [])).msg).toBe('请先勾选表格中的复选框，再进行该操作。')
    const [row] = (await ask(hospital, 'usagePlanning', { specification_sn: inflator })).list
    expect((await call(hospital, [row.row_key])).info.said).toBe('已更新1行的上下限')
    const limits = await scene.one(
      `select min_quantity::text, reorder_point::text, max_quantity::text from warehouse_product
        where org_id = $1 and warehouse_id = $2 and specification_id = $3`,
      h,
      ward,
      inflator,
    )
    expect(Object.values(limits)).toEqual(['24.000', '24.000', '45.000'])
    expect((await call(hospital, [row.row_key])).code).toBe(0)
    const logged = await scene.one(
      `select before, after from operation_log where org_id = $1 and action_name = '应用建议上下限'
         and subject = 'warehouseProduct' order by id desc limit 1`,
      h,
    )
    expect(JSON.stringify(logged.before)).toMatch(/24\.000-45\.000/)
    expect((await call(hospital, [`${stent}-1`])).msg).toBe('所选的行已有变化，请刷新后重新勾选')
    const reader = await scene.clerk('hospital', 'use.planner', ['page:/commonView/usageStatisticManage', 'price'])
    expect((await call(reader, [row.row_key])).code).not.toBe(0)
  })

  step('pieces of several specifications have no sum, money has', async () => {
    const { hospital } = scene
    const { list } = await ask(hospital, 'useStat', { group_by: 'use_type' })
    expect(list.map((row: { use_type: string; quantity: string }) => [row.use_type, row.quantity])).toEqual([
      ['patient', '3.000'],
      ['consume', '3.000'],
    ])
    const { list: all } = await ask(hospital, 'useStat', { group_by: 'department_name' })
    expect(all[0].quantity).toBeNull()
  })

  step('who groups by surgeons needs the right to, and a period is compared with the one before', async () => {
    const { hospital } = scene
    const page = ['page:/commonView/useStatReport', 'price']
    const clerk = await scene.clerk('hospital', 'use.clerk', page)
    const byDoctor = { group_by: 'doctor_name' }
    const reply = await clerk.client.get('/v1/report/useStat', { ...today, ...byDoctor })
    expect(reply.msg).toBe('使用统计报表不能按【主刀医生】分组')
    expect((await ask(hospital, 'useStat', byDoctor)).total).toBe(1)
    expect(
      (await ask(await scene.clerk('hospital', 'use.director', [...page, 'useStat.doctor']), 'useStat', byDoctor))
        .total,
    ).toBe(1)
    const blind = await scene.clerk('hospital', 'use.blind', page.slice(0, 1))
    const { list: rows } = await ask(blind, 'useStat', { group_by: 'department_name' })
    expect(rows[0]).toMatchObject({ case_count: '2' })
    for (const name of ['amount', 'high_amount', 'case_amount', 'amount_per_case'])
      expect(rows[0]).not.toHaveProperty(name)
    const { list } = await ask(hospital, 'useStat', {
      begin_date: `${day(-40).slice(0, 7)}-01`,
      group_by: 'period',
      grain: 'month',
    })
    const last = list.at(-1)
    expect(last.period).toBe(day().slice(0, 7))
    expect(last.period_end).toBe(day())
  })
})
