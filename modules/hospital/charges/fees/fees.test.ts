import { read, utils } from '@e965/xlsx'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { dayOf } from '#kernel/values/date.ts'
import { add, type Decimal, sum } from '#kernel/values/decimal.ts'
import type { HisCharge } from '#server/outbound/his/contract.ts'
import { matchAll } from '../checking/match-job.server.ts'
import { expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { connectHis, hisItemOf, matchProduct, sendCalls, type StandIn } from '#tests/support/his.ts'
import { day } from '#tests/support/story.ts'
import { askLastDays, fetchAsked } from './fetch-charges.server.ts'
import { sides } from './his-spd-fee-detail.entity.ts'

/** HIS计费与SPD消耗对比: used against charged by the HIS, in sums and row by row, until the difference is zero. */
let scene: Scene
let serial = 0
let his: StandIn
// oxlint-disable-next-line typescript/no-explicit-any -- a row as a test reads it
type Row = any

beforeAll(async () => {
  scene = await openScene()
  const { server, h, inflator } = scene
  his = await connectHis(server, 'H01')
  await matchProduct(server, his, h, inflator, hisItemOf('FE-IN', { price: '2' as Decimal }), '10')
})
beforeEach(() => scene.rule(scene.h, 'charge_on_review', false))
afterAll(async () => {
  await his?.end()
  await scene?.close()
})

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
const monthOf = (at: string) => dayOf(new Date(at)).slice(0, 7)
type Used = { readonly sn: string; readonly visit_no: string; readonly patient_no: string }
async function used(quantity: string, same?: Used): Promise<Used> {
  const { hospital, ward, department, inflator } = scene
  serial += 1
  const lot = `FE${serial}`
  const who = same ?? { visit_no: `ZY-F${serial}`, patient_no: `P-F${serial}` }
  if (!same) his.admit(who.visit_no, who.patient_no)
  await scene.shelve(hospital, ward, [lotOf(inflator, lot, { quantity: '20' })])
  const sn = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    use_type: 'patient',
    used_at: ago(1),
    patient_no: who.patient_no,
    patient_name: '温如玉',
    admission_no: who.visit_no,
    lines: [{ specification_sn: inflator, lot_no: lot, quantity }],
  })
  await hospital.pass('departmentUse', sn)
  return { ...who, sn }
}
const charged = (use: Used, quantity: string, more: Partial<HisCharge> = {}) =>
  his.book({
    item_code: 'FE-IN',
    quantity: quantity as Decimal,
    visit_no: use.visit_no,
    patient_no: use.patient_no,
    price: '2' as Decimal,
    charged_at: ago(0.5),
    ...more,
  })
const fetch = (begin = day(-1), end = day(0)) =>
  scene.hospital.client.post('/v1/business/hisChargeDay/fetch', { begin_date: begin, end_date: end })
async function fetched(): Promise<void> {
  expect((await fetch()).msg).toBe('')
  await fetchAsked(scene.server.database.app, scene.server.database.owner)
}
const PERIOD = { begin_date: day(-1), end_date: day(0) }
const report = async (more: object = {}) =>
  scene.hospital.client.get('/v1/report/hisSpdFee', { ...PERIOD, pageSize: '100', ...more } as never)
const details = (more: Record<string, string> = {}): Promise<Row[]> =>
  scene.hospital.list('hisSpdFeeDetail', { begin_day: day(-1), end_day: day(0), pageSize: '200', ...more })
const rowOf = async ({ sn }: Used): Promise<Row> => (await details({ use_no: sn }))[0]
const chargeRow = async (charge: HisCharge): Promise<Row> =>
  (await details()).find(row => row.source === 'charge' && row.charge_nos === charge.charge_no)
const call = (name: string, rows: readonly Row[], body: object = {}) =>
  scene.hospital.client.post(`/v1/business/hisSpdFeeDetail/${name}`, {
    sns: JSON.stringify(rows.map(row => row.difference_sn)),
    ...body,
  })

