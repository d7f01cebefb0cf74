import { subtract, sum } from '#kernel/values/decimal.ts'
import { type Day, shiftMonths } from '#kernel/values/date.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { uploadPicture } from '#tests/support/picture.ts'
import { lotOf, openScene, owed, expectMessage, shelf, type Scene } from '#tests/support/fixture.ts'
import { day, type Person } from '#tests/support/story.ts'

/** Corrects what a posted document recorded wrongly: the ledger has the true figures, the document keeps its text. */
let scene: Scene
let keeper: Person
let proof = ''
beforeAll(async () => {
  scene = await openScene({ figures: true })
  keeper = await scene.person('keeper')
  await mayDecide(scene)
  proof = await uploadPicture(scene.hospital)
})
afterAll(() => scene?.close())

/** The storekeeper is responsible for quality as well: the role gets the right by its name. */
const mayDecide = (at: Scene) =>
  at.one(
    `update role set flags = flags || '{stockCorrection.quality}'::text[] where org_id = $1 and name = '库管员'
      returning 1`,
    at.h,
  )
const mayDecideNoMore = (at: Scene) =>
  at.one(
    `update role set flags = array_remove(flags, 'stockCorrection.quality') where org_id = $1 and name = '库管员'
      returning 1`,
    at.h,
  )

/** A receipt of bought goods without a delivery, reviewed. */
async function received(line: object, header: object = {}): Promise<string> {
  const { hospital, central, d } = scene
  const sn = await hospital.add('purchaseGrn', {
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    lines: [{ production_date: day(-60), expiry_date: day(700), price: '10', tax_rate: 13, ...line }],
    ...header,
  })
  await hospital.pass('purchaseGrn', sn)
  return sn
}
const draft = (sn: string, change_type: string, line: object, header: object = {}, source_type = 9) =>
  scene.hospital.add('stockCorrection', {
    source_sn: sn,
    source_type,
    change_type,
    change_reason: '录入有误',
    attachments: [proof],
    lines: [{ source_line_no: 1, ...line }],
    ...header,
  })
/** Analysed, submitted, and approved by another user. */
async function signed(sn: string): Promise<void> {
  await scene.hospital.done('stockCorrection', 'impact', sn)
  await scene.hospital.done('stockCorrection', 'submit', sn)
  await keeper.done('stockCorrection', 'review', sn, { quality_opinion: '核对实物标签无误' })
}
const finance = async (specification: string) => {
  const reply = await scene.hospital.client.get('/v1/report/stockFinance', {
    period: day().slice(0, 7),
    specification_sn: specification,
    warehouse_model_inner_sn: scene.central,
  })
  return reply.list[0]
}

