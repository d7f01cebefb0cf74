import { afterAll, beforeAll, expect } from 'vitest'
import { addDays } from '#kernel/values/date.ts'
import { billLastMonth } from '#modules/trade/lease/contracts/fees.server.ts'
import { expectMessage, openScene, type Scene } from '#tests/support/fixture.ts'
import { story } from '#tests/support/steps.ts'
import { day, type Person } from '#tests/support/story.ts'

/** 仓储租赁: areas of a shared warehouse, their tenants, and their fees. */
let scene: Scene
let platform: Person
let [p, d2, store] = ['', '', '']
type Key = 'a' | 'b' | 'c' | 'l' | 'v' | 'x'
const keys = {} as Record<Key, string>

beforeAll(async () => {
  scene = await openScene()
  platform = await scene.person('platform')
  p = await scene.org('P01')
  d2 = (await scene.one("select org_id from app_user where login = 'vendor'")).org_id
  store = (await scene.one("select id from warehouse where org_id = $1 and model = 'leased' limit 1", p)).id
  await scene.one('delete from lease_fee where org_id = $1 returning 1', p)
  await scene.one('delete from lease_line where org_id = $1 returning 1', p)
  await scene.one('delete from lease_contract where org_id = $1 returning 1', p)
  await scene.one('delete from area_reading where org_id = $1 returning 1', p)
  await scene.one('delete from lease_area where org_id = $1 returning 1', p)
  await scene.one("delete from licence where org_id = $1 and licence_type ~ '经营|生产' returning 1", p)
})
afterAll(() => scene?.close())

const post = (kind: string, call: string, body: object, who = platform) =>
  who.client.post(`/v1/business/${kind}/${call}`, body as Record<string, unknown>)
const added = async (kind: string, body: object): Promise<string> => {
  const reply = await post(kind, 'add', body)
  expect(reply.code, JSON.stringify(reply)).toBe(0)
  return reply.info.sn
}
const act = async (kind: string, action: string, sn: string, more: object = {}) => {
  const { version } = await platform.info(kind, sn)
  return post(kind, action, { sn, version, ...more })
}
const acted = async (kind: string, action: string, sn: string, more: object = {}) => {
  const reply = await act(kind, action, sn, more)
  expect(reply.code, JSON.stringify(reply)).toBe(0)
}
const area = (code: string, more: object = {}) => ({
  warehouse_model_inner_sn: store,
  code,
  name: `${code}区`,
  area_m2: '300',
  ...more,
})
const contract = (no: string, more: object = {}) => ({
  lessee_sn: scene.d,
  contract_no: no,
  valid_from: day(-100),
  valid_to: day(200),
  warehouse_model_inner_sn: store,
  price: '30',
  ...more,
})
const permit = (holder: string, more: { scope?: string; to?: string } = {}) =>
  scene.one(
    `insert into licence (org_id, holder_id, licence_type, licence_no, valid_from, valid_to, scope)
       values ($1, $2, '医疗器械经营许可证', 'XK' || nextval('row_id_seq'), $3, $4, $5) returning id`,
    p,
    holder,
    day(-300),
    more.to ?? day(300),
    more.scope ?? '三类医疗器械',
  )

