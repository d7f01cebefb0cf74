import { add, subtract } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { attempt, lotOf, openScene, owed, expectMessage, type Scene, shelf } from '#tests/support/fixture.ts'
import { uploadPicture } from '#tests/support/picture.ts'
import { proves } from '#tests/support/proves.ts'
import { day } from '#tests/support/story.ts'

/**
 * 销售出库: goods leave our warehouse, are in transit, and arrive; a sale is owed from shipping on, a consignment is
 * not.
 */
let scene: Scene
const sale = (lines: object[], more: object = {}) => ({
  counterparty_sn: scene.h,
  warehouse_model_inner_sn: scene.shop,
  lines,
  ...more,
})
const some = (lot_no: string, quantity: string, more: object = {}) => ({
  specification_sn: scene.inflator,
  lot_no,
  quantity,
  ...more,
})
beforeAll(async () => {
  scene = await openScene()
  const { dealer, shop, stent, inflator, v } = scene
  await scene.shelve(dealer, shop, [
    lotOf(inflator, 'OD1', { quantity: '50', expiry_date: day(300) }),
    lotOf(inflator, 'OD2', { quantity: '50', expiry_date: day(600) }),
    lotOf(inflator, 'BAD', { quantity: '5', quality_state: 'frozen' }),
    lotOf(stent, 'OD3', { unit_codes: ['OD-1', 'OD-2', 'OD-3'] }),
    lotOf(stent, 'OD4', { unit_codes: ['VD-1', 'VD-2'], owner_org_sn: v }),
  ])
})
afterAll(() => scene?.close())

