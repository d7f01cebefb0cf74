import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { dayOf } from '#kernel/values/date.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import type { HisCharge } from '#server/outbound/his/contract.ts'
import { expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { connectHis, hisItemOf, matchProduct, sendCalls, type StandIn } from '#tests/support/his.ts'
import type { Person } from '#tests/support/story.ts'
import { replaceDay, storeCharges } from './stored-charges.server.ts'
import { matchCharges } from './match-charges.server.ts'
import { matchAll } from './match-job.server.ts'

/** 可收费耗材使用核对: each use against its charge in the HIS, until it is charged, waived, taken back or a cost. */
let scene: Scene
let serial = 0
let his: StandIn
const HOUR = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString()
const call = (name: string, rows: readonly Row[] = [], body: object = {}, who: Person = scene.hospital) =>
  who.client.post(`/v1/business/useCheck/${name}`, {
    ...(rows.length > 0 ? { sns: JSON.stringify(rows.map(row => row.use_check_sn)) } : {}),
    ...body,
  })
// oxlint-disable-next-line typescript/no-explicit-any -- a row as a test reads it
type Row = any

beforeAll(async () => {
  scene = await openScene()
  const { server, h, stent, balloon, inflator } = scene
  his = await connectHis(server, 'H01')
  await matchProduct(server, his, h, stent, hisItemOf('UC-ST', { price: '798' as Decimal }))
  await matchProduct(server, his, h, balloon, hisItemOf('UC-BA', { price: '500' as Decimal }))
  await matchProduct(server, his, h, inflator, hisItemOf('UC-IN', { price: '2' as Decimal }), '10')
  await server.database.owner`update product set is_high_value = false
    where id = (select product_id from specification where id = ${inflator})`
})
// Nothing is charged at the review: each test sets the charges of the HIS.
beforeEach(() => scene.rule(scene.h, 'charge_on_review', false))
afterAll(async () => {
  await his?.end()
  await scene?.close()
})

type Used = { readonly sn: string; readonly visit_no: string; readonly patient_no: string }
const nextPatient = () => {
  serial += 1
  const who = { visit_no: `ZY-U${serial}`, patient_no: `P-U${serial}` }
  his.admit(who.visit_no, who.patient_no)
  return who
}
/** A reviewed use of so many inflators some hours ago, each charged in ten parts. */
async function used(quantity: string, hoursAgo = 1, who = nextPatient()): Promise<Used> {
  const { hospital, ward, department, inflator } = scene
  serial += 1
  const lot = `UC${serial}`
  await scene.shelve(hospital, ward, [lotOf(inflator, lot, { quantity: '20' })])
  const sn = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    use_type: 'patient',
    used_at: ago(hoursAgo),
    patient_no: who.patient_no,
    patient_name: '乔听澜',
    admission_no: who.visit_no,
    lines: [{ specification_sn: inflator, lot_no: lot, quantity }],
  })
  await hospital.pass('departmentUse', sn)
  return { ...who, sn }
}
/** A reviewed use of coded pieces: stents, consigned by the dealer. */
async function implanted(pieces: number, hoursAgo = 1): Promise<Used & { codes: string[] }> {
  const { hospital, ward, department, stent, surgeon, d } = scene
  const who = nextPatient()
  serial += 1
  const codes = Array.from({ length: pieces }, (_, at) => `UC${serial}-${'ABC'[at]}`)
  await scene.shelve(hospital, ward, [lotOf(stent, `US${serial}`, { unit_codes: codes, owner_org_sn: d })])
  const sn = await hospital.add('surgeryUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    doctor_inner_sn: surgeon,
    surgery_name: '冠状动脉支架置入术',
    implant_site: '前降支',
    used_at: ago(hoursAgo),
    patient_no: who.patient_no,
    patient_name: '乔听澜',
    admission_no: who.visit_no,
    lines: [{ unit_codes: codes }],
  })
  await hospital.pass('surgeryUse', sn)
  return { ...who, sn, codes }
}
const rowsOf = async ({ sn }: { sn: string }): Promise<Row[]> =>
  (await scene.hospital.list('useCheck', { source_no: sn })).toSorted((a, b) =>
    String(a.unit_code).localeCompare(String(b.unit_code)),
  )
