import { afterAll, beforeAll, expect } from 'vitest'
import { subtract } from '#kernel/values/decimal.ts'
import { deliverPending } from '#server/documents/intercompany/deliver.ts'
import { checkLedgers } from '#server/ledger/check/check.ts'
import { expectMessage, lotOf, openScene, owed, type Scene, shelf } from '#tests/support/fixture.ts'
import { openLease } from '#tests/support/lease.ts'
import { story } from '#tests/support/steps.ts'
import { day, type Person } from '#tests/support/story.ts'

/**
 * 出入库通知: a tenant's goods are received by the warehouse that it rents, remain the tenant's property, and leave in its
 * name.
 */
let scene: Scene
let platform: Person
let [p, hall, rented, mine] = ['', '', '', '']

beforeAll(async () => {
  scene = await openScene()
  const { dealer, shop, inflator } = scene
  await scene.shelve(dealer, shop, [lotOf(inflator, 'TZ0', { quantity: '100' })])
  ;({ platform, p, hall, rented, mine } = await openLease(scene, 'T'))
})
afterAll(() => scene?.close())

const clean = async () =>
  expect((await checkLedgers(scene.server.database.owner)).map(finding => finding.msg)).toEqual([])
/** The lessor's stock, by lot and owner. */
const inHall = async () =>
  (await platform.list('leaseStock', { warehouse_model_inner_sn: hall })).map(row => [
    row.lot_no,
    row.owner_sn,
    row.quantity,
  ])
const announced = (more: object = {}, line: object = {}) => ({
  notice_type: 'other',
  rented_area_sn: rented,
  warehouse_model_inner_sn: mine,
  lines: [{ ...lotOf(scene.inflator, 'TZ1'), quantity: '60', price: '113', tax_rate: 13, ...line }],
  ...more,
})

