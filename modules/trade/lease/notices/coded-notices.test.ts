import { afterAll, beforeAll, expect } from 'vitest'
import { deliverPending } from '#server/documents/intercompany/deliver.ts'
import { checkLedgers } from '#server/ledger/check/check.ts'
import { expectMessage, lotOf, openScene, type Scene, shelf } from '#tests/support/fixture.ts'
import { story } from '#tests/support/steps.ts'
import { openLease } from '#tests/support/lease.ts'
import { day, type Person } from '#tests/support/story.ts'

/** Goods managed piece by piece: each piece is followed by its code through both books. */
let scene: Scene
let lease: Awaited<ReturnType<typeof openLease>>
let checker: Person

beforeAll(async () => {
  scene = await openScene()
  lease = await openLease(scene, 'C')
  checker = await scene.colleague('platform')
  const codes = ['TC-1', 'TC-2', 'TC-3', 'TC-4', 'TC-5']
  await scene.shelve(scene.dealer, scene.shop, [lotOf(scene.balloon, 'TC', { unit_codes: codes })])
})
afterAll(() => scene?.close())

const clean = async () => {
  const { app, owner } = scene.server.database
  await deliverPending(app, owner)
  expect((await checkLedgers(owner)).map(finding => finding.msg)).toEqual([])
  expect(await owner`select last_error from intercompany_message where delivered_at is null`).toEqual([])
}
/** The place of a piece according to the trace. */
const at = async (code: string) =>
  scene.one(
    `select u.status, u.holder_org_id as holder, u.owner_id as owner, u.store from unit u
       join unit_code c on c.lot_id = u.lot_id and c.unit_id = u.id where c.bare = $1`,
    code,
  )
const announce = (codes: readonly string[], more: object = {}) =>
  scene.dealer.add('leaseNoticeIn', {
    notice_type: 'transfer',
    rented_area_sn: lease.rented,
    warehouse_model_inner_sn: scene.shop,
    lines: [{ ...lotOf(scene.balloon, 'TC'), quantity: String(codes.length), unit_codes: codes, price: '300' }],
    ...more,
  })
const leaving = (line: object, more: object = {}) =>
  scene.dealer.add('leaseNoticeOut', {
    notice_type: 'sale',
    rented_area_sn: lease.rented,
    warehouse_model_inner_sn: lease.mine,
    counterparty_sn: scene.h,
    delivery_address: '中山路1号',
    lines: [{ specification_sn: scene.balloon, price: '150', tax_rate: 13, ...line }],
    ...more,
  })