const statesOf = async (use: { sn: string }) => (await rowsOf(use)).map(row => row.state)
const charged = (use: Used, item_code: string, quantity: string, more: Partial<HisCharge> = {}) =>
  his.book({ item_code, quantity: quantity as Decimal, visit_no: use.visit_no, patient_no: use.patient_no, ...more })
/** Our copy has these charges of the HIS, and is matched. */
async function matched(...charges: readonly HisCharge[]): Promise<void> {
  const { app, owner } = scene.server.database
  await inOrganisation(app, scene.h, '0', async tx =>
    matchCharges(tx, scene.h, { charges: await storeCharges(tx, scene.h, charges) }),
  )
  await matchAll(app, owner)
}

test('two stents A and B, of which the HIS charged A: after 72 hours B is 漏计费, and 已核对 once it is charged', async () => {
  const use = await implanted(2, 71)
  await matched(charged(use, 'UC-ST', '1', { unit_code: use.codes[0]! }))
  expect(await statesOf(use)).toEqual(['checked', 'waiting'])
  await scene.server.database.owner`
    update use_check set used_at = used_at - interval '2 hours' where unit_code = ${use.codes[1]!}`
  await matched()
  const [, missed] = await rowsOf(use)
  expect(missed).toMatchObject({ state: 'missed', is_overdue: true, overdue_hours: 1, difference: '1.0000' })
  expect((await call('charge', [missed])).info.said).toBe('已推送1条补计费，HIS答复后自动核对')
  expectMessage(await call('charge', [missed]), /^所选记录没有可补的计费/)
  await sendCalls(scene.server)
  expect(await statesOf(use)).toEqual(['checked', 'checked'])
  expect((await rowsOf(use))[1]).toMatchObject({ charged_quantity: '1.0000', handling: 'charge' })
})

test('without codes: the same patient and item within the window, the oldest use first, each charge once', async () => {
  const first = await used('2', 5)
  const second = await used('1', 3, first)
  await matched(charged(first, 'UC-IN', '20'))
  expect([await statesOf(first), await statesOf(second)]).toEqual([['checked'], ['waiting']])
  // The rest of the second's charge; the first's is not linked again.
  await matched(charged(first, 'UC-IN', '4'), charged(first, 'UC-IN', '6'))
  expect(await statesOf(second)).toEqual(['checked'])
  const outside = await used('1', 100)
  await matched(charged(outside, 'UC-IN', '10', { charged_at: ago(20) }))
  expect(await statesOf(outside)).toEqual(['missed'])
  const other = await used('1', 2)
  await matched(charged({ ...other, visit_no: 'ZY-ELSE', patient_no: 'P-ELSE' }, 'UC-IN', '10'))
  expect(await statesOf(other)).toEqual(['waiting'])
})

test('more than was used is 多计费 until another use takes it; a refund of the HIS makes a checked use 已退费', async () => {
  const use = await used('1', 5)
  const charge = charged(use, 'UC-IN', '30')
  await matched(charge)
  expect((await rowsOf(use))[0]).toMatchObject({ state: 'over', difference: '-20.0000' })
  const later = await used('2', 3, use)
  await matched()
  expect([await statesOf(use), await statesOf(later)]).toEqual([['checked'], ['checked']])
  const refund = his.giveBack(charge, '10')
  await matched(refund)
  // The latest use loses its charge first.
  expect([await statesOf(use), await statesOf(later)]).toEqual([['checked'], ['refunded']])
  const [row] = await rowsOf(later)
  expect(row).toMatchObject({ charged_quantity: '10.0000', due_quantity: '20.0000' })
})

test('a charge that a day read again does not have any more pays for nothing', async () => {
  const use = await used('1')
  const charge = charged(use, 'UC-IN', '10')
  await matched(charge)
  expect(await statesOf(use)).toEqual(['checked'])
  const { app, owner } = scene.server.database
  const [{ day }] = (await owner`select day::text as day from his_charge where charge_no = ${charge.charge_no}`) as [
    Row,
  ]
  const others = his.charges.filter(each => each !== charge && dayOf(new Date(each.charged_at)) === day)
  for (const _ of [1, 2])
    await inOrganisation(app, scene.h, '0', async tx =>
      matchCharges(tx, scene.h, await replaceDay(tx, scene.h, day, others)),
    )
  expect(await statesOf(use)).toEqual(['waiting'])
  const [{ rows }] = (await owner`select count(*)::int as rows from his_charge where day = ${day}`) as [Row]
  expect(rows).toBe(others.filter(each => dayOf(new Date(each.charged_at)) === day).length)
})

