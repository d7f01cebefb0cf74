import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** 随访登记: what became of a patient, under the use of the goods that he carries. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.shelve(scene.hospital, scene.ward, [
    lotOf(scene.stent, 'FU1', { unit_codes: ['FU-1', 'FU-2', 'FU-3'] }),
    lotOf(scene.inflator, 'FU2', { quantity: '5' }),
  ])
})
afterAll(() => scene?.close())

const use = async (
  lines: object[],
  patient: object = { patient_no: 'PFU', patient_name: '欧阳随', admission_no: 'ZYFU' },
) => {
  const sn = await scene.hospital.add('surgeryUse', {
    warehouse_model_inner_sn: scene.ward,
    department_inner_sn: scene.department,
    doctor_inner_sn: scene.surgeon,
    surgery_name: '支架置入术',
    implant_site: '左前降支',
    ...patient,
    lines,
  })
  await scene.hospital.pass('surgeryUse', sn)
  return sn
}
const add = (body: object, who = scene.hospital) =>
  who.client.post('/v1/business/patientFollowUp/add', { followed_on: day(), way: 'phone', result: 'well', ...body })

test('a follow-up is of a use of goods of high value; it is due until a later one is recorded', async () => {
  const { hospital, inflator, department, one } = scene
  const sn = await use([{ unit_codes: ['FU-1'] }])
  const refused = '没有这张已审核的高值耗材患者使用单，请核对使用单号'
  expectMessage(await add({ source_no: 'SS0' }), refused)
  // Goods for the ward went to nobody.
  const consumed = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: scene.ward,
    department_inner_sn: department,
    use_type: 'consume',
    lines: [{ specification_sn: inflator, lot_no: 'FU2', quantity: '1' }],
  })
  await hospital.pass('departmentUse', consumed)
  expectMessage(await add({ source_no: consumed }), refused)
  expectMessage(await add({ source_no: sn, followed_on: day(-1) }), `随访日期不能早于使用日期${day()}`)
  expectMessage(await add({ source_no: sn, next_on: day() }), '下次随访日期应晚于随访日期')
  expect((await add({ source_no: sn, next_on: day(30), patient_note: '主诉无不适' })).code).toBe(0)
  const rows = async (who = hospital) => who.list('patientFollowUp', { source_no: sn })
  expect(await rows()).toMatchObject([
    {
      source_no: sn,
      department_inner_sn: department,
      patient_name: '欧阳随',
      admission_no: 'ZYFU',
      used_on: day(),
      is_due: false,
      patient_note: '主诉无不适',
    },
  ])
  await one(
    'update patient_follow_up set followed_on = $2, next_on = $3 where source_no = $1 returning 1',
    sn,
    day(-9),
    day(-1),
  )
  expect(await rows()).toMatchObject([{ is_due: true }])
  expect((await add({ source_no: sn, result: 'lost' })).code).toBe(0)
  expect((await rows()).map((row: { is_due: boolean | null }) => row.is_due === true)).toEqual([false, false])
  // A user without the right to patients reads neither the patient's name nor the findings; other organisations read
  // nothing of it.
  const reader = await scene.clerk('hospital', 'follow.reader', ['page:/hospital/gzCustomerReport'])
  expect(JSON.stringify(await rows(reader))).not.toMatch(/欧阳随|ZYFU|主诉/)
  expect((await scene.dealer.client.get('/v1/business/patientFollowUp/list', {})).list).toEqual([])
  expect((await add({ source_no: sn, followed_on: day(1) }, scene.dealer)).code).not.toBe(0)
})

test('the uses of ticked rows are followed up, each once', async () => {
  const { hospital } = scene
  const sn = await use([{ unit_codes: ['FU-2'] }, { unit_codes: ['FU-3'] }], {
    patient_no: 'PFT',
    patient_name: '司徒访',
    admission_no: 'ZYFT',
  })
  const query = `begin_date=${day()}&end_date=${day()}&patient_no=ZYFT`
  const { list } = await hospital.client.get(`/v1/report/highValuePatients?${query}`)
  const keys = list.map((row: { row_key: string }) => row.row_key)
  expect(keys).toHaveLength(2)
  const followUp = (who: Scene['hospital'], answers: object) =>
    who.client.post('/v1/report/highValuePatients/followUp', { query, sns: JSON.stringify(keys), ...answers })
  expect((await followUp(hospital, { followed_on: day(), way: 'visit' })).errors).toMatchObject([{ field: 'result' }])
  const answers = { followed_on: day(), way: 'visit', result: 'well', next_on: day(90) }
  expect((await followUp(hospital, answers)).info).toMatchObject({ said: `已登记随访：${sn}` })
  expect(await hospital.list('patientFollowUp', { source_no: sn })).toMatchObject([
    { followed_on: day(), way: 'visit', result: 'well', next_on: day(90) },
  ])
  const reader = await scene.clerk('hospital', 'follow.ticker', ['page:/hospital/gzCustomerReport'])
  expect((await followUp(reader, { ...answers, followed_on: day(1) })).code).toBe(403)
  // Whoever may add one on the other tab may follow up here: it is one right.
  const page = ['page:/hospital/gzCustomerReport', 'patientFollowUp.add']
  const nurse = await scene.clerk('hospital', 'follow.nurse', page)
  expect((await followUp(nurse, { ...answers, followed_on: day(1) })).info).toMatchObject({ said: `已登记随访：${sn}` })
})
