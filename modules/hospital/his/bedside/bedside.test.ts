import { afterAll, beforeAll, expect, test } from 'vitest'
import { instant } from '#kernel/values/date.ts'
import { noFaults } from '../../../../deploy/his/faults.ts'
import type { RunningHis } from '../../../../deploy/his/server.ts'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { startConnected } from '#tests/support/his.ts'

/** At the bedside a scan of the wristband fills in the patient; a HIS that is down does not stop a nurse. */
let scene: Scene
let stand: RunningHis
beforeAll(async () => {
  scene = await openScene()
  stand = await startConnected(scene.server, 'H01')
})
afterAll(async () => {
  await stand?.close()
  await scene?.close()
})

const scan = (code: string, kind = 'surgeryUse', who = scene.hospital) =>
  who.client.post('/v1/business/his/bedside', { kind, code })
const patient = () => stand.books.patients.find(each => each.patient_no === 'H01P200627')!

test('a wristband in GS1, the number of the patient or of the stay fill in patient, stay and operation', async () => {
  const { info } = await scan(`(8018)${patient().wristband}(8019)1`)
  expect(info).toMatchObject({ from: 'his', said: null })
  expect(info.fields).toMatchObject({
    patient_no: 'H01P200627',
    patient_name: '步允执',
    patient_sex: 'male',
    admission_no: '0126012109',
    bed_no: '31',
    surgery_no: 'OP261126060',
    surgery_name: '全膝关节置换术',
    theatre: '2号手术间',
    doctor_name: '薛牧野',
  })
  expect(info.fields.patient_age).toMatch(/^6\d岁$/)
  for (const code of [`8018${patient().wristband}`, 'H01P200627', '0126012109'])
    expect((await scan(code)).info.fields).toEqual(info.fields)
  const ward = (await scan('H01P200627', 'departmentUse')).info.fields
  expect(ward).toMatchObject({ visit_type: 'inpatient', patient_no: 'H01P200627' })
  expect(ward).not.toHaveProperty('surgery_no')
  expect((await scan('H01P999')).info).toMatchObject({ from: 'nowhere', fields: {} })
})

test('a requisition for an operation names its patient as the HIS does; who supplies the ward reads none of him', async () => {
  const { fields } = (await scan('H01P200627', 'requisition')).info
  expect(fields).toEqual({
    patient_no: 'H01P200627',
    patient_name: '步允执',
    admission_no: '0126012109',
    surgery_no: 'OP261126060',
    surgery_name: '全膝关节置换术',
  })
  const { hospital, central, ward, department, inflator, finance } = scene
  const sn = await hospital.add('requisition', {
    department_inner_sn: department,
    warehouse_model_inner_sn: central,
    to_warehouse_model_inner_sn: ward,
    claim_type: 'surgery',
    ...fields,
    lines: [{ specification_sn: inflator, quantity: '1' }],
  })
  await hospital.done('requisition', 'submit', sn)
  expect(await hospital.list('requisition', { surgery_no: 'OP261126060', patient_name: '步允执' })).toMatchObject([
    { sn, surgery_name: '全膝关节置换术' },
  ])
  expect(await hospital.list('requisition', { patient_name: '没有此人' })).toEqual([])
  // Users who may not see patients cannot find one by filtering or sorting, and see only the number of the operation.
  const blind = await finance.client.get('/v1/business/requisition/info', { sn })
  for (const asked of [{ patient_name: '步允执' }, { sort: 'admission_no' }])
    expect((await finance.client.get('/v1/business/requisition/list', asked)).code).not.toBe(0)
  expect(JSON.stringify(blind)).not.toMatch(/步允执|0126012109|H01P200627|全膝/)
})