test('a roll charged in ten parts: 3 used are 30, charged 28, refunded 1: net 27, 漏计费 3, 10.00%', async () => {
  const { server, h, inflator } = scene
  const { owner } = server.database
  // A department in which nothing else is used.
  const [{ id }] = (await owner`insert into department (org_id, code, name, his_code)
    values (${h}, 'FEE', '对比科室', 'HFEE') returning id`) as [Row]
  const use = await used('3')
  await owner`update document set department_id = ${id} where sn = ${use.sn}`
  await owner`update use_check set department_id = ${id} where use_document_id in (select id from document
    where sn = ${use.sn})`
  const charge = charged(use, '28', { department_code: 'HFEE' })
  his.giveBack(charge, '1', ago(0.2))
  await fetched()
  const { list } = await report({ department_inner_sn: id })
  expect(list).toMatchObject([
    {
      department_name: '对比科室',
      item_code: 'FE-IN',
      product_count: 1,
      used_quantity: '3.000',
      converted_quantity: '30.0000',
      net_quantity: '27.0000',
      quantity_difference: '3.0000',
      difference_rate: '0.1000',
      difference_type: 'missed',
    },
  ])
  expect((await report({ department_inner_sn: id, difference_type: 'over' })).list).toEqual([])
  const product = await scene.one(
    'select p.name from product p join specification s on s.product_id = p.id and s.id = $1',
    inflator,
  )
  expect((await report({ department_inner_sn: id, product: product.name })).list).toHaveLength(1)
  const { above, other } = await scene.one(
    `select coalesce(c.parent_id, c.id) as above, (select min(o.id) from custom_type o where o.org_id = k.org_id
       and not exists (select 1 from typed_product x where x.custom_type_id = o.id)
       and not exists (select 1 from custom_type b where b.parent_id = o.id)) as other
       from typed_product k join custom_type c on c.id = k.custom_type_id
      where k.org_id = $1 and k.tree = 'own' and k.specification_id = $2 and k.valid_to is null`,
    h,
    inflator,
  )
  expect((await report({ department_inner_sn: id, custom_type_sn: above })).list).toHaveLength(1)
  expect((await report({ department_inner_sn: id, custom_type_sn: other })).list).toEqual([])
  // In the first hour of a month the charge and its refund are of two months.
  const months: Row[] = (await report({ department_inner_sn: id, group_by: 'month' })).list
  expect(sum(months.map(row => row.net_quantity) as Decimal[], 4)).toBe('27.0000')
  expect(months.map(row => row.month)).toEqual([...new Set([ago(1), ago(0.5), ago(0.2)].map(monthOf))])
})

test('at most 31 days are read at a time; a day read again is replaced, and one that failed says when and why', async () => {
  expectMessage(await fetch(day(-31), day(0)), '查询区间不能超过31天')
  expect((await fetch(day(-30), day(0))).msg).toBe('')
  expectMessage(await fetch(day(0), day(1)), '结束日期不能晚于今天')
  expectMessage(await fetch(day(0), day(-1)), '结束日期不能早于开始日期')
  charged(await used('1'), '10')
  await fetched()
  const { owner, app } = scene.server.database
  const count = async () => ((await owner`select count(*)::int as n from his_charge`) as Row)[0].n
  const before = await count()
  await fetched()
  expect(await count()).toBe(before)
  his.down = true
  await fetched()
  const [failed] = await scene.hospital.list('hisChargeDay', { state: 'failed' })
  expect(failed).toMatchObject({ day: day(0), error: expect.stringMatching(/^HIS返回503/) })
  expect(failed!.failed_at).toBeTruthy()
  // Charges that were read before are kept.
  expect(await count()).toBe(before)
  his.down = false
  await askLastDays(app, owner)
  await fetchAsked(app, owner)
  expect(await scene.hospital.list('hisChargeDay', { state: 'failed' })).toEqual([])
})

test('each use and each charge stands in one tab, and the tabs come to what the summary says', async () => {
  const [equal, none, part] = [await used('1'), await used('2'), await used('3')]
  charged(equal, '10')
  charged(part, '25')
  const alone = charged({ ...none, visit_no: 'ZY-ELSE', patient_no: 'P-ELSE' }, '7')
  const gone = charged(equal, '10', { visit_no: 'ZY-GONE', patient_no: 'P-GONE' })
  his.giveBack(gone, '10', ago(0.1))
  await fetched()
  expect((await rowOf(equal)).side).toBe('matched')
  expect((await rowOf(none)).side).toBe('use_only')
  expect(await rowOf(part)).toMatchObject({ side: 'differs', difference: '5.0000', net_quantity: '25.0000' })
  expect((await chargeRow(alone)).side).toBe('charge_only')
  const rows = await details()
  const byTab = await Promise.all(Object.keys(sides).map(side => details({ side })))
  expect(
    byTab
      .flat()
      .map(row => row.difference_sn)
      .toSorted(),
  ).toEqual(rows.map(row => row.difference_sn).toSorted())
  const { summary } = await report()
  const sumOf = (name: string) =>
    sum(
      byTab.flat().map(row => row[name] as Decimal),
      4,
    )
  expect(sumOf('converted_quantity')).toBe(add(summary.converted_quantity, '0' as Decimal, 4))
  expect(sumOf('net_quantity')).toBe(add(summary.net_quantity, '0' as Decimal, 4))
  expect(sumOf('difference')).toBe(add(summary.quantity_difference, '0' as Decimal, 4))
  const [raw] = (await scene.server.database.owner`
    select sum(case charge_kind when 'charge' then quantity else - quantity end) as net from his_charge
     where day between ${day(-1)} and ${day(0)}`) as [Row]
  expect(sumOf('net_quantity')).toBe(raw.net)
})

