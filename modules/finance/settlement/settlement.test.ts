import { subtract } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { lotOf, openScene, owed, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { addDays } from '#kernel/values/date.ts'
import { lastPeriod } from '#modules/finance/settlement/period.ts'
import { day } from '#tests/support/story.ts'
import { confirmByTime } from './confirm-by-time.server.ts'
import { proves } from '#tests/support/proves.ts'
import { story } from '#tests/support/steps.ts'

/**
 * 结算单: what was used of a supplier's goods in a period, summed up for it to confirm; once received, it becomes our
 * purchase and payable.
 */
let scene: Scene
const codes = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `JS-${from + at}`)
beforeAll(async () => {
  scene = await openScene({ figures: true })
  const { hospital, ward, balloon, inflator, d } = scene
  await scene.shelve(hospital, ward, [
    lotOf(balloon, 'JS1', { unit_codes: codes(1, 20), owner_org_sn: d }),
    lotOf(inflator, 'JS2', { quantity: '20', owner_org_sn: d }),
  ])
})
afterAll(() => scene?.close())

async function used(lines: object[]): Promise<string> {
  const { hospital, ward, department } = scene
  const sn = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    patient_name: '苏听松',
    admission_no: 'ZY01',
    lines,
  })
  await hospital.pass('departmentUse', sn)
  return sn
}
const generate = (body: object = {}) =>
  scene.hospital.client.post('/v1/business/settlement/generate', {
    counterparty_sn: scene.d,
    begin_date: day(-30),
    end_date: day(1),
    ...body,
  })
const states = async (unit_code: string) =>
  (await scene.hospital.list('settlementLine', { unit_code })).map(row => row.state).sort()
const confirmState = async (sn: string) => (await scene.hospital.info('settlement', sn)).confirm_state