test('免计费 has a reason, and of high-value goods a second person; 转科室成本 is the department’s', async () => {
  const low = await used('1')
  const high = await implanted(1)
  const rows = [...(await rowsOf(low)), ...(await rowsOf(high))]
  expectMessage(await call('free', rows), '请填写免计费原因')
  expectMessage(await call('free', rows, { free_reason: 'other' }), '请填写免计费原因')
  const said = (await call('free', rows, { free_reason: 'loss' })).info.said
  expect(said).toBe('已免计费1条，1条高值耗材待另一人复核')
  expect(await rowsOf(low)).toMatchObject([{ state: 'waived', free_reason: 'loss', handling: 'free' }])
  expect(await rowsOf(high)).toMatchObject([{ state: 'waiting', handling: 'free_asked' }])
  expectMessage(await call('approveFree', await rowsOf(high)), '高值耗材免计费须由另一人复核')
  const colleague = await scene.colleague('hospital')
  expect((await call('approveFree', await rowsOf(high), {}, colleague)).info.said).toBe('已复核1条免计费')
  expect(await statesOf(high)).toEqual(['waived'])
  expectMessage(await call('approveFree', await rowsOf(high), {}, colleague), /为免计费，不能复核免计费$/)
  const cost = await used('1')
  await call('toDeptCost', await rowsOf(cost), { note: '教学使用' })
  expect(await rowsOf(cost)).toMatchObject([{ state: 'cost', note: '教学使用' }])
  // Decided rows stay decided, whatever the HIS charges later.
  await matched(charged(cost, 'UC-IN', '10'))
  expect(await statesOf(cost)).toEqual(['cost'])
  await call('reopen', await rowsOf(cost))
  expect(await statesOf(cost)).toEqual(['checked'])
})

test('退费核销 takes the use itself back, and asks nothing more of the HIS', async () => {
  const use = await used('3')
  const charge = charged(use, 'UC-IN', '30')
  await matched(charge)
  expectMessage(await call('refund', await rowsOf(use), { note: '未用' }), /为已核对，不能退费核销$/)
  await matched(his.giveBack(charge, '30'))
  const reply = await call('refund', await rowsOf(use), { note: '患者未用' })
  expect(reply.msg).toBe('')
  expect(reply.info.said).toBe('已退用1条，库存已恢复')
  expect((await scene.hospital.info('departmentUse', use.sn)).state).toBe('reversed')
  expect(await rowsOf(use)).toMatchObject([{ state: 'checked', quantity: '0.000', returned: '3.000' }])
})

test('settled by charge, a consigned piece is settled once it is charged; settled, it is not checked again', async () => {
  const { hospital, h, d } = scene
  await scene.rule(h, 'settle_base', 'charge')
  const use = await implanted(2)
  const settlementOf = async (code: string) => (await hospital.list('settlementLine', { unit_code: code }))[0]!.state
  expect(await settlementOf(use.codes[0]!)).toBe('uncharged')
  await matched(charged(use, 'UC-ST', '1', { unit_code: use.codes[0]! }))
  expect([await settlementOf(use.codes[0]!), await settlementOf(use.codes[1]!)]).toEqual(['waiting', 'uncharged'])
  const [first, second] = await rowsOf(use)
  // A check that is opened again before its settlement waits until its charge is found.
  expect((await call('reopen', [first])).info.said).toBe('已重新核对1条')
  expect(await settlementOf(use.codes[0]!)).toBe('waiting')
  const [line] = await hospital.list('settlementLine', { unit_code: use.codes[0]! })
  const made = await hospital.client.post('/v1/business/settlementLine/settle', {
    sns: JSON.stringify([line!.settlement_line_sn]),
  })
  expect(made.msg).toBe('')
  const [draft] = await hospital.list('settlement', { counterparty_sn: d, state: 'draft' })
  await hospital.done('settlement', 'submit', draft!.sn)
  expectMessage(await call('reopen', [first]), '已结算，不能重新核对')
  expect(second.state).toBe('waiting')
  await hospital.done('settlement', 'unsubmit', draft!.sn)
  await hospital.done('settlement', 'del', draft!.sn)
  await scene.rule(h, 'settle_base', 'use')
  await matched()
  expect(await settlementOf(use.codes[1]!)).toBe('waiting')
})