test('of several running stays and operations the nurse chooses; no number is written for her', async () => {
  const visit = stand.books.visits.find(each => each.patient_no === 'H01P200627')!
  const operation = stand.books.operations.find(each => each.visit_no === visit.visit_no)!
  const now = instant()
  const again = { ...operation, surgery_no: 'OP-AGAIN', surgery_name: '膝关节清创术', updated_at: now }
  const other = { ...visit, visit_no: 'ZY-OTHER', bed_no: '8', state: 'active', updated_at: now } as const
  stand.books.operations.push({ ...again, state: 'planned', planned_at: now, started_at: null, ended_at: null })
  stand.books.visits.push(other)
  const { info } = await scan('H01P200627')
  expect(info).toMatchObject({ from: 'his', fields: {} })
  const chosen = info.choices.map(({ fields }: { fields: Record<string, string> }) => [
    fields.patient_name,
    fields.admission_no,
    fields.surgery_no ?? null,
  ])
  expect(chosen.toSorted()).toEqual([
    ['步允执', '0126012109', 'OP-AGAIN'],
    ['步允执', '0126012109', 'OP261126060'],
    ['步允执', 'ZY-OTHER', null],
  ])
  expect(new Set(info.choices.map(({ label }: { label: string }) => label)).size).toBe(3)
  expect(info.choices.map(({ label }: { label: string }) => label)).toContain('住院 ZY-OTHER 8床')
  // A scan of the stay's own number leaves its operations to be chosen; a ward records only the stay.
  expect((await scan('ZY-OTHER')).info).toMatchObject({ choices: [], fields: { admission_no: 'ZY-OTHER' } })
  expect((await scan('0126012109')).info.choices).toHaveLength(2)
  const ward = (await scan('H01P200627', 'departmentUse')).info
  expect(ward.choices.map(({ label }: { label: string }) => label)).toEqual([
    '住院 0126012109 31床',
    '住院 ZY-OTHER 8床',
  ])
  expect(ward.choices[0].fields).not.toHaveProperty('surgery_name')
  // While the HIS is down the same choice is there.
  Object.assign(stand.faults, { failing: -1, status: 503 })
  expect((await scan('H01P200627')).info.choices).toHaveLength(3)
  Object.assign(stand.faults, noFaults())
  stand.books.operations.splice(-1)
  stand.books.visits.splice(-1)
  await scene.server.database.owner`delete from his_operation where surgery_no = 'OP-AGAIN'`
  await scene.server.database.owner`delete from his_visit where visit_no = 'ZY-OTHER'`
})

test('while the HIS is down what is known fills in, the page says so, and the use is kept', async () => {
  await scan('H01P200627')
  Object.assign(stand.faults, { failing: -1, status: 503 })
  const { info } = await scan(`(8018)${patient().wristband}`)
  expect(info).toMatchObject({ from: 'kept', fields: { patient_name: '步允执', admission_no: '0126012109' } })
  expect(info.said).toBe(
    'HIS暂时无法连接，请手工填写患者；登记不受影响，计费随后自动补推（已带出本系统留存的信息，请核对）',
  )
  const band = '(8018)699999000000099999(7250)19800301(7253)%E6%9D%8E(7254)%E5%AE%89'
  expect((await scan(band)).info).toMatchObject({ from: 'kept', fields: { patient_name: '李安' } })
  expect((await scan('ZZ1')).info).toMatchObject({ from: 'nowhere', fields: {} })
  const { hospital, ward, inflator } = scene
  await scene.shelve(hospital, ward, [lotOf(inflator, 'BED1', { quantity: '2', price: '20' })])
  await scene.rule(scene.h, 'unmatched_use', true)
  const sn = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: ward,
    patient_no: 'ZZ1',
    patient_name: '李安',
    lines: [{ specification_sn: inflator, lot_no: 'BED1', quantity: '1' }],
  })
  await hospital.done('departmentUse', 'submit', sn)
  Object.assign(stand.faults, noFaults())
})

test('only who may see patients and write uses is told, and nothing of it stands in a log', async () => {
  const { one, h, dealer, server } = scene
  await one(
    `insert into role (org_id, name, flags)
       values ($1, '使用登记', array['page:/hospital/departmentUse', 'departmentUse.add']) returning 1`,
    h,
  )
  await one(
    `insert into app_user (org_id, login, password_hash, name, is_administrator)
       select org_id, 'no.patients', password_hash, '读者', false from app_user where login = 'hospital' returning 1`,
  )
  await one(
    `insert into user_role (org_id, user_id, role_id) select $1, u.id, r.id from app_user u, role r
       where u.login = 'no.patients' and r.org_id = $1 and r.name = '使用登记' returning 1`,
    h,
  )
  const blind = await scene.person('no.patients')
  expect((await scan('H01P200627', 'departmentUse', blind)).code).toBe(403)
  expect((await scan('H01P200627', 'departmentUse', dealer)).code).toBe(403)
  expect((await scan('', 'departmentUse')).code).not.toBe(0)
  expect((await scan('H01P200627', 'purchaseGrn')).code).not.toBe(0)
  const { owner } = server.database
  const written = await owner`select name, request, response, error from outbound_call where org_id = ${h}`
  expect(written.length).toBeGreaterThan(0)
  const logged = await owner`select to_jsonb(o)::text as text from operation_log o where o.org_id = ${h}`
  expect(JSON.stringify([written, logged])).not.toMatch(/H01P200627|步允执|0126012109/)
})
