import { subtract } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { attempt, lotOf, openScene, expectMessage, type Scene, shelf } from '#tests/support/fixture.ts'
import { uploadPicture } from '#tests/support/picture.ts'
import { proves } from '#tests/support/proves.ts'
import { day, type Person } from '#tests/support/story.ts'

/** 验收单: arrived goods are inspected. Goods that pass may be received; goods that go back never enter the stock. */
let scene: Scene
let [inspector, head] = [] as unknown as [Person, Person]
beforeAll(async () => {
  scene = await openScene()
  const { d, vendor, inflator, stent } = scene
  await scene.rule(d, 'arrival_before_receipt', true)
  ;[inspector, head] = [scene.dealer2, scene.dealer]
  const works = await scene.store('V01', 'central')
  await scene.shelve(vendor, works, [
    lotOf(inflator, 'YS1', { quantity: '100' }),
    lotOf(stent, 'YS2', { unit_codes: ['YS-1', 'YS-2', 'YS-3'] }),
  ])
})
afterAll(() => scene?.close())

/**
 * Goods of the manufacturer arrived at the dealer and received; returns the delivery, the arrival and the waiting
 * inspection.
 */
async function arrived(line: object): Promise<{ odo: string; arrival: string; ys: string }> {
  const { vendor, d } = scene
  const works = await scene.store('V01', 'central')
  const odo = await vendor.add('saleOdo', { counterparty_sn: d, warehouse_model_inner_sn: works, lines: [line] })
  await vendor.pass('saleOdo', odo)
  const arrival = (await head.from('arrivalOrder', odo)).sn
  await inspector.pass('arrivalOrder', arrival)
  return { odo, arrival, ys: (await head.from('inspectionOrder', arrival)).sn }
}
const plain = (quantity: string) => ({ specification_sn: scene.inflator, lot_no: 'YS1', quantity })
const edit = async (sn: string, line: object, header: object = {}) => {
  const { version, lines } = await inspector.info('inspectionOrder', sn)
  const reply = await inspector.client.post('/v1/business/inspectionOrder/edit', {
    sn,
    version,
    ...header,
    lines: [{ line_no: lines[0].line_no, ...line }],
  })
  expect(reply.msg).toBe('')
}

/** The employee behind an account of the dealer. */
const employeeOf = async (login: string): Promise<string> =>
  String((await scene.one('select employee_id from app_user where login = $1', login)).employee_id)