test('a use without an item of the HIS says 未对照, and is charged once its product is matched', async () => {
  const { server, h, inflator } = scene
  await scene.rule(h, 'unmatched_use', true)
  await server.database.owner`delete from his_match_version where org_id = ${h} and specification_id = ${inflator}`
  const use = await used('1')
  expect(await rowsOf(use)).toMatchObject([{ match_note: '未对照', item_code: null, state: 'waiting' }])
  expectMessage(await call('charge', await rowsOf(use)), /^所选记录没有可补的计费/)
  await matchProduct(server, his, h, inflator, hisItemOf('UC-IN'), '10')
  await matched(charged(use, 'UC-IN', '10'))
  expect(await rowsOf(use)).toMatchObject([{ match_note: null, item_code: 'UC-IN', state: 'checked' }])
})

test('patients are shown to whoever may see them; without the right, or elsewhere, nothing is done or seen', async () => {
  const use = await used('1')
  const { server, dealer } = scene
  expect((await rowsOf(use))[0]).toMatchObject({ admission_no: use.visit_no, patient_name: '乔听澜' })
  await server.database.owner`
    insert into role (org_id, name, flags) select ${scene.h}, '计费核对员',
      array['page:/hospital/useChargeableCheck', 'useCheck.check', 'useCheck.free']`
  await server.database.owner`
    insert into app_user (org_id, login, password_hash, name) select org_id, 'ucr', password_hash, '核对员'
      from app_user where login = 'hospital'`
  await server.database.owner`
    insert into user_role (org_id, user_id, role_id) select u.org_id, u.id, r.id from app_user u, role r
     where u.login = 'ucr' and r.name = '计费核对员'`
  const clerk = await scene.person('ucr')
  const [seen] = await clerk.list('useCheck', { source_no: use.sn })
  expect(JSON.stringify(seen)).not.toMatch(/乔听澜|ZY-U|P-U/)
  expect(await clerk.list('useCheck', { patient_name: '乔听澜' })).toEqual([])
  for (const name of ['charge', 'toDeptCost', 'reopen', 'refund'])
    expectMessage(await call(name, [seen], { note: '试' }, clerk), /没有操作权限/)
  expectMessage(await call('check', [], {}, dealer), /没有操作权限/)
  expect((await dealer.client.get('/v1/business/useCheck/list')).list).toEqual([])
})

test('what the HIS charged goes back to the store only after its refund', async () => {
  const { hospital, central, ward, department, stent, d } = scene
  serial += 1
  const code = `UC${serial}-R`
  await scene.shelve(hospital, central, [lotOf(stent, `UR${serial}`, { unit_codes: [code], owner_org_sn: d })])
  const granted = await hospital.add('grantOdo', {
    warehouse_model_inner_sn: central,
    to_warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    lines: [{ unit_codes: [code] }],
  })
  await hospital.pass('grantOdo', granted)
  await hospital.done('wardReceipt', 'review', (await hospital.from('wardReceipt', granted)).sn)
  const charge = charged({ sn: '', ...nextPatient() }, 'UC-ST', '1', { unit_code: code })
  await matched(charge)
  const back = await hospital.add('grantReturn', {
    source_sn: granted,
    source_type: 1,
    warehouse_model_inner_sn: ward,
    to_warehouse_model_inner_sn: central,
    return_reason: '未用',
    lines: [{ source_line_no: 1, unit_codes: [code] }],
  })
  expectMessage(await hospital.do('grantReturn', 'submit', back), '该产品已计费，请先在HIS退费')
  await matched(charge, his.giveBack(charge, '1'))
  await hospital.done('grantReturn', 'submit', back)
})
