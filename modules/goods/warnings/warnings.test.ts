import { parseInteger } from '#kernel/values/integer.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'
import { demandedOf, licenceTypes } from '#modules/trade/licensing/licence-types.ts'
import { remindOfLicences } from '#modules/trade/licences/expiry/expiry-reminders.server.ts'
import { recountWhereNeeded } from '#modules/goods/warnings/recount.server.ts'
import { story } from '#tests/support/steps.ts'

/** 预警: computed from the ledger, closed with their cause, settled by people. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const recount = (pause = 0) => recountWhereNeeded(scene.server.database.owner, scene.server.database.owner, pause)
const warned = async (query: Record<string, string>) => {
  await recount()
  return scene.hospital.list('warning', query)
}

story('the warnings of an organisation, from the first to those of its certificates', step => {
  // the warnings of one warehouse, from the first to those that come back
  step('a lot warns by the days left, and a document that ends today is still valid', async () => {
    const { hospital, central, inflator } = scene
    await scene.shelve(hospital, central, [
      lotOf(inflator, 'NEAR30', { quantity: '5', expiry_date: day(30) }),
      lotOf(inflator, 'NEAR31', { quantity: '5', expiry_date: day(31) }),
      lotOf(inflator, 'TODAY', { quantity: '5', expiry_date: day() }),
      lotOf(inflator, 'FAR', { quantity: '5', expiry_date: day(400) }),
      lotOf(inflator, 'GONE', { quantity: '5', expiry_date: day(-1), quality_state: 'unqualified' }),
    ])
    const rows = await warned({ category: 'PRODUCTEXPIRY', pageSize: '100' })
    const levels = Object.fromEntries(rows.map(row => [row.code, [row.level, row.days_left]]))
    expect(levels).toMatchObject({
      NEAR30: ['urgent', 30],
      NEAR31: ['soon', 31],
      TODAY: ['urgent', 0],
      GONE: ['expired', -1],
    })
    expect(levels).not.toHaveProperty('FAR')
  })

  step('limits: available plus in transit against the minimum; the proposal fills up to the maximum', async () => {
    const { hospital, inflator } = scene
    const store = await scene.store('H01', 'ward')
    await scene.shelve(hospital, store, [lotOf(inflator, 'LOW', { quantity: '12' })])
    const limits = {
      warehouse_model_inner_sn: store,
      specification_sn: inflator,
      min_quantity: '20',
      reorder_point: '25',
      max_quantity: '40',
    }
    const sn = (await hospital.client.post('/v1/business/warehouseProduct/add', limits)).info.sn
    const rows = await hospital.list('warning', { category: 'PRODUCTINVENTORY', warehouse_model_inner_sn: store })
    expect(rows.find(row => row.level === 'low')).toMatchObject({
      quantity: '12.000',
      threshold: '20.000',
      proposed: '28.000',
      state: 'open',
    })
    // The page shows the manufacturer, whether it is high-value, and whether any of it is in stock.
    const mine = { warehouse_model_inner_sn: store, specification_sn: inflator }
    const [row] = await hospital.list('warehouseProduct', { ...mine, has_stock: '1' })
    const { maker, dear } = await scene.one(
      `select m.name as maker, p.is_high_value as dear from specification s join product p on p.id = s.product_id
        join organisation m on m.id = p.manufacturer_id where s.id = $1`,
      inflator,
    )
    const notified = { manufacturer_name: maker, is_high_value: dear, has_stock: '1', stock: '12.000' }
    expect(row).toMatchObject({ ...notified, specification_code: 'P009-01', managed_by: 'lot' })
    expect(await hospital.list('warehouseProduct', { ...mine, manufacturer_name: maker.slice(0, 4) })).toHaveLength(1)
    expect(await hospital.list('warehouseProduct', { ...mine, has_stock: '0' })).toEqual([])
    expect(await hospital.list('warehouseProduct', { ...mine, is_high_value: String(dear) })).toHaveLength(1)
    expect(await hospital.list('warehouseProduct', { ...mine, is_high_value: String(!dear) })).toEqual([])
    expectMessage(await hospital.client.post('/v1/business/warehouseProduct/add', limits), /已存在/)
    const crossed = { sn, version: 1, reorder_point: '50' }
    expectMessage(await hospital.client.post('/v1/business/warehouseProduct/edit', crossed), '补货点应在上下限之间')
    expectMessage(
      await hospital.client.post('/v1/business/warehouseProduct/del', { sn, version: 1 }),
      '该产品在仓库中有库存或未完成申领，不能删除',
    )
    const other = {
      ...limits,
      specification_sn: scene.balloon,
      min_quantity: '1',
      reorder_point: '2',
      max_quantity: '3',
    }
    expect((await hospital.client.post('/v1/business/warehouseProduct/add', other)).code).toBe(0)
    const stands = async (specification_sn: string) =>
      (await warned({ category: 'PRODUCTINVENTORY', warehouse_model_inner_sn: store, specification_sn }))
        .filter(row => row.state === 'open')
        .map(row => row.level)
    expect(await stands(scene.balloon)).toEqual(['none'])
    await scene.shelve(hospital, store, [
      lotOf(scene.balloon, 'HIGH', { unit_codes: ['YJ-1', 'YJ-2', 'YJ-3', 'YJ-4'] }),
    ])
    expect(await stands(scene.balloon)).toEqual(['high'])
    // Nothing left the warehouse for half a year: idle, whatever its limits say.
    await scene.one(
      `with old as (update stock_move set at = now() - interval '181 days' where org_id = $1 and warehouse_id = $2
        and specification_id = $3 returning 1) select count(*)::int as n from old`,
      scene.h,
      store,
      scene.balloon,
    )
    const again = () => scene.one('update warning_count set moved_at = null where org_id = $1 returning 1', scene.h)
    await again()
    expect((await stands(scene.balloon)).toSorted()).toEqual(['high', 'idle'])
    // 滞销预警天数 of the platform holds while the organisation has none of its own.
    const platform = await scene.person('platform')
    const [item] = await platform.list('orgBusinessConfig', { holder_sn: scene.h, title: '滞销预警天数' })
    expect(item).toMatchObject({ value: '180' })
    const body = { sn: item.config_sn, version: item.version, value: '182' }
    expect((await platform.client.post('/v1/business/orgBusinessConfig/edit', body)).msg).toBe('')
    await again()
    expect(await stands(scene.balloon)).toEqual(['high'])
    const [setting] = await hospital.list('warningSetting', {})
    expect(setting).toMatchObject({ idle_days: null, idle_now: 182 })
    const own = { sn: setting.setting_sn, version: setting.version, idle_days: '181' }
    expect((await hospital.client.post('/v1/business/warningSetting/edit', own)).msg).toBe('')
    expect((await stands(scene.balloon)).toSorted()).toEqual(['high', 'idle'])
    await scene.shelve(hospital, store, [lotOf(inflator, 'MORE', { quantity: '20' })])
    const [after] = await warned({ category: 'PRODUCTINVENTORY', warehouse_model_inner_sn: store, level: 'low' })
    expect(after).toMatchObject({ state: 'closed' })
  })

  step('an ignored warning returns only if it gets worse; new ones are notified', async () => {
    const { hospital, central, inflator } = scene
    const [row] = await warned({ category: 'PRODUCTEXPIRY', code: 'NEAR31' })
    const call = (action: string, body: object) =>
      hospital.client.post(`/v1/business/warning/${action}`, { sn: row.warning_sn, version: row.version, ...body })
    expectMessage(await call('ignore', {}), '请填写忽略原因')
    expect((await call('ignore', { reason: '已安排优先使用' })).code).toBe(0)
    await scene.shelve(hospital, central, [lotOf(inflator, 'NEXT', { quantity: '1', expiry_date: day(20) })])
    expect((await warned({ category: 'PRODUCTEXPIRY', code: 'NEAR31' }))[0]).toMatchObject({
      state: 'ignored',
      note: '已安排优先使用',
    })
    const notified = await scene.one(
      "select body from message where org_id = $1 and uri = 'warning' order by id desc limit 1",
      scene.h,
    )
    expect(notified.body).toContain('效期预警1条')
    // A day later it is urgent.
    await scene.one(
      `update stock_lot set expiry_date = $2
        where org_id = $1 and lot_id = (select id from lot where lot_no = 'NEAR31') returning 1`,
      scene.h,
      day(10),
    )
    await scene.one('update warning_count set moved_at = null where org_id = $1 returning 1', scene.h)
    expect((await warned({ category: 'PRODUCTEXPIRY', code: 'NEAR31' }))[0]).toMatchObject({
      level: 'urgent',
      state: 'open',
    })
    expectMessage(await hospital.client.post('/v1/business/warning/add', { category: 'PRODUCTEXPIRY' }), /./)
  })

  step('the organisation sets the days ahead; saving recalculates at once', async () => {
    const { hospital, central, inflator } = scene
    await scene.shelve(hospital, central, [lotOf(inflator, 'AHEAD', { quantity: '1', expiry_date: day(200) })])
    expect(await warned({ category: 'PRODUCTEXPIRY', code: 'AHEAD' })).toEqual([])
    const [setting] = await hospital.list('warningSetting')
    const save = (body: object) =>
      hospital.client.post('/v1/business/warningSetting/edit', {
        sn: setting.setting_sn,
        version: setting.version,
        ...body,
      })
    expectMessage(await save({ expiry_days: 20 }), '紧急天数不能大于提前预警的天数')
    expect((await save({ expiry_days: 210, urgent_days: 60 })).code).toBe(0)
    // Nothing moved, and less than a minute has passed: a changed setting does not wait.
    await recount(60)
    expect((await hospital.list('warning', { code: 'AHEAD' }))[0]).toMatchObject({ level: 'soon', days_left: 200 })
    expect((await hospital.list('warning', { code: 'NEAR30' }))[0]).toMatchObject({ level: 'urgent' })
    const [stored] = await hospital.list('stockBalance', { lot_no: 'AHEAD' })
    expect(stored.expiry_state).toBe('near')
    expectMessage(await hospital.client.post('/v1/business/warningSetting/add', { stop_days: 3 }), /./)
  })

  step('however many moves, an organisation is recalculated once within the pause', async () => {
    const { hospital, central, inflator } = scene
    await recount()
    await scene.shelve(hospital, central, [lotOf(inflator, 'PAUSE', { quantity: '1', expiry_date: day(5) })])
    await recount(60)
    expect(await hospital.list('warning', { code: 'PAUSE' })).toEqual([])
    await scene.one(
      "update warning_count set counted_at = now() - interval '61 seconds' where org_id = $1 returning 1",
      scene.h,
    )
    await recount(60)
    expect(await hospital.list('warning', { code: 'PAUSE' })).toHaveLength(1)
  })

  step('stopped but undecided goods are among the warnings until decided', async () => {
    const { hospital, central, inflator } = scene
    await scene.shelve(hospital, central, [lotOf(inflator, 'HELD', { quantity: '5', expiry_date: day(400) })])
    const sn = await hospital.add('stopSale', {
      warehouse_model_inner_sn: central,
      stop_reason: 'quality',
      lines: [{ specification_sn: inflator, lot_no: 'HELD', quantity: '2' }],
    })
    await hospital.done('stopSale', 'submit', sn)
    expect(await warned({ code: sn })).toEqual([])
    await scene.one("update document set submitted_at = now() - interval '9 days' where sn = $1 returning 1", sn)
    await scene.one('update warning_count set moved_at = null where org_id = $1 returning 1', scene.h)
    expect(await warned({ code: sn })).toMatchObject([
      { level: 'held', category: 'PRODUCTINVENTORY', quantity: '2.000', state: 'open' },
    ])
    const keeper = await scene.person('keeper')
    await keeper.done('stopSale', 'check', sn, { conclusion: 'good', disposal: 'release' })
    await scene.one('update warning_count set moved_at = null where org_id = $1 returning 1', scene.h)
    expect((await warned({ code: sn }))[0].state).toBe('closed')
  })

  step('cards, yearly trend and ranking count exactly the rows of the list and the stock on hand', async () => {
    const { hospital, inflator } = scene
    const store = (await scene.store('H01', 'ward')) as string
    await scene.one(
      `update warehouse set manager_id = (select id from employee where org_id = $1 order by id limit 1)
      where org_id = $1 and id = $2 returning 1`,
      scene.h,
      store,
    )
    await scene.shelve(hospital, store, [
      lotOf(inflator, 'TREND', { quantity: '4', price: '25', expiry_date: day(75) }),
    ])
    await recount()
    const ask = async (kind: string, query: Record<string, string> = {}) =>
      (await hospital.client.get(`/v1/report/${kind}`, query)).list as Record<string, string>[]
    const open = async (query: Record<string, string>) =>
      (await hospital.list('warning', { state: 'open', pageSize: '200', ...query })).length
    for (const card of await ask('warningSummary'))
      expect(parseInteger(card.open), card.category).toBe(await open({ category: card.category! }))
    const [ofStore] = await ask('warningSummary', { category: 'PRODUCTEXPIRY', warehouse_model_inner_sn: store })
    expect(ofStore).toMatchObject({ open: 1, within_90: 1, quantity: '4.000', amount: '100.00' })
    const trend = await ask('warningTrend', { warehouse_model_inner_sn: store })
    expect(trend).toHaveLength(12)
    expect(trend.find(row => row.month === day(75).slice(0, 7))).toMatchObject({ lots: 1, amount: '100.00' })
    const duties = await ask('warningDuty')
    for (const duty of duties)
      expect(parseInteger(duty.open), duty.responsible).toBe(await open({ responsible: duty.responsible! }))
    expect(duties.some(duty => duty.responsible !== '未指定')).toBe(true)
    const work = (await hospital.client.get('/v1/business/workbench')).info
    for (const { rule, route, count } of work.warnings as { rule: string; route: string; count: number }[])
      expect(count, rule).toBe(
        await open({ category: rule, level: new URL(`http://x${route}`).searchParams.get('level')! }),
      )
    // The 30th and the 90th day belong to the days that end with them, here and on the wall.
    await scene.shelve(hospital, store, [
      lotOf(inflator, 'BAND30', { quantity: '1', expiry_date: day(30) }),
      lotOf(inflator, 'BAND31', { quantity: '1', expiry_date: day(31) }),
      lotOf(inflator, 'BAND90', { quantity: '1', expiry_date: day(90) }),
    ])
    await recount()
    const [bands] = await ask('warningSummary', { category: 'PRODUCTEXPIRY', warehouse_model_inner_sn: store })
    expect(bands).toMatchObject({ open: 4, danger: 0, urgent: 1, within_90: 3, later: 0 })
    const [whole] = await ask('warningSummary', { category: 'PRODUCTEXPIRY' })
    const { cards } = (await hospital.client.get('/v1/business/wall/screenWarning')).info
    const onWall = Object.fromEntries(
      cards.PRODUCTEXPIRY.bands.rows.map((row: Record<string, string>) => [row.band, parseInteger(row.warnings!)]),
    )
    expect([onWall.expired, onWall.month, onWall.quarter, onWall.half ?? 0]).toEqual(
      ['danger', 'urgent', 'within_90', 'later'].map(name => parseInteger(whole![name])),
    )
  })

  step('a certificate warns by the stock under it, and stops once its renewal is linked to it', async () => {
    const { hospital, central, inflator } = scene
    await scene.shelve(hospital, central, [lotOf(inflator, 'CERT', { quantity: '2' })])
    const { id, certificate_no } = await scene.one(
      `update registration_certificate set valid_to = $2
      where id = (select registration_certificate_id from specification where id = $1) returning id, certificate_no`,
      inflator,
      day(80),
    )
    const stands = async () => {
      await scene.one('update warning_count set moved_at = null where org_id = $1 returning 1', scene.h)
      return (await warned({ category: 'PRODUCTREGISTRATION', code: certificate_no })).map(row => [
        row.level,
        row.state,
      ])
    }
    expect(await stands()).toEqual([['soon', 'open']])
    // Its lead time is set with the other licences; filtering by the month in which some of a kind end finds the kind.
    const kind = async (due_months: string) =>
      (await hospital.list('licenceExpirySetting', { licence_type: '医疗器械注册证/备案凭证', due_months }))[0]
    expect(await kind('1999-01')).toBeUndefined()
    for (const [first_days, state] of [
      [79, 'closed'],
      [90, 'open'],
    ] as const) {
      const { setting_sn: sn, version } = await kind(day(80).slice(0, 7))
      const said = await hospital.client.post('/v1/business/licenceExpirySetting/edit', { sn, version, first_days })
      expect(said.code, said.msg).toBe(0)
      expect(await stands()).toEqual([['soon', state]])
    }
    // Reminders are sent on the first day, the second, and then daily, as for licences.
    const { owner } = scene.server.database
    const notified = async (offset: number) => {
      await owner`update registration_certificate set valid_to = ${day(offset)} where id = ${id}`
      await stands()
      for (const _ of [1, 2]) await remindOfLicences(owner)
      const rows = await owner`
      select distinct at, body, uri from message where org_id = ${scene.h} and title = '证照到期提醒'
        and body like ${`%${certificate_no}%`} order by at`
      expect(rows.every(row => row.uri.includes(encodeURIComponent('产品注册证')))).toBe(true)
      return rows.length
    }
    expect([await notified(80), await notified(50), await notified(30), await notified(7)]).toEqual([1, 1, 2, 3])
    await owner`update licence_reminder set reminded_on = reminded_on - 1 where org_id = ${scene.h}`
    expect(await notified(6)).toBe(4)
    await scene.one(
      `insert into registration_certificate (certificate_no, product_name, holder_org_id, device_class, valid_from,
      valid_to, previous_certificate_no)
     select certificate_no || '-2', product_name, holder_org_id, device_class, $2, $3, certificate_no
       from registration_certificate where id = $1 returning id`,
      id,
      day(81),
      day(1800),
    )
    expect((await stands()).map(([, state]) => state)).toEqual(['closed'])
  })

  step(
    'a partner’s licence counts what would be refused; not if it only warns, or at other steps or classes',
    async () => {
      const { hospital, h, d, central, inflator } = scene
      const { owner } = scene.server.database
      const kind = '质量保证协议'
      await owner`update licence set valid_to = ${day(29)}, long_term = false where org_id = ${h} and holder_id = ${d}
    and licence_type = ${kind}`
      await hospital.add('purchaseOrder', {
        counterparty_sn: d,
        warehouse_model_inner_sn: central,
        lines: [{ specification_sn: inflator, quantity: '1', price: '145' }],
      })
      const counted = async (body: Record<string, unknown>) => {
        const [setting] = await hospital.list('licenceExpirySetting', { licence_type: kind })
        const change = { sn: setting.setting_sn, version: setting.version, ...body }
        expect((await hospital.client.post('/v1/business/licenceExpirySetting/edit', change)).msg).toBe('')
        await owner`update warning_count set moved_at = null where org_id = ${h}`
        await recount()
        const rows = await hospital.list('licenceValidityWarning', { whose: 'partner', licence_type: kind })
        return rows.find(row => row.partner_sn === d)!.affected_papers
      }
      const most = await counted({ control: 'refuse' })
      expect(most).toBeGreaterThan(0)
      expect(await counted({ control: 'warn' })).toBe(0)
      expect(await counted({ control: 'refuse', device_classes: ['I'] })).toBe(0)
      expect(await counted({ device_classes: [], at_order: false, at_arrival: false, at_receipt: false })).toBe(0)
      expect(await counted({ at_order: true, at_arrival: true, at_receipt: true })).toBe(most)
      // Every change of a setting is in the log with the values before and after.
      const [logged] = await hospital.list('operationLog', { subject_name: '证照效期设置' })
      expect([logged.before, logged.after]).toEqual([
        expect.stringContaining('采购订单：否'),
        expect.stringContaining('采购订单：是'),
      ])
      // In the totals and groups a licence with several warnings counts once.
      const figures = async (by: string) =>
        (await hospital.client.get(`/v1/report/licenceValidityFigures?by=${by}&whose=partner`)).list
      const [sum] = await figures('all')
      expect(sum.affected_papers).toBeGreaterThanOrEqual(most)
      const spans = await figures('span')
      expect(spans.map((one: { grouped: string }) => one.grouped)).toContain('0-30天')
      expect(spans.reduce((all: number, one: { expiring: number }) => all + one.expiring, 0)).toBe(sum.expiring)
      // The view requires the same as the compliance check, for every kind of partner and every mix of classes.
      const partners = ['P', 'H', 'D', 'V'] as const
      const mixes = ['', 'I', 'II', 'III', 'I,II', 'I,II,III']
      const said = await owner<{ partner: number; mix: string; kind: string; kinds: string[] | null }[]>`
    select p as partner, m as mix, k as kind, licence_group(p, array_remove(string_to_array(m, ','), ''), k) as kinds
      from unnest(${[0, 1, 2, 3]}::int[]) p, unnest(${mixes}::text[]) m, unnest(${Object.keys(licenceTypes)}::text[]) k`
      expect(said).toHaveLength(4 * mixes.length * Object.keys(licenceTypes).length)
      for (const row of said) {
        const groups = demandedOf(partners[row.partner]!, new Set(row.mix.split(',').filter(Boolean)))
        expect(row.kinds, JSON.stringify(row)).toEqual(groups.find(kinds => kinds.includes(row.kind)) ?? null)
      }
    },
  )

  step('授权书: its expiry stops what it names unless another authorises it', async () => {
    const { hospital, h, d, inflator, balloon } = scene
    const { owner } = scene.server.database
    const { maker } = await scene.one(
      'select p.manufacturer_id as maker from specification s join product p on p.id = s.product_id where s.id = $1',
      inflator,
    )
    await owner`update licence set status = 'disabled' where org_id = ${h} and licence_type in ('授权书', '产品授权书')`
    const doc = async (no: string, until: string) =>
      (
        await owner<{ id: string }[]>`
        insert into licence (org_id, holder_id, licence_type, licence_no, valid_from, valid_to, grantor_id, grantee_id)
        values (${h}, ${d}, '授权书', ${no}, ${day(-90)}, ${until}, ${maker}, ${d}) returning id`
      )[0]!.id
    const id = await doc('SQ-W', day(20))
    const [setting] = await hospital.list('licenceExpirySetting', { licence_type: '授权书' })
    await owner`update licence_setting set control = 'refuse' where org_id = ${h} and id = ${setting.setting_sn}`
    const affected = async () => {
      await owner`update warning_count set moved_at = null where org_id = ${h}`
      await recount()
      const [row] = await hospital.list('licenceValidityWarning', { whose: 'partner', code: 'SQ-W' })
      return [row.affected_papers > 0, row.affected_goods > 0]
    }
    expect(await affected()).toEqual([true, true])
    await owner`
    insert into licence_line (org_id, licence_id, product_id) select ${h}, ${id}, product_id from specification
      where id = ${balloon}`
    expect((await affected())[0]).toBe(false)
    await owner`delete from licence_line where licence_id = ${id}`
    await doc('SQ-W2', day(400))
    expect(await affected()).toEqual([false, false])
  })
})