story('goods come in by notice', step => {
  let sn = ''

  step('announced to an area that fits, under a lease that runs', async () => {
    const { dealer } = scene
    sn = await dealer.add('leaseNoticeIn', announced())
    await scene.one("update rented_area set contract_state = 'ended' where id = $1 returning 1", rented)
    expectMessage(await dealer.do('leaseNoticeIn', 'submit', sn), '承租合同已到期，不能提交通知')
    await scene.one(
      "update rented_area set contract_state = 'running', storage_condition = 'cold' where id = $1 returning 1",
      rented,
    )
    const { name } = await scene.one(
      'select p.name from product p join specification s on s.product_id = p.id where s.id = $1',
      scene.inflator,
    )
    expectMessage(await dealer.do('leaseNoticeIn', 'submit', sn), `库区T储存条件不符合${name}的要求`)
    await scene.one("update rented_area set storage_condition = 'normal' where id = $1 returning 1", rented)
    expect(await platform.list('leaseNoticeIn', { sn })).toEqual([])
    await dealer.done('leaseNoticeIn', 'submit', sn)
    expect(await dealer.info('leaseNoticeIn', sn)).toMatchObject({ state_name: '待接收', area_code: 'T' })
    const copy = await platform.info('leaseNoticeIn', sn)
    expect(copy).toMatchObject({
      state_name: '待接收',
      counterparty_sn: scene.d,
      area_code: 'T',
      actions: ['accept', 'reject', 'print'],
      lines: [{ lot_no: 'TZ1', quantity: '60.000', price: '0.0000' }],
    })
  })

  step('sent back with a reason, corrected and announced again', async () => {
    const { dealer } = scene
    expectMessage(await platform.do('leaseNoticeIn', 'reject', sn), '请填写驳回原因')
    await platform.done('leaseNoticeIn', 'reject', sn, { reason: '缺检验报告' })
    expect(await dealer.info('leaseNoticeIn', sn)).toMatchObject({ state: 'rejected', answer_reason: '缺检验报告' })
    await dealer.done('leaseNoticeIn', 'submit', sn)
    await platform.done('leaseNoticeIn', 'accept', sn)
    expect((await dealer.info('leaseNoticeIn', sn)).state_name).toBe('已接收')
    // From here on the tenant cannot change anything.
    const { version } = await dealer.info('leaseNoticeIn', sn)
    expect((await dealer.client.post('/v1/business/leaseNoticeIn/edit', { sn, version, remark: '改' })).code).not.toBe(
      0,
    )
    expect((await dealer.do('leaseNoticeIn', 'confirm', sn)).code).not.toBe(0)
  })

  step('counted and booked as the tenant’s, in parts; never more than was announced', async () => {
    const { dealer, d } = scene
    expectMessage(
      await platform.do('leaseNoticeIn', 'receive', sn, { arrived_lines: '1:61' }),
      '第1行：实收数量超过通知数量60',
    )
    expectMessage(await platform.do('leaseNoticeIn', 'receive', sn, { arrived_lines: '2:1' }), '通知没有第2行')
    expectMessage(await platform.do('leaseNoticeIn', 'receive', sn, { arrived_lines: '1:40:5' }), '请填写拒收原因')
    expectMessage(
      await platform.do('leaseNoticeIn', 'receive', sn, { arrived_lines: '1:40', put_location: 'Z-1' }),
      '货位Z-1不在库区T中',
    )
    expectMessage(await platform.do('leaseNoticeIn', 'confirm', sn), '没有已登记收货而未入库的货物，请先收货登记')
    await platform.done('leaseNoticeIn', 'receive', sn, { arrived_lines: '1:40:5', refused_why: '破损' })
    await platform.done('leaseNoticeIn', 'confirm', sn)
    expect(await inHall()).toEqual([['TZ1', d, '40.000']])
    expect(await dealer.info('leaseNoticeIn', sn)).toMatchObject({
      state_name: '部分入库',
      received_total: '40.000',
      lines: [{ received_quantity: '40.000', refused_quantity: '5.000', refuse_reason: '破损' }],
    })
    await clean()
    await platform.done('leaseNoticeIn', 'receive', sn)
    await platform.done('leaseNoticeIn', 'confirm', sn)
    expect(await inHall()).toEqual([['TZ1', d, '55.000']])
    expect(await dealer.info('leaseNoticeIn', sn)).toMatchObject({ state_name: '已入库', done_at: expect.any(String) })
    expect(await platform.info('leaseNoticeIn', sn)).toMatchObject({ state: 'completed', actions: ['print'] })
    const memo = await scene.one(
      `select sum(quantity)::numeric(18,3)::text as quantity, sum(value)::numeric(18,2)::text as value
         from consigned_out
        where org_id = $1 and customer_id = $2`,
      d,
      p,
    )
    expect(memo).toEqual({ quantity: '55.000', value: '5500.00' })
    const { list } = await dealer.trace('TZ1')
    expect(JSON.stringify(list)).toContain('收货')
    await clean()
  })

  step('from the tenant’s own store they leave its stock', async () => {
    const { dealer, shop, inflator } = scene
    const much = await dealer.add(
      'leaseNoticeIn',
      announced({ notice_type: 'transfer', warehouse_model_inner_sn: shop }, { lot_no: 'TZ0', quantity: '101' }),
    )
    expectMessage(await dealer.do('leaseNoticeIn', 'submit', much), /^库存不足：.* 批号TZ0 可用100，需要101$/)
    const move = await dealer.add(
      'leaseNoticeIn',
      announced({ notice_type: 'transfer', warehouse_model_inner_sn: shop }, { lot_no: 'TZ0', quantity: '30' }),
    )
    await dealer.done('leaseNoticeIn', 'submit', move)
    for (const action of ['accept', 'receive', 'confirm']) await platform.done('leaseNoticeIn', action, move)
    expect(await shelf(dealer, shop, inflator)).toMatchObject({ TZ0: '70.000' })
    expect(await inHall()).toContainEqual(['TZ0', scene.d, '30.000'])
    await clean()
  })

  step('a purchase becomes a receipt of what really came, and is owed once that is reviewed', async () => {
    const { vendor, dealer, d, v, inflator } = scene
    const works = await scene.store('V01', 'central')
    await scene.shelve(vendor, works, [lotOf(inflator, 'TZ2', { quantity: '50' })])
    const odo = await vendor.add('saleOdo', {
      counterparty_sn: d,
      warehouse_model_inner_sn: works,
      lines: [{ specification_sn: inflator, lot_no: 'TZ2', quantity: '20', price: '100' }],
    })
    await vendor.pass('saleOdo', odo)
    const before = await owed(dealer, v)
    const buy = await dealer.add('leaseNoticeIn', {
      notice_type: 'purchase',
      rented_area_sn: rented,
      warehouse_model_inner_sn: mine,
      source_type: 7,
      source_sn: odo,
    })
    await dealer.done('leaseNoticeIn', 'submit', buy)
    await platform.done('leaseNoticeIn', 'accept', buy)
    await platform.done('leaseNoticeIn', 'receive', buy, { arrived_lines: '1:18' })
    await platform.done('leaseNoticeIn', 'confirm', buy)
    const { receipt_sn } = await dealer.info('leaseNoticeIn', buy)
    expect(await dealer.info('purchaseGrn', receipt_sn)).toMatchObject({
      state: 'draft',
      lease_notice_sn: buy,
      lines: [{ lot_no: 'TZ2', quantity: '18.000' }],
    })
    await dealer.pass('purchaseGrn', receipt_sn)
    expect((await owed(dealer, v)).payable).not.toBe(before.payable)
    expect((await vendor.info('saleOdo', odo)).receive_state).toBe('2')
    expect(await inHall()).toContainEqual(['TZ2', d, '18.000'])
    expect(await shelf(dealer, mine, inflator)).toEqual({})
    await clean()
  })

  step('others see nothing of it', async () => {
    expect(await scene.vendor.list('leaseNoticeIn', { sn })).toEqual([])
    expect((await scene.vendor.client.get('/v1/business/leaseNoticeIn/info', { sn })).code).toBe(2106)
    expect(await scene.hospital.list('leaseNoticeIn')).toEqual([])
    for (const forged of [{ lessor_sn: scene.v }, { received_total: '9' }, { area_code: 'X' }])
      expect(
        (await scene.dealer.client.post('/v1/business/leaseNoticeIn/add', announced(forged) as Record<string, unknown>))
          .code,
      ).toBe(2000)
  })
})