story('sale odo, from one step to the next', step => {
  step('a sale: earliest lot proposed, goods in transit, the customer owes, and its receipt is a draft', async () => {
    const { dealer, hospital, shop, inflator, h, d } = scene
    await scene.server.database.owner`
    update org_relation set contact = '收货组', phone = '0512-66660000' where org_id = ${d} and partner_id = ${h}`
    await scene.server.database.owner`update organisation set address = '样例路1号' where id = ${h}`
    const sn = await dealer.add('saleOdo', sale([{ specification_sn: inflator, quantity: '10' }], { receiver: '王收' }))
    // The delivery address comes from the customer's master data, and what was entered is kept.
    expect(await dealer.info('saleOdo', sn)).toMatchObject({
      delivery_address: '样例路1号',
      receiver: '王收',
      receiver_phone: '0512-66660000',
    })
    expect((await dealer.info('saleOdo', sn)).lines[0]).toMatchObject({
      lot_no: 'OD1',
      price: '145.0000',
      taxed_amount: '1450.00',
    })
    await dealer.done('saleOdo', 'submit', sn)
    const [row] = await dealer.list('stockBalance', {
      warehouse_model_inner_sn: shop,
      specification_sn: inflator,
      lot_no: 'OD1',
    })
    expect([row.quantity, row.available]).toEqual(['50.000', '40.000'])
    await dealer.done('saleOdo', 'review', sn)
    expect(await shelf(dealer, shop, inflator)).toMatchObject({ OD1: '40.000' })
    expect((await owed(dealer, h)).receivable).toBe('1450.00')
    expect(await dealer.info('saleOdo', sn)).toMatchObject({
      receive_state: '1',
      invoice_state: '1',
      recheck_result: 'passed',
      rechecker_inner_sn: expect.any(String),
    })
    const draft = await hospital.from('purchaseGrn', sn)
    expect(draft).toMatchObject({ state: 'draft', source_type: 7, source_org_sn: d, regime: 'purchased' })
    await hospital.pass('purchaseGrn', draft.sn)
    expect(await dealer.info('saleOdo', sn)).toMatchObject({ state: 'completed', receive_state: '3' })
    expectMessage(await dealer.do('saleOdo', 'unreview', sn), '客户已收货，请走销售退货')
  })

  step('a consignment: the goods stay ours at the customer, and no one owes', async () => {
    const { dealer, hospital, h, d, stent } = scene
    const before = (await owed(dealer, h)).receivable
    const sn = await dealer.add('saleOdo', sale([{ unit_codes: ['OD-1'] }], { regime: 'consigned' }))
    await dealer.pass('saleOdo', sn)
    await hospital.pass('purchaseGrn', (await hospital.from('purchaseGrn', sn)).sn)
    expect((await owed(dealer, h)).receivable).toBe(before)
    const [row] = (await hospital.list('stockBalance', { specification_sn: stent })).filter(
      stock => stock.lot_no === 'OD3',
    )
    expect(row).toMatchObject({ owner_org_sn: d, quantity: '1.000', value: '0.00' })
    expect(
      (await dealer.list('stockBalance', { specification_sn: stent, consigned_out: '1', lot_no: 'OD3' }))
        .map(stock => stock.quantity)
        .sort(),
    ).toEqual(['1.000', '2.000'])
  })

  step(
    'consigned goods of another owner cannot be consigned again; sold, they are settled with the owner',
    async () => {
      const { dealer, vendor, v, d } = scene
      expectMessage(
        await attempt(dealer, 'saleOdo', sale([{ unit_codes: ['VD-1'] }], { regime: 'consigned' })),
        '第1行：寄售货物不能再寄售',
      )
      // Only another dealer may be the owner of our goods and our customer as well.
      const peer = await scene.one(
        `select o.id from org_relation r join organisation o on o.id = r.partner_id
          where r.org_id = $1 and o.system_type = 2 and r.status = 'enabled' limit 1`,
        d,
      )
      await scene.shelve(dealer, scene.shop, [lotOf(scene.inflator, 'DD1', { quantity: '1', owner_org_sn: peer.id })])
      const back = [{ specification_sn: scene.inflator, lot_no: 'DD1', quantity: '1', owner_org_sn: peer.id }]
      expectMessage(
        await attempt(dealer, 'saleOdo', sale(back, { counterparty_sn: peer.id })),
        '第1行：货物为该客户寄售，不能再销售给货主',
      )
      const outside = async () =>
        (await vendor.list('stockBalance', { consigned_out: '1', lot_no: 'OD4' })).map(row => row.quantity)
      expect(await outside()).toEqual(['2.000'])
      const sn = await dealer.add('saleOdo', sale([{ unit_codes: ['VD-1'] }]))
      await dealer.pass('saleOdo', sn)
      const [line] = await dealer.list('settlementLine', { unit_code: 'VD-1' })
      expect(line).toMatchObject({
        owner_org_sn: v,
        quantity: '1.000',
        price: '574.5600',
        state: 'waiting',
        source_no: sn,
      })
      // The manufacturer has one piece less at the dealer, and sees neither the customer nor the price.
      expect(await outside()).toEqual(['1.000'])
      const notified = await vendor.client.get('/v1/business/saleOdo/info', {
        sn,
        role: 'counterparty',
        source_org_sn: d,
      })
      expect(notified.info).toMatchObject({ taxed_amount: '0.00', state: 'completed', counterparty_sn: d })
      expect(JSON.stringify(notified.info)).not.toContain('澄岚演示医学院附属医院')
      const received = await vendor.client.get('/v1/business/purchaseGrn/sources', { for: 'odo' })
      expect(received.list.map(row => row.source_sn)).not.toContain(sn)
      await dealer.done('saleOdo', 'redReverse', sn, { reason: '发错' })
      expect(await outside()).toEqual(['2.000'])
      expect((await dealer.list('settlementLine', { unit_code: 'VD-1' })).map(row => row.state)).toEqual([
        'netted',
        'netted',
      ])
    },
  )

  step('what may not leave is refused by lot and state', async () => {
    const { dealer } = scene
    expectMessage(
      await attempt(dealer, 'saleOdo', sale([some('BAD', '1', { quality_state: 'frozen' })])),
      '第1行：批号BAD不可销售（冻结）',
    )
    expectMessage(
      await attempt(dealer, 'saleOdo', sale([some('OD2', '51')])),
      '库存不足：一次性使用球囊充压装置 30atm 20ml 批号OD2 可用50，需要51',
    )
    expectMessage(
      await attempt(dealer, 'saleOdo', sale([some('NONE', '1')])),
      '库存不足：一次性使用球囊充压装置 30atm 20ml 批号NONE 可用0，需要1',
    )
    const later = sale([some('OD1', '1')], { business_date: day(301) })
    expectMessage(await attempt(dealer, 'saleOdo', later), '第1行：批号OD1不可销售（已过期）')
    const uncoded = await dealer.add('saleOdo', sale([{ specification_sn: scene.stent, lot_no: 'OD3', quantity: '1' }]))
    expectMessage(
      await dealer.do('saleOdo', 'submit', uncoded),
      '第1行【冠状动脉药物洗脱支架系统】为一物一码产品，请扫描院内码',
    )
    expectMessage(await dealer.do('saleOdo', 'recheck', uncoded), '当前单据状态不允许该操作')
  })

  step(
    'a line that never arrived stays on the receipt with the reason: not posted, visible to the supplier',
    async () => {
      const { hospital, dealer, h, d, shop, inflator, central } = scene
      await scene.shelve(dealer, shop, [lotOf(inflator, 'ODX', { quantity: '5' })])
      const hospitalDebt = async () => (await owed(hospital, d)).payable
      const lines = ['2', '3'].map(quantity => ({ specification_sn: inflator, lot_no: 'ODX', quantity }))
      const odo = await dealer.add('saleOdo', { counterparty_sn: h, warehouse_model_inner_sn: shop, lines })
      await dealer.pass('saleOdo', odo)
      const { sn: grn } = await hospital.from('purchaseGrn', odo)
      const debt = await hospitalDebt()
      const write = async (...written: object[]) => {
        const [first] = (await hospital.info('purchaseGrn', grn)).lines
        const body = {
          warehouse_model_inner_sn: central,
          lines: [{ line_no: first.line_no, quantity: '2' }, ...written],
        }
        await hospital.done('purchaseGrn', 'edit', grn, body)
        return hospital.do('purchaseGrn', 'submit', grn)
      }
      expectMessage(await write(), /批号ODX应收3，本单没有这一行：请保留该行，数量填0并填写差异原因$/)
      const missing = { source_sn: odo, source_org_sn: d, source_line_no: 2, quantity: '0' }
      expectMessage(await write(missing), /^第\d行：没有收到的行请填写差异原因/)
      expect((await write({ ...missing, reject_reason: '整行未到' })).code).toBe(0)
      await hospital.done('purchaseGrn', 'review', grn)
      expect(subtract(await hospitalDebt(), debt, 2)).toBe('290.00')
      const short_note = '【一次性使用球囊充压装置】批号ODX没有收到：整行未到'
      expect(await dealer.info('saleOdo', odo)).toMatchObject({ state: 'partial', short_note })
      await hospital.done('purchaseGrn', 'unreview', grn)
      await hospital.done('purchaseGrn', 'review', grn)
      await hospital.done('purchaseGrn', 'redReverse', grn, { reason: '错收' })
      expect(await hospitalDebt()).toBe(debt)
      // Transit is as before: all of it may be received again.
      const again = await hospital.add('purchaseGrn', { source_type: 7, source_sn: odo })
      await hospital.pass('purchaseGrn', again)
      expect((await dealer.info('saleOdo', odo)).state).toBe('completed')
    },
  )

  step('双人复核: by default implants and cold goods are rechecked by someone other than the picker', async () => {
    const { dealer, d } = scene
    await scene.one("delete from org_config where org_id = $1 and name = 'double_recheck' returning 1", d)
    const people = await dealer.list('employee')
    const [picker, other] = people.map(row => row.employee_inner_sn ?? row.employee_sn ?? row.sn)
    const sn = await dealer.add('saleOdo', sale([{ unit_codes: ['OD-2'] }], { picker_inner_sn: picker }))
    await dealer.done('saleOdo', 'submit', sn)
    expectMessage(await dealer.do('saleOdo', 'review', sn), '请先完成出库复核')
    expectMessage(await dealer.do('saleOdo', 'recheck', sn), '请选择复核人')
    expectMessage(await dealer.do('saleOdo', 'recheck', sn, { rechecker_inner_sn: other }), '请选择复核结论')
    await dealer.done('saleOdo', 'recheck', sn, { rechecker_inner_sn: picker, recheck_result: 'passed' })
    expectMessage(await dealer.do('saleOdo', 'review', sn), '复核人与拣货人不能为同一人')
    await dealer.done('saleOdo', 'recheck', sn, { rechecker_inner_sn: other, recheck_result: 'failed' })
    expectMessage(await dealer.do('saleOdo', 'review', sn), '出库复核有误，不能审核')
    await dealer.done('saleOdo', 'recheck', sn, { rechecker_inner_sn: other, recheck_result: 'passed' })
    await dealer.done('saleOdo', 'review', sn)
    // Goods that are neither implants nor cold-chain need no recheck, unless the organisation requires it for all.
    const plain = await dealer.add(
      'saleOdo',
      sale([{ specification_sn: scene.inflator, lot_no: 'OD1', quantity: '1' }], { picker_inner_sn: picker }),
    )
    await dealer.done('saleOdo', 'submit', plain)
    await scene.rule(d, 'double_recheck', 'all')
    expectMessage(await dealer.do('saleOdo', 'review', plain), '请先完成出库复核')
    await scene.rule(d, 'double_recheck', 'special')
    await dealer.done('saleOdo', 'review', plain)
    await scene.rule(d, 'double_recheck', 'off')
  })

  step('两票制, where on: another manufacturer’s goods leave with its invoice number', async () => {
    proves('sales.upstreamInvoice')
    const { dealer, d } = scene
    await scene.rule(d, 'two_invoice_system', true)
    expectMessage(
      await attempt(dealer, 'saleOdo', sale([some('OD2', '1')])),
      '【一次性使用球囊充压装置】缺少上游发票，不符合两票制要求',
    )
    expect(
      (await attempt(dealer, 'saleOdo', sale([some('OD2', '1', { upstream_invoice_no: '26312000000000000001' })])))
        .code,
    ).toBe(0)
    await scene.rule(d, 'two_invoice_system', false)

    // The customer's setting decides whether the delivery is blocked or must be confirmed; the number is found
    // automatically by the lot.
    const { h, hospital, v, inflator, central } = scene
    await scene.rule(h, 'two_invoice_system', true)
    await scene.rule(h, 'two_invoice_check', 'refuse')
    const sn = await dealer.add('saleOdo', sale([some('OD2', '1', { remark: '客户指定批号' })]))
    expectMessage(await dealer.do('saleOdo', 'submit', sn), '【一次性使用球囊充压装置】缺少上游发票，不符合两票制要求')
    await scene.rule(h, 'two_invoice_check', 'warn')
    const { version } = await dealer.info('saleOdo', sn)
    expect(await dealer.client.post('/v1/business/saleOdo/submit', { sn, version })).toMatchObject({
      info: { questions: [{ rule: 'twoInvoice', line: 1 }] },
    })
    await scene.rule(h, 'two_invoice_check', 'refuse')
    const number = '26312000000000000077'
    await scene.one(
      `with added as (insert into document (org_id, kind, sn, state, role, from_org_id, counterparty_id, business_date,
      fields)
       values ($1, 'inboundInvoice', 'JX-TWO', 'reviewed', 'own', $1, $2, $3,
         jsonb_build_object('invoice_no', $4::text)) returning org_id, id)
     insert into document_line (org_id, document_id, line_no, specification_id, lot_id, quantity, base_quantity, price,
       taxed_amount)
     select p.org_id, p.id, 1, b.specification_id, b.lot_id, 0, 0, 0, 0 from added p, stock_balance b
       join lot on lot.id = b.lot_id where b.org_id = $1 and lot.lot_no = 'OD2' limit 1 returning 1`,
      d,
      v,
      day(),
      number,
    )
    await dealer.pass('saleOdo', sn)
    expect((await dealer.info('saleOdo', sn)).lines[0].upstream_invoice_no).toBe(number)
    // The number is sent to the customer with the goods; for numbers the customer enters itself it requires a picture.
    const grn = (await hospital.from('purchaseGrn', sn)).sn
    await hospital.done('purchaseGrn', 'edit', grn, { warehouse_model_inner_sn: central })
    expect((await hospital.info('purchaseGrn', grn)).lines[0].upstream_invoice_no).toBe(number)
    await hospital.done('purchaseGrn', 'edit', grn, {
      lines: [{ line_no: 1, upstream_invoice_no: '26312000000000000078' }],
    })
    expectMessage(await hospital.do('purchaseGrn', 'submit', grn), '第1行【一次性使用球囊充压装置】请上传第一票图片')
    const upstream_invoice_files = [await uploadPicture(hospital)]
    await hospital.done('purchaseGrn', 'edit', grn, { lines: [{ line_no: 1, upstream_invoice_files }] })
    await hospital.pass('purchaseGrn', grn)
    const bare = { counterparty_sn: d, warehouse_model_inner_sn: central }
    const lines = [lotOf(inflator, 'OD20', { quantity: '1' })]
    expectMessage(
      await attempt(hospital, 'purchaseGrn', { ...bare, lines }),
      '第1行【一次性使用球囊充压装置】请填写第一票发票号码并上传',
    )
    await scene.one(
      `with line as (delete from document_line l using document d where d.sn = 'JX-TWO' and l.document_id = d.id
      and l.org_id = d.org_id) delete from document where sn = 'JX-TWO' returning 1`,
    )
    await scene.rule(h, 'two_invoice_system', false)
  })

  step('undone before receipt: goods, money and the customer’s draft as before; partly by a red document', async () => {
    const { dealer, hospital, shop, inflator, h } = scene
    const [before, money] = [await shelf(dealer, shop, inflator), (await owed(dealer, h)).receivable]
    const sn = await dealer.add('saleOdo', sale([some('OD2', '10')]))
    await dealer.pass('saleOdo', sn)
    await dealer.done('saleOdo', 'unreview', sn)
    expect([await shelf(dealer, shop, inflator), (await owed(dealer, h)).receivable]).toEqual([before, money])
    await dealer.done('saleOdo', 'review', sn)
    await dealer.done('saleOdo', 'redReverse', sn, { reason: '少发', lines: [{ line_no: 1, quantity: '4' }] })
    expect((await owed(dealer, h)).receivable).toBe(add(money, '870', 2))
    const [draft] = await hospital.list('purchaseGrn', { source_sn: sn, state: 'draft' })
    expect(draft.total_quantity).toBe('6.000')
    await hospital.pass('purchaseGrn', draft.sn)
    expect((await dealer.info('saleOdo', sn)).state).toBe('completed')
    // Once it is invoiced, the invoice has to be reversed first.
    const billed = await dealer.add('saleOdo', sale([some('OD2', '1')]))
    await dealer.pass('saleOdo', billed)
    const lines = [{ source_line_no: 1, quantity: '1' }]
    const bill = { source_type: 7, source_sn: billed, invoice_no: '26112000000000007777', lines }
    const invoice = await dealer.add('outboundInvoice', bill)
    await dealer.pass('outboundInvoice', invoice)
    expectMessage(await dealer.do('saleOdo', 'unreview', billed), new RegExp(`（.*${invoice}.*）`))
    expectMessage(
      await dealer.do('saleOdo', 'redReverse', billed, { reason: '发错' }),
      /^明细已开票（.*），请先红冲发票$/,
    )
  })

  step('a customer with an expired licence gets nothing', async () => {
    const { dealer, h, d } = scene
    const { name } = await scene.one('select name from organisation where id = $1', h)
    await scene.one(
      'update licence set valid_to = $1, long_term = false where org_id = $2 and holder_id = $3 returning 1',
      day(-1),
      d,
      h,
    )
    expectMessage(
      await attempt(dealer, 'saleOdo', sale([some('OD2', '1')])),
      `客户【${name}】的医疗机构执业许可证已过期，不能出库`,
    )
  })
})
