import { read, utils } from '@e965/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { afterThisTest, expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'

/** 患者信息单: made by itself from a reviewed usage record with implants, kept for ever, corrected by versions. */
let scene: Scene
let serial = 0
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const KIND = 'patientImplantForm'
const SECRETS = /沈知微|ZYF|PF\d|左膝|11010519|左前降支|步行街/

/** A use of so many stents in one operation, submitted. */
async function submittedUse(pieces: number, more: object = {}) {
  const { hospital, ward, stent, department, surgeon, d } = scene
  serial += 1
  const codes = Array.from({ length: pieces }, (_, at) => `IF-${serial}-${at + 1}`)
  if (pieces > 0)
    await scene.shelve(hospital, ward, [lotOf(stent, `IF${serial}`, { unit_codes: codes, owner_org_sn: d })])
  const sn = await hospital.add('surgeryUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    doctor_inner_sn: surgeon,
    surgery_name: '冠状动脉支架置入术',
    patient_no: `PF${serial}`,
    patient_name: '沈知微',
    admission_no: `ZYF${serial}`,
    patient_age: '58岁',
    implant_site: '左前降支',
    lines: [{ unit_codes: codes }],
    ...more,
  })
  await hospital.done('surgeryUse', 'submit', sn)
  return { sn, codes }
}
async function reviewedUse(pieces: number, more: object = {}) {
  const use = await submittedUse(pieces, more)
  await scene.hospital.done('surgeryUse', 'review', use.sn)
  return use
}
const formsOf = (use_sn: string) => scene.hospital.list(KIND, { use_sn })
async function formOf(use_sn: string) {
  const forms = await formsOf(use_sn)
  expect(forms).toHaveLength(1)
  return forms[0].sn as string
}
async function passed(use_sn: string): Promise<string> {
  const sn = await formOf(use_sn)
  await scene.hospital.pass(KIND, sn)
  return sn
}

test('a reviewed use with implants has its form, with patient, surgeon and each piece', async () => {
  const use = await submittedUse(2)
  expect(await formsOf(use.sn)).toEqual([])
  await scene.hospital.done('surgeryUse', 'review', use.sn)
  const form = await scene.hospital.info(KIND, await formOf(use.sn))
  expect(form).toMatchObject({
    state: 'draft',
    use_sn: use.sn,
    form_version: 1,
    patient_name: '沈知微',
    patient_age: '58岁',
    surgery_name: '冠状动脉支架置入术',
    doctor_inner_sn: scene.surgeon,
    implant_site: '左前降支',
    total_quantity: '2.000',
  })
  expect(form.lines.map((line: Record<string, unknown>) => [line.unit_codes, line.quantity, line.lot_no])).toEqual([
    [[use.codes[0]], '1.000', `IF${serial}`],
    [[use.codes[1]], '1.000', `IF${serial}`],
  ])
  expect(form.lines[0]).toMatchObject({ supplier_sn: scene.d, certificate_no: expect.stringMatching(/./) })
  expect(form.lines[0].udi_pi).toMatch(new RegExp(`\\(17\\)\\d{6}\\(10\\)IF${serial}`))
})

test('goods that stay in nobody have no form; what was opened and not implanted is not on it', async () => {
  const { hospital, ward, inflator } = scene
  await scene.shelve(hospital, ward, [lotOf(inflator, 'IFX', { quantity: '5', price: '20' })])
  const none = await reviewedUse(0, { lines: [{ specification_sn: inflator, lot_no: 'IFX', quantity: '1' }] })
  expect(await formsOf(none.sn)).toEqual([])
  expectMessage(
    await hospital.client.post(`/v1/business/${KIND}/add`, { use_sn: none.sn } as never),
    `手术使用记录${none.sn}没有植入物，不需要患者信息单`,
  )
  const use = await submittedUse(0, { lines: [] }).catch(() => null)
  expect(use).toBeNull()
  const codes = ['IF-W-1', 'IF-W-2']
  await scene.shelve(hospital, ward, [lotOf(scene.stent, 'IFW', { unit_codes: codes, owner_org_sn: scene.d })])
  const wasted = await reviewedUse(0, { lines: [{ unit_codes: codes, wasted_quantity: '1' }] })
  const { lines } = await hospital.info(KIND, await formOf(wasted.sn))
  expect(lines.map((line: { unit_codes: string[] }) => line.unit_codes)).toEqual([['IF-W-1']])
})

