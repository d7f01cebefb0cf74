import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { hospitalPolicyOf, withinHours, wrongFigure } from '#modules/base/settings/hospital-policies.ts'
import { notifyOverdue } from '#modules/hospital/ward/requisition/requisition-deadline.server.ts'
import { receiveByTime } from '#modules/hospital/ward/receiving/ward-receipt.server.ts'
import { attempt, lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { change } from '#tests/support/records.ts'
import type { Reply } from '#tests/support/test-server.ts'
import { day } from '#tests/support/story.ts'
import { proves } from '#tests/support/proves.ts'
import { settingsFor } from '#server/settings/settings.ts'

/** 规则配置: what a hospital sets applies to its documents from then on. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const row = async (name: string, query: Record<string, string> = {}) =>
  (await scene.hospital.list('hospitalRule', { pageSize: '100', pageNum: '1', ...query })).find(
    each => each.name === name && (query.custom_type_sn ? true : each.scope_name === '全院'),
  )
const tune = async (name: string, body: Record<string, unknown>, call = 'edit') => {
  const { hospital_rule_sn: sn, version } = await row(name)
  return scene.hospital.client.post(`/v1/business/hospitalRule/${call}`, { sn, version, ...body })
}
const set = async (name: string, body: Record<string, unknown>) =>
  expect(await tune(name, { reason: '院办要求', ...body })).toMatchObject({ code: 0 })
const receipt = (expiry: string, price = '130') => ({
  counterparty_sn: scene.d,
  warehouse_model_inner_sn: scene.central,
  lines: [
    {
      specification_sn: scene.inflator,
      lot_no: `GZ${expiry}`,
      production_date: day(-400),
      expiry_date: expiry,
      price,
      quantity: '1',
    },
  ],
})
/** The first answer to a submission: questions are not yet confirmed. */
const handIn = async (kind: string, body: object) => {
  const sn = await scene.hospital.add(kind, body)
  const { version } = await scene.hospital.info(kind, sn)
  return scene.hospital.client.post(`/v1/business/${kind}/submit`, { sn, version })
}

story('hospital rule, from one step to the next', step => {
  step('rules are built in: they can be tuned within bounds and with a reason, not added or deleted', async () => {
    const { hospital } = scene
    expect(await row('minShelfLife')).toMatchObject({ control: 'warn', figure: '180', preset: '180天 提醒' })
    const added = await hospital.client.post('/v1/business/hospitalRule/add', { title: '新规则' })
    expect(added.code).not.toBe(0)
    const wrong = async (name: string, body: object) => (await tune(name, { reason: '试', ...body })).errors?.[0]?.msg
    expect(await wrong('minShelfLife', { figure: '4000' })).toBe('参数值应在0至3650之间')
    expect(await wrong('settleDay', { figure: '30' })).toBe('月结算日只能填写1至28或月末')
    expect(await wrong('certExpired', { control: 'off' })).toBe('控制方式只能选择：禁止、提醒')
    expect((await tune('minShelfLife', { figure: '90' })).errors?.[0]?.msg).toBe('请填写变更原因')
    expectMessage(await tune('expiredUse', { control: 'off', reason: '试' }), '过期产品使用控制不可改为不控制')
    expectMessage(await tune('certExpired', {}, 'disable'), '【注册证/资质过期控制】不能停用，请修改参数值')
    expect(wrongFigure(hospitalPolicyOf('claimTime')!, '每天')).toBe('参数值应如：周一至周五 08:00-17:00')
    expect(withinHours('周一至周五 08:00-17:00', 6, 600)).toBe(false)
    expect(withinHours('周五至周一 08:00-17:00', 7, 600)).toBe(true)
  })

  step('a change applies to later actions only, and is kept with old and new value', async () => {
    proves('receipt.shelfLife')
    const { hospital } = scene
    const changes = () => hospital.list('hospitalRuleChange', { title: '入库最短剩余效期' })
    const earlier = (await changes()).length
    const short = receipt(day(100), '145')
    expect((await handIn('purchaseGrn', short)).code).toBe(2200)
    await set('minShelfLife', { control: 'refuse' })
    expectMessage(await handIn('purchaseGrn', short), /剩余效期不足180天/)
    // Also what has most of a short shelf life left.
    const young = receipt(day(170))
    const made = { ...young, lines: [{ ...young.lines[0], production_date: day(-5) }] }
    expectMessage(await handIn('purchaseGrn', made), /剩余效期不足180天（仅剩170天）/)
    await set('minShelfLife', { figure: '60', control: 'warn' })
    expect((await handIn('purchaseGrn', short)).code).toBe(0)
    const history = await changes()
    expect(history.slice(0, history.length - earlier)).toMatchObject([
      { old_value: '禁止 180天', new_value: '提醒 60天', reason: '院办要求' },
      { old_value: '提醒 180天', new_value: '禁止 180天' },
    ])
    expect(await tune('minShelfLife', { reason: '恢复' }, 'reset')).toMatchObject({ code: 0 })
    expect(await row('minShelfLife')).toMatchObject({ control: 'warn', figure: '180' })
  })

  step('dealers have rules of their own on the same page, and the platform sees what it set itself', async () => {
    const { dealer, server, d, h } = scene
    const rules = await dealer.list('hospitalRule', { pageSize: '100', pageNum: '1' })
    const own = (name: string) => rules.find(each => each.name === name)
    expect(rules.map(each => each.title)).toEqual(
      expect.arrayContaining(['超出信用额度控制', '普通养护周期', '单张开票限额', '供应商与产品首营审批控制']),
    )
    expect(own('settleDay')).toBeUndefined()
    // The preset of traders, lightened for the demo by the platform, as its page says.
    expect(own('firstApproval')).toMatchObject({ control: 'off', preset: '禁止', scope_name: '全公司' })
    const platform = await server.as('platform')
    const shown = async (org: string, title: string) =>
      (await platform.get('/v1/business/orgBusinessConfig/list', { holder_sn: org, title })).list[0]
    expect(await shown(d, '首营审批控制')).toMatchObject({ value: '关闭', preset: '拦截' })
    expect(await shown(h, '允许制单人自审')).toMatchObject({ value: '是', preset: '否' })
    expect(await shown(h, '寄售结算日')).toMatchObject({ value: '25', preset: '25' })
    const { hospital_rule_sn: sn, version } = own('careDays')!
    const body = { sn, version, figure: '60', reason: '夏季加强养护' }
    expect((await dealer.client.post('/v1/business/hospitalRule/edit', body)).code).toBe(0)
    const settings = async (org: string) => server.database.owner.begin(tx => settingsFor(tx, org))
    expect((await settings(d)).care_days).toBe(60)
    expect((await settings(h)).care_days).toBe(90)
  })

  step('the narrowest scope wins: a class of products has its own rule', async () => {
    const { hospital, inflator } = scene
    const [type] = [await hospital.client.post('/v1/business/customType/add', { tree: 'own', name: '短效耗材' })]
    await hospital.client.post('/v1/business/typedProduct/add', {
      custom_type_sn: type.info.sn,
      specification_sn: inflator,
    })
    expectMessage(
      await tune('certExpired', { custom_type_sn: type.info.sn }, 'narrow'),
      '【注册证/资质过期控制】只能按全院设置',
    )
    expect(await tune('minShelfLife', { custom_type_sn: type.info.sn }, 'narrow')).toMatchObject({ code: 0 })
    const own = await row('minShelfLife', { custom_type_sn: type.info.sn })
    expect(own).toMatchObject({ scope_name: '短效耗材', control: 'warn' })
    const sent = { sn: own.hospital_rule_sn, version: own.version, control: 'off', reason: '保质期短' }
    expect(await hospital.client.post('/v1/business/hospitalRule/edit', sent)).toMatchObject({ code: 0 })
    expect((await handIn('purchaseGrn', receipt(day(90)))).code).toBe(0)
    // Class and warehouse together are narrower than the class alone.
    const both = { custom_type_sn: type.info.sn, warehouse_model_inner_sn: scene.central }
    expect(await tune('minShelfLife', both, 'narrow')).toMatchObject({ code: 0 })
    expect((await handIn('purchaseGrn', receipt(day(92)))).code).toBe(2200)
    await change(hospital.client, 'hospitalRule', 'hospital_rule_sn', both, { reason: '试完' }, 'reset')
    expect((await handIn('purchaseGrn', receipt(day(93)))).code).toBe(0)
    const { version } = await hospital.info('hospitalRule', own.hospital_rule_sn)
    const back = { sn: own.hospital_rule_sn, version, reason: '试完' }
    expect(await hospital.client.post('/v1/business/hospitalRule/reset', back)).toMatchObject({ code: 0 })
    expect((await handIn('purchaseGrn', receipt(day(91)))).code).toBe(2200)
  })

  step('no one buys above the listed price, or a warning is given where the rule says so', async () => {
    proves('purchasing.listedPrice')
    const { hospital, inflator } = scene
    expect(
      await change(
        hospital.client,
        'hospitalProduct',
        'hospital_product_sn',
        { q: 'P009-01' },
        { listed_price: '120' },
      ),
    ).toMatchObject({ code: 0 })
    const order = { counterparty_sn: scene.d, lines: [{ specification_sn: inflator, quantity: '1', price: '145' }] }
    expectMessage(await attempt(hospital, 'purchaseOrder', order), /单价145高于挂网价120$/)
    const doc = {
      adjust_type: 'purchase',
      adjust_reason: 'listed',
      counterparty_sn: scene.d,
      effective_on: day(3),
      lines: [{ specification_sn: inflator, new_price: '125' }],
    }
    expectMessage(await attempt(hospital, 'priceAdjustment', doc), '第1行：新进价高于挂网价120，不能保存')
    const lines = [{ specification_sn: inflator, price: '130', tax_rate: '13' }]
    const agreed = {
      counterparty_sn: scene.d,
      price_type: 'agreed',
      valid_from: day(),
      valid_to: day(30),
      change_reason: '原料涨价',
      lines,
    }
    expectMessage(await attempt(hospital, 'priceRegistration', agreed), '第1行：协议价130高于挂网价120')
    await set('priceCap', { control: 'warn' })
    const asked = await handIn('purchaseOrder', order)
    expect(asked).toMatchObject({ code: 2200 })
    const sn = await hospital.add('priceAdjustment', doc)
    await hospital.done('priceAdjustment', 'submit', sn)
    const asked2 = await scene.one(
      `select confirmed::text as said, actor_name from document_history h join document d on d.org_id = h.org_id
      and d.id = h.document_id where d.sn = $1 and h.action = 'submit'`,
      sn,
    )
    expect(asked2.said).toContain('高于挂网价')
    expect(asked2.actor_name).toBeTruthy()
    await change(hospital.client, 'hospitalProduct', 'hospital_product_sn', { q: 'P009-01' }, { listed_price: null })
  })

  /** A class of goods has a percentage of its own; the class in one warehouse takes precedence over the class. */
  async function byClass(po: string, came: (kind: string, po: string, quantity: string) => Promise<Reply>) {
    const { hospital, inflator, central } = scene
    const { info } = await hospital.client.post('/v1/business/customType/add', { tree: 'own', name: '散装耗材' })
    const custom_type_sn = info.sn as string
    await hospital.client.post('/v1/business/typedProduct/add', { custom_type_sn, specification_sn: inflator })
    const narrowed = async (at: object, figure: string) => {
      expect(await tune('overReceive', { custom_type_sn, ...at }, 'narrow')).toMatchObject({ code: 0 })
      const rules = await hospital.list('hospitalRule', { custom_type_sn, pageSize: '100' })
      const own = rules.find(each => Boolean(each.warehouse_model_inner_sn) === 'warehouse_model_inner_sn' in at)!
      const sent = { sn: own.hospital_rule_sn, version: own.version, figure, reason: '按米计' }
      expect(await hospital.client.post('/v1/business/hospitalRule/edit', sent)).toMatchObject({ code: 0 })
    }
    await narrowed({}, '20')
    expectMessage(await came('purchaseGrn', po, '13'), '入库数量超过订单未入库数量，最多还可入库12')
    await narrowed({ warehouse_model_inner_sn: central }, '0')
    expectMessage(await came('purchaseGrn', po, '12'), '入库数量超过订单未入库数量，最多还可入库10')
    for (const rule of await hospital.list('hospitalRule', { custom_type_sn, pageSize: '100' }))
      await hospital.client.post('/v1/business/hospitalRule/reset', {
        sn: rule.hospital_rule_sn,
        version: rule.version,
        reason: '试完',
      })
  }

  step(
    '超订单入库比例: nothing beyond an order, then exactly the percentage, and one more piece is refused',
    async () => {
      proves('receipt.overOrder')
      const { hospital, inflator, d, central } = scene
      const lines = [{ specification_sn: inflator, quantity: '10' }]
      const ordered = async (more: readonly object[] = []) => {
        const po = await hospital.add('purchaseOrder', {
          counterparty_sn: d,
          warehouse_model_inner_sn: central,
          lines: [...lines, ...more],
        })
        await hospital.pass('purchaseOrder', po)
        return po
      }
      const came = (kind: string, po: string, quantity: string, more: object = {}) => {
        const lot = { lot_no: 'CDD1', production_date: day(-10), expiry_date: day(900) }
        const body = { source_type: 3, source_sn: po, lines: [{ source_line_no: 1, quantity, ...lot, ...more }] }
        return attempt(hospital, kind, body, 'review')
      }
      const po = await ordered([{ specification_sn: inflator, quantity: '1' }])
      expect(await row('overReceive')).toMatchObject({ figure: '0', unit: '%', preset: '0%', allowed: '0至20%' })
      expectMessage(await came('purchaseGrn', po, '11'), '入库数量超过订单未入库数量，最多还可入库10')
      expectMessage(await came('arrivalOrder', po, '11'), '到货数量超过订单剩余数量10')
      expect((await tune('overReceive', { figure: '21', reason: '试' })).errors?.[0]?.msg).toBe('参数值应在0至20之间')
      await set('overReceive', { figure: '10' })
      expectMessage(await came('purchaseGrn', po, '12'), '入库数量超过订单未入库数量，最多还可入库11')
      await byClass(await ordered(), came)
      const unloaded = await came('arrivalOrder', await ordered(), '11')
      expect(unloaded.code, unloaded.msg).toBe(0)
      const other = await ordered()
      expectMessage(await came('arrivalOrder', other, '12'), '到货数量超过订单剩余数量11')
      expectMessage(
        await came('arrivalOrder', other, '11', { refused_quantity: '1', refuse_reason: '破损' }),
        '到货数量超过订单剩余数量11',
      )
      expect((await came('purchaseGrn', po, '11')).code).toBe(0)
      // A surplus of one line does not offset another: the order waits for its second line, and says what arrived.
      const { list } = await hospital.client.get('/v1/business/purchaseOrder/list', { sn: po })
      expect(list).toMatchObject([
        { state: 'partial', receive_state: '2', received_quantity: '11.000', unreceived_quantity: '1.000' },
      ])
      const [grn] = (await hospital.client.get('/v1/business/purchaseGrn/list', { source_sn: po, state: 'reviewed' }))
        .list
      await hospital.done('purchaseGrn', 'unreview', grn.sn)
      expect((await hospital.info('purchaseOrder', po)).state).toBe('reviewed')
      await set('overReceive', { figure: '0' })
      expectMessage(await hospital.do('purchaseGrn', 'review', grn.sn), '入库数量超过订单未入库数量，最多还可入库10')
    },
  )

  step('wards request within the hours and monthly quota set by the organisation', async () => {
    proves('ward.claimHours', 'ward.monthlyQuota')
    const { hospital, central, ward, department, inflator } = scene
    const claim = (quantity: string, more: object = {}) => ({
      department_inner_sn: department,
      warehouse_model_inner_sn: central,
      to_warehouse_model_inner_sn: ward,
      ...more,
      lines: [{ specification_sn: inflator, quantity }],
    })
    // The test's time is never in a window that ended just before it.
    const local = new Date(Date.now() + 8 * 3_600_000)
    const shut = local.getUTCHours() < 12 ? '周一至周日 22:00-23:00' : '周一至周日 03:00-04:00'
    await set('claimTime', { control: 'refuse', figure: shut })
    expectMessage(await attempt(hospital, 'requisition', claim('1')), '当前不在申领时间内，请提交加急申领')
    expect((await attempt(hospital, 'requisition', claim('1', { is_urgent: true, urgent_reason: '抢救' }))).code).toBe(
      0,
    )
    await set('claimTime', { control: 'off' })
    await hospital.client.post('/v1/business/warehouseProduct/add', {
      warehouse_model_inner_sn: ward,
      specification_sn: inflator,
      max_quantity: '100',
      month_quota: '5',
    })
    await scene.one(
      `update warehouse_product set month_quota = 5, status = 'enabled' where org_id = $1 and warehouse_id = $2
      and specification_id = $3 returning 1`,
      scene.h,
      ward,
      inflator,
    )
    expect((await handIn('requisition', claim('5'))).code).toBe(2200)
    await set('claimQuota', { control: 'refuse' })
    expectMessage(await handIn('requisition', claim('5')), /^本科室.+本月定额剩余4$/)
    expect((await handIn('requisition', claim('4'))).code).toBe(0)
  })

  step(
    '送达时限: runs from the last approval; overdue is marked and notified once, on-time delivery is not',
    async () => {
      proves('ward.urgentDelivery', 'ward.normalDelivery')
      const { hospital, central, ward, department, inflator } = scene
      const { app, owner } = scene.server.database
      await set('claimQuota', { control: 'off' })
      await set('urgentMinutes', { figure: '30' })
      expect((await tune('urgentMinutes', { reason: '试', figure: '1.5' })).errors?.[0]?.msg).toBe(
        '参数值应在1至1440之间',
      )
      await scene.shelve(hospital, central, [lotOf(inflator, 'SDSX', { quantity: '9' })])
      const ask = async (more: object = {}) => {
        const sn = await hospital.add('requisition', {
          department_inner_sn: department,
          warehouse_model_inner_sn: central,
          to_warehouse_model_inner_sn: ward,
          lines: [{ specification_sn: inflator, quantity: '2' }],
          ...more,
        })
        await hospital.pass('requisition', sn)
        return sn
      }
      const minutes = async (kind: string, sn: string) =>
        Math.round((Date.parse((await hospital.info(kind, sn)).due_at) - Date.now()) / 60_000)
      const [normal, urgent] = [await ask(), await ask({ is_urgent: true, urgent_reason: '抢救' })]
      expect([await minutes('requisition', normal), await minutes('requisition', urgent)]).toEqual([24 * 60, 30])
      const picked = await hospital.add('dispatch', { source_sn: urgent, source_type: 104 })
      await hospital.pass('dispatch', picked)
      expect(await minutes('dispatch', picked)).toBe(30)
      const dispatch = await hospital.info('dispatch', picked)
      expect(dispatch.required_at).toBe(dispatch.due_at)
      await notifyOverdue(app, owner)
      const late = (kind: string) => hospital.list(kind, { is_overdue: 'true' }).then(rows => rows.map(row => row.sn))
      expect([...(await late('requisition')), ...(await late('dispatch'))]).toEqual([])
      await owner`update document set fields = fields || '{"due_at": "2026-01-01T00:00:00.000Z"}'
    where org_id = ${scene.h} and sn = any(${[normal, picked]})`
      for (let twice = 0; twice < 2; twice++) await notifyOverdue(app, owner)
      expect([await late('requisition'), await late('dispatch')]).toEqual([[normal], [picked]])
      const notified =
        await owner`select title from message where org_id = ${scene.h} and title in ('申领超时', '配送超时') order by title`
      expect(notified.map(row => row.title)).toEqual(['申领超时', '配送超时'])
      // In time after all: what the ward receives counts as delivered at that moment.
      const soon = await hospital.add('dispatch', { source_sn: normal, source_type: 104 })
      await hospital.pass('dispatch', soon)
      await owner`update document set fields = fields || '{"due_at": "2999-01-01T00:00:00.000Z"}'
    where org_id = ${scene.h} and sn = ${soon}`
      const grant = (await hospital.from('grantOdo', soon)).sn
      await hospital.pass('grantOdo', grant)
      const waiting = await hospital.from('wardReceipt', grant)
      if (waiting.state === 'submitted') await hospital.done('wardReceipt', 'review', waiting.sn)
      expect(await hospital.info('dispatch', soon)).toMatchObject({
        delivered_at: expect.any(String),
        is_overdue: false,
      })
      await set('urgentMinutes', { figure: '60' })
    },
  )

  step('申领审批级数 and 审核设置 edit the same setting from two places', async () => {
    proves('ward.claimLevels')
    const { hospital } = scene
    const levels = async () => (await row('claimLevels')).figure
    const settings = () => hospital.list('auditSetting', { document_kind: 'requisition' })
    expect(await levels()).toBe('1')
    expectMessage(await tune('claimLevels', { reason: '试', figure: '4' }), /参数值应在0至3之间/)
    await set('claimLevels', { figure: '0' })
    expect(await settings()).toMatchObject([{ needs_review: false }])
    expectMessage(
      await tune('claimLevels', { reason: '三级', figure: '3' }),
      /^第2级没有审核人：请先给角色【科主任】指派人员/,
    )
    expect(await levels()).toBe('0')
    const { owner } = scene.server.database
    await owner`
    with made as (insert into role (org_id, name) select ${scene.h}, n from unnest(array['护士长', '科主任', '设备科']) n
      on conflict do nothing returning id)
    insert into user_role (org_id, user_id, role_id) select u.org_id, u.id, made.id from made cross join app_user u
      where u.login = 'finance'`
    await set('claimLevels', { figure: '3' })
    expect(await settings()).toMatchObject([
      { needs_review: true, level_count: 3, level_1: '护士长', level_3: '设备科' },
    ])
    // The other way round: a level less there is a level less here, and 恢复默认 leaves one.
    const [last] = await owner<{ id: string; version: number }[]>`
    select id, version from audit_level where org_id = ${scene.h} and level_no = 3 order by id desc limit 1`
    await hospital.client.post('/v1/business/auditLevel/del', { sn: last!.id, version: last!.version })
    expect(await levels()).toBe('2')
    expect(await tune('claimLevels', { reason: '从简' }, 'reset')).toMatchObject({ code: 0 })
    expect(await settings()).toMatchObject([{ needs_review: true, level_count: 1 }])
    expect(await levels()).toBe('1')
  })

  step('what a ward does not receive in time is received by the system', async () => {
    proves('ward.receivedByTime')
    const { hospital, central, ward, department, inflator } = scene
    await scene.shelve(hospital, central, [lotOf(inflator, 'ZDSH', { quantity: '5' })])
    const sn = await hospital.add('grantOdo', {
      department_inner_sn: department,
      warehouse_model_inner_sn: central,
      to_warehouse_model_inner_sn: ward,
      lines: [{ specification_sn: inflator, lot_no: 'ZDSH', quantity: '2' }],
    })
    await hospital.pass('grantOdo', sn)
    const { owner } = scene.server.database
    expect(await receiveByTime(owner)).toBe(0)
    await set('autoReceipt', { figure: '24' })
    expect(await receiveByTime(owner)).toBe(0)
    await scene.one(
      `update document set submitted_at = now() - interval '25 hours', created_at = now() - interval '25 hours'
      where org_id = $1 and kind = 'wardReceipt' and state = 'submitted' returning 1`,
      scene.h,
    )
    expect(await receiveByTime(owner)).toBe(1)
    expect((await hospital.from('wardReceipt', sn)).state).toBe('reviewed')
  })
})