story('进销存变更', step => {
  step('starts from a reviewed document, needs evidence and a cause analysis first, and a second person', async () => {
    const { hospital, inflator, central, d } = scene
    const early = await hospital.add('purchaseGrn', {
      counterparty_sn: d,
      warehouse_model_inner_sn: central,
      lines: [lotOf(inflator, 'BG0', { quantity: '1' })],
    })
    const refused = await hospital.client.post('/v1/business/stockCorrection/add', { source_sn: early, source_type: 9 })
    expectMessage(refused, '原单未审核，请直接修改原单')
    const grn = await received({ specification_sn: inflator, lot_no: 'BG0', quantity: '5' })
    const sn = await draft(grn, 'lot', { quantity: '6' }, { attachments: [], change_reason: null })
    expectMessage(await hospital.do('stockCorrection', 'impact', sn), '第1行：变更数量不能大于原单数量5')
    await hospital.done('stockCorrection', 'edit', sn, {
      lines: [{ line_no: 1, source_line_no: 1, source_sn: grn, quantity: '5' }],
    })
    expectMessage(await hospital.do('stockCorrection', 'submit', sn), '请填写【变更原因】')
    await hospital.done('stockCorrection', 'edit', sn, { change_reason: '录错' })
    expectMessage(await hospital.do('stockCorrection', 'submit', sn), '请上传变更依据')
    await hospital.done('stockCorrection', 'edit', sn, { attachments: [proof] })
    expectMessage(await hospital.do('stockCorrection', 'submit', sn), '第1行：请填写更正后的批号或效期')
    await hospital.done('stockCorrection', 'edit', sn, {
      lines: [{ line_no: 1, source_line_no: 1, source_sn: grn, quantity: '5', new_lot_no: 'BG0-1' }],
    })
    expectMessage(await hospital.do('stockCorrection', 'submit', sn), '请先做影响分析')
    await hospital.done('stockCorrection', 'impact', sn)
    expect((await hospital.info('stockCorrection', sn)).impact_note).toBe('没有后续单据；现有库存5')
    await hospital.done('stockCorrection', 'submit', sn)
    expectMessage(await hospital.do('stockCorrection', 'review', sn), '不能审核本人提交的单据')
    expectMessage(await keeper.do('stockCorrection', 'review', sn), '批号和效期更正请填写质量意见')
    // The approver is responsible for quality: a right of its own, given by name. It is never approved
    // automatically.
    const opinion = { quality_opinion: '标签为 BG0-1' }
    const others = '批号和效期更正须由质量负责人审核：请有“质量审核”权限的人员审核，或由管理员在角色中授予'
    await mayDecideNoMore(scene)
    expectMessage(await keeper.do('stockCorrection', 'review', sn, opinion), others)
    await scene.one(
      `insert into audit_setting (org_id, document_kind, is_automatic) values ($1, 'stockCorrection', true)
        returning 1`,
      scene.h,
    )
    await hospital.done('stockCorrection', 'unsubmit', sn)
    await hospital.done('stockCorrection', 'edit', sn, opinion)
    await hospital.done('stockCorrection', 'impact', sn)
    await hospital.done('stockCorrection', 'submit', sn)
    expect((await hospital.info('stockCorrection', sn)).state).toBe('submitted')
    await scene.one(
      "delete from audit_setting where org_id = $1 and document_kind = 'stockCorrection' returning 1",
      scene.h,
    )
    await mayDecide(scene)
    await keeper.done('stockCorrection', 'review', sn, opinion)
    expect(await shelf(hospital, central, inflator)).toEqual({ 'BG0-1': '5.000' })
    const original = await hospital.info('purchaseGrn', grn)
    expect(original.lines[0].lot_no).toBe('BG0')
    expect(original.related).toContainEqual(expect.objectContaining({ kind: 'stockCorrection', sn }))
    expectMessage(
      await hospital.do('purchaseGrn', 'redReverse', grn, { reason: '试' }),
      `该单据已变更（${sn}），不能红冲`,
    )
    // Follow-up documents use the corrected lot.
    const back = await hospital.add('purchaseReturn', { source_sn: grn, source_type: 9, return_reason: '退' })
    expect((await hospital.info('purchaseReturn', back)).lines[0].lot_no).toBe('BG0-1')
    await hospital.client.post('/v1/business/purchaseReturn/del', { sn: back, version: 1 })
    await keeper.done('stockCorrection', 'unreview', sn)
    expect(await shelf(hospital, central, inflator)).toEqual({ BG0: '5.000' })
    await hospital.done('stockCorrection', 'cancel', sn, { reason: '试' })
  })

  step('of a price changes the payable, the value of stock still on hand, and the month’s adjustment', async () => {
    const { hospital, inflator, central, d, dealer } = scene
    const before = await owed(hospital, d)
    const grn = await received({ specification_sn: inflator, lot_no: 'BG1', quantity: '20', price: '12' })
    const gone = await hospital.add('loss', {
      warehouse_model_inner_sn: central,
      loss_type: 'missing',
      lines: [{ specification_sn: inflator, lot_no: 'BG1', quantity: '5', line_reason: '缺' }],
    })
    await hospital.done('loss', 'submit', gone)
    await keeper.done('loss', 'review', gone)
    const part = await draft(grn, 'price', { quantity: '10', new_price: '12.4' })
    expectMessage(await hospital.do('stockCorrection', 'impact', part), '第1行：价格和税率须整行更正，数量应为20')
    const sn = await draft(grn, 'price', { quantity: '20', new_price: '12.4' })
    await signed(sn)
    const info = await hospital.info('stockCorrection', sn)
    expect(info).toMatchObject({ old_amount: '240.00', new_amount: '248.00', taxed_amount: '8.00' })
    expect(info.impact_note).toBe(`后续单据1张：报损单${gone}（-5）；现有库存15`)
    expect(info.lines[0]).toMatchObject({ stock_amount: '6.00', issued_amount: '2.00', old_price: '12.0000' })
    const row = (await hospital.list('stockBalance', { warehouse_model_inner_sn: central, lot_no: 'BG1' }))[0]
    expect(row).toMatchObject({ quantity: '15.000', value: '186.00', cost_price: '12.4000' })
    const after = await owed(hospital, d)
    expect(subtract(after.payable, before.payable, 2)).toBe('248.00')
    const month = await finance(inflator)
    expect(month.adjustment).toBe('6.00')
    const sums = sum([month.opening_value, month.in_value, month.adjustment], 2)
    expect(subtract(sums, month.out_value, 2)).toBe(month.closing_value)
    // An invoice over the receipt uses the corrected price.
    const invoice = await hospital.add('inboundInvoice', {
      counterparty_sn: d,
      source_sn: grn,
      source_type: 9,
      invoice_no: '24442000000000000001',
      invoice_date: day(),
    })
    expect((await hospital.info('inboundInvoice', invoice)).taxed_amount).toBe('248.00')
    await hospital.pass('inboundInvoice', invoice)
    const late = await draft(grn, 'price', { quantity: '20', new_price: '11' })
    await hospital.done('stockCorrection', 'impact', late)
    expectMessage(await hospital.do('stockCorrection', 'submit', late), '第1行：明细已开票，请先红冲发票')
    expect(await dealer.list('stockCorrection')).toEqual([])
  })

  step(
    'of a price within a closed month is refused, at submit and at review; lots can still be corrected',
    async () => {
      const { hospital, inflator } = scene
      const month = day().slice(0, 7)
      await scene.rule(scene.h, 'date_ahead_days', 40)
      const grn = await received({ specification_sn: inflator, lot_no: 'BG9', quantity: '3' })
      const waits = await draft(grn, 'price', { quantity: '3', new_price: '11' }, { business_date: day(40) })
      await hospital.done('stockCorrection', 'impact', waits)
      await hospital.done('stockCorrection', 'submit', waits)
      const turn = async (action: string, more: object = {}) => {
        const row = (await hospital.list('accountingPeriod', { period: month })).find(each => each.period === month)
        const body = { sn: row.accounting_period_sn, version: row.version, ...more }
        expect((await hospital.client.post(`/v1/business/accountingPeriod/${action}`, body)).msg).toBe('')
      }
      const left = await hospital.client.get('/v1/report/monthEnd', { period: month, category: 'unreviewed' })
      for (const { document_kind, document_no } of left.list)
        await hospital.done(document_kind, 'edit', document_no, { business_date: day(40) })
      await turn('closePeriod')
      const next = shiftMonths(`${month}-01` as Day, 1).slice(0, 7)
      const closed =
        `会计期间【${month}】已结账：该期间已月结，不能再发生业务；` +
        `需要补记的，业务日期填【${next}】的日期，计入会计期间【${next}】`
      expectMessage(await keeper.do('stockCorrection', 'review', waits), closed)
      await hospital.done('stockCorrection', 'unsubmit', waits)
      expectMessage(await hospital.do('stockCorrection', 'submit', waits), closed)
      await hospital.done('stockCorrection', 'edit', waits, {
        change_type: 'lot',
        lines: [{ line_no: 1, new_lot_no: 'BG9-1' }],
      })
      await signed(waits)
      await turn('reopenPeriod', { reason: '试' })
    },
  )

  step(
    'of a serial’s lot: it goes on under the right lot with the same code and full trace, and back again',
    async () => {
      const { hospital, balloon, central } = scene
      const grn = await received({
        specification_sn: balloon,
        lot_no: 'BG2',
        quantity: '2',
        unit_codes: ['BG-1', 'BG-2'],
      })
      const sn = await draft(grn, 'lot', {
        unit_codes: ['BG-1'],
        quantity: '1',
        new_lot_no: 'BG2-X',
        new_expiry_date: day(600),
      })
      await signed(sn)
      expect(await shelf(hospital, central, balloon)).toEqual({ BG2: '1.000', 'BG2-X': '1.000' })
      const trace = await hospital.trace('BG-1')
      expect(trace.list.map((event: { step: string }) => event.step)).toEqual(['receive', 'correct', 'correct'])
      expect(trace.info.lot).toMatchObject({ lot_no: 'BG2-X', expiry_date: day(600) })
      await keeper.done('stockCorrection', 'unreview', sn)
      expect((await hospital.trace('BG-1')).info.lot.lot_no).toBe('BG2')
      expect(await shelf(hospital, central, balloon)).toEqual({ BG2: '2.000' })
      await keeper.done('stockCorrection', 'review', sn, { quality_opinion: '再次核对' })
      expect((await hospital.trace('BG-1')).info.lot.lot_no).toBe('BG2-X')
    },
  )

  step('of a code renames the serial, and never to a code already in use', async () => {
    const { hospital, balloon } = scene
    const grn = await received({
      specification_sn: balloon,
      lot_no: 'BG3',
      quantity: '2',
      unit_codes: ['BG-3', 'BG-4'],
    })
    const same = await draft(grn, 'code', { unit_codes: ['BG-3'], quantity: '1', new_codes: ['BG-4'] })
    await hospital.done('stockCorrection', 'impact', same)
    expectMessage(await hospital.do('stockCorrection', 'submit', same), '院内码BG-4已存在，请核对后重新扫描')
    const sn = await draft(grn, 'code', { unit_codes: ['BG-3'], quantity: '1', new_codes: ['BG-5'] })
    await signed(sn)
    expect((await hospital.trace('BG-5')).list.map((event: { step: string }) => event.step)).toEqual([
      'receive',
      'correct',
    ])
    expectMessage(await hospital.trace('BG-3'), /没有找到/)
    await keeper.done('stockCorrection', 'unreview', sn)
    expect((await hospital.trace('BG-3')).code).toBe(0)
  })

  step('of a supplier moves the payable to the right one, if there was no intercompany delivery', async () => {
    const { hospital, inflator, d } = scene
    const other = await scene.org('D02')
    const [before, theirs] = [await owed(hospital, d), await owed(hospital, other)]
    const grn = await received({ specification_sn: inflator, lot_no: 'BG4', quantity: '3' })
    const sn = await draft(grn, 'owner', { quantity: '3' }, { new_counterparty_sn: other })
    await signed(sn)
    expect((await owed(hospital, d)).payable).toBe(before.payable)
    expect(subtract((await owed(hospital, other)).payable, theirs.payable, 2)).toBe('30.00')
  })

  step('of dates applies to the lot in the whole organisation, also when some of it was used', async () => {
    const { hospital, inflator, central, ward } = scene
    const grn = await received({ specification_sn: inflator, lot_no: 'BG5', quantity: '3' })
    const sn = await draft(grn, 'lot', { quantity: '3', new_expiry_date: day(300) })
    await signed(sn)
    const [row] = await hospital.list('stockBalance', { warehouse_model_inner_sn: central, lot_no: 'BG5' })
    expect(row.expiry_date).toBe(day(300))
    await scene.shelve(hospital, ward, [lotOf(inflator, 'BG6', { quantity: '2' })])
    const opening = (await hospital.list('openingStock', { lot_no: 'BG6' }))[0].sn
    const use = await hospital.add('departmentUse', {
      warehouse_model_inner_sn: ward,
      department_inner_sn: scene.department,
      lines: [{ specification_sn: inflator, lot_no: 'BG6', quantity: '1' }],
    })
    await hospital.pass('departmentUse', use)
    const late = await draft(opening, 'lot', { quantity: '1', new_expiry_date: day(300) })
    await signed(late)
    expect((await hospital.info('stockCorrection', late)).impact_note).toMatch(
      /后续单据1张：科室使用单.+；已使用的，使用单据保留使用时登记的效期$/,
    )
    expect((await hospital.list('stockBalance', { warehouse_model_inner_sn: ward, lot_no: 'BG6' }))[0]).toMatchObject({
      expiry_date: day(300),
    })
    const [used] = (await hospital.info('departmentUse', use)).lines
    expect(used.expiry_date).toBe(day(700))
    // An earlier expiry is questioned because it makes a use one of expired goods.
    const shorter = await draft(opening, 'lot', { quantity: '1', new_expiry_date: day(-1) })
    await hospital.done('stockCorrection', 'impact', shorter)
    const { version } = await hospital.info('stockCorrection', shorter)
    const asked = await hospital.client.post('/v1/business/stockCorrection/submit', { sn: shorter, version })
    expect(asked.code).toBe(2200)
    expect(asked.msg).toContain(`批号BG6更正后有效期至${day(-1)}，其中1在此之后使用（${use}），更正后请按过期使用处理`)
  })

  step(
    'of a certificate sets a registered one: ledgers unchanged, the document keeps its text and shows it',
    async () => {
      const { hospital, inflator, central } = scene
      const grn = await received({ specification_sn: inflator, lot_no: 'BG7', quantity: '4' })
      const before = await hospital.list('stockBalance', { warehouse_model_inner_sn: central, lot_no: 'BG7' })
      const right = (
        await scene.one(
          `select c.certificate_no from registration_certificate c where c.id is distinct
          from (select registration_certificate_id from specification where id = $1) order by c.id limit 1`,
          inflator,
        )
      ).certificate_no
      const none = await draft(grn, 'certificate', { quantity: '4' })
      await hospital.done('stockCorrection', 'impact', none)
      expectMessage(await hospital.do('stockCorrection', 'submit', none), '第1行：请填写更正后的注册证号')
      await hospital.done('stockCorrection', 'edit', none, {
        lines: [{ line_no: 1, new_registration_no: '国械注准00000000000' }],
      })
      await hospital.done('stockCorrection', 'impact', none)
      expectMessage(
        await hospital.do('stockCorrection', 'submit', none),
        '第1行：注册证【国械注准00000000000】未登记，请先在注册证中登记',
      )
      await hospital.done('stockCorrection', 'edit', none, { lines: [{ line_no: 1, new_registration_no: right }] })
      await signed(none)
      const [line] = (await hospital.info('stockCorrection', none)).lines
      expect(line.old_registration_no).not.toBe(right)
      expect(line.new_registration_no).toBe(right)
      expect(await hospital.list('stockBalance', { warehouse_model_inner_sn: central, lot_no: 'BG7' })).toEqual(before)
    },
  )
})

