import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Decimal } from '#kernel/values/decimal.ts'
import { listSheet } from '#web/print/list/list-print.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { connectHis, hisItemOf, matchProduct, type StandIn } from '#tests/support/his.ts'
import { story } from '#tests/support/steps.ts'
import { day } from '#tests/support/story.ts'
import { matchCharges } from '../checking/match-charges.server.ts'
import { storeCharges } from '../checking/stored-charges.server.ts'
import { hisVerification } from './his-verification.report.ts'

/** HIS核销对账报表: a month's proof between use and charge, closed once its charges were read. */
let scene: Scene
let serial = 0
let his: StandIn
// oxlint-disable-next-line typescript/no-explicit-any -- a row as a test reads it
type Row = any
const thisMonth = day(0).slice(0, 7)
const monthsAgo = (months: number) => {
  const at = new Date(`${thisMonth}-15T00:00:00Z`)
  at.setUTCMonth(at.getUTCMonth() - months)
  return at.toISOString().slice(0, 7)
}
const [before, last] = [monthsAgo(2), monthsAgo(1)]

beforeAll(async () => {
  scene = await openScene({ figures: true })
  const { server, h, inflator } = scene
  his = await connectHis(server, 'H01')
  await matchProduct(server, his, h, inflator, hisItemOf('VE-IN', { price: '2' as Decimal }))
  await server.database.owner`
    update product set is_high_value = false where id = (select product_id from specification where id = ${inflator})`
  await scene.rule(h, 'charge_on_review', false)
  await scene.rule(h, 'refund_first', false)
})
afterAll(async () => {
  await his?.end()
  await scene?.close()
})

/** A use of so many in a month, reviewed today. */
async function used(quantity: string, month: string): Promise<string> {
  const { hospital, ward, department, inflator } = scene
  serial += 1
  const lot = `VE${serial}`
  await scene.shelve(hospital, ward, [lotOf(inflator, lot, { quantity: '400' })])
  const sn = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    use_type: 'patient',
    used_at: `${month}-10T02:00:00Z`,
    patient_no: `P-V${serial}`,
    admission_no: `ZY-V${serial}`,
    lines: [{ specification_sn: inflator, lot_no: lot, quantity }],
  })
  await hospital.pass('departmentUse', sn)
  return sn
}
const reply = (month: string, more: object = {}) =>
  scene.hospital.client.get('/v1/report/hisVerification', { period: month, ...more } as never)
const rowOf = async (month: string): Promise<Row> => (await reply(month)).list[0]
const decide = async (sn: string, name: string, body: object) => {
  const rows = await scene.hospital.list('useCheck', { source_no: sn })
  const answer = await scene.hospital.client.post(`/v1/business/useCheck/${name}`, {
    sns: JSON.stringify(rows.map(row => row.use_check_sn)),
    ...body,
  })
  expect(answer.msg).toBe('')
}
const call = (name: 'close' | 'unclose', month: string) =>
  scene.hospital.client.post(`/v1/business/chargeMonth/${name}`, { month })
/** Every day of a month was read after it ended. */
const read = (month: string) => scene.server.database.owner`
  insert into his_charge_day (org_id, day, read_at)
  select ${scene.h}, x.day, now() from generate_series(${`${month}-01`}::date,
    ${`${month}-01`}::date + interval '1 month' - interval '1 day', '1 day') x(day)
  on conflict (org_id, day) do update set read_at = now()`
/** Moves today's decisions to a given month, as if they had been taken in it. */
const decidedIn = (month: string) => scene.server.database.owner`
  update use_check_event set month = ${`${month}-01`} where event <> 'use' and month = ${`${thisMonth}-01`}`

