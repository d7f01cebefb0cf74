import { afterAll, beforeAll, expect, test } from 'vitest'
import { receiveFrame } from '#server/outbound/his/hl7/receive.ts'
import { deliverPending } from '#server/documents/intercompany/deliver.ts'
import { attempt, expectMessage, lotOf, openScene, type Scene, shelf } from '#tests/support/fixture.ts'
import { openTechnician } from '#tests/support/technician.ts'
import { day } from '#tests/support/story.ts'

/** 手术计划 and 跟台计划: from the HIS or by hand, with kits that are taken once, and a technician who reports. */
let scene: Scene
let technician = ''
let serial = 0
beforeAll(async () => {
  scene = await openScene()
  technician = await openTechnician(scene)
})
afterAll(() => scene?.close())

const body = (more: object = {}) => ({
  department_inner_sn: scene.department,
  doctor_inner_sn: scene.surgeon,
  surgery_at: `${day(3)}T02:00:00.000Z`,
  procedure_name: '膝关节置换术',
  patient_name: '诸葛静姝',
  admission_no: 'ZY55',
  lines: [{ specification_sn: scene.stent, quantity: '1', supplier_sn: scene.d }],
  ...more,
})

test('an elective operation lies ahead; an urgent one may be entered up to three days afterwards', async () => {
  const { hospital } = scene
  const past = `${day(-2)}T02:00:00.000Z`
  expectMessage(await attempt(hospital, 'surgeryPlan', body({ surgery_at: past })), '手术时间不能早于当前时间')
  const urgent = await attempt(hospital, 'surgeryPlan', body({ surgery_at: past, surgery_type: 'emergency' }))
  expect(urgent.msg).toBe('')
  const late = body({ surgery_at: `${day(-5)}T02:00:00.000Z`, surgery_type: 'emergency' })
  expectMessage(await attempt(hospital, 'surgeryPlan', late), '急诊手术须在术后72小时内补录')
  expectMessage(await attempt(hospital, 'surgeryPlan', body({ procedure_name: null })), '请填写术式')
  expectMessage(await attempt(hospital, 'surgeryPlan', body({ lines: [] })), '请至少添加一行明细')
})

test('goods are due at 15:00 of the day before; a later hour is asked about', async () => {
  const { hospital, d } = scene
  const sn = await hospital.add(
    'bonePlan',
    body({ counterparty_sn: d, lines: [{ specification_sn: scene.stent, quantity: '1' }] }),
  )
  await hospital.done('bonePlan', 'submit', sn)
  expect(await hospital.info('bonePlan', sn)).toMatchObject({ deliver_by: `${day(2)}T07:00:00.000Z` })
  const late = await hospital.add(
    'bonePlan',
    body({
      counterparty_sn: d,
      deliver_by: `${day(2)}T12:00:00.000Z`,
      lines: [{ specification_sn: scene.stent, quantity: '1' }],
    }),
  )
  const { version } = await hospital.info('bonePlan', late)
  const asked = await hospital.client.post('/v1/business/bonePlan/submit', { sn: late, version })
  expect(asked.code).toBe(2200)
  expect(asked.msg).toContain('择期手术外来器械最晚应于术前日15:00前送达，是否继续？')
})

test('a certificate that ends before the operation stops the plan', async () => {
  const { hospital, d, one, stent } = scene
  const { id, valid_to } = await one(
    `select c.id, c.valid_to::text from registration_certificate c
       join specification s on s.registration_certificate_id = c.id where s.id = $1`,
    stent,
  )
  await one('update registration_certificate set valid_to = $1 where id = $2 returning 1', day(1), id)
  const lines = [{ specification_sn: stent, quantity: '1' }]
  const reply = await attempt(hospital, 'bonePlan', body({ counterparty_sn: d, lines }))
  await one('update registration_certificate set valid_to = $1 where id = $2 returning 1', valid_to, id)
  expect(JSON.stringify(reply)).toMatch(new RegExp(`注册证于${day(1)}到期，早于手术日期`))
})

let control = 0
const message = (type: string, at: string, no: string, start: string, theatre = 'OR2^2号手术间') =>
  [
    `MSH|^~\\&|HIS|H01|SPD|H01|${at}||${type}|BP${(control += 1)}|P|2.5`,
    `EVN|${type.slice(4)}|${at}`,
    `SCH|1|${no}|||||全膝关节置换术||||^^120^${start}`,
    'PID|1||P88^^^H01^MR||端木^云舒||19610118|F',
    'PV1|1|I|HISH01-K14^3^31||||HSH0117^薛牧野||||||||||||ZY88',
    `AIL|1|A|${theatre}`,
    'AIP|1|A|HSH0117^薛^牧野',
  ].join('\r')