story('a warehouse that is let', step => {
  step('has areas, each with one code and places', async () => {
    keys.a = await added(
      'leaseArea',
      area('A', { temperature_min: '2', temperature_max: '8', storage_condition: 'cold' }),
    )
    expectMessage(await post('leaseArea', 'add', area('A')), '库区编码A已存在')
    keys.x = await added('leaseArea', area('X', { area_kind: 'unqualified' }))
    await acted('leaseArea', 'location', keys.a, { shelf_no: 1, shelf_count: 2, layers: 2, columns_count: 5 })
    expect(await platform.info('leaseArea', keys.a)).toMatchObject({
      place_count: 20,
      used_count: 0,
      usage_rate: '0.0000',
      free_m2: '300.000',
      let_state: 'free',
    })
    expectMessage(
      await act('leaseArea', 'location', keys.a, { shelf_no: 1, shelf_count: 2, layers: 2, columns_count: 5 }),
      '这些货位已全部生成',
    )
  })

  step('is let by a contract that its lessor and tenant are licensed for', async () => {
    keys.c = await added('lessee', contract('HT-1'))
    expect(await platform.info('lessee', keys.c)).toMatchObject({ contract_state: 'waiting', days_left: 200 })
    expectMessage(await act('lessee', 'enable', keys.c), '本机构不具备提供贮存服务的资质')
    await permit(p, { scope: '为其他医疗器械注册人、备案人和经营企业提供贮存、配送服务' })
    const { name } = await scene.one('select name from organisation where id = $1', scene.d)
    expectMessage(await act('lessee', 'enable', keys.c), `承租方${name}的经营许可证无效，不能启用`)
    await permit(scene.d, { to: day(-1) })
    expectMessage(await act('lessee', 'enable', keys.c), `承租方${name}的经营许可证无效，不能启用`)
    await permit(scene.d)
    await acted('lessee', 'enable', keys.c)
    expect((await platform.info('lessee', keys.c)).contract_state).toBe('running')
    expectMessage(
      await post('lessee', 'add', contract('HT-9', { lessee_sn: scene.h })),
      '承租方应为已入驻的其他经销商或厂商',
    )
  })

  step('lets no more than there is, no area twice to one tenant, and none for what did not pass', async () => {
    const line = { lease_contract_sn: keys.c, lease_area_sn: keys.a, area_m2: '200', start_on: day(-100) }
    keys.l = await added('leaseLine', line)
    expectMessage(await post('leaseLine', 'add', { ...line, area_m2: '1' }), /^该承租方在库区A的租期重叠/)
    await permit(d2)
    keys.v = await added('lessee', contract('HT-2', { lessee_sn: d2 }))
    const { info } = await platform.client.get('/v1/business/lessee/print', { sn: keys.v })
    const { name } = await scene.one('select name from organisation where id = $1', d2)
    expect(info).toMatchObject({
      sn: 'HT-2',
      lessee_name: name,
      charged_by_name: '面积',
      price_text: '30（每㎡每月）',
      settle_cycle_name: '月',
      lines: expect.any(Array),
    })
    expectMessage(
      await post('leaseLine', 'add', { ...line, lease_contract_sn: keys.v, area_m2: '100.5' }),
      '库区A剩余可租面积100㎡',
    )
    await added('leaseLine', { ...line, lease_contract_sn: keys.v, area_m2: '100' })
    expectMessage(await post('leaseLine', 'add', { ...line, lease_area_sn: keys.x }), '库区X为不合格品区(红)，不能出租')
    expectMessage(await post('leaseLine', 'add', { ...line, start_on: day(-101) }), /^租期应在合同期内/)
    expect(await platform.info('leaseArea', keys.a)).toMatchObject({ let_m2: '200.000', free_m2: '100.000' })
    expectMessage(await act('leaseArea', 'disable', keys.a), '库区正在出租，不能停用')
  })

  step('shows a tenant his areas and nothing of others', async () => {
    const { dealer, vendor } = scene
    const [mine] = await dealer.list('rentedArea', { area_code: 'A' })
    expect(mine).toMatchObject({
      area_m2: '200.000',
      contract_state: 'running',
      temperature_min: '2.000',
      stock: '0.000',
    })
    expect(await vendor.list('rentedArea', { contract_no: 'HT-1' })).toEqual([])
    expect((await dealer.client.get('/v1/business/lessee/list')).list ?? []).toEqual([])
    expect(await dealer.list('leaseArea', { code: 'A' })).toMatchObject([
      { is_rented: true, temperature_range: '2～8', let_m2: '200.000', free_m2: null, actions: [] },
    ])
    expect(await vendor.list('leaseArea', { lessee_names: '200' })).toEqual([])
    expect((await dealer.client.get('/v1/business/leaseArea/info', { sn: keys.a })).code).not.toBe(0)
    expect((await post('leaseArea', 'edit', { sn: keys.a, version: 1, name: '偷' }, dealer)).code).not.toBe(0)
    expect((await post('lessee', 'add', contract('HT-X'), scene.vendor)).code).toBe(403)
  })

  step('costs by the month: area × price × days let ÷ days of the month', async () => {
    // Half of June: 200㎡ × 30.00 × 16 ÷ 30.
    const old = await added(
      'lessee',
      contract('HT-3', { lessee_sn: d2, valid_from: '2026-06-01', valid_to: '2026-06-16' }),
    )
    keys.b = await added('leaseArea', area('B'))
    await added('leaseLine', { lease_contract_sn: old, lease_area_sn: keys.b, area_m2: '200', start_on: '2026-06-01' })
    expectMessage(await post('lessee', 'bill', { month: '2099-01' }), '不能生成以后月份的费用')
    await acted('lessee', 'enable', old)
    expect((await platform.info('lessee', old)).contract_state).toBe('ended')
    expect((await post('lessee', 'bill', { month: '2026-06' })).info.said ?? '').toMatch(/已生成2026-06的费用1条/)
    const [fee] = await platform.list('leaseFee', { month: '2026-06' })
    expect(fee).toMatchObject({ measure: '200.000', price: '30.0000', days: 16, month_days: 30, amount: '3200.00' })
    await acted('leaseFee', 'confirm', fee.lease_fee_sn)
    await scene.one("update lease_line set price = 99 where org_id = $1 and start_on = '2026-06-01' returning 1", p)
    await post('lessee', 'bill', { month: '2026-06' })
    expect((await platform.list('leaseFee', { month: '2026-06' }))[0]).toMatchObject({ amount: '3200.00' })
    expectMessage(await post('leaseFee', 'edit', { sn: fee.lease_fee_sn, version: 1, amount: '1' }), /./)
    await billLastMonth(scene.server.database.owner)
    const last = addDays(`${day().slice(0, 7)}-01`, -1).slice(0, 7)
    expect((await platform.list('leaseFee', { month: last })).length).toBe(1)
  })

  step('notifies whoever answers for an area, and its tenants, once it was out of range for half an hour', async () => {
    const { dealer } = scene
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
    const read = (minutes: number, temperature: string) =>
      acted('leaseArea', 'reading', keys.a, { read_at: at(minutes), temperature, humidity: '50' })
    const messages = async (org: string) =>
      (await scene.one("select count(*)::int as n from message where org_id = $1 and title like '%温湿度超标'", org)).n
    const before = [await messages(p), await messages(scene.d)] as const
    await read(90, '5')
    await read(60, '9.5')
    await read(40, '9.8')
    expect(await messages(p)).toBe(before[0])
    await read(29, '10')
    await read(20, '10.5')
    expect([await messages(p), await messages(scene.d)]).toEqual([before[0] + 1, before[1] + 1])
    expect((await dealer.list('rentedArea', { area_code: 'A' }))[0].reading).toBe('10.5℃ 50%')
    expectMessage(
      await act('leaseArea', 'reading', keys.a, { read_at: `${day(1)}T08:00:00Z`, temperature: '5' }),
      '温湿度时间不能晚于现在',
    )
  })

  step('is let longer, and let no more', async () => {
    await scene.one('update lease_contract set valid_to = $2 where id = $1 returning 1', keys.c, day(20))
    expect((await platform.info('lessee', keys.c)).contract_state).toBe('ending')
    expectMessage(await act('lessee', 'renew', keys.c, { new_valid_to: day(10) }), '续签后的合同至应晚于原合同至')
    await acted('lessee', 'renew', keys.c, { new_valid_to: day(400), new_price: '32' })
    expect(await platform.info('lessee', keys.c)).toMatchObject({ contract_state: 'running', price: '32.0000' })
    expectMessage(await act('lessee', 'stop', keys.v), '请填写停租原因')
    await acted('lessee', 'stop', keys.v, { reason: '搬走' })
    expect(await platform.info('lessee', keys.v)).toMatchObject({ contract_state: 'stopped', stopped_on: day() })
    await acted('leaseArea', 'assign', keys.b, { lease_contract_sn: keys.c, area_m2: '50', start_on: day() })
    expect((await platform.info('leaseArea', keys.b)).let_state).toBe('partly')
    await acted('leaseArea', 'release', keys.b, { lease_contract_sn: keys.c })
    expect((await scene.dealer.list('rentedArea', { area_code: 'B' }))[0].end_on).toBe(day())
  })

  step('lets an area once, however many let it at the same moment or make their contract longer', async () => {
    const narrow = await added('leaseArea', area('R', { area_m2: '100' }))
    const tenants = [scene.d, d2]
    const contracts: string[] = []
    for (const [at, lessee_sn] of tenants.entries())
      contracts.push(await added('lessee', contract(`HT-R${at}`, { lessee_sn, valid_to: day(50) })))
    const line = (lease_contract_sn: string, start_on: string, area_m2 = '60') => ({
      lease_contract_sn,
      lease_area_sn: narrow,
      area_m2,
      start_on,
    })
    const replies = await Promise.all([0, 1, 0, 1].map(at => post('leaseLine', 'add', line(contracts[at]!, day(-5)))))
    expect(replies.filter(reply => reply.code === 0)).toHaveLength(1)
    expect(replies.filter(reply => reply.status !== 200 || reply.code === 9999)).toEqual([])
    // The tenant who came first stays until day 50; from day 51 on the area goes to the other.
    const winner = replies.findIndex(reply => reply.code === 0) % 2
    const after = await added('lessee', contract('HT-R9', { lessee_sn: tenants[1 - winner], valid_from: day(51) }))
    await added('leaseLine', line(after, day(51)))
    const { version } = await platform.info('lessee', contracts[winner]!)
    const longer = { sn: contracts[winner], version, valid_to: day(60) }
    expectMessage(await post('lessee', 'edit', longer), '库区R剩余可租面积40㎡')
    expectMessage(await act('lessee', 'renew', contracts[winner]!, { new_valid_to: day(60) }), '库区R剩余可租面积40㎡')
  })
})