test('手工匹配 takes uses and charges of one patient whose quantities agree; taken apart they stay apart', async () => {
  const use = await used('2')
  const other = await used('1')
  // Charged a week before: outside of the window, so that only a person can match them.
  const first = charged(use, '12', { charged_at: ago(1), item_code: 'FE-XX' })
  const second = charged(use, '8', { charged_at: ago(1), item_code: 'FE-XX' })
  await scene.server.database.owner`
    insert into his_item (org_id, item_code, item_name, material_code, his_price, changed_at)
    values (${scene.h}, 'FE-XX', '计错的项目', 'MX', 2, now()) on conflict do nothing`
  await fetched()
  const row = await rowOf(use)
  expect(row.side).toBe('use_only')
  const offered = async (rows: readonly Row[]) =>
    (
      await scene.hospital.client.get('/v1/business/hisSpdFeeDetail/counterparts', {
        sns: JSON.stringify(rows.map(each => each.difference_sn)),
      })
    ).info as { side: string; wanted: string; rows: Row[] }
  // Only charges of the same patient are offered, and the answer does not contain the patient's name.
  const choice = await offered([row])
  expect(choice).toMatchObject({ side: 'charge', wanted: '20.0000' })
  expect(choice.rows.map(each => [each.number, each.quantity]).toSorted()).toEqual([
    [first.charge_no, '12.0000'],
    [second.charge_no, '8.0000'],
  ])
  expect(JSON.stringify(choice)).not.toMatch(/温如玉|ZY-F|P-F/)
  const keyOf = (number: string) => choice.rows.find(each => each.number === number)!.sn as string
  const both = `${keyOf(first.charge_no)},${keyOf(second.charge_no)}`
  expectMessage(await call('link', [row], { counterparts: keyOf(first.charge_no) }), '匹配数量不一致')
  expectMessage(await call('link', [row], { counterparts: '999' }), /^有的记录不存在或不可见/)
  expectMessage(await call('link', [row], { counterparts: 'x' }), '请从列表中选择另一方的记录')
  expectMessage(
    await call('link', [row], { counterparts: String((await rowOf(other)).difference_sn) }),
    '请从列表中选择另一方的记录',
  )
  expectMessage(await call('link', [await rowOf(other)], { counterparts: both }), '手工匹配须为同一患者的使用和计费')
  expect((await call('link', [row], { counterparts: both })).info.said).toBe('已匹配1条使用和2条HIS计费')
  expect(await rowOf(use)).toMatchObject({ side: 'matched', charge_nos: `${first.charge_no}、${second.charge_no}` })
  expect(await chargeRow(first)).toBeUndefined()
  expect((await call('unlink', [row])).info.said).toBe('已取消1条使用的匹配')
  const { app, owner } = scene.server.database
  await matchAll(app, owner)
  expect((await rowOf(use)).side).toBe('use_only')
  expectMessage(await call('unlink', [row]), '所选记录没有匹配，不需要取消')
  // From the side of the charges, by the number of the use.
  const charges = [await chargeRow(first), await chargeRow(second)]
  const uses = await offered(charges as Row[])
  expect(uses).toMatchObject({ side: 'use', rows: [{ number: use.sn, quantity: '20.0000' }] })
  expect((await scene.dealer.client.get('/v1/business/hisSpdFeeDetail/counterparts', { sns: '["1"]' })).code).toBe(403)
  expect((await call('link', charges, { counterparts: uses.rows[0]!.sn })).info.said).toBe('已匹配1条使用和2条HIS计费')
})