const fromHis = async (type: string, at: string, no: string, start: string, theatre?: string) => {
  const { app, owner } = scene.server.database
  await receiveFrame(app, scene.h, Buffer.from(message(type, at, no, start, theatre)))
  await deliverPending(app, owner)
}
const hisPlan = async (no: string) =>
  scene.one(
    `select sn, state, fields from document
      where org_id = $1 and kind = 'surgeryPlan' and fields->>'his_surgery_no' = $2`,
    scene.h,
    no,
  )

test('an operation of the HIS becomes one plan: told again it is changed, and called off it is void', async () => {
  await fromHis('SIU^S12', '20261121100000', 'OPX1', '20270110083000')
  const plan = await hisPlan('OPX1')
  expect(plan).toMatchObject({
    state: 'draft',
    fields: { procedure_name: '全膝关节置换术', theatre: '2号手术间', origin: 'his', admission_no: 'ZY88' },
  })
  await fromHis('SIU^S13', '20261121110000', 'OPX1', '20270111083000')
  expect((await hisPlan('OPX1')).fields.surgery_at).toContain('2027-01-11')
  // An overtaken message changes nothing, and fields that a message leaves out keep their values.
  await fromHis('SIU^S12', '20261121103000', 'OPX1', '20270112083000')
  expect((await hisPlan('OPX1')).fields.surgery_at).toContain('2027-01-11')
  await fromHis('SIU^S14', '20261121113000', 'OPX1', '', 'OR3^3号手术间')
  expect((await hisPlan('OPX1')).fields).toMatchObject({
    theatre: '3号手术间',
    surgery_at: expect.stringContaining('2027-01-11'),
  })
  await fromHis('SIU^S15', '20261121120000', 'OPX1', '20270111083000')
  expect(await hisPlan('OPX1')).toMatchObject({ state: 'cancelled' })
})

test('called off in the HIS after goods went out: their supplier is asked to take them back', async () => {
  const { hospital, dealer, d, h, stent, shop, one } = scene
  await fromHis('SIU^S12', '20261121100000', 'OPX2', '20270210083000')
  const { sn } = await hisPlan('OPX2')
  const { version } = await hospital.info('surgeryPlan', sn)
  const edited = await hospital.client.post('/v1/business/surgeryPlan/edit', {
    sn,
    version,
    department_inner_sn: scene.department,
    doctor_inner_sn: scene.surgeon,
    surgery_type: 'emergency',
    lines: [{ specification_sn: stent, quantity: '1', supplier_sn: d }],
  })
  expect(edited.msg).toBe('')
  await hospital.pass('surgeryPlan', sn)
  await hospital.done('surgeryPlan', 'toBonePlan', sn)
  const plan = (await hospital.from('bonePlan', sn)).sn
  await hospital.pass('bonePlan', plan)
  await dealer.done('bonePlan', 'accept', plan, { technician_inner_sn: technician })
  await scene.shelve(dealer, shop, [lotOf(stent, 'HIS2', { unit_codes: ['HIS2-1'] })])
  const presale = await dealer.add('bonePresale', {
    source_sn: plan,
    source_org_sn: h,
    source_type: 107,
    warehouse_model_inner_sn: shop,
    lines: [{ unit_codes: ['HIS2-1'] }],
  })
  await dealer.pass('bonePresale', presale)
  await fromHis('SIU^S13', '20261121110000', 'OPX2', '20270211083000')
  expect((await dealer.list('bonePlan', { sn: plan }))[0].surgery_at).toContain('2027-02-11')
  // The theatre alone is moved: its suppliers keep the time.
  await fromHis('SIU^S14', '20261121113000', 'OPX2', '', 'OR3^3号手术间')
  expect((await dealer.list('bonePlan', { sn: plan }))[0]).toMatchObject({
    surgery_at: expect.stringContaining('2027-02-11'),
    theatre: '3号手术间',
  })
  await fromHis('SIU^S15', '20261121120000', 'OPX2', '20270211083000')
  expect((await hisPlan('OPX2')).state).not.toBe('cancelled')
  const notice = await one(
    `select count(*)::int as n from message where org_id = $1 and title = '手术已取消，请办理套包退回'`,
    d,
  )
  expect(notice.n).toBe(1)
  await dealer.done('bonePlan', 'toBack', plan)
  await dealer.pass('boneBack', (await dealer.from('boneBack', presale)).sn)
})