test('lines cannot be typed; the head can, and the number of the identity card is proved', async () => {
  const { hospital } = scene
  const use = await reviewedUse(1)
  const sn = await formOf(use.sn)
  const edit = async (body: object) => {
    const { version } = await hospital.info(KIND, sn)
    return hospital.client.post(`/v1/business/${KIND}/edit`, { sn, version, ...body } as never)
  }
  const typed = await edit({ lines: JSON.stringify([{ specification_sn: scene.stent, quantity: '9', lot_no: 'ZZ' }]) })
  expectMessage(typed, '植入物明细由手术使用记录带出，不能手工填写；有误请更正手术使用记录')
  for (const body of [{ form_version: 7 }, { previous_sn: 'ZRD1' }, { surgery_no: 'OP1' }, { print_times: 3 }])
    expect((await edit(body)).code, JSON.stringify(body)).not.toBe(0)
  expect((await edit({ identity_no: '110105194912310021', patient_phone: '13900000001' })).code).toBe(0)
  expectMessage(await hospital.do(KIND, 'submit', sn), '身份证号码格式错误')
  expect((await edit({ identity_no: '11010519491231002X', label_state: 'complete', lines: '[]' })).code).toBe(0)
  const form = await hospital.info(KIND, sn)
  expect(form).toMatchObject({ label_state: 'complete', patient_phone: '13900000001', total_quantity: '1.000' })
  expect(form.lines.map((line: { unit_codes: string[] }) => line.unit_codes)).toEqual([use.codes])
  await hospital.done(KIND, 'submit', sn)
})

test('one form for an operation, whatever number of records it has', async () => {
  const { hospital } = scene
  const first = await reviewedUse(1, { surgery_no: 'OP-IF-1' })
  const second = await reviewedUse(1, { surgery_no: 'OP-IF-1' })
  const sn = await formOf(first.sn)
  expect(await formsOf(second.sn)).toEqual([])
  const { lines } = await hospital.info(KIND, sn)
  expect(lines.flatMap((line: { unit_codes: string[] }) => line.unit_codes)).toEqual([...first.codes, ...second.codes])
  expectMessage(
    await hospital.client.post(`/v1/business/${KIND}/add`, { use_sn: second.sn } as never),
    `该手术已生成患者信息单（${sn}）`,
  )
  expectMessage(
    await hospital.client.post(`/v1/business/${KIND}/add`, { use_sn: 'SSSY0' } as never),
    '没有已审核的手术使用记录SSSY0',
  )
  // Deleted by mistake, it is made again by hand, from its record alone.
  const { version } = await hospital.info(KIND, sn)
  await hospital.client.post(`/v1/business/${KIND}/del`, { sn, version } as never)
  const again = await hospital.add(KIND, { use_sn: first.sn })
  expect(await hospital.info(KIND, again)).toMatchObject({
    patient_name: '沈知微',
    total_quantity: '2.000',
    line_count: 2,
  })
})