test('a difference has its cause; 忽略 has a reason and leaves the tabs; closed accounts are charged nothing', async () => {
  const use = await used('1')
  const row = await rowOf(use)
  expectMessage(await call('handle', [row], { cause: 'other' }), '原因为其他时请填写说明')
  await call('handle', [row], { cause: 'unscanned' })
  expect(await rowOf(use)).toMatchObject({ cause: 'unscanned', difference_state: 'handled' })
  expectMessage(await call('ignore', [row], { cause_note: '' }), /./)
  await call('ignore', [row], { cause_note: '培训使用' })
  // It left the tabs, is found by its state, and is exported with its reason.
  expect(await rowOf(use)).toBeUndefined()
  const [ignored] = await details({ use_no: use.sn, difference_state: 'ignored' })
  expect(ignored).toMatchObject({ side: 'use_only', cause_note: '培训使用', difference_state: 'ignored' })
  const reply = await scene.hospital.client.raw({
    method: 'GET',
    url: `/v1/business/hisSpdFeeDetail/export?use_no=${use.sn}`,
  })
  const [sheet] = Object.values(read(reply.rawPayload, { type: 'buffer' }).Sheets)
  expect(JSON.stringify(utils.sheet_to_json(sheet!, { header: 1 }))).toContain('培训使用')
  // The tabs and their ignored rows add up to the summary.
  const tabs = await Promise.all(
    Object.keys(sides).flatMap(side => [details({ side }), details({ side, difference_state: 'ignored' })]),
  )
  const { summary } = await report()
  for (const [name, whole] of [
    ['converted_quantity', 'converted_quantity'],
    ['net_quantity', 'net_quantity'],
    ['difference', 'quantity_difference'],
  ] as const)
    expect(
      sum(
        tabs.flat().map(each => each[name] as Decimal),
        4,
      ),
    ).toBe(add(summary[whole], '0' as Decimal, 4))
  // A row that is handled after all is back in its tab.
  await call('handle', [ignored!], { cause: 'unscanned' })
  expect(await rowOf(use)).toMatchObject({ difference_state: 'handled' })
  const closed = await used('1')
  his.close(closed.visit_no)
  expectMessage(await call('pushCharge', [await rowOf(closed)]), '患者已结账，不能补计费')
  his.close(closed.visit_no, true)
  expect((await call('pushCharge', [await rowOf(closed)])).info.said).toBe('已推送1条补计费，HIS答复后自动匹配')
  await sendCalls(scene.server)
  expect((await rowOf(closed)).side).toBe('matched')
  expectMessage(await call('pushCharge', [await rowOf(closed)]), '只有SPD有HIS无的使用可以补推计费')
})

test('patients stand in the details for whoever may see them, and nothing of it elsewhere', async () => {
  const use = await used('1')
  expect(await rowOf(use)).toMatchObject({ patient_name: '温如玉', admission_no: use.visit_no })
  const { owner } = scene.server.database
  await owner`insert into role (org_id, name, flags) select ${scene.h}, '对比员',
    array['page:/hospital/hisSpdFeePageTab', 'page:/hospital/hisSpdFeePage', 'hisSpdFeeDetail.handle']`
  await owner`insert into app_user (org_id, login, password_hash, name) select org_id, 'fee', password_hash, '对比员'
    from app_user where login = 'hospital'`
  await owner`insert into user_role (org_id, user_id, role_id) select u.org_id, u.id, r.id from app_user u, role r
    where u.login = 'fee' and r.name = '对比员'`
  const clerk = await scene.person('fee')
  const seen = await clerk.client.get('/v1/business/hisSpdFeeDetail/list', { use_no: use.sn })
  expect(seen.list).toHaveLength(1)
  expect(JSON.stringify(seen)).not.toMatch(/温如玉|ZY-F|P-F/)
  expect((await clerk.client.get('/v1/report/hisSpdFee', PERIOD)).code).toBe(0)
  expectMessage(
    await clerk.client.post('/v1/business/hisSpdFeeDetail/ignore', { sns: '["1"]', cause_note: '试' }),
    /没有操作权限/,
  )
  expect((await scene.dealer.client.get('/v1/business/hisSpdFeeDetail/list')).list).toEqual([])
  expect((await scene.dealer.client.get('/v1/report/hisSpdFee', PERIOD)).code).not.toBe(0)
})