story('what was taken in by mistake leaves by a red notice', step => {
  let [sn, red] = ['', '']
  const arrive = async (body: object, received: object = {}) => {
    const notice = await scene.dealer.add('leaseNoticeIn', body)
    await scene.dealer.done('leaseNoticeIn', 'submit', notice)
    await platform.done('leaseNoticeIn', 'accept', notice)
    await platform.done('leaseNoticeIn', 'receive', notice, received)
    await platform.done('leaseNoticeIn', 'confirm', notice)
    return notice
  }
  const reversed = async (notice: string, more: object = {}) => {
    await scene.dealer.done('leaseNoticeIn', 'redNotice', notice, { reason: '录错', ...more })
    const { red_sns } = await scene.dealer.info('leaseNoticeIn', notice)
    return String(red_sns).split('、').at(-1)!
  }
  const lots = async () => (await inHall()).map(([lot, , quantity]) => [lot, quantity])

  step('of what is booked and not taken back yet, with a reason', async () => {
    const { dealer } = scene
    sn = await arrive(announced({}, { lot_no: 'TZ5', quantity: '30' }), { arrived_lines: '1:20' })
    expectMessage(await dealer.do('leaseNoticeIn', 'redNotice', sn), '请填写红冲原因')
    expectMessage(
      await dealer.do('leaseNoticeIn', 'redNotice', sn, { reason: '录错', red_lines: '1:21' }),
      '第1行：红冲数量21超过可红冲数量20（已入库减已红冲）',
    )
    red = await reversed(sn, { red_lines: '1:8' })
    expect(await dealer.info('leaseNoticeIn', red)).toMatchObject({
      notice_type: 'red',
      reverses_sn: sn,
      state_name: '待接收',
      total_quantity: '-8.000',
      lines: [{ line_no: 1, lot_no: 'TZ5', quantity: '-8.000' }],
    })
    expectMessage(
      await dealer.do('leaseNoticeIn', 'redNotice', sn, { reason: '录错', red_lines: '1:13' }),
      '第1行：红冲数量13超过可红冲数量12（已入库减已红冲）',
    )
    // Goods that this notice sends out cannot be announced to leave again.
    const out = await dealer.add('leaseNoticeOut', {
      notice_type: 'other',
      rented_area_sn: rented,
      warehouse_model_inner_sn: mine,
      lines: [{ specification_sn: scene.inflator, lot_no: 'TZ5', quantity: '13' }],
    })
    expectMessage(await dealer.do('leaseNoticeOut', 'submit', out), /批号TZ5 可用12，需要13$/)
  })

  step('nobody writes one of his own, or another one of it', async () => {
    const { dealer } = scene
    const forged = await dealer.add(
      'leaseNoticeIn',
      announced({ notice_type: 'red' }, { lot_no: 'TZ5', quantity: '-1' }),
    )
    expectMessage(await dealer.do('leaseNoticeIn', 'submit', forged), '红冲入库请在原入库通知上点【红冲入库】生成')
    expectMessage(
      await dealer.do('leaseNoticeIn', 'submit', await dealer.add('leaseNoticeIn', announced({}, { quantity: '-1' }))),
      '第1行：数量必须大于0',
    )
    await platform.done('leaseNoticeIn', 'reject', red, { reason: '请先盘点' })
    const { version } = await dealer.info('leaseNoticeIn', red)
    expectMessage(
      await dealer.client.post('/v1/business/leaseNoticeIn/edit', { sn: red, version, remark: '改' }),
      `红冲入库通知${red}按原入库通知生成，不能修改；请作废后在原通知上重新红冲`,
    )
    await dealer.done('leaseNoticeIn', 'submit', red)
  })

  step('and the lessor takes it out of both books', async () => {
    const { dealer, d } = scene
    const copy = await platform.info('leaseNoticeIn', red)
    expect(copy).toMatchObject({ state_name: '待接收', reverses_sn: sn, actions: ['accept', 'reject', 'print'] })
    await platform.done('leaseNoticeIn', 'accept', red)
    expect((await platform.info('leaseNoticeIn', red)).actions).not.toContain('receive')
    await platform.done('leaseNoticeIn', 'confirm', red)
    expect(await lots()).toContainEqual(['TZ5', '12.000'])
    expect(await dealer.info('leaseNoticeIn', red)).toMatchObject({ state_name: '已入库', received_total: '-8.000' })
    expect(await dealer.info('leaseNoticeIn', sn)).toMatchObject({
      state: 'partial',
      reversed_total: '8.000',
      red_sns: red,
      lines: [{ booked_quantity: '20.000', reversed_quantity: '8.000' }],
    })
    expect((await platform.info('leaseNoticeIn', sn)).reversed_total).toBe('8.000')
    const { quantity } = await scene.one(
      `select sum(c.quantity)::numeric(18,3)::text as quantity from consigned_out c join lot t on t.id = c.lot_id
        where c.org_id = $1 and t.lot_no = 'TZ5'`,
      d,
    )
    expect(quantity).toBe('12.000')
    const { list } = await dealer.trace('TZ5')
    expect(JSON.stringify(list)).toContain('退回')
    const { version } = await dealer.info('leaseNoticeIn', red)
    expectMessage(
      await dealer.client.post('/v1/business/leaseNoticeIn/redNotice', { sn: red, version, reason: '再来' }),
      /./,
    )
    await clean()
  })

  step('only while they are still there', async () => {
    const { dealer } = scene
    red = await reversed(sn)
    await platform.done('leaseNoticeIn', 'accept', red)
    await scene.one(
      `update stock_balance b set quality_state = 'frozen' from lot t
        where t.id = b.lot_id and b.org_id = $1 and t.lot_no = 'TZ5' returning 1`,
      p,
    )
    expectMessage(await platform.do('leaseNoticeIn', 'confirm', red), /^库存不足：.* 批号TZ5 可用0，需要12$/)
    await scene.one(
      `update stock_balance b set quality_state = 'qualified' from lot t
        where t.id = b.lot_id and b.org_id = $1 and t.lot_no = 'TZ5' returning 1`,
      p,
    )
    await dealer.done('leaseNoticeIn', 'stop', sn, { reason: '不再到货' })
    await platform.done('leaseNoticeIn', 'confirm', red)
    expect((await dealer.info('leaseNoticeIn', sn)).state_name).toBe('已红冲')
    expectMessage(await dealer.do('leaseNoticeIn', 'redNotice', sn, { reason: '录错' }), /./)
    expect((await lots()).map(([lot]) => lot)).not.toContain('TZ5')
    await clean()
  })

  step('back to the store that they came from', async () => {
    const { dealer, shop, inflator } = scene
    const before = (await shelf(dealer, shop, inflator)).TZ0
    const moved = await arrive(
      announced({ notice_type: 'transfer', warehouse_model_inner_sn: shop }, { lot_no: 'TZ0', quantity: '10' }),
    )
    const back = await reversed(moved)
    for (const action of ['accept', 'confirm']) await platform.done('leaseNoticeIn', action, back)
    expect((await shelf(dealer, shop, inflator)).TZ0).toBe(before)
    expect((await dealer.info('leaseNoticeIn', moved)).state_name).toBe('已红冲')
    await clean()
  })

  step('a receipt that nobody touched is replaced; one in force is named', async () => {
    const { dealer, v } = scene
    const bought = { notice_type: 'purchase', counterparty_sn: v }
    const buy = await arrive(announced(bought, { lot_no: 'TZ6', quantity: '10', price: '100' }))
    const first = (await dealer.info('leaseNoticeIn', buy)).receipt_sn
    const part = await reversed(buy, { red_lines: '1:4' })
    for (const action of ['accept', 'confirm']) await platform.done('leaseNoticeIn', action, part)
    const { receipt_sn: second } = await dealer.info('leaseNoticeIn', buy)
    expect(second).not.toBe(first)
    expect((await dealer.info('purchaseGrn', first)).state).toBe('cancelled')
    expect(await dealer.info('purchaseGrn', second)).toMatchObject({ state: 'draft', lines: [{ quantity: '6.000' }] })
    await dealer.pass('purchaseGrn', second)
    const whole = await reversed(buy)
    for (const action of ['accept', 'confirm']) await platform.done('leaseNoticeIn', action, whole)
    const { body } = await scene.one(
      "select body from message where org_id = $1 and title = '出租方已红冲入库' order by id desc limit 1",
      scene.d,
    )
    expect(body).toBe(
      `入库通知${buy}的货物已按红冲入库通知${whole}退出；采购入库单${second}仍按原数量，请修改、红冲或办理采购退货`,
    )
    await dealer.done('purchaseGrn', 'redReverse', second, { reason: '货物未留下' })
    expect((await inHall()).map(([lot]) => lot)).not.toContain('TZ6')
    await clean()
  })
})