test('what is recalled stays under its lot, however the new one is written', async () => {
  const { hospital, d, inflator, one } = scene
  const grn = await received({ specification_sn: inflator, lot_no: 'BGR', quantity: '4' })
  await one(
    `insert into lot_recall (lot_id, org_id, document_id, recall_sn) select id, $1, 1, 'ZH-BGR' from lot
      where lot_no = 'BGR' returning 1`,
    d,
  )
  for (const new_lot_no of ['BGR-1', 'bgr']) {
    const sn = await draft(grn, 'lot', { quantity: '4', new_lot_no })
    await hospital.done('stockCorrection', 'impact', sn)
    expectMessage(
      await hospital.do('stockCorrection', 'submit', sn),
      '第1行：批号BGR已召回，召回关闭前不能更正为其他批号',
    )
  }
})

test('a correction that books money waits for a person, whatever the approval setting says', async () => {
  const { hospital, h, inflator } = scene
  const add = (more: object) =>
    hospital.client.post('/v1/business/auditSetting/add', { document_kind: 'stockCorrection', ...more })
  expectMessage(await add({ is_automatic: true }), '该单据涉及往来记账，不能设为自动审核')
  expectMessage(await add({ needs_review: false }), '进销存变更单必须由他人审核')
  const grn = await received({ specification_sn: inflator, lot_no: 'BGA', quantity: '4' })
  const sn = await draft(grn, 'price', { quantity: '4', new_price: '12' })
  await hospital.done('stockCorrection', 'impact', sn)
  const setting = await scene.one(
    `insert into audit_setting (org_id, document_kind, is_automatic, needs_review) values ($1, 'stockCorrection', true,
      false) returning id`,
    h,
  )
  await hospital.done('stockCorrection', 'submit', sn)
  expect((await hospital.info('stockCorrection', sn)).state).toBe('submitted')
  await scene.one('delete from audit_setting where org_id = $1 and id = $2 returning 1', h, setting.id)
})