/** A numbered kit of the dealer's with a coded piece and loose ones. */
async function kitOf(): Promise<{ code: string; lot: string; loose: string }> {
  serial += 1
  const { dealer, shop, stent, inflator } = scene
  const ok = async (path: string, asked: object) => {
    const reply = await dealer.client.post(`/v1/business/${path}`, asked as Record<string, unknown>)
    expect(reply.msg).toBe('')
    return reply.info
  }
  const template = await ok('operationKit/add', { code: `KM${serial}`, name: `膝部套包${serial}`, surgery_name: '膝' })
  await ok('operationKitLine/add', {
    operation_kit_sn: template.sn,
    specification_sn: stent,
    quantity: '1',
    tray: '上层',
  })
  await ok('operationKitLine/add', {
    operation_kit_sn: template.sn,
    specification_sn: inflator,
    quantity: '6',
    tray: '下层',
  })
  const lot = `KT${serial}`
  await scene.shelve(dealer, shop, [
    lotOf(stent, lot, { unit_codes: [`${lot}-1`], expiry_date: day(300 - serial) }),
    lotOf(inflator, `${lot}L`, { quantity: '6', expiry_date: day(300 - serial) }),
  ])
  const code = `TBK-${serial}`
  await ok('implantKit/add', { code, operation_kit_sn: template.sn, warehouse_model_inner_sn: shop })
  return { code, lot, loose: `${lot}L` }
}

test('a kit goes out whole, is taken by one operation, and what was not used is in it again', async () => {
  const { hospital, dealer, d, stent, shop, department, surgeon, inflator } = scene
  const lines = [{ item_name: '膝部套包', category: 'kit', quantity: '1' }]
  const plan = async (at: string) => {
    const sn = await hospital.add(
      'bonePlan',
      body({ counterparty_sn: d, lines, surgery_at: at, surgery_type: 'emergency' }),
    )
    await hospital.pass('bonePlan', sn)
    await dealer.done('bonePlan', 'accept', sn, { technician_inner_sn: technician })
    return sn
  }
  const kit = await kitOf()
  const first = await plan(`${day(100)}T02:00:00.000Z`)
  expectMessage(await dealer.do('bonePlan', 'prepare', first, { kit_codes: ['TBK-0'] }), /^套包【TBK-0】不存在/)
  await dealer.done('bonePlan', 'prepare', first, { kit_codes: [kit.code] })
  expect((await dealer.list('bonePlan', { sn: first }))[0]).toMatchObject({ prepare_state: '3' })
  const second = await plan(`${day(100)}T08:00:00.000Z`)
  expectMessage(
    await dealer.do('bonePlan', 'prepare', second, { kit_codes: [kit.code] }),
    `套包【${kit.code}】已被手术${first}占用`,
  )
  await dealer.done('bonePlan', 'toPresale', first)
  const presale = (await dealer.from('bonePresale', first)).sn
  const whole = await dealer.info('bonePresale', presale)
  expect(whole.lines.map((line: { kit_code: string; quantity: string }) => [line.kit_code, line.quantity])).toEqual([
    [kit.code, '1.000'],
    [kit.code, '6.000'],
  ])
  await dealer.pass('bonePresale', presale)
  const [out] = await dealer.list('implantKit', { code: kit.code })
  expect(out).toMatchObject({ state: 'out', held_quantity: '0.000' })
  const store = await scene.one("select id from warehouse where org_id = $1 and model = 'loan'", scene.h)
  const use = await hospital.add('surgeryUse', {
    warehouse_model_inner_sn: store.id,
    department_inner_sn: department,
    doctor_inner_sn: surgeon,
    surgery_name: '膝关节置换术',
    implant_site: '右膝',
    patient_name: '诸葛静姝',
    admission_no: 'ZY55',
    lines: [{ unit_codes: [`${kit.lot}-1`] }, { specification_sn: inflator, lot_no: kit.loose, quantity: '2' }],
  })
  await hospital.pass('surgeryUse', use)
  // The technician saw another piece.
  await dealer.done('bonePlan', 'report', first, { reported_codes: ['X-1'], reported_quantity: '3' })
  const reported = await dealer.client.get('/v1/business/bonePlan/info', { sn: first })
  expect(reported.info.report_difference).toMatch(/^跟台登记与医院使用记录不一致/)
  expect(JSON.stringify(reported)).not.toMatch(/诸葛静姝|ZY55/)
  await dealer.done('bonePlan', 'report', first, { reported_codes: [`${kit.lot}-1`], reported_quantity: '3' })
  expect((await dealer.client.get('/v1/business/bonePlan/info', { sn: first })).info.report_difference).toBe('一致')
  expect((await hospital.info('bonePlan', first)).report_difference ?? null).toBeNull()
  await dealer.done('bonePlan', 'toBack', first)
  await dealer.pass('boneBack', (await dealer.from('boneBack', presale)).sn)
  const [back] = await dealer.list('implantKit', { code: kit.code })
  expect(back).toMatchObject({ state: 'refill', held_quantity: '4.000' })
  expect((await shelf(dealer, shop, stent))[kit.lot]).toBeUndefined()
})