story('goods leave by notice', step => {
  let sn = ''
  let checker: Person
  const leaving = (lines: object[], more: object = {}) => ({
    notice_type: 'sale',
    rented_area_sn: rented,
    warehouse_model_inner_sn: mine,
    counterparty_sn: scene.h,
    delivery_address: '中山路1号',
    lines: lines.map(line => ({ specification_sn: scene.inflator, price: '140', tax_rate: 13, ...line })),
    ...more,
  })

  step('of the tenant’s own lots, the first to expire first unless one is named', async () => {
    const { dealer, inflator } = scene
    checker = await scene.colleague('platform')
    await scene.one(
      `update stock_lot set expiry_date = $3 where org_id = $1
         and lot_id = (select id from lot where specification_id = $2 and lot_no = 'TZ0') returning 1`,
      scene.d,
      inflator,
      day(400),
    )
    const much = await dealer.add('leaseNoticeOut', leaving([{ lot_no: 'TZ1', quantity: '56' }]))
    expectMessage(await dealer.do('leaseNoticeOut', 'submit', much), /^库存不足：.* 批号TZ1 可用55，需要56$/)
    const named = await dealer.add('leaseNoticeOut', leaving([{ quantity: '1' }], { lot_rule: 'named' }))
    expectMessage(await dealer.do('leaseNoticeOut', 'submit', named), '指定批号出库请填写每行的批号')
    sn = await dealer.add('leaseNoticeOut', leaving([{ quantity: '35' }]))
    await dealer.done('leaseNoticeOut', 'submit', sn)
    const { lines, total_quantity } = await dealer.info('leaseNoticeOut', sn)
    expect(lines.map((line: { lot_no: string; quantity: string }) => [line.lot_no, line.quantity])).toEqual([
      ['TZ0', '30.000'],
      ['TZ1', '5.000'],
    ])
    expect(total_quantity).toBe('35.000')
    // Goods that are announced to leave cannot be announced again.
    const again = await dealer.add('leaseNoticeOut', leaving([{ lot_no: 'TZ0', quantity: '1' }]))
    expectMessage(await dealer.do('leaseNoticeOut', 'submit', again), /^库存不足：.* 批号TZ0 可用0，需要1$/)
  })

  step('picked by one, checked by another, and only then shipped', async () => {
    const { dealer } = scene
    await platform.done('leaseNoticeOut', 'accept', sn)
    expectMessage(await platform.do('leaseNoticeOut', 'confirm', sn), '请先完成出库复核')
    expectMessage(await platform.do('leaseNoticeOut', 'check', sn), '还没有拣货，不能复核')
    expectMessage(
      await platform.do('leaseNoticeOut', 'pick', sn, { picked_lines: '1:31' }),
      '第1行：拣货数量超过通知数量30',
    )
    await platform.done('leaseNoticeOut', 'pick', sn, { picked_lines: '1:20' })
    expect((await dealer.info('leaseNoticeOut', sn)).state_name).toBe('拣货中')
    await platform.done('leaseNoticeOut', 'pick', sn)
    expect((await dealer.info('leaseNoticeOut', sn)).state_name).toBe('待复核')
    expectMessage(await platform.do('leaseNoticeOut', 'check', sn), '拣货人不能复核本人拣货的单据')
    await checker.done('leaseNoticeOut', 'check', sn)
    await platform.done('leaseNoticeOut', 'confirm', sn)
    expect(await inHall()).toContainEqual(['TZ1', scene.d, '50.000'])
    expect((await inHall()).map(([lot]) => lot)).not.toContain('TZ0')
    await clean()
  })

  step('by the tenant’s own delivery, which his customer receives', async () => {
    const { dealer, hospital } = scene
    const { app, owner } = scene.server.database
    const notice = await dealer.info('leaseNoticeOut', sn)
    expect(notice).toMatchObject({ state_name: '已出库', shipped_total: '35.000', checked_by: expect.any(String) })
    expect(await dealer.info('saleOdo', notice.delivery_sn)).toMatchObject({
      state: 'reviewed',
      taxed_amount: '4900.00',
    })
    await deliverPending(app, owner)
    const draft = await hospital.from('purchaseGrn', notice.delivery_sn)
    await hospital.pass('purchaseGrn', draft.sn)
    expect((await dealer.info('saleOdo', notice.delivery_sn)).state).toBe('completed')
    expect(await shelf(dealer, mine, scene.inflator)).toEqual({})
    const sheet = await dealer.client.get('/v1/business/saleOdo/print', { sn: notice.delivery_sn })
    const { name } = await scene.one('select name from organisation where id = $1', scene.d)
    expect(sheet.info.org_name).toBe(name)
    await clean()
  })

  step('on a shipment of the lessor, for his tenant, to the customer', async () => {
    const { dealer, hospital, d, h } = scene
    await platform.done('leaseNoticeOut', 'toLogistics', sn)
    const { logistics_sn } = await dealer.info('leaseNoticeOut', sn)
    const way = await platform.info('logistics', logistics_sn)
    expect(way).toMatchObject({ counterparty_sn: h, lessee_sn: d, source_sn: sn, delivery_address: '中山路1号' })
    expectMessage(await platform.do('leaseNoticeOut', 'toLogistics', sn), `已生成物流单${logistics_sn}`)
    const { version } = way
    const edited = await platform.client.post('/v1/business/logistics/edit', {
      sn: logistics_sn,
      version,
      plate_no: '苏A10001',
      package_count: 3,
    })
    expect(edited.code, edited.msg).toBe(0)
    await platform.done('logistics', 'ship', logistics_sn)
    expect((await hospital.info('logistics', logistics_sn)).state_name).toBe('运输中')
  })

  step('and what he refuses of it is proposed as a return of the tenant’s own delivery', async () => {
    const { dealer } = scene
    const { app, owner } = scene.server.database
    const { logistics_sn, delivery_sn } = await dealer.info('leaseNoticeOut', sn)
    await platform.done('logistics', 'refuse', logistics_sn, { reason: '外箱破损', refused_lines: '1:5' })
    await deliverPending(app, owner)
    const notice = await dealer.info('leaseNoticeOut', sn)
    expect(notice).toMatchObject({ refuse_note: '外箱破损', return_sns: expect.stringMatching(/^XSTH/) })
    expect(notice.lines[0].refused_quantity).toBe('5.000')
    const [back] = await dealer.list('saleReturn', { source_sn: delivery_sn, state: 'draft' })
    expect(back).toMatchObject({ sn: notice.return_sns, return_type: 'refused', total_quantity: '5.000' })
    expect((await platform.info('logistics', logistics_sn)).state_name).toBe('部分拒收')
    await dealer.done('saleReturn', 'del', back.sn)
  })

  step('the customer who takes the goods in signs for the shipment of the lessor', async () => {
    const { dealer, hospital, d } = scene
    const { app, owner } = scene.server.database
    await scene.one(
      `insert into licence (org_id, holder_id, licence_type, licence_no, valid_from, valid_to, person_name,
         audit_state, status) values ($1, $2, '采购人员委托书', 'CG-1', current_date - 30, current_date + 30, '孙采购',
         'passed', 'enabled') returning 1`,
      d,
      scene.h,
    )
    const sold = await dealer.add('leaseNoticeOut', leaving([{ lot_no: 'TZ1', quantity: '2' }]))
    await dealer.done('leaseNoticeOut', 'submit', sold)
    for (const action of ['accept', 'pick']) await platform.done('leaseNoticeOut', action, sold)
    await checker.done('leaseNoticeOut', 'check', sold)
    await platform.done('leaseNoticeOut', 'confirm', sold)
    await deliverPending(app, owner)
    const { delivery_sn } = await dealer.info('leaseNoticeOut', sold)
    expect((await platform.info('leaseNoticeOut', sold)).delivery_sn).toBe(delivery_sn)
    await platform.done('leaseNoticeOut', 'toLogistics', sold)
    const way = (await platform.info('leaseNoticeOut', sold)).logistics_sn
    const { version } = await platform.info('logistics', way)
    await platform.client.post('/v1/business/logistics/edit', { sn: way, version, plate_no: '苏A1', package_count: 1 })
    await platform.done('logistics', 'ship', way)
    expect(await hospital.info('logistics', way)).toMatchObject({ lessee_sn: d, delivery_sn })
    await hospital.pass('purchaseGrn', (await hospital.from('purchaseGrn', delivery_sn)).sn)
    await deliverPending(app, owner)
    const signed = { transport_state: 'signed', signed_by: expect.any(String) }
    expect(await hospital.info('logistics', way)).toMatchObject(signed)
    expect(await platform.info('logistics', way)).toMatchObject({ ...signed, state: 'completed' })
    await deliverPending(app, owner)
    // The tenant sees who signed, and whether the customer's letters name that person.
    const { sign_state, signed_by } = await dealer.info('leaseNoticeOut', sold)
    expect(sign_state).toBe('signed')
    expect((await dealer.info('saleOdo', delivery_sn)).signer_note).toMatch(
      new RegExp(`^签收人${signed_by}不在.*的采购人员委托书中（现有：孙采购）$`),
    )
    await clean()
  })

  step('to the tenant’s own store, or not at all once it is stopped', async () => {
    const { dealer, shop, inflator } = scene
    const home = await dealer.add(
      'leaseNoticeOut',
      leaving([{ lot_no: 'TZ1', quantity: '10' }], {
        notice_type: 'transfer',
        counterparty_sn: null,
        warehouse_model_inner_sn: shop,
      }),
    )
    await dealer.done('leaseNoticeOut', 'submit', home)
    await platform.done('leaseNoticeOut', 'accept', home)
    await platform.done('leaseNoticeOut', 'pick', home, { picked_lines: '1:4' })
    await checker.done('leaseNoticeOut', 'check', home)
    await platform.done('leaseNoticeOut', 'confirm', home)
    expect((await dealer.info('leaseNoticeOut', home)).state_name).toBe('部分出库')
    expect(await shelf(dealer, shop, inflator)).toMatchObject({ TZ1: '4.000' })
    await dealer.done('leaseNoticeOut', 'stop', home, { reason: '不要了' })
    expect((await platform.info('leaseNoticeOut', home)).state).toBe('stopped')
    // The rest may be announced again.
    const rest = await dealer.add('leaseNoticeOut', leaving([{ lot_no: 'TZ1', quantity: '44' }]))
    await dealer.done('leaseNoticeOut', 'submit', rest)
    await dealer.done('leaseNoticeOut', 'unsubmit', rest)
    expect(await platform.list('leaseNoticeOut', { sn: rest })).toMatchObject([{ state: 'cancelled' }])
    await clean()
  })

  step('back to the supplier, out of the receipts that they came by', async () => {
    const { dealer, vendor, v, inflator } = scene
    const { app, owner } = scene.server.database
    const back = (line: object, more: object = {}) =>
      dealer.add('leaseNoticeOut', leaving([line], { notice_type: 'purchase_return', counterparty_sn: v, ...more }))
    const unsaid = await back({ lot_no: 'TZ2', quantity: '5' })
    expectMessage(await dealer.do('leaseNoticeOut', 'submit', unsaid), '采购退货请填写退货原因')
    const wrong = await back({ lot_no: 'TZ1', quantity: '1' }, { return_reason: '近效期' })
    expectMessage(
      await dealer.do('leaseNoticeOut', 'submit', wrong),
      /^第1行：批号TZ1由.*采购入库的可退数量为0，需要1，请核对收货单位和采购入库单$/,
    )
    const before = await owed(dealer, v)
    const go = await back({ lot_no: 'TZ2', quantity: '5' }, { return_reason: '近效期' })
    await dealer.done('leaseNoticeOut', 'submit', go)
    await platform.done('leaseNoticeOut', 'accept', go)
    await platform.done('leaseNoticeOut', 'pick', go)
    await checker.done('leaseNoticeOut', 'check', go)
    await platform.done('leaseNoticeOut', 'confirm', go)
    const { purchase_return_sns } = await dealer.info('leaseNoticeOut', go)
    const done = await dealer.info('purchaseReturn', purchase_return_sns)
    expect(done).toMatchObject({
      state: 'reviewed',
      counterparty_sn: v,
      return_reason: '近效期',
      lines: [{ lot_no: 'TZ2', quantity: '5.000', price: '100.0000' }],
    })
    expect((await owed(dealer, v)).payable).toBe(subtract(before.payable, '500', 2))
    expect(await inHall()).toContainEqual(['TZ2', scene.d, '13.000'])
    await deliverPending(app, owner)
    const [theirs] = await vendor.list('saleReturn', { counterparty_sn: scene.d, state: 'draft' })
    expect(theirs).toMatchObject({ total_quantity: '5.000' })
    await vendor.done('saleReturn', 'submit', theirs.sn)
    await vendor.done('saleReturn', 'inspect', theirs.sn)
    await vendor.done('saleReturn', 'review', theirs.sn)
    expect((await dealer.info('purchaseReturn', purchase_return_sns)).receive_state).toBe('3')
    expect(await shelf(dealer, mine, inflator)).toEqual({})
    const steps = (await dealer.trace('TZ2')).list as { step_name?: string }[]
    expect(JSON.stringify(steps)).toContain('退回')
    await clean()
  })

  step('and by nothing else; what is there keeps the lease', async () => {
    const { name } = await scene.one('select name from organisation where id = $1', scene.d)
    const [contract] = await platform.list('lessee', { contract_no: 'TZ-1' })
    expect(contract.lessee_name ?? name).toBe(name)
    const { version } = await platform.info('lessee', contract.lease_contract_sn)
    expectMessage(
      await platform.client.post('/v1/business/lessee/stop', {
        sn: contract.lease_contract_sn,
        version,
        reason: '到期',
      }),
      '承租库区仍有库存57，不能停租',
    )
    const [area] = await platform.list('leaseArea', { code: 'T' })
    const { version: at } = await platform.info('leaseArea', area.lease_area_sn)
    const release = { sn: area.lease_area_sn, version: at, lease_contract_sn: contract.lease_contract_sn }
    expectMessage(await platform.client.post('/v1/business/leaseArea/release', release), '库区仍有库存，不能收回')
    // Goods may leave even when none may be received.
    await scene.one("update rented_area set contract_state = 'ended' where id = $1 returning 1", rented)
    const last = await scene.dealer.add('leaseNoticeOut', leaving([{ lot_no: 'TZ1', quantity: '1' }]))
    await scene.dealer.done('leaseNoticeOut', 'submit', last)
  })
})
