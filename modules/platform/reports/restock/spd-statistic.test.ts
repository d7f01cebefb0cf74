import { afterAll, beforeAll, expect, test } from 'vitest'
import { multiply, round } from '#kernel/values/decimal.ts'
import { attempt, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** 科室SPD运营统计: the supply of a department as rates, and their weighted score. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.shelve(scene.hospital, scene.central, [lotOf(scene.inflator, 'SPD1', { quantity: '1000' })])
})
afterAll(() => scene?.close())

const range = { begin_date: day(-3), end_date: day() }
async function figures(): Promise<Record<string, string | null>> {
  const reply = await scene.hospital.client.get('/v1/report/deptSpdStatistic', {
    ...range,
    department_inner_sn: scene.department,
    group_by: 'department_name',
  })
  expect(reply.code, JSON.stringify(reply)).toBe(0)
  return reply.list[0]
}
async function asked(quantity: string, more: object = {}): Promise<string> {
  const sn = await scene.hospital.add('requisition', {
    warehouse_model_inner_sn: scene.central,
    to_warehouse_model_inner_sn: scene.ward,
    department_inner_sn: scene.department,
    lines: [{ specification_sn: scene.inflator, quantity }],
    ...more,
  })
  await scene.hospital.pass('requisition', sn)
  return sn
}
async function supplied(sn: string, quantity: string): Promise<void> {
  const { hospital } = scene
  const grant = { source_type: 104, source_sn: sn, lines: [{ source_line_no: 1, quantity }] }
  expect((await attempt(hospital, 'grantOdo', grant, 'review')).msg).toBe('')
  const [odo] = await hospital.list('grantOdo', { source_sn: sn })
  await hospital.done('wardReceipt', 'review', (await hospital.from('wardReceipt', odo.sn)).sn)
}
/** A requisition that was due, and approved, so many hours ago. */
const past = (sn: string, due: number) =>
  scene.one(
    `update document set reviewed_at = reviewed_at - make_interval(hours => $3 + 1),
       fields = fields || jsonb_build_object('due_at', to_char(
         (now() - make_interval(hours => $3)) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
      where org_id = $1 and sn = $2 returning 1`,
    scene.h,
    sn,
    due,
  )

test('rates are those of lines, and a rate without data passes its weight to the others', async () => {
  const { hospital, inflator, ward, department } = scene
  await supplied(await asked('4'), '4')
  await supplied(await asked('6', { is_urgent: true, urgent_reason: '抢救' }), '6')
  const late = await asked('5')
  await past(late, 2)
  await supplied(late, '5')
  await asked('8')
  const use = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    use_type: 'consume',
    lines: [{ specification_sn: inflator, lot_no: 'SPD1', quantity: '1' }],
  })
  await hospital.pass('departmentUse', use)
  const row = await figures()
  expect(row).toMatchObject({
    claim_count: '4',
    line_count: '4',
    urgent_count: '1',
    urgent_rate: '0.2500',
    approved_count: '4',
    // Granted in full within the time that the rules allow; the fourth waits.
    satisfied_count: '2',
    satisfied_rate: '0.5000',
    // The fourth is not due yet.
    punctual_rate: '0.6667',
    mean_hours: '1.0',
    scan_rate: '0.0000',
    count_rate: null,
    charge_rate: null,
  })
  // 30, 25 and 20 are left of the weights: (30 × 50 % + 25 × 66.67 % + 20 × 0) / 75.
  expect(row.score).toBe('42.22')
})

test('the weights are a rule of the hospital and add up to 100', async () => {
  const { hospital } = scene
  const rule = async () => {
    const rows = await hospital.list('hospitalRule', { pageSize: '200', title: '科室SPD运营评分权重' })
    return rows[0]
  }
  const { hospital_rule_sn: sn, version, figure } = await rule()
  expect(figure).toBe('30/25/20/15/10')
  const set = (body: object) =>
    hospital.client.post('/v1/business/hospitalRule/edit', { sn, version, reason: '考核办法', ...body })
  expect((await set({ figure: '30/25/20/15/11' })).errors?.[0]?.msg).toBe('权重合计必须为100')
  expect((await set({ figure: '50/50' })).errors?.[0]?.msg).toMatch(/^参数值应为5个整数/)
  await supplied(await asked('1'), '1')
  expect((await set({ figure: '100/0/0/0/0' })).code).toBe(0)
  const { satisfied_rate, score } = await figures()
  expect(score).toBe(round(multiply(satisfied_rate!, '100', 4), 2))
})