test('in force it is kept for ever: a correction is a new version with its reason', async () => {
  const { hospital } = scene
  const use = await reviewedUse(2)
  const sn = await passed(use.sn)
  for (const action of ['edit', 'del', 'cancel', 'unreview', 'unsubmit'])
    expect((await hospital.do(KIND, action, sn, { reason: '录错' })).code, action).not.toBe(0)
  expectMessage(
    await hospital.do('surgeryUse', 'unreview', use.sn),
    `已生成患者信息单${sn}并审核，不能反审核，请红冲后更正信息单`,
  )
  await hospital.done('surgeryUse', 'redReverse', use.sn, {
    reason: '登记多一枚',
    lines: [{ line_no: 1, unit_codes: [use.codes[1]] }],
  })
  expectMessage(await hospital.do(KIND, 'revise', sn), '请填写更正原因')
  await hospital.done(KIND, 'revise', sn, { reason: '多登记一枚支架' })
  expectMessage(await hospital.do(KIND, 'revise', sn, { reason: '再改' }), /^更正版本ZRD\d+正在登记，请先审核或作废$/)
  const [next] = (await formsOf(use.sn)).filter((form: { sn: string }) => form.sn !== sn)
  expect(await hospital.info(KIND, next.sn)).toMatchObject({
    form_version: 2,
    previous_sn: sn,
    revision_reason: '多登记一枚支架',
    patient_name: '沈知微',
    total_quantity: '1.000',
  })
  expect((await hospital.info(KIND, sn)).state).toBe('reviewed')
  await hospital.pass(KIND, next.sn)
  expect(await hospital.info(KIND, sn)).toMatchObject({
    state: 'stopped',
    state_name: '已更正',
    total_quantity: '2.000',
  })
})

test('a use that is taken back takes its unfinished form with it', async () => {
  const { hospital } = scene
  const use = await reviewedUse(2)
  const sn = await formOf(use.sn)
  await hospital.done('surgeryUse', 'redReverse', use.sn, {
    reason: '未用',
    lines: [{ line_no: 1, unit_codes: [use.codes[0]] }],
  })
  expect(await hospital.info(KIND, sn)).toMatchObject({ state: 'draft', total_quantity: '1.000' })
  await hospital.done('surgeryUse', 'redReverse', use.sn, { reason: '未用' })
  expect((await hospital.info(KIND, sn)).state).toBe('cancelled')
  const other = await reviewedUse(1)
  const form = await formOf(other.sn)
  await hospital.done('surgeryUse', 'unreview', other.sn)
  expect((await hospital.info(KIND, form)).state).toBe('cancelled')
  await hospital.done('surgeryUse', 'review', other.sn)
  expect((await formsOf(other.sn)).map((each: { state: string }) => each.state).toSorted()).toEqual([
    'cancelled',
    'draft',
  ])
})

