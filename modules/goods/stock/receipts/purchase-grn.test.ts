import { add } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { story } from '#tests/support/steps.ts'
import {
  afterThisTest,
  attempt,
  lotOf,
  openScene,
  owed,
  expectMessage,
  type Scene,
  shelf,
} from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** 采购入库: what a supplier delivered becomes our stock, and our payable if we bought it. */
let scene: Scene
const receipt = (lines: object[], more: object = {}) => ({
  counterparty_sn: scene.d,
  warehouse_model_inner_sn: scene.central,
  lines,
  ...more,
})
const plain = (lot_no: string, quantity: string, more: object = {}) =>
  lotOf(scene.inflator, lot_no, { price: '145', quantity, ...more })
const hospitalDebt = async () => (await owed(scene.hospital, scene.d)).payable
beforeAll(async () => {
  scene = await openScene()
  const { dealer, shop, inflator, stent } = scene
  await scene.shelve(dealer, shop, [
    lotOf(inflator, 'RK1', { quantity: '100' }),
    lotOf(stent, 'RK2', { unit_codes: ['RK-1', 'RK-2', 'RK-3'] }),
  ])
})
afterAll(() => scene?.close())

async function delivered(line: object, more: object = {}): Promise<{ odo: string; grn: string }> {
  const odo = await scene.dealer.add('saleOdo', {
    counterparty_sn: scene.h,
    warehouse_model_inner_sn: scene.shop,
    lines: [line],
    ...more,
  })
  await scene.dealer.pass('saleOdo', odo)
  return { odo, grn: (await scene.hospital.from('purchaseGrn', odo)).sn }
}
const edit = async (sn: string, line: object) => {
  const { version } = await scene.hospital.info('purchaseGrn', sn)
  return scene.hospital.client.post('/v1/business/purchaseGrn/edit', { sn, version, lines: [{ line_no: 1, ...line }] })
}