let [sn, first, grn] = ['', '', '']
story('结算单 of a quarter, from the uses to the debt', step => {
  step('generated for a period: a line per use at that day’s price; the supplier sees no patient or ward', async () => {
    const { hospital, dealer, balloon } = scene
    expectMessage(await generate(), '该供应商在此期间没有待结算的使用记录')
    first = await used([{ unit_codes: codes(1, 3) }])
    await used([{ unit_codes: codes(4, 4) }])
    const made = await generate()
    expect(made.info).toMatchObject({ line_count: 2, taxed_amount: '672.00' })
    sn = made.info.sn
    const doc = await hospital.info('settlement', sn)
    expect(doc).toMatchObject({ state: 'draft', begin_date: day(-30), confirm_state: '1' })
    expect(doc.lines[0]).toMatchObject({
      specification_sn: balloon,
      quantity: '3.000',
      price: '168.0000',
      source_sn: first,
      unit_codes: codes(1, 3),
    })
    await hospital.done('settlement', 'submit', sn)
    expect(await states('JS-1')).toEqual(['settling'])
    const copy = await dealer.client.get('/v1/business/settlement/info', { sn })
    expect(copy.info).toMatchObject({ state_name: '待确认', confirm_state: '1', taxed_amount: '672.00' })
    expect(JSON.stringify(copy.info)).not.toMatch(/苏听松|ZY01/)
    expect(copy.info.lines[0].use_department_inner_sn ?? null).toBeNull()
  })

  step('a use is on one settlement only', async () => {
    expectMessage(await generate(), '该供应商在此期间没有待结算的使用记录')
    const late = await used([{ unit_codes: codes(5, 5) }])
    const [one, two] = [(await generate()).info.sn, (await generate()).info.sn]
    await scene.hospital.done('settlement', 'submit', one)
    expectMessage(await scene.hospital.do('settlement', 'submit', two), `记录1已在结算单${one}中，请重新生成`)
    await scene.hospital.done('settlement', 'unsubmit', one)
    expect(await states('JS-5')).toEqual(['waiting'])
    expect(late).toBeTruthy()
  })

  step('reviewed only when the supplier agreed; disputed, it awaits an answer to the reason', async () => {
    const { hospital, dealer } = scene
    expectMessage(await hospital.do('settlement', 'review', sn), '结算单尚未经供应商确认')
    expectMessage(await dealer.do('settlement', 'dispute', sn), '请填写提出异议原因')
    await dealer.done('settlement', 'dispute', sn, { reason: '第2行价格不符' })
    expect(await hospital.info('settlement', sn)).toMatchObject({ confirm_state: '3', answer_reason: '第2行价格不符' })
    expectMessage(await hospital.do('settlement', 'review', sn), '供应商有异议，请先处理')
    const receipt = { source_type: 101, source_sn: sn }
    expectMessage(await hospital.client.post('/v1/business/settlementGrn/add', receipt), '供应商有异议，请先处理')
    await dealer.done('settlement', 'confirm', sn)
    expectMessage(await dealer.do('settlement', 'dispute', sn, { reason: '再议' }), '结算单已确认，不能提出异议')
    expectMessage(await dealer.do('settlement', 'confirm', sn), '结算单已确认，无需重复确认')
    expectMessage(await hospital.do('settlement', 'unsubmit', sn), '供应商已确认，不能撤回')
    await hospital.done('settlement', 'review', sn)
    expect(await states('JS-1')).toEqual(['settled'])
    expectMessage(await hospital.do('settlement', 'unreview', sn), '供应商已确认，不能反审核')
  })

  step('no answer within the days of the rule counts as agreement', async () => {
    proves('settlement.confirmedByTime')
    const { hospital, dealer } = scene
    const { info } = await generate()
    await hospital.done('settlement', 'submit', info.sn)
    await confirmByTime(scene.server.database.owner)
    expect(await confirmState(info.sn)).toBe('1')
    await scene.one(
      "update document set submitted_at = submitted_at - interval '5 days' where sn = $1 and role = 'own' returning 1",
      info.sn,
    )
    await confirmByTime(scene.server.database.owner)
    expect(await confirmState(info.sn)).toBe('4')
    expect((await dealer.info('settlement', info.sn)).confirm_state).toBe('4')
    expect((await hospital.info('settlement', info.sn)).history.at(-1)).toMatchObject({
      label: '自动确认',
      actor_name: '系统',
    })
    await hospital.done('settlement', 'review', info.sn)
    await hospital.done('settlement', 'unreview', info.sn)
    await hospital.done('settlement', 'reject', info.sn, { reason: '期间有误' })
    expect(await states('JS-5')).toEqual(['waiting'])
  })

  step(
    '结算入库 matches the settlement and posts the payable and the supplier’s receivable; stock unchanged',
    async () => {
      const { hospital, dealer, d, h, ward, balloon } = scene
      const before = await hospital.list('stockBalance', { specification_sn: balloon, warehouse_model_inner_sn: ward })
      grn = await hospital.add('settlementGrn', { source_type: 101, source_sn: sn })
      const { version, lines } = await hospital.info('settlementGrn', grn)
      await hospital.client.post('/v1/business/settlementGrn/edit', {
        sn: grn,
        version,
        lines: [{ line_no: lines[0].line_no, quantity: '2' }, { line_no: lines[1].line_no }],
      })
      expectMessage(
        await hospital.do('settlementGrn', 'submit', grn),
        '结算入库金额与结算单金额不一致：应为672.00元，本单504.00元',
      )
      await hospital.done('settlementGrn', 'cancel', grn, { reason: '数量写错' })
      const part = await hospital.add('settlementGrn', {
        source_type: 101,
        source_sn: sn,
        lines: [{ source_line_no: 1, quantity: '4', price: '168' }],
      })
      expectMessage(await hospital.do('settlementGrn', 'submit', part), '第1行：结算入库的数量和单价不能与结算单不同')
      expectMessage(
        await hospital.client.post('/v1/business/settlementGrn/add', { counterparty_sn: d, lines: [] }),
        '结算入库单不能手工新增，请引用来源单',
      )
      grn = await hospital.add('settlementGrn', { source_type: 101, source_sn: sn })
      await hospital.pass('settlementGrn', grn)
      expect((await owed(hospital, d)).payable).toBe('672.00')
      expect((await owed(dealer, h)).receivable).toBe('672.00')
      expect(
        await hospital.list('stockBalance', { specification_sn: balloon, warehouse_model_inner_sn: ward }),
      ).toEqual(before)
      expect(await states('JS-1')).toEqual(['received'])
      expect(await hospital.info('settlement', sn)).toMatchObject({ state: 'partial', settle_state: '3' })
    },
  )

  step('undone, the uses are 已结算 again and no one owes; received again, an invoice blocks undoing', async () => {
    const { hospital, dealer, d, h } = scene
    const { red_sn } = await hospital.done('settlementGrn', 'redReverse', grn, { reason: '财务期间有误' })
    const print = await hospital.client.get('/v1/business/settlementGrn/print', { sn: red_sn })
    expect(print.info).toMatchObject({ title: '红冲结算入库单', red: true, taxed_amount: '-672.00' })
    // The summary for the voucher: by accounting class, only receipts in force, and exactly the settled total.
    const summary = (number: string) =>
      hospital.client.get('/v1/business/settlementGrn/print', {
        sn: number,
        sheet: '/newprint/settlementInwarehousePrint',
      })
    expect((await summary(red_sn!)).info.lines).toMatchObject([
      { finance_class_name: '其他卫生材料', taxed_amount: '-672.00' },
    ])
    expect([(await owed(hospital, d)).payable, (await owed(dealer, h)).receivable]).toEqual(['0.00', '0.00'])
    expect([await states('JS-1'), (await hospital.info('settlement', sn)).state]).toEqual([['settled'], 'reviewed'])
    grn = await hospital.add('settlementGrn', { source_type: 101, source_sn: sn })
    expectMessage(await summary(grn), `结算入库单${grn}尚未审核，不能打印汇总单`)
    await hospital.pass('settlementGrn', grn)
    const { info: whole } = await summary(grn)
    expect(whole).toMatchObject({ taxed_amount: '672.00', lines: [{ taxed_amount: '672.00', size_count: '1' }] })
    expect(whole.amount_in_words).toMatch(/^陆佰柒拾贰元/)
    const bill = await hospital.add('inboundInvoice', {
      source_type: 118,
      source_sn: grn,
      invoice_no: '26322000000000000001',
    })
    await hospital.pass('inboundInvoice', bill)
    expect(await states('JS-1')).toEqual(['invoiced'])
    expect((await summary(grn)).info.lines[0].invoice_nos).toBe('26322000000000000001')
    expectMessage(
      await hospital.do('settlementGrn', 'redReverse', grn, { reason: '错' }),
      `已关联发票，不能红冲（${bill}）`,
    )
    expectMessage(await hospital.do('settlementGrn', 'unreview', grn), `已关联发票，不能反审核（${bill}）`)
  })

  step('10 used, 1 undone in the month: 9; 2 undone later: −2 in the next settlement, reducing the debt', async () => {
    const { hospital, dealer, d } = scene
    const many = await used([{ unit_codes: codes(6, 15) }])
    await hospital.done('departmentUse', 'redReverse', many, {
      reason: '未拆封',
      lines: [{ line_no: 1, unit_codes: ['JS-15'] }],
    })
    const settle = async () => {
      const { info } = await generate()
      await hospital.done('settlement', 'submit', info.sn)
      await dealer.done('settlement', 'confirm', info.sn)
      await hospital.done('settlement', 'review', info.sn)
      const receipt = await hospital.add('settlementGrn', { source_type: 101, source_sn: info.sn })
      await hospital.pass('settlementGrn', receipt)
      return { settlement: await hospital.info('settlement', info.sn), receipt }
    }
    const month = await settle()
    expect(month.settlement.lines.map((line: { quantity: string }) => line.quantity)).toEqual(['1.000', '9.000'])
    const debt = (await owed(hospital, d)).payable
    await hospital.done('departmentUse', 'redReverse', many, {
      reason: '未拆封',
      lines: [{ line_no: 1, unit_codes: ['JS-14', 'JS-13'] }],
    })
    const next = await settle()
    expect(next.settlement).toMatchObject({ state: 'partial', total_quantity: '-2.000', taxed_amount: '-336.00' })
    expect((await owed(hospital, d)).payable).toBe(subtract(debt, '336', 2))
    await hospital.done('settlementGrn', 'redReverse', next.receipt, { reason: '重做' })
    expect((await owed(hospital, d)).payable).toBe(debt)
    expect((await hospital.info('settlement', next.settlement.sn)).state).toBe('reviewed')
  })

  step('a use without a price waits; agreed for the day of its use, it is settled at that price', async () => {
    const { hospital, inflator, h } = scene
    const agreement = (status: string) =>
      scene.one(
        'update price_agreement set status = $1 where org_id = $2 and specification_id = $3 returning 1',
        status,
        h,
        inflator,
      )
    await agreement('disabled')
    await used([{ specification_sn: inflator, lot_no: 'JS2', quantity: '4' }])
    const [line] = await hospital.list('settlementLine', { lot_no: 'JS2' })
    expect(line).toMatchObject({ state: 'unpriced', amount: '0.00' })
    const bare = await generate()
    expectMessage(
      await hospital.do('settlement', 'submit', bare.info.sn),
      '一次性使用球囊充压装置 30atm 20ml无有效结算价',
    )
    await agreement('enabled')
    const priced = await generate()
    const doc = await hospital.info('settlement', priced.info.sn)
    expect(doc.lines.at(-1)).toMatchObject({ quantity: '4.000', price: '145.0000', taxed_amount: '580.00' })
    await hospital.done('settlement', 'submit', priced.info.sn)
  })

  step('without a named supplier, each gets its own; an invalid period is refused', async () => {
    const { hospital, ward, department, inflator, balloon } = scene
    const other = await scene.one("select id from organisation where code = 'D02'")
    await scene.shelve(hospital, ward, [lotOf(inflator, 'JS3', { quantity: '5', owner_org_sn: other.id })])
    await used([{ specification_sn: inflator, lot_no: 'JS3', quantity: '1' }])
    await used([{ unit_codes: codes(16, 16) }])
    const { info } = await generate({ counterparty_sn: '' })
    expect(info.settlements.map((made: { counterparty_sn: string }) => made.counterparty_sn).sort()).toEqual(
      [other.id, scene.d].sort(),
    )
    expectMessage(await generate({ begin_date: day(2), end_date: day(1) }), '结算期间止不能早于期间起')
    expectMessage(await generate({ begin_date: null }), '请填写结算期间')
    expect([department, balloon]).toBeTruthy()
  })

  step(
    '月结算日: without a period, uses up to and including that day; the day after is in the next period',
    async () => {
      proves('settlement.period')
      const { h } = scene
      const closes = 20
      await scene.rule(h, 'settlement_day', closes)
      const { begin, end } = lastPeriod(day() as never, closes)
      const on = async (at: string) => {
        const use = await used([{ specification_sn: scene.inflator, lot_no: 'JS3', quantity: '1' }])
        await scene.one(
          `update settlement_line set used_at = ($3 || ' 23:30+08')::timestamptz
            where org_id = $1 and use_document_id = (select id from document where org_id = $1 and sn = $2)
            returning 1`,
          h,
          use,
          at,
        )
        return use
      }
      const late = await on(end)
      const next = await on(addDays(end as never, 1))
      const other = await scene.one("select id from organisation where code = 'D02'")
      const { info } = await generate({ counterparty_sn: other.id, begin_date: null, end_date: null })
      const made = await scene.hospital.info('settlement', info.sn)
      expect(made).toMatchObject({ begin_date: begin, end_date: end })
      const sources = made.lines.map((line: { source_sn: string }) => line.source_sn)
      expect(sources).toContain(late)
      expect(sources).not.toContain(next)
    },
  )
})