test('printed for whoever may see patients, once it is in force; printed again it says why', async () => {
  const { hospital, server } = scene
  const use = await reviewedUse(5)
  const sn = await formOf(use.sn)
  const { version } = await hospital.info(KIND, sn)
  await hospital.client.post(`/v1/business/${KIND}/edit`, {
    sn,
    version,
    identity_no: '11010519491231002X',
    patient_address: '步行街1号',
  } as never)
  const print = (who = hospital) => who.client.get(`/v1/business/${KIND}/print`, { sn })
  expectMessage(await print(), '患者信息单审核后才能打印')
  await hospital.pass(KIND, sn)
  const { info } = await print()
  expect(info).toMatchObject({
    identity_masked: '110***********002X',
    implant_total: '5',
    doctor_name: expect.stringMatching(/./),
    department_name: expect.stringMatching(/./),
  })
  expect(info.lines).toHaveLength(5)
  expect(info.lines[0]).toMatchObject({ part_said: '左前降支', supplier_name: expect.stringMatching(/./) })
  expect(info.lines[0].udi_symbol).toMatch(/^\(01\)\d{14}\(11\)\d{6}\(17\)\d{6}\(10\)IF/)
  expect(info.lines[0].price).toBeUndefined()
  // Four on a card; its code shows only the goods, to anyone.
  expect(info.cards).toHaveLength(2)
  expect(info.cards[1].implant_1).toMatch(/批号IF/)
  const token = String(info.cards[0].link).replace('/i/', '')
  const card = (asked: string) => server.outsider.get('/v1/public/implantCard', { token: asked })
  const opened = await card(token)
  expect(opened.info.implants).toHaveLength(5)
  expect(Object.keys(opened.info.implants[0]).toSorted()).toEqual([
    'certificate_no',
    'lot_no',
    'product_name',
    'specification_name',
  ])
  expect(opened.info.hospital_phone).toMatch(/\d/)
  expect(JSON.stringify(opened)).not.toMatch(SECRETS)
  for (const wrong of [sn, 'x', `${token.slice(0, -1)}0x`, '00000000-0000-4000-8000-000000000000'])
    expect((await card(wrong)).code).not.toBe(0)
  const printed = (more: object = {}) => hospital.client.post(`/v1/business/${KIND}/printed`, { sn, ...more } as never)
  expect((await printed()).info).toEqual({ times: 1 })
  expectMessage(await printed(), '请填写补打原因')
  expect((await printed({ reason: '原件破损' })).info).toEqual({ times: 2 })
  expect((await hospital.list(KIND, { sn }))[0].print_times).toBe(2)
  const [logged] = await server.database.owner`
    select summary from operation_log where object_key = ${sn} and action_kind is not null and summary like '补打%'`
  expect(logged?.summary).toBe('补打：原件破损')
  // Without the right to see patients there is no sheet, and no patient in lists, pages or sheets of numbers.
  const { one, h } = scene
  await one(
    `insert into role (org_id, name, flags) values ($1, '信息单查看', array['page:/ptm/patientInforForm',
       'patientImplantForm.print', 'patientImplantForm.export']) returning 1`,
    h,
  )
  await one(
    `insert into app_user (org_id, login, password_hash, name, is_administrator)
       select org_id, 'form.reader', password_hash, '读者', false from app_user where login = 'hospital' returning 1`,
  )
  await one(
    `insert into user_role (org_id, user_id, role_id) select $1, u.id, r.id from app_user u, role r
       where u.login = 'form.reader' and r.org_id = $1 and r.name = '信息单查看' returning 1`,
    h,
  )
  afterThisTest(() => one(`update app_user set status = 'disabled' where login = 'form.reader' returning 1`))
  const reader = await scene.person('form.reader')
  expectMessage(await print(reader), '没有操作权限')
  const seen = [
    await reader.client.get(`/v1/business/${KIND}/list`),
    await reader.client.get(`/v1/business/${KIND}/info`, { sn }),
  ]
  expect(seen.map(reply => reply.code)).toEqual([0, 0])
  expect(JSON.stringify(seen)).not.toMatch(SECRETS)
  // Nobody else has it at all.
  for (const who of [scene.dealer, scene.vendor]) {
    expect((await who.client.get(`/v1/business/${KIND}/info`, { sn })).code).not.toBe(0)
    expect((await who.client.get(`/v1/business/${KIND}/list`)).list ?? []).toEqual([])
  }
})

test('the platform sees hospital, day, procedure, number and completeness, and nothing of a patient', async () => {
  const { hospital, dealer } = scene
  const use = await reviewedUse(3)
  const sn = await passed(use.sn)
  const platform = await scene.person('platform')
  const [row] = await platform.list('implantFormOverview', { sn })
  expect(row).toMatchObject({
    hospital_sn: scene.h,
    surgery_name: '冠状动脉支架置入术',
    implant_quantity: '3.000',
    label_state: 'none',
    state: 'reviewed',
  })
  const reply = await platform.client.raw({ method: 'GET', url: '/v1/business/implantFormOverview/export' })
  const [sheet] = Object.values(read(reply.rawPayload, { type: 'buffer' }).Sheets)
  const rows = utils.sheet_to_json(sheet!, { header: 1 }) as string[][]
  expect(rows.flat()).toContain(sn)
  const all = await platform.client.get('/v1/business/implantFormOverview/list')
  expect(JSON.stringify([all, rows])).not.toMatch(SECRETS)
  // Only the platform has this list, and the platform cannot open a form.
  for (const who of [hospital, dealer]) {
    const other = await who.client.get('/v1/business/implantFormOverview/list')
    expect(other.list ?? []).toEqual([])
  }
  expect((await platform.client.get(`/v1/business/${KIND}/info`, { sn })).code).not.toBe(0)
})