story('quality inspection, from one step to the next', step => {
  step('验收单写明验收员与收货员，两人都不能复核', async () => {
    const { ys } = await arrived(plain('1'))
    const third = await scene.colleague('dealer')
    const [keeper, chief] = [await employeeOf('dealer2'), await employeeOf('dealer')]
    expect(await head.info('inspectionOrder', ys)).toMatchObject({ receiver_inner_sn: keeper, handler_inner_sn: null })
    // An account without an employee cannot sign.
    expectMessage(await third.do('inspectionOrder', 'submit', ys), '请选择验收员')
    await head.done('inspectionOrder', 'submit', ys)
    expect(await head.info('inspectionOrder', ys)).toMatchObject({ handler_inner_sn: chief, receiver_inner_sn: keeper })
    const [own, received] = ['验收员不能复核本人验收单，请由他人复核', '收货员不能复核本人收货的验收单，请由他人复核']
    expectMessage(await head.do('inspectionOrder', 'review', ys), own)
    expectMessage(await head.do('inspectionOrder', 'reinspect', ys, { reason: '复核' }), own)
    expectMessage(await inspector.do('inspectionOrder', 'review', ys), received)
    // Naming another inspector does not help either: the user who entered the result cannot review it.
    await head.done('inspectionOrder', 'unsubmit', ys)
    await edit(ys, {}, { handler_inner_sn: keeper })
    await head.done('inspectionOrder', 'submit', ys)
    expectMessage(await head.do('inspectionOrder', 'review', ys), own)
    await third.done('inspectionOrder', 'review', ys)
    expect((await head.info('inspectionOrder', ys)).state).toBe('reviewed')
  })

  step('到货单写明收货员: whoever submits it, unless another is named', async () => {
    const { vendor, d } = scene
    const works = await scene.store('V01', 'central')
    const lines = [plain('1')]
    const odo = await vendor.add('saleOdo', { counterparty_sn: d, warehouse_model_inner_sn: works, lines })
    await vendor.pass('saleOdo', odo)
    const { sn } = await head.from('arrivalOrder', odo)
    const third = await scene.colleague('dealer')
    expectMessage(await third.do('arrivalOrder', 'submit', sn), '请选择收货员')
    await head.done('arrivalOrder', 'submit', sn)
    expect((await head.info('arrivalOrder', sn)).handler_inner_sn).toBe(await employeeOf('dealer'))
    await head.done('arrivalOrder', 'unsubmit', sn)
    await head.done('arrivalOrder', 'del', sn)
  })

  step('passed and approved by another than the inspector, it awaits receipt; delivery and order follow', async () => {
    const { vendor, shop, inflator } = scene
    const { odo, arrival, ys } = await arrived(plain('10'))
    await edit(ys, {}, { handler_inner_sn: await employeeOf('dealer2') })
    await inspector.done('inspectionOrder', 'submit', ys)
    expectMessage(await inspector.do('inspectionOrder', 'review', ys), '验收员不能复核本人验收单，请由他人复核')
    await head.done('inspectionOrder', 'review', ys)
    const grn = await head.from('purchaseGrn', ys)
    expect(grn).toMatchObject({ state: 'draft', source_type: 6, total_quantity: '10.000' })
    expect(await shelf(head, shop, inflator)).toEqual({})
    await head.pass('purchaseGrn', grn.sn)
    expect(await shelf(head, shop, inflator)).toEqual({ YS1: '10.000' })
    expect((await head.info('inspectionOrder', ys)).state).toBe('completed')
    expect((await head.info('arrivalOrder', arrival)).state).toBe('completed')
    expect(await vendor.info('saleOdo', odo)).toMatchObject({ state: 'completed', receive_state: '3' })
  })

  step('inspected in parts; a deleted receipt is created again from what is left', async () => {
    const { arrival, ys } = await arrived(plain('10'))
    await edit(ys, { quantity: '6' })
    await inspector.done('inspectionOrder', 'submit', ys)
    await head.done('inspectionOrder', 'review', ys)
    expect((await head.info('arrivalOrder', arrival)).state).toBe('partial')
    const body = { source_type: 6, source_sn: arrival }
    const tooMuch = { ...body, lines: [{ source_line_no: 1, quantity: '5' }] }
    expectMessage(await attempt(inspector, 'inspectionOrder', tooMuch), '验收数量超过到货剩余数量4')
    const grn = await head.from('purchaseGrn', ys)
    const { version } = await head.info('purchaseGrn', grn.sn)
    await head.client.post('/v1/business/purchaseGrn/del', { sn: grn.sn, version })
    const again = await head.add('purchaseGrn', { source_type: 6, source_sn: ys })
    expect((await head.info('purchaseGrn', again)).total_quantity).toBe('6.000')
    expectMessage(
      await attempt(
        head,
        'purchaseGrn',
        { source_type: 6, source_sn: ys, lines: [{ source_line_no: 1, quantity: '7' }] },
        'review',
      ),
      '入库数量不能大于来源单剩余数量6',
    )
  })

  step('failed goods need the defect and what happens to them', async () => {
    const { ys } = await arrived(plain('10'))
    const wrong = async (line: object, sentence: string) => {
      await edit(ys, { unqualified_reason: '', disposition: '', qualified_quantity: null, ...line })
      expectMessage(await inspector.do('inspectionOrder', 'submit', ys), sentence)
    }
    await wrong({ unqualified_quantity: '11' }, '第1行：不合格数量不能大于验收数量')
    await wrong(
      { unqualified_quantity: '2', qualified_quantity: '7' },
      '第1行：合格数量与不合格数量之和必须等于本次验收数量',
    )
    await wrong({ unqualified_quantity: '2' }, '第1行：请填写不合格事项及处置措施')
    await wrong({ unqualified_quantity: '2', unqualified_reason: '包装破损' }, '第1行：请填写不合格事项及处置措施')
  })

  step('要求复检: selected lines are reinspected by the inspector; both results are kept', async () => {
    const { ys } = await arrived(plain('10'))
    await edit(ys, { sample_quantity: '11' })
    expectMessage(await inspector.do('inspectionOrder', 'submit', ys), '第1行：抽检数量不能大于验收数量')
    await edit(ys, {
      sample_quantity: '3',
      unqualified_quantity: '2',
      unqualified_reason: '标签模糊',
      disposition: 'return',
    })
    await inspector.done('inspectionOrder', 'submit', ys)
    expect(await head.info('inspectionOrder', ys)).toMatchObject({
      conclusion: 'partly',
      qualified_total: '8.000',
      unqualified_total: '2.000',
    })
    expectMessage(await head.do('inspectionOrder', 'reinspect', ys), '请填写要求复检的原因')
    expectMessage(
      await head.do('inspectionOrder', 'reinspect', ys, { reason: '复核标签', reinspect_lines: '7' }),
      '没有第7行，请核对行号',
    )
    await head.done('inspectionOrder', 'reinspect', ys, { reason: '复核标签', reinspect_lines: '1' })
    expect((await inspector.info('inspectionOrder', ys)).state).toBe('rejected')
    expectMessage(await inspector.do('inspectionOrder', 'submit', ys), '第1行：要求复检，请填写复检的合格数量')
    await edit(ys, { qualified_quantity: '10' })
    await inspector.done('inspectionOrder', 'submit', ys)
    await head.done('inspectionOrder', 'review', ys)
    const done = await head.info('inspectionOrder', ys)
    expect(done).toMatchObject({ conclusion: 'qualified', state: 'reviewed' })
    expect(done.lines[0]).toMatchObject({
      is_reinspected: true,
      first_qualified: '8.000',
      first_unqualified: '2.000',
      first_reason: '标签模糊',
      qualified_quantity: '10.000',
    })
    await head.pass('purchaseGrn', (await head.from('purchaseGrn', ys)).sn)
  })

  step("returned or exchanged, it never enters stock and stays in the sender's transit until taken home", async () => {
    const { vendor, shop, inflator } = scene
    const before = (await shelf(head, shop, inflator)).YS1
    const { odo, ys } = await arrived(plain('10'))
    await edit(ys, { unqualified_quantity: '3', unqualified_reason: '包装破损', disposition: 'return' })
    await inspector.done('inspectionOrder', 'submit', ys)
    await head.done('inspectionOrder', 'review', ys)
    const grn = await head.from('purchaseGrn', ys)
    expect(grn.total_quantity).toBe('7.000')
    await head.pass('purchaseGrn', grn.sn)
    expect(subtract((await shelf(head, shop, inflator)).YS1 ?? '0', before ?? '0', 3)).toBe('7.000')
    expect((await head.info('inspectionOrder', ys)).state).toBe('completed')
    expect(await vendor.info('saleOdo', odo)).toMatchObject({ state: 'completed', receive_state: '2' })
    expect(await vendor.list('saleReturn', { source_sn: odo })).toMatchObject([
      { state: 'draft', return_type: 'refused', total_quantity: '3.000' },
    ])
    // Goods sent back are in progress until there is a proof that the supplier has them.
    const [row] = await bad(ys)
    expect(row).toMatchObject({ line_disposal_state: '2', disposition: 'return', disposal_papers: null })
    expectMessage(
      await disposed(row!, { disposal_method: 'destroy' }),
      '第1行验收时已拒收，由供应商取回，处置方式请留空',
    )
    expectMessage(await disposed(row!, {}), '第1行已拒收，请上传供应商取回的凭证')
    const proof = [await uploadPicture(head)]
    expect(await disposed(row!, { disposal_files: proof, disposal_note: '司机带回' })).toMatchObject({ code: 0 })
    expect(await bad(ys)).toMatchObject([
      { line_disposal_state: '3', disposal_proof: proof, line_disposal_note: '司机带回', disposed_on: day() },
    ])
    const whole = await arrived(plain('2'))
    await edit(whole.ys, { unqualified_quantity: '2', unqualified_reason: '标签不符', disposition: 'return' })
    await inspector.done('inspectionOrder', 'submit', whole.ys)
    await head.done('inspectionOrder', 'review', whole.ys)
    expect(await head.list('purchaseGrn', { source_sn: whole.ys })).toEqual([])
  })

  step('撤销拒收: what was returned by mistake is reinspected while the sender has not acted', async () => {
    const { vendor } = scene
    const { odo, ys } = await arrived(plain('6'))
    await edit(ys, { unqualified_quantity: '6', unqualified_reason: '标签不符', disposition: 'return' })
    await inspector.done('inspectionOrder', 'submit', ys)
    await head.done('inspectionOrder', 'review', ys)
    expect((await head.info('inspectionOrder', ys)).state).toBe('completed')
    expect(await vendor.list('saleReturn', { source_sn: odo })).toMatchObject([{ state: 'draft' }])
    await head.done('inspectionOrder', 'unrefuse', ys, { reason: '标签经厂家确认' })
    expect(await vendor.list('saleReturn', { source_sn: odo, state: 'draft' })).toEqual([])
    await head.done('inspectionOrder', 'reinspect', ys, { reason: '标签经厂家确认' })
    await edit(ys, { qualified_quantity: '6' })
    await inspector.done('inspectionOrder', 'submit', ys)
    await head.done('inspectionOrder', 'review', ys)
    const grn = await head.from('purchaseGrn', ys)
    await head.pass('purchaseGrn', grn.sn)
    expect(await vendor.info('saleOdo', odo)).toMatchObject({ state: 'completed', receive_state: '3' })
    expectMessage(
      await head.do('inspectionOrder', 'unrefuse', ys, { reason: '再撤' }),
      '该验收单没有退货或换货的不合格品',
    )
  })

  step('a line of sterile goods or implants shows if its lot has no certificate of conformity', async () => {
    const { vendor, inflator } = scene
    const { ys } = await arrived(plain('2'))
    const [line] = (await inspector.info('inspectionOrder', ys)).lines
    expect(line.lot_note).toBe('该批号缺少合格证明')
    // Once the manufacturer files it and the document is saved or submitted again, the note is gone.
    const filed = await vendor.client.post('/v1/business/qualityCertificate/add', {
      specification_sn: inflator,
      lot_no: 'YS1',
      certificate_type: 'conformity',
      attachments: [await uploadPicture(vendor)],
    })
    expect(filed.code, filed.msg).toBe(0)
    await edit(ys, { appearance: '完好' })
    expect((await inspector.info('inspectionOrder', ys)).lines[0].lot_note ?? null).toBeNull()
  })

  step('to be destroyed or undecided, it is received as 不合格 and cannot be used', async () => {
    const { shop } = scene
    const { ys } = await arrived(plain('10'))
    await edit(ys, { unqualified_quantity: '1', unqualified_reason: '包装破损', disposition: 'destroy' })
    await inspector.done('inspectionOrder', 'submit', ys)
    await head.done('inspectionOrder', 'review', ys)
    const { sn: grn } = await head.from('purchaseGrn', ys)
    await head.pass('purchaseGrn', grn)
    expect(await head.from('scrap', grn)).toMatchObject({
      state: 'draft',
      scrap_type: 'unqualified',
      total_quantity: '1.000',
    })
    const rows = await head.list('stockBalance', { warehouse_model_inner_sn: shop, lot_no: 'YS1' })
    expect(rows.filter(row => row.quality_state === 'unqualified').map(row => [row.quantity, row.available])).toEqual([
      ['1.000', '0.000'],
    ])
    // The waiting scrap document is shown on the line.
    const scrap = (await head.from('scrap', grn)).sn
    const [row] = await bad(ys)
    expect(row).toMatchObject({ line_disposal_state: '2', disposal_papers: scrap, has_unqualified: 'yes' })
    expectMessage(await disposed(row!, { disposal_method: 'destroy' }), `第1行已生成${scrap}，请在该单据上办理`)
    await head.done('scrap', 'cancel', scrap, { reason: '改为退货' })
    expect(await bad(ys)).toMatchObject([{ line_disposal_state: '1', disposal_papers: null }])
  })

  /** Rows of the quality page that did not pass, and an action on one. */
  const bad = (ys: string) => head.list('inspectionQualityLine', { inspection_no: ys, has_unqualified: 'yes' })
  const disposed = (row: Record<string, unknown>, body: object) =>
    head.client.post('/v1/business/inspectionQualityLine/dispose', {
      sn: row.inspection_quality_line_sn,
      version: row.version,
      ...body,
    })
  /** Received with two of ten waiting for a decision; returns inspection and receipt. */
  async function held(): Promise<{ ys: string; grn: string }> {
    const { ys } = await arrived(plain('10'))
    await edit(ys, { unqualified_quantity: '2', unqualified_reason: '标签模糊', disposition: 'hold' })
    await inspector.done('inspectionOrder', 'submit', ys)
    await head.done('inspectionOrder', 'review', ys)
    const { sn: grn } = await head.from('purchaseGrn', ys)
    const [row] = await bad(ys)
    expect(row).toMatchObject({ line_disposal_state: '1', unqualified_quantity: '2.000', disposition: 'hold' })
    expectMessage(
      await disposed(row!, { disposal_method: 'destroy' }),
      '第1行尚未入库，请先审核采购入库单，再处置不合格品',
    )
    await head.pass('purchaseGrn', grn)
    return { ys, grn }
  }

  step('不合格处置: return, scrap or exchange per line; its state is that of the documents created', async () => {
    const { vendor, dealer } = scene
    const { ys, grn } = await held()
    const [row] = await bad(ys)
    expectMessage(await disposed(row!, {}), '请选择处置方式')
    expect(await disposed(row!, { disposal_method: 'return', disposal_note: '供应商同意退货' })).toMatchObject({
      code: 0,
    })
    const back = await head.from('purchaseReturn', grn)
    expect(await head.info('purchaseReturn', back.sn)).toMatchObject({
      state: 'draft',
      return_type: 'quality',
      return_reason: '退货：标签模糊',
      lines: [{ quantity: '2.000', quality_state: 'unqualified' }],
    })
    const going = { line_disposal_state: '2', disposal_papers: back.sn, line_disposal_note: '供应商同意退货' }
    expect(await bad(ys)).toMatchObject([going])
    await dealer.pass('purchaseReturn', back.sn)
    expect(await bad(ys)).toMatchObject([going])
    const { sn: home } = await vendor.from('saleReturn', back.sn)
    await vendor.done('saleReturn', 'submit', home)
    await vendor.done('saleReturn', 'inspect', home)
    await vendor.done('saleReturn', 'review', home)
    const [gone] = await bad(ys)
    expect(gone).toMatchObject({ line_disposal_state: '3' })
    expectMessage(await disposed(gone!, { disposal_method: 'return' }), '该行已处置')

    const other = await held()
    const [swap] = await bad(other.ys)
    expect(await disposed(swap!, { disposal_method: 'exchange' })).toMatchObject({ code: 0 })
    const [again] = await bad(other.ys)
    expect(again).toMatchObject({ line_disposal_state: '2' })
    expect(await head.info('purchaseOrder', String(again!.exchange_no))).toMatchObject({
      state: 'draft',
      remark: `换货：验收单${other.ys}的不合格品`,
      lines: [{ specification_sn: scene.inflator, quantity: '2.000' }],
    })
    expect((await head.info('inspectionOrder', other.ys)).history.at(-1)).toMatchObject({ label: '不合格处置' })
  })

  step('undone while the receipt is an untouched draft; not once goods were received or disposed of', async () => {
    const { ys } = await arrived(plain('4'))
    await inspector.done('inspectionOrder', 'submit', ys)
    await head.done('inspectionOrder', 'review', ys)
    const first = await head.from('purchaseGrn', ys)
    await head.done('inspectionOrder', 'unreview', ys)
    expect((await head.info('purchaseGrn', first.sn)).state).toBe('cancelled')
    await head.done('inspectionOrder', 'review', ys)
    expectMessage(await head.do('inspectionOrder', 'dispose', ys), '该验收单没有不合格品')
    const [grn] = await head.list('purchaseGrn', { source_sn: ys, state: 'draft' })
    await head.pass('purchaseGrn', grn.sn)
    expectMessage(await head.do('inspectionOrder', 'unreview', ys), `已生成入库或已处置，不能反审核（${grn.sn}）`)
  })

  step('implants are scanned one by one; received in part, by the serials that passed', async () => {
    const { shop, stent, vendor } = scene
    const { odo, ys } = await arrived({ unit_codes: ['YS-1', 'YS-2', 'YS-3'] })
    await edit(ys, { quantity: '2', unit_codes: [] })
    expectMessage(await inspector.do('inspectionOrder', 'submit', ys), '植入类产品须逐件扫码验收，已扫0件，应扫2件')
    await edit(ys, {
      quantity: '3',
      unit_codes: ['YS-1', 'YS-2', 'YS-3'],
      unqualified_quantity: '1',
      unqualified_reason: '包装破损',
      disposition: 'return',
    })
    await inspector.done('inspectionOrder', 'submit', ys)
    await head.done('inspectionOrder', 'review', ys)
    const grn = await head.from('purchaseGrn', ys)
    expect((await head.info('purchaseGrn', grn.sn)).lines[0]).toMatchObject({ quantity: '2.000', unit_codes: [] })
    expectMessage(
      await head.do('purchaseGrn', 'submit', grn.sn),
      '第1行【冠状动脉药物洗脱支架系统】请扫描实际收到的院内码',
    )
    const { version } = await head.info('purchaseGrn', grn.sn)
    await head.client.post('/v1/business/purchaseGrn/edit', {
      sn: grn.sn,
      version,
      lines: [{ line_no: 1, unit_codes: ['YS-1', 'YS-3'] }],
    })
    await head.pass('purchaseGrn', grn.sn)
    expect(await shelf(head, shop, stent)).toEqual({ YS2: '2.000' })
    expect((await vendor.trace('YS-2')).info.now).toMatchObject({ status: 'in_transit' })
    expect((await vendor.info('saleOdo', odo)).state).toBe('completed')
  })

  step(
    'licences are checked as of the arrival date: those valid then pass, others are named line by line',
    async () => {
      const { inflator } = scene
      const { ys } = await arrived(plain('1'))
      const certificate = (last: string) =>
        scene.one(
          `update registration_certificate set valid_to = $1 where id = (select registration_certificate_id
        from specification where id = $2) returning 1`,
          last,
          inflator,
        )
      await certificate(day(-1))
      expectMessage(
        await inspector.do('inspectionOrder', 'submit', ys),
        new RegExp(`^第1行：一次性使用球囊充压装置 .+注册证于${day(-1)}到期，验收不通过$`),
      )
      await edit(ys, {}, { arrival_date: day(-1) })
      await inspector.done('inspectionOrder', 'submit', ys)
      await head.done('inspectionOrder', 'review', ys)
      await certificate(day(900))
    },
  )

  step('a second inspector if required; sterilisation and lot certificate too, unless set otherwise', async () => {
    proves('purchasing.secondInspector', 'purchasing.inspectionDocuments')
    const { d } = scene
    const { ys } = await arrived(plain('2'))
    await scene.rule(d, 'double_inspection', true)
    // Goods that are neither implants nor cold-chain need no second inspector.
    const cold =
      'update product p set is_cold_chain = $2 from specification s where s.id = $1 and p.id = s.product_id returning 1'
    await scene.one(cold, scene.inflator, false)
    await inspector.done('inspectionOrder', 'submit', ys)
    await inspector.done('inspectionOrder', 'unsubmit', ys)
    await scene.one(cold, scene.inflator, true)
    expectMessage(await inspector.do('inspectionOrder', 'submit', ys), '请填写第二验收员')
    const [one, two] = (
      await scene.server.database.owner.unsafe(
        `select id from employee where org_id = $1
            and id <> (select employee_id from app_user where login = 'dealer2') order by id limit 2`,
        [d],
      )
    ).map(row => String(row.id))
    const receiver = (await inspector.info('inspectionOrder', ys)).receiver_inner_sn
    await edit(ys, {}, { handler_inner_sn: one, second_inspector_inner_sn: receiver })
    expectMessage(await inspector.do('inspectionOrder', 'submit', ys), '第二验收员与收货员不能为同一人')
    await edit(ys, {}, { handler_inner_sn: one, second_inspector_inner_sn: one })
    expectMessage(await inspector.do('inspectionOrder', 'submit', ys), '第二验收员与验收员不能为同一人')
    await edit(ys, {}, { second_inspector_inner_sn: two })
    // Sterilisation and certificates are required unless set otherwise.
    await scene.server.database.owner`delete from org_config where org_id = ${d} and name = 'inspection_papers'`
    expectMessage(
      await inspector.do('inspectionOrder', 'submit', ys),
      '第1行：【一次性使用球囊充压装置】请填写灭菌批号或灭菌日期',
    )
    await edit(ys, { sterilisation_lot_no: 'MJ1' })
    await scene.server.database.owner`update quality_certificate set is_current = false where lot_no = 'YS1'`
    expectMessage(await inspector.do('inspectionOrder', 'submit', ys), '请上传批号YS1的合格证明文件')
    await edit(ys, {
      lot_papers: [await uploadPicture(inspector)],
      unqualified_quantity: '1',
      unqualified_reason: '破损',
    })
    expectMessage(
      await inspector.do('inspectionOrder', 'submit', ys),
      '第1行：合格数量与不合格数量之和必须等于本次验收数量',
    )
    // 全部合格 overwrites what was entered on the lines.
    await inspector.done('inspectionOrder', 'passAll', ys)
    await inspector.done('inspectionOrder', 'submit', ys)
    expect((await inspector.info('inspectionOrder', ys)).lines).toMatchObject([
      { qualified_quantity: '2.000', unqualified_quantity: '0.000', unqualified_reason: null },
    ])
    await scene.one(cold, scene.inflator, false)
  })
})
