import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documents } from '#kernel/registry.ts'
import { attempt, expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'

/** Uses on patients, over every kind that takes goods out and names a patient. */
let scene: Scene
let nth = 0
const code = () => `HZ-${++nth}`
beforeAll(async () => {
  scene = await openScene()
  const unit_codes = Array.from({ length: 40 }, (_, at) => `HZ-${at + 1}`)
  await scene.shelve(scene.hospital, scene.ward, [lotOf(scene.stent, 'HZ1', { unit_codes, owner_org_sn: scene.d })])
})
afterAll(() => scene?.close())

const uses = () =>
  documents().filter(({ header, posting }) => posting.stockDirection === 'out' && header.patient_name?.patient)
const place = () => ({
  warehouse_model_inner_sn: scene.ward,
  department_inner_sn: scene.department,
  doctor_inner_sn: scene.surgeon,
  implant_site: '前降支',
})
const patient = { patient_name: '沈知微', patient_no: 'P09', admission_no: 'ZY09' }
const bodies: Readonly<Record<string, () => object>> = {
  departmentUse: () => ({ ...place(), ...patient }),
  surgeryUse: () => ({ ...place(), ...patient, surgery_name: '支架植入' }),
}
const body = (kind: string, more: object = {}) => ({
  ...bodies[kind]!(),
  lines: [{ unit_codes: [code()] }],
  ...more,
})

it('every kind that takes goods out and names a patient is here, and keeps what was on him', () => {
  expect(
    uses()
      .map(({ kind }) => kind)
      .sort(),
  ).toEqual(Object.keys(bodies).sort())
  for (const { kind, lifecycle } of uses()) expect(lifecycle.kept, kind).toBeDefined()
})

describe.each(Object.keys(bodies))('%s', kind => {
  it.each([
    ['no patient', { patient_name: null, patient_no: null, admission_no: null }],
    ['a name alone', { patient_no: null, admission_no: null }],
    ['numbers alone', { patient_name: null }],
    ['no surgeon', { doctor_inner_sn: null }],
  ])('an implant with %s is not submitted', async (_title, more) => {
    expectMessage(
      await attempt(scene.hospital, kind, body(kind, more)),
      kind === 'surgeryUse' ? /^植入类产品必须录入患者信息，请填写【.+】$/ : /^第1行【.+】为植入物，请填写.+$/,
    )
  })

  it('once on a patient it is reviewed again or red-reversed with its reason, and never withdrawn or deleted', async () => {
    const { hospital } = scene
    const sn = await hospital.add(kind, body(kind))
    await hospital.pass(kind, sn)
    await hospital.done(kind, 'unreview', sn)
    const kept = (label: string) =>
      `该记录已审核并用于患者，永久保存，不能${label}；请重新审核，用错的在审核后红冲并填写原因`
    expectMessage(await hospital.do(kind, 'unsubmit', sn), kept('撤回提交'))
    expectMessage(await hospital.do(kind, 'reject', sn, { reason: '录错' }), kept('驳回'))
    expect((await hospital.do(kind, 'del', sn)).code).not.toBe(0)
    expect((await hospital.do(kind, 'cancel', sn, { reason: '录错' })).code).not.toBe(0)
    await hospital.done(kind, 'review', sn)
    expect((await hospital.do(kind, 'redReverse', sn)).code).not.toBe(0)
    await hospital.done(kind, 'redReverse', sn, { reason: '登记错误' })
    expect(await hospital.info(kind, sn)).toMatchObject({ state: 'reversed', patient_name: '沈知微' })
  })

  it('a draft that was never in force is deleted as any other', async () => {
    const { hospital } = scene
    const sn = await hospital.add(kind, body(kind))
    await hospital.done(kind, 'submit', sn)
    await hospital.done(kind, 'unsubmit', sn)
    await hospital.done(kind, 'del', sn)
  })
})