story('coded goods come in by notice, piece by piece', step => {
  let sn = ''

  step('announced by their codes, each in one notice', async () => {
    const { dealer, d } = scene
    const bare = await announce([], {
      lines: [{ ...lotOf(scene.balloon, 'TC'), quantity: '1', price: '300' }],
    })
    expectMessage(await dealer.do('leaseNoticeIn', 'submit', bare), /为一物一码产品，请扫描院内码$/)
    sn = await announce(['TC-1', 'TC-2', 'TC-3', 'TC-4'])
    await dealer.done('leaseNoticeIn', 'submit', sn)
    await dealer.done('leaseNoticeIn', 'unsubmit', sn)
    await dealer.done('leaseNoticeIn', 'submit', sn)
    expect(await at('TC-1')).toMatchObject({ status: 'in_stock', holder: d })
    const twice = await announce(['TC-1'])
    expectMessage(await dealer.do('leaseNoticeIn', 'submit', twice), `院内码TC-1已在通知${sn}中`)
    const away = await announce(['TC-8'])
    expectMessage(await dealer.do('leaseNoticeIn', 'submit', away), '院内码TC-8不在调出的仓库，请核对后重新扫描')
    await clean()
  })

  step('under way once the lessor accepted, and not before', async () => {
    const { platform } = lease
    await platform.done('leaseNoticeIn', 'reject', sn, { reason: '缺报告' })
    expect(await at('TC-2')).toMatchObject({ status: 'in_stock', holder: scene.d })
    await scene.dealer.done('leaseNoticeIn', 'submit', sn)
    await platform.done('leaseNoticeIn', 'accept', sn)
    expect(await at('TC-1')).toMatchObject({ status: 'in_transit', holder: scene.d })
    expect(await shelf(scene.dealer, scene.shop, scene.balloon)).toMatchObject({ TC: '1.000' })
    await clean()
  })

  step('scanned at the door, one of them refused', async () => {
    const { dealer, d, p } = { ...scene, p: lease.p }
    const { platform } = lease
    const receive = (more: object) => platform.do('leaseNoticeIn', 'receive', sn, more)
    expectMessage(await receive({ arrived_codes: ['TC-9'] }), '院内码TC-9不在入库通知中，请核对后重新扫描')
    expectMessage(await receive({ arrived_lines: '1:2' }), '第1行为一物一码产品，请扫码收货')
    expectMessage(await receive({ arrived_codes: ['TC-1'], refused_scan: ['TC-1'] }), '院内码TC-1不能同时收货和拒收')
    expectMessage(await receive({ arrived_codes: ['TC-1'], refused_scan: ['TC-4'] }), '请填写拒收原因')
    await platform.done('leaseNoticeIn', 'receive', sn, {
      arrived_codes: ['TC-1', 'TC-2'],
      refused_scan: ['TC-4'],
      refused_why: '破损',
    })
    expectMessage(await receive({ arrived_codes: ['TC-1'] }), '院内码TC-1已登记收货或拒收')
    await platform.done('leaseNoticeIn', 'confirm', sn)
    expect(await at('TC-1')).toMatchObject({ status: 'in_stock', holder: p, owner: d })
    expect(await at('TC-3')).toMatchObject({ status: 'in_transit', holder: d })
    expect(await at('TC-4')).toMatchObject({ status: 'in_stock', holder: d })
    expect(await shelf(dealer, scene.shop, scene.balloon)).toMatchObject({ TC: '2.000' })
    await platform.done('leaseNoticeIn', 'receive', sn)
    await platform.done('leaseNoticeIn', 'confirm', sn)
    expect(await dealer.info('leaseNoticeIn', sn)).toMatchObject({
      state_name: '已入库',
      lines: [{ received_codes: ['TC-1', 'TC-2', 'TC-3'], refused_codes: ['TC-4'] }],
    })
    await clean()
  })

  step('taken in by mistake they are in the store again, piece by piece', async () => {
    const { dealer, d } = scene
    const { platform } = lease
    expectMessage(
      await dealer.do('leaseNoticeIn', 'redNotice', sn, { reason: '录错', red_codes: ['TC-4'] }),
      '院内码TC-4不在该通知已入库的货物中，或已红冲',
    )
    await dealer.done('leaseNoticeIn', 'redNotice', sn, { reason: '录错', red_codes: ['TC-3'] })
    const { red_sns } = await dealer.info('leaseNoticeIn', sn)
    expect(await dealer.info('leaseNoticeIn', red_sns)).toMatchObject({
      lines: [{ quantity: '-1.000', unit_codes: ['TC-3'] }],
    })
    for (const action of ['accept', 'confirm']) await platform.done('leaseNoticeIn', action, red_sns)
    expect(await at('TC-3')).toMatchObject({ status: 'in_stock', holder: d })
    expect(await shelf(dealer, scene.shop, scene.balloon)).toMatchObject({ TC: '3.000' })
    await clean()
  })

  step('stopped, what never came is where it was', async () => {
    const { dealer, d } = scene
    const { platform } = lease
    const more = await announce(['TC-5'])
    await dealer.done('leaseNoticeIn', 'submit', more)
    await platform.done('leaseNoticeIn', 'accept', more)
    await dealer.done('leaseNoticeIn', 'stop', more, { reason: '不送了' })
    expect(await at('TC-5')).toMatchObject({ status: 'in_stock', holder: d })
    await clean()
  })
})