story('openings, uses, take-backs and decisions of months that are closed and opened again', step => {
  step('12 open, 300 used, 3 back, 290 charged, 5 waived, 2 a cost: 12 are open, 93.85% of 309', async () => {
    const { server } = scene
    await used('12', before)
    const [many, three, five, two] = [
      await used('290', last),
      await used('3', last),
      await used('5', last),
      await used('2', last),
    ]
    await scene.hospital.done('departmentUse', 'redReverse', three, { reason: '未用' })
    await decide(five, 'free', { free_reason: 'loss' })
    await decide(two, 'toDeptCost', {})
    const [row] = await scene.hospital.list('useCheck', { source_no: many })
    his.book({
      item_code: 'VE-IN',
      quantity: '290' as Decimal,
      visit_no: row!.admission_no,
      patient_no: row!.patient_no,
      charged_at: `${last}-10T03:00:00Z`,
    })
    await inOrganisation(server.database.app, scene.h, '0', async tx =>
      matchCharges(tx, scene.h, { charges: await storeCharges(tx, scene.h, his.charges) }),
    )
    await decidedIn(last)
    expect(await rowOf(last)).toMatchObject({
      opening_quantity: '12.000',
      used_quantity: '300.000',
      back_quantity: '3.000',
      checked_quantity: '290.000',
      waived_quantity: '5.000',
      cost_quantity: '2.000',
      closing_quantity: '12.000',
      checked_rate: '0.9385',
    })
    expect((await rowOf(thisMonth)).opening_quantity).toBe('12.000')
    for (const group_by of ['department_name', 'product_name', 'supplier_name', 'class_name', 'month'])
      expect((await reply(last, { group_by })).list[0]).toMatchObject({
        closing_quantity: '12.000',
        checked_rate: '0.9385',
      })
  })

  step('a month closes in its order, once every day of it was read', async () => {
    expectMessage(await call('close', last), `请先月结${before}`)
    expectMessage(await call('close', before), `${before}-01HIS计费数据未获取，不能月结`)
    await read(before)
    expect((await call('close', before)).info.said).toBe(`${before}已月结，此后的处理记入下月`)
    expectMessage(await call('close', before), `${before}已月结`)
    await read(last)
    const [{ day: missing }] = (await scene.server.database.owner`
      update his_charge_day set read_at = day::timestamp at time zone 'Asia/Shanghai'
       where day = ${`${last}-07`} returning day::text as day`) as [Row]
    // A reading of a day before it was over does not count.
    expectMessage(await call('close', last), `${missing}HIS计费数据未获取，不能月结`)
    await read(last)
    expect((await call('close', last)).msg).toBe('')
    expectMessage(await call('close', thisMonth), /HIS计费数据未获取，不能月结$/)
  })

  step('a late decision and a late use are booked in the open month; the closed one stays what it was', async () => {
    const closed = await rowOf(last)
    const [open] = await scene.hospital.list('useCheck', { state: 'missed' })
    await decide(open!.source_no, 'toDeptCost', {})
    await used('4', last)
    expect(await rowOf(last)).toEqual(closed)
    expect(await rowOf(thisMonth)).toMatchObject({
      opening_quantity: '12.000',
      used_quantity: '4.000',
      cost_quantity: '12.000',
      closing_quantity: '4.000',
    })
  })

  step('only the month that was closed last is opened again, by whoever may', async () => {
    expectMessage(await call('unclose', before), `只能取消最近一次月结（${last}）`)
    const nurse = await scene.server.as('nurse')
    expectMessage(await nurse.post('/v1/business/chargeMonth/unclose', { month: last }), /没有操作权限/)
    expect((await call('unclose', last)).info.said).toBe(`已取消${last}的月结`)
    expect((await scene.hospital.list('chargeMonth')).map(row => row.month)).toEqual([before])
    expectMessage(await call('close', '2026-13'), '月份应如2026-01')
  })
})

test('its print is signed by whoever made it, the store and finance', () => {
  expect(listSheet(hisVerification, 'HIS核销对账报表', ['month'], undefined).signatures).toEqual([
    '制表',
    '仓库',
    '财务',
  ])
})