test('an operation in force is moved: its suppliers’ plans, deliveries and bookings follow, or are given up', async () => {
  const { hospital, dealer, d, one } = scene
  const planned = async (at: string) => {
    const sn = await hospital.add('surgeryPlan', body({ surgery_at: at }))
    await hospital.pass('surgeryPlan', sn)
    await hospital.done('surgeryPlan', 'toBonePlan', sn)
    const loan = (await hospital.from('bonePlan', sn)).sn as string
    await hospital.pass('bonePlan', loan)
    await dealer.done('bonePlan', 'accept', loan, { technician_inner_sn: technician })
    return { sn, loan }
  }
  const taken = (loan: string) =>
    one(
      `select count(*)::int as n, to_char(min(lower(b.period)) at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as from
         from surgery_booking b join document p on p.org_id = b.org_id and p.id = b.plan_id
        where b.org_id = $1 and p.sn = $2`,
      d,
      loan,
    )
  const move = (sn: string, moved_to: string, reason: string | null = '麻醉评估未通过') =>
    hospital.do('surgeryPlan', 'reschedule', sn, { moved_to, ...(reason === null ? {} : { reason }) })
  const first = await planned(`${day(40)}T02:00:00.000Z`)
  const second = await planned(`${day(41)}T02:00:00.000Z`)
  expectMessage(await move(first.sn, `${day(42)}T03:00:00.000Z`, null), '请填写改期原因')
  expectMessage(await move(first.sn, `${day(-1)}T03:00:00.000Z`), '手术时间不能早于当前时间')
  const moved = await move(first.sn, `${day(42)}T03:00:00.000Z`)
  expect(moved.msg).toBe('')
  expect(await hospital.info('surgeryPlan', first.sn)).toMatchObject({ surgery_at: `${day(42)}T03:00:00.000Z` })
  // Delivered as long before as it was.
  expect(await dealer.info('bonePlan', first.loan)).toMatchObject({
    surgery_at: `${day(42)}T03:00:00.000Z`,
    deliver_by: `${day(41)}T08:00:00.000Z`,
  })
  expect(await taken(first.loan)).toEqual({ n: 1, from: `${day(42)} 03:00` })
  // The technician is at another operation then: he is free of this one, and the dealer reads it.
  expect((await move(first.sn, `${day(41)}T04:00:00.000Z`)).msg).toBe('')
  expect((await taken(first.loan)).n).toBe(0)
  expect((await taken(second.loan)).n).toBe(1)
  const notice = await one('select body from message where org_id = $1 and title = $2', d, '手术改期，占用冲突')
  expect(notice.body).toMatch(new RegExp(`^手术${first.loan}改期后.+在新时间已被其他手术占用，请重新分派$`))
  await one(
    `update document set fields = fields || '{"follow_state":"4"}' where org_id = $1 and sn = $2 returning 1`,
    scene.h,
    first.sn,
  )
  expectMessage(await move(first.sn, `${day(43)}T04:00:00.000Z`), '手术已开始，不能改期')
})

test('whoever has no right, and whoever sends what the server computes, is refused', async () => {
  const { hospital, dealer, vendor, d } = scene
  const sn = await hospital.add(
    'bonePlan',
    body({ counterparty_sn: d, lines: [{ specification_sn: scene.stent, quantity: '1' }] }),
  )
  await hospital.pass('bonePlan', sn)
  // A plan of another organisation is refused as if it did not exist.
  expect((await vendor.client.get('/v1/business/bonePlan/info', { sn })).code).toBe(2106)
  expect(
    (await vendor.do('bonePlan', 'refuse', sn, { reason: '无' }).catch(error => ({ code: 1, msg: String(error) })))
      .code,
  ).not.toBe(0)
  // The hospital does not accept for its supplier, nor the supplier stop the hospital's plan.
  expect((await hospital.do('bonePlan', 'accept', sn, { technician_inner_sn: technician })).code).not.toBe(0)
  expect((await dealer.do('bonePlan', 'stop', sn, { reason: '停' })).code).not.toBe(0)
  for (const name of ['accept_state', 'follow_state', 'pre_state', 'use_state', 'attendant']) {
    const reply = await hospital.client.post('/v1/business/bonePlan/add', {
      ...body({ counterparty_sn: d }),
      [name]: '2',
    })
    expect(reply.code, name).not.toBe(0)
  }
  const own = await dealer.client.post(
    '/v1/business/bonePlan/add',
    body({
      counterparty_sn: scene.h,
      department_inner_sn: null,
      doctor_inner_sn: null,
      patient_name: null,
      admission_no: null,
    }),
  )
  expect(own.code === 0 ? (await dealer.do('bonePlan', 'submit', own.info.sn)).msg : own.msg).toMatch(
    /该医院已开通系统|supplier_sn|不存在/,
  )
})