story('coded goods leave by notice, piece by piece', step => {
  step('picked by scan, checked by scan, delivered by the tenant under their codes', async () => {
    const { dealer, hospital, h, inflator } = scene
    const { platform } = lease
    const wrong = await leaving({ quantity: '1', unit_codes: ['TC-4'] })
    expectMessage(await dealer.do('leaseNoticeOut', 'submit', wrong), '院内码TC-4不在出租方的库区，请核对后重新扫描')
    const sn = await leaving({ quantity: '1' })
    await dealer.done('leaseNoticeOut', 'submit', sn)
    await platform.done('leaseNoticeOut', 'accept', sn)
    const pick = (more: object) => platform.do('leaseNoticeOut', 'pick', sn, more)
    expectMessage(await pick({}), '一物一码的产品请扫码拣货')
    expectMessage(await pick({ picked_lines: '1:1' }), '第1行为一物一码产品，请扫码拣货')
    expectMessage(await pick({ picked_codes: ['TC-4'] }), '院内码TC-4不在该承租方的库存中，请核对后重新扫描')
    expectMessage(await pick({ picked_codes: ['TC-1', 'TC-2'] }), '院内码TC-2不在出库通知中或已拣够，请核对后重新扫描')
    await platform.done('leaseNoticeOut', 'pick', sn, { picked_codes: ['TC-2'] })
    const check = (more: object) => checker.do('leaseNoticeOut', 'check', sn, more)
    expectMessage(await check({}), '复核扫码与拣货不一致：缺少TC-2')
    expectMessage(await check({ checked_codes: ['TC-1'] }), '复核扫码与拣货不一致：缺少TC-2；多出TC-1')
    await checker.done('leaseNoticeOut', 'check', sn, { checked_codes: ['TC-2'] })
    await platform.done('leaseNoticeOut', 'confirm', sn)
    await clean()
    const { delivery_sn } = await dealer.info('leaseNoticeOut', sn)
    expect(await dealer.info('saleOdo', delivery_sn)).toMatchObject({
      state: 'reviewed',
      lines: [{ unit_codes: ['TC-2'], quantity: '1.000' }],
    })
    await hospital.pass('purchaseGrn', (await hospital.from('purchaseGrn', delivery_sn)).sn)
    expect(await at('TC-2')).toMatchObject({ status: 'in_stock', holder: h })
    const { list } = await dealer.trace('TC-2')
    for (const word of ['调出', '收货', '发货', '调入']) expect(JSON.stringify(list)).toContain(word)
    expect(inflator).not.toBe(scene.balloon)
    await clean()
  })

  step('to the tenant’s own store under the code that he named', async () => {
    const { dealer, d, shop } = scene
    const { platform } = lease
    const sn = await leaving(
      { quantity: '1', unit_codes: ['TC-1'] },
      { notice_type: 'transfer', counterparty_sn: null, warehouse_model_inner_sn: shop },
    )
    await dealer.done('leaseNoticeOut', 'submit', sn)
    await platform.done('leaseNoticeOut', 'accept', sn)
    await platform.done('leaseNoticeOut', 'pick', sn, { picked_codes: ['TC-1'] })
    await checker.done('leaseNoticeOut', 'check', sn, { checked_codes: ['TC-1'] })
    await platform.done('leaseNoticeOut', 'confirm', sn)
    await clean()
    expect(await at('TC-1')).toMatchObject({ status: 'in_stock', holder: d })
    expect(await shelf(dealer, shop, scene.balloon)).toMatchObject({ TC: '4.000' })
  })

  step('bought ones come by the supplier’s delivery and go back to him by their codes', async () => {
    const { dealer, vendor, d, v, balloon } = scene
    const { platform } = lease
    const works = await scene.store('V01', 'central')
    await scene.shelve(vendor, works, [lotOf(balloon, 'TD', { unit_codes: ['TD-1', 'TD-2'] })])
    const odo = await vendor.add('saleOdo', {
      counterparty_sn: d,
      warehouse_model_inner_sn: works,
      lines: [{ unit_codes: ['TD-1', 'TD-2'], price: '100' }],
    })
    await vendor.pass('saleOdo', odo)
    const buy = await dealer.add('leaseNoticeIn', {
      notice_type: 'purchase',
      rented_area_sn: lease.rented,
      warehouse_model_inner_sn: lease.mine,
      source_type: 7,
      source_sn: odo,
    })
    await dealer.done('leaseNoticeIn', 'submit', buy)
    for (const action of ['accept', 'receive', 'confirm']) await platform.done('leaseNoticeIn', action, buy)
    expect(await at('TD-1')).toMatchObject({ status: 'in_stock', holder: lease.p, owner: d })
    const { receipt_sn } = await dealer.info('leaseNoticeIn', buy)
    await dealer.pass('purchaseGrn', receipt_sn)
    expect(await dealer.info('purchaseGrn', receipt_sn)).toMatchObject({ lines: [{ unit_codes: ['TD-1', 'TD-2'] }] })
    await clean()
    const back = await leaving(
      { quantity: '1', unit_codes: ['TD-2'] },
      { notice_type: 'purchase_return', counterparty_sn: v, return_reason: '近效期' },
    )
    await dealer.done('leaseNoticeOut', 'submit', back)
    await platform.done('leaseNoticeOut', 'accept', back)
    await platform.done('leaseNoticeOut', 'pick', back, { picked_codes: ['TD-2'] })
    await checker.done('leaseNoticeOut', 'check', back, { checked_codes: ['TD-2'] })
    await platform.done('leaseNoticeOut', 'confirm', back)
    await clean()
    const { purchase_return_sns } = await dealer.info('leaseNoticeOut', back)
    expect(await dealer.info('purchaseReturn', purchase_return_sns)).toMatchObject({
      state: 'reviewed',
      lines: [{ unit_codes: ['TD-2'] }],
    })
    expect(await at('TD-2')).toMatchObject({ status: 'in_transit', holder: d })
  })

  step('what the customer refuses on the way is proposed as a return by its codes', async () => {
    const { dealer, balloon, shop } = scene
    const { platform } = lease
    const codes = ['TF-1', 'TF-2', 'TF-3']
    await scene.shelve(dealer, shop, [lotOf(balloon, 'TF', { unit_codes: codes })])
    const coming = await announce([], {
      lines: [{ ...lotOf(balloon, 'TF'), quantity: '3', unit_codes: codes, price: '300' }],
    })
    await dealer.done('leaseNoticeIn', 'submit', coming)
    for (const action of ['accept', 'receive', 'confirm']) await platform.done('leaseNoticeIn', action, coming)
    await clean()
    const sn = await leaving({ quantity: '3', unit_codes: codes })
    await dealer.done('leaseNoticeOut', 'submit', sn)
    await platform.done('leaseNoticeOut', 'accept', sn)
    await platform.done('leaseNoticeOut', 'pick', sn, { picked_codes: codes })
    await checker.done('leaseNoticeOut', 'check', sn, { checked_codes: codes })
    await platform.done('leaseNoticeOut', 'confirm', sn)
    await clean()
    await platform.done('leaseNoticeOut', 'toLogistics', sn)
    const { logistics_sn, delivery_sn } = await platform.info('leaseNoticeOut', sn)
    const { version } = await platform.info('logistics', logistics_sn)
    const edit = { sn: logistics_sn, version, plate_no: '苏A10002', package_count: 1 }
    expect(await platform.client.post('/v1/business/logistics/edit', edit)).toMatchObject({ code: 0 })
    await platform.done('logistics', 'ship', logistics_sn)
    const refuse = (more: object) => platform.do('logistics', 'refuse', logistics_sn, { reason: '破损', ...more })
    expectMessage(await refuse({ refused_lines: '1:1' }), '第1行为一物一码产品，部分拒收请扫拒收的码')
    expectMessage(
      await refuse({ refused_scan: ['TD-1'] }),
      '院内码TD-1不在本物流单的货物中或已登记拒收，请核对后重新扫描',
    )
    expectMessage(await refuse({ refused_lines: '1', refused_scan: ['TF-2'] }), '第1行已扫拒收的码，请不要再写行号')
    expect(await refuse({ refused_scan: ['TF-2'] })).toMatchObject({ code: 0 })
    await clean()
    const notice = await dealer.info('leaseNoticeOut', sn)
    expect(notice.lines).toMatchObject([{ refused_quantity: '1.000', refused_codes: ['TF-2'] }])
    const [back] = await dealer.list('saleReturn', { source_sn: delivery_sn, state: 'draft' })
    expect((await dealer.info('saleReturn', back.sn)).lines).toMatchObject([
      { quantity: '1.000', unit_codes: ['TF-2'] },
    ])
    await dealer.done('saleReturn', 'del', back.sn)
    await platform.done('logistics', 'refuse', logistics_sn, { reason: '不要了' })
    await clean()
    const [rest] = await dealer.list('saleReturn', { source_sn: delivery_sn, state: 'draft' })
    expect((await dealer.info('saleReturn', rest.sn)).lines).toMatchObject([
      { quantity: '2.000', unit_codes: ['TF-1', 'TF-3'] },
    ])
  })

  step('codes that nobody knew begin with the notice, and end with it', async () => {
    const { dealer, balloon } = scene
    const { platform } = lease
    const fresh = await announce(['TE-1', 'TE-2'], {
      notice_type: 'other',
      warehouse_model_inner_sn: lease.mine,
      lines: [
        { ...lotOf(balloon, 'TE', { expiry_date: day(300) }), quantity: '2', unit_codes: ['TE-1', 'TE-2'], price: '9' },
      ],
    })
    await dealer.done('leaseNoticeIn', 'submit', fresh)
    await platform.done('leaseNoticeIn', 'accept', fresh)
    await platform.done('leaseNoticeIn', 'receive', fresh, { refused_scan: ['TE-2'], refused_why: '破损' })
    await platform.done('leaseNoticeIn', 'confirm', fresh)
    expect((await at('TE-1')).status).toBe('in_stock')
    expect(await scene.server.database.owner`select 1 from unit_code where bare = 'TE-2'`).toEqual([])
    await clean()
  })
})