story('purchase receipt, from one step to the next', step => {
  step('bought: stock at the taxed price (a hospital deducts no input tax), owed, traced', async () => {
    const { hospital, dealer, central, inflator, h } = scene
    const { grn } = await delivered({ specification_sn: inflator, lot_no: 'RK1', quantity: '10' })
    await hospital.pass('purchaseGrn', grn)
    const [row] = await hospital.list('stockBalance', { warehouse_model_inner_sn: central, specification_sn: inflator })
    expect(row).toMatchObject({ lot_no: 'RK1', quantity: '10.000', value: '1450.00', owner_org_sn: h })
    expect(await hospitalDebt()).toBe('1450.00')
    expect((await owed(dealer, h)).receivable).toBe('1450.00')
    expect((await hospital.trace('RK1')).list.map(event => event.step)).toContain('receive')
    const { untaxed_amount, tax_amount, taxed_amount } = await hospital.info('purchaseGrn', grn)
    expect([untaxed_amount, tax_amount, taxed_amount]).toEqual(['1283.19', '166.81', '1450.00'])
  })

  step('consigned: the supplier stays owner, and nothing is owed', async () => {
    const { hospital, stent, d } = scene
    const { grn } = await delivered({ unit_codes: ['RK-1', 'RK-2'] }, { regime: 'consigned' })
    await hospital.pass('purchaseGrn', grn)
    const [row] = await hospital.list('stockBalance', { specification_sn: stent })
    expect(row).toMatchObject({ quantity: '2.000', owner_org_sn: d, value: '0.00' })
    expect(await hospitalDebt()).toBe('1450.00')
  })

  step('never more than was sent; less leaves the rest in transit and the notice open', async () => {
    const { hospital, dealer, inflator } = scene
    const { odo, grn } = await delivered({ specification_sn: inflator, lot_no: 'RK1', quantity: '6' })
    const counter = async (sn: string) => {
      const [row] = await hospital.list('purchaseGrn', { sn })
      return [row!.due_count, row!.due_quantity, row!.counted_quantity, row!.difference_quantity]
    }
    expect(await counter(grn)).toEqual([1, '6.000', '0.000', '-6.000'])
    await edit(grn, { quantity: '7' })
    expect(await counter(grn)).toEqual([1, '6.000', '7.000', '1.000'])
    expectMessage(await hospital.do('purchaseGrn', 'submit', grn), '收货数量不能大于发货数量6')
    await edit(grn, { quantity: '4' })
    const silent = '第1行【一次性使用球囊充压装置】批号RK1应收6，实收4：请填写差异原因'
    expectMessage(await hospital.do('purchaseGrn', 'submit', grn), silent)
    await edit(grn, { quantity: '0', reject_reason: '两件破损' })
    expectMessage(await hospital.do('purchaseGrn', 'submit', grn), '本单没有收到任何货物，不能提交，请等货物到了再收')
    await edit(grn, { quantity: '4', reject_reason: '两件破损' })
    await hospital.pass('purchaseGrn', grn)
    const short_note = '【一次性使用球囊充压装置】批号RK1实收4：两件破损'
    expect(await dealer.info('saleOdo', odo)).toMatchObject({ state: 'partial', receive_state: '2', short_note })
    await hospital.done('purchaseGrn', 'unreview', grn)
    expect(await dealer.info('saleOdo', odo)).toMatchObject({ state: 'reviewed', short_note: null })
    await hospital.done('purchaseGrn', 'review', grn)
    expect(await dealer.info('saleOdo', odo)).toMatchObject({ state: 'partial', short_note })
    const rest = await hospital.add('purchaseGrn', { source_type: 7, source_sn: odo })
    expect((await hospital.info('purchaseGrn', rest)).lines).toMatchObject([
      { source_quantity: '6.000', left_quantity: '2.000', quantity: '2.000' },
    ])
    expect(await counter(rest)).toEqual([1, '2.000', '2.000', '0.000'])
    await hospital.pass('purchaseGrn', rest)
    // Its expected quantity stays as it was, although the rest came later.
    expect([await counter(grn), await counter(rest)]).toEqual([
      [1, '6.000', '4.000', '-2.000'],
      [1, '2.000', '2.000', '0.000'],
    ])
    expect((await dealer.info('saleOdo', odo)).state).toBe('completed')
  })

  step('for serials, those that arrived are scanned', async () => {
    const { hospital } = scene
    const { grn } = await delivered({ unit_codes: ['RK-3'] }, { regime: 'consigned' })
    await edit(grn, { unit_codes: ['RK-9'], quantity: '1' })
    expectMessage(await hospital.do('purchaseGrn', 'submit', grn), '该条码不在本次收货清单内：RK-9')
    await edit(grn, { unit_codes: ['RK-3'], quantity: '1' })
    await hospital.pass('purchaseGrn', grn)
  })

  step('by hand, where allowed: codes are assigned to serial goods that have none', async () => {
    const { hospital, balloon, stent, h } = scene
    const doc = receipt([lotOf(balloon, 'RK5', { quantity: '2', price: '168' })], { regime: 'consigned' })
    expect((await attempt(hospital, 'purchaseGrn', doc, 'review')).code).toBe(0)
    const units = await hospital.list('unitLabel', { specification_sn: balloon })
    expect(units.map(unit => [unit.code, unit.status])).toEqual([
      [expect.stringMatching(/^H01-\d{6}00001$/), 'in_stock'],
      [expect.stringMatching(/^H01-\d{6}00002$/), 'in_stock'],
    ])
    const again = receipt([lotOf(stent, 'RK2', { unit_codes: ['RK-1'], price: '798' })], { regime: 'consigned' })
    expectMessage(await attempt(hospital, 'purchaseGrn', again, 'review'), '院内码RK-1已在库')
    await scene.rule(h, 'receipt_without_order', false)
    expectMessage(await attempt(hospital, 'purchaseGrn', doc), '请引用采购订单或验收单')
    await scene.rule(h, 'receipt_without_order', true)
  })

  step(
    'lot and dates are complete and plausible; short shelf life gives a warning, or a refusal if set so',
    async () => {
      const { hospital, h } = scene
      const name = '第1行【一次性使用球囊充压装置】'
      const submit = (line: object) => attempt(hospital, 'purchaseGrn', receipt([line]))
      expectMessage(await submit(plain('', '1', { lot_no: null })), `${name}请填写批号`)
      expectMessage(await submit(plain('RK6', '1', { expiry_date: null })), `${name}请填写有效期至`)
      expectMessage(
        await submit(plain('RK6', '1', { expiry_date: day(-1) })),
        '第1行：产品已过有效期，不能入库：【一次性使用球囊充压装置】批号RK6',
      )
      expectMessage(
        await submit(plain('RK6', '1', { expiry_date: day(-90), production_date: day(-60) })),
        '第1行：有效期至必须晚于生产日期',
      )
      const short = plain('RK7', '1', { production_date: day(-900), expiry_date: day(150) })
      const sn = await hospital.add('purchaseGrn', receipt([short]))
      const { version } = await hospital.info('purchaseGrn', sn)
      const asked = await hospital.client.post('/v1/business/purchaseGrn/submit', { sn, version })
      expect(asked).toMatchObject({ code: 2200, msg: `${name}剩余效期不足180天（仅剩150天），是否继续？` })
      await scene.rule(h, 'short_life', 'refuse')
      expectMessage(await hospital.do('purchaseGrn', 'submit', sn), `${name}剩余效期不足180天（仅剩150天）`)
      await scene.rule(h, 'short_life', 'warn')
      await hospital.pass('purchaseGrn', sn)
    },
  )

  step('a lot has one expiry date in an organisation', async () => {
    const other = receipt([plain('RK1', '1', { expiry_date: day(500) })])
    expectMessage(
      await attempt(scene.hospital, 'purchaseGrn', other, 'review'),
      new RegExp(`批号RK1的有效期至应为${day(700)}`),
    )
  })

  step('undone, stock and debt are as before, and the delivery is in transit again', async () => {
    const { hospital, dealer, central, inflator } = scene
    const [stock, debt] = [await shelf(hospital, central, inflator), await hospitalDebt()]
    const { odo, grn } = await delivered({ specification_sn: inflator, lot_no: 'RK1', quantity: '3' })
    await hospital.pass('purchaseGrn', grn)
    await hospital.done('purchaseGrn', 'unreview', grn)
    expect([await shelf(hospital, central, inflator), await hospitalDebt()]).toEqual([stock, debt])
    expect(await dealer.info('saleOdo', odo)).toMatchObject({ state: 'reviewed', receive_state: '1' })
  })

  step('partly reversed in red: goods and debt are reversed in part; only the rest may be invoiced', async () => {
    const { hospital, central, inflator } = scene
    const [stock, debt] = [await shelf(hospital, central, inflator), await hospitalDebt()]
    const sn = await hospital.add('purchaseGrn', receipt([plain('RK8', '10')]))
    await hospital.pass('purchaseGrn', sn)
    const { red_sn } = await hospital.done('purchaseGrn', 'redReverse', sn, {
      reason: '多收',
      lines: [{ line_no: 1, quantity: '4' }],
    })
    expect(await hospital.info('purchaseGrn', red_sn)).toMatchObject({
      red_of_sn: sn,
      total_quantity: '-4.000',
      taxed_amount: '-580.00',
    })
    // A reversal has its own name in lists and on printed sheets, and expects nothing.
    const [listed] = await hospital.list('purchaseGrn', { sn: red_sn })
    expect(listed).toMatchObject({ state_name: '红冲单', total_quantity: '-4.000', due_quantity: null })
    const { info: sheet } = await hospital.client.get('/v1/business/purchaseGrn/print', { sn: red_sn })
    expect(sheet).toMatchObject({ red: true, amount_in_words: '负伍佰捌拾元整', inspection_result: '合格' })
    expect(await shelf(hospital, central, inflator)).toEqual({ ...stock, RK8: '6.000' })
    expect(await hospitalDebt()).toBe(add(debt, '870', 2))
    expectMessage(await hospital.do('purchaseGrn', 'unreview', sn), `该单据已有后续单据（${red_sn}），不能反审核`)
    const [open] = (await hospital.client.get('/v1/business/inboundInvoice/sources', { for: 'grn', sn })).list
    expect(open.left).toBe('6.000')
    const bill = (quantity: string) =>
      attempt(
        hospital,
        'inboundInvoice',
        {
          source_type: 9,
          source_sn: sn,
          invoice_no: `2632200000000000${quantity.padStart(4, '0')}`,
          lines: [{ source_line_no: 1, quantity }],
        },
        'review',
      )
    expectMessage(await bill('7'), '开票数量超过未开票数量6')
    expect((await bill('6')).code).toBe(0)
    expect((await hospital.info('purchaseGrn', sn)).invoice_state).not.toBe('1')
    expect((await hospital.list('purchaseGrn', { sn }))[0].invoice_nos).toContain('26322000000000000006')
    expectMessage(
      await hospital.do('purchaseGrn', 'redReverse', sn, { reason: '多收' }),
      /^明细已开票（JX.*），请先红冲发票$/,
    )
  })

  step('goods that were moved on cannot be undone', async () => {
    const { hospital, central, ward, department, inflator } = scene
    const sn = await hospital.add('purchaseGrn', receipt([plain('RK9', '5')]))
    await hospital.pass('purchaseGrn', sn)
    const grant = await hospital.add('grantOdo', {
      warehouse_model_inner_sn: central,
      to_warehouse_model_inner_sn: ward,
      department_inner_sn: department,
      lines: [{ specification_sn: inflator, lot_no: 'RK9', quantity: '2' }],
    })
    await hospital.pass('grantOdo', grant)
    expectMessage(
      await hospital.do('purchaseGrn', 'unreview', sn),
      new RegExp(`^货物已有后续业务（.*${grant}.*），不能反审核`),
    )
    expectMessage(
      await hospital.do('purchaseGrn', 'redReverse', sn, { reason: '错' }),
      new RegExp(`^货物已有后续业务（.*${grant}.*），不能红冲`),
    )
  })

  step(
    'a dealer’s receipt becomes a sale: the same lots and serials still on hand, at the customer’s price',
    async () => {
      const { dealer, hospital, shop, inflator, stent, v, h } = scene
      const came = await dealer.add('purchaseGrn', {
        counterparty_sn: v,
        warehouse_model_inner_sn: shop,
        lines: [
          plain('RK20', '5', { price: '90' }),
          lotOf(stent, 'RK21', { unit_codes: ['RK-21', 'RK-22'], price: '500' }),
        ],
      })
      await dealer.pass('purchaseGrn', came)
      const sell = () => dealer.do('purchaseGrn', 'toSale', came, { sale_customer_sn: h })
      expectMessage(await dealer.do('purchaseGrn', 'toSale', came), '请选择销售客户')
      const lines = [
        { specification_sn: inflator, lot_no: 'RK20', quantity: '2' },
        { specification_sn: stent, unit_codes: ['RK-21'] },
      ]
      const other = { counterparty_sn: h, warehouse_model_inner_sn: shop, lines }
      expect((await attempt(dealer, 'saleOdo', other, 'review')).code).toBe(0)
      expect((await sell()).code).toBe(0)
      const { sale_sn } = await dealer.info('purchaseGrn', came)
      const sale = await dealer.info('saleOdo', sale_sn)
      expect(sale).toMatchObject({
        state: 'draft',
        counterparty_sn: h,
        warehouse_model_inner_sn: shop,
        regime: 'purchased',
      })
      expect(sale.lines).toMatchObject([
        { lot_no: 'RK20', quantity: '3.000', price: '145.0000' },
        { lot_no: 'RK21', unit_codes: ['RK-22'], quantity: '1.000' },
      ])
      await dealer.pass('saleOdo', sale_sn)
      expectMessage(await sell(), '该入库单的货物已不在入库仓库，不能生成销售出库')
      expectMessage(
        await hospital.do('purchaseGrn', 'toSale', (await hospital.list('purchaseGrn', { state: 'reviewed' }))[0]!.sn, {
          sale_customer_sn: scene.d,
        }),
        /医院没有销售出库|没有操作权限/,
      )
    },
  )

  step('直送科室: received, issued and taken in by the ward in one step, with its trace', async () => {
    const { hospital, dealer, d, h, central, ward, inflator, stent, shop } = scene
    await scene.shelve(dealer, shop, [
      lotOf(inflator, 'ZS1', { quantity: '20' }),
      lotOf(stent, 'ZS2', { unit_codes: ['ZS-1', 'ZS-2'] }),
    ])
    await scene.rule(h, 'pick_before_grant', true)
    const order = (more: object) => ({ counterparty_sn: d, warehouse_model_inner_sn: central, ...more })
    const bought = { lines: [{ specification_sn: inflator, quantity: '8' }] }
    expectMessage(
      await attempt(hospital, 'purchaseOrder', order({ ...bought, direct_ward_inner_sn: central })),
      '直送科室应为启用的科室二级库，请重新选择',
    )
    const po = await hospital.add('purchaseOrder', order({ ...bought, direct_ward_inner_sn: ward }))
    await hospital.pass('purchaseOrder', po)
    const so = (await dealer.from('salesOrder', po)).sn
    await dealer.done('salesOrder', 'review', so)
    const send = async (line: object) => {
      const odo = await dealer.add('saleOdo', {
        source_type: 4,
        source_sn: so,
        warehouse_model_inner_sn: shop,
        lines: [{ source_line_no: 1, ...line }],
      })
      await dealer.pass('saleOdo', odo)
      return (await hospital.from('purchaseGrn', odo)).sn
    }
    const before = [await shelf(hospital, central, inflator), await shelf(hospital, ward, inflator)]
    const grn = await send({ quantity: '8', lot_no: 'ZS1' })
    await hospital.pass('purchaseGrn', grn)
    expect([await shelf(hospital, central, inflator), await shelf(hospital, ward, inflator)]).toEqual([
      before[0],
      { ...before[1], ZS1: '8.000' },
    ])
    const { direct_grants: grant } = await hospital.info('purchaseGrn', grn)
    expect(await hospital.info('grantOdo', grant)).toMatchObject({
      state: 'completed',
      is_direct: true,
      total_quantity: '8.000',
    })
    expect(await hospital.from('wardReceipt', grant)).toMatchObject({
      state: 'reviewed',
      warehouse_model_inner_sn: ward,
    })
    expect((await hospital.trace('ZS1')).list.map(event => event.step)).toEqual(
      expect.arrayContaining(['ship', 'receive', 'grant', 'ward_receive']),
    )
    expect((await hospital.info('purchaseOrder', po)).state).toBe('completed')
    expectMessage(
      await hospital.do('purchaseGrn', 'unreview', grn),
      `货物已直送科室（发放出库单${grant}），不能反审核，请先由科室退库`,
    )
    // Consigned pieces keep their owner and their codes in transit.
    const lent = await hospital.add(
      'purchaseOrder',
      order({ regime: 'consigned', direct_ward_inner_sn: ward, lines: [{ specification_sn: stent, quantity: '2' }] }),
    )
    await hospital.pass('purchaseOrder', lent)
    const wanted = (await dealer.from('salesOrder', lent)).sn
    await dealer.done('salesOrder', 'review', wanted)
    const odo = await dealer.add('saleOdo', {
      source_type: 4,
      source_sn: wanted,
      warehouse_model_inner_sn: shop,
      lines: [{ source_line_no: 1, unit_codes: ['ZS-1', 'ZS-2'], lot_no: 'ZS2', quantity: '2' }],
    })
    await dealer.pass('saleOdo', odo)
    await hospital.pass('purchaseGrn', (await hospital.from('purchaseGrn', odo)).sn)
    const [piece] = await hospital.list('stockBalance', { warehouse_model_inner_sn: ward, lot_no: 'ZS2' })
    expect(piece).toMatchObject({ quantity: '2.000', owner_org_sn: d })
    expect((await hospital.trace('ZS-1')).list.map(event => event.step)).toEqual(
      expect.arrayContaining(['receive', 'grant', 'ward_receive']),
    )
    await scene.rule(h, 'pick_before_grant', false)
  })

  step('直接发放: a hospital issues to a ward exactly the goods still on hand where they were received', async () => {
    const { hospital, dealer, ward } = scene
    const sn = await hospital.add('purchaseGrn', receipt([plain('RK-ZF', '3')]))
    await hospital.pass('purchaseGrn', sn)
    expectMessage(await hospital.do('purchaseGrn', 'toGrant', sn), '请选择领入仓库')
    await hospital.done('purchaseGrn', 'toGrant', sn, { grant_to_sn: ward })
    const { grant_sn } = await hospital.info('purchaseGrn', sn)
    const grant = await hospital.info('grantOdo', grant_sn)
    expect([grant.state, grant.to_warehouse_model_inner_sn]).toEqual(['draft', ward])
    expect(grant.lines.map((line: { lot_no: string; quantity: string }) => [line.lot_no, line.quantity])).toEqual([
      ['RK-ZF', '3.000'],
    ])
    await hospital.pass('grantOdo', grant_sn)
    expectMessage(
      await hospital.do('purchaseGrn', 'toGrant', sn, { grant_to_sn: ward }),
      '该入库单的货物已不在入库仓库，不能直接发放',
    )
    expect((await dealer.client.post('/v1/business/purchaseGrn/toGrant', { sn, version: 1 })).code).not.toBe(0)
  })

  step('expired licences stop the receipt', async () => {
    const { hospital, h, d, inflator } = scene
    const { name } = await scene.one('select name from organisation where id = $1', d)
    await scene.expire(inflator)
    expectMessage(
      await attempt(hospital, 'purchaseGrn', receipt([plain('RK10', '1')])),
      /^第1行：【一次性使用球囊充压装置】注册证.*已过期，不能入库$/,
    )
    const licences = await scene.server.database.owner`
    select id, valid_to::text, long_term from licence where org_id = ${h} and holder_id = ${d}`
    afterThisTest(() =>
      Promise.all(
        licences.map(({ id, valid_to, long_term }) =>
          scene.one(
            'update licence set valid_to = $1, long_term = $2 where org_id = $3 and id = $4 returning 1',
            valid_to,
            long_term,
            h,
            id,
          ),
        ),
      ),
    )
    await scene.one(
      'update licence set valid_to = $1, long_term = false where org_id = $2 and holder_id = $3 returning 1',
      day(-1),
      h,
      d,
    )
    expectMessage(
      await attempt(hospital, 'purchaseGrn', receipt([plain('RK10', '1')])),
      `供应商【${name}】的营业执照已过期，不能入库`,
    )
  })
})

test('a part received at a lower price leaves the rest of the order at its price, not with what was saved', async () => {
  const { dealer, shop, inflator, v } = scene
  const order = await dealer.add('purchaseOrder', {
    counterparty_sn: v,
    warehouse_model_inner_sn: shop,
    lines: [{ specification_sn: inflator, quantity: '10', price: '100' }],
  })
  await dealer.pass('purchaseOrder', order)
  const receive = (lot_no: string, line: object) =>
    dealer.add('purchaseGrn', {
      source_type: 3,
      source_sn: order,
      warehouse_model_inner_sn: shop,
      lines: [{ source_line_no: 1, ...lotOf(inflator, lot_no), ...line }],
    })
  await dealer.pass('purchaseGrn', await receive('RK90', { quantity: '5', price: '90' }))
  const rest = await receive('RK91', { quantity: '5', price: '100' })
  expect(await dealer.info('purchaseGrn', rest)).toMatchObject({ taxed_amount: '500.00' })
})
