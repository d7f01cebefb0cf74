import { subtract } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { attempt, lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { stopSaleSheet } from '#modules/platform/prints/sheets/quality-sheets.ts'
import { day, type Person } from '#tests/support/story.ts'

/**
 * 停售: doubtful goods are reserved on request, checked by a second user, decided by a third; released, destroyed or
 * returned.
 */
let scene: Scene
let inspector: Person
let head: Person
beforeAll(async () => {
  scene = await openScene()
  await scene.one(
    "update app_user set is_administrator = true where login = any(array['keeper', 'finance']) returning 1",
  )
  ;[inspector, head] = (await Promise.all(['keeper', 'finance'].map(scene.person))) as [Person, Person]
  const { hospital, central, inflator, balloon } = scene
  await scene.shelve(hospital, central, [
    lotOf(inflator, 'TS1', { quantity: '10', price: '12' }),
    lotOf(inflator, 'TS2', { quantity: '20', location: 'A-01' }),
    lotOf(balloon, 'TS3', { unit_codes: ['TS-1', 'TS-2', 'TS-3'] }),
  ])
  await scene.shelve(hospital, scene.ward, [lotOf(inflator, 'TS2', { quantity: '4' })])
})
afterAll(() => scene?.close())

const some = (lot_no: string, quantity: string, more: object = {}) => ({
  specification_sn: scene.inflator,
  lot_no,
  quantity,
  ...more,
})
const stop = (lines: object[], more: object = {}) => ({
  warehouse_model_inner_sn: scene.central,
  stop_reason: 'quality',
  lines,
  ...more,
})
/** Stock of a lot in the central warehouse, by state. */
const states = async (lot_no: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await scene.hospital.list('stockBalance', { warehouse_model_inner_sn: scene.central, lot_no })).map(row => [
      row.quality_state,
      row.quantity,
    ]),
  )
const submitted = async (body: object): Promise<string> => {
  const sn = await scene.hospital.add('stopSale', body)
  await scene.hospital.done('stopSale', 'submit', sn)
  return sn
}
const findings = (quantity: string, bad: string, more: object = {}) => ({
  lines: [{ line_no: 1, good_quantity: subtract(quantity, bad, 0), bad_quantity: bad, ...more }],
})

story('stop sale, from one step to the next', step => {
  step('submitted, it holds the goods; checked by another with figures that add up; audited by a third', async () => {
    const { hospital } = scene
    expectMessage(
      await attempt(hospital, 'stopSale', stop([some('TS1', '10')], { stop_reason: 'recall' })),
      '请填写召回/通知编号',
    )
    // The supplier and the quantity on hand are on the line from the draft on.
    const draft = await hospital.add('stopSale', stop([some('TS1', '4'), some('TS2', '3', { location: 'A-01' })]))
    const figures = (await hospital.info('stopSale', draft)).lines.map(
      (line: { available_quantity: string }) => line.available_quantity,
    )
    expect(figures).toEqual(['10.000', '20.000'])
    await hospital.done('stopSale', 'del', draft)
    const sn = await submitted(stop([some('TS1', '10')]))
    const used = { warehouse_model_inner_sn: scene.central, use_type: 'consume', lines: [some('TS1', '1')] }
    expectMessage(await attempt(hospital, 'departmentUse', used), /库存不足/)
    expectMessage(await head.do('stopSale', 'review', sn), '请先完成复检')
    // Its check is due within the organisation's days; an overdue one is reported.
    const waiting = async (query: Record<string, string>) =>
      (await hospital.list('stopSale', { check_state: '1', state: 'submitted', ...query })).map(row => row.sn)
    expect((await hospital.info('stopSale', sn)).check_due_date).toBe(day(7))
    const { info: sheet } = await hospital.client.get('/v1/business/stopSale/print', { sn })
    expect(sheet).toMatchObject({ stop_type: '停售', stop_reason: '质量可疑', lines: [{ lot_no: 'TS1' }] })
    for (const [label, name] of stopSaleSheet.header) expect(Object.keys(sheet), label).toContain(name)
    for (const { name } of stopSaleSheet.columns) expect(Object.keys(sheet.lines[0]), name).toContain(name)
    expect(await waiting({ overdue: '1' })).not.toContain(sn)
    await scene.one(
      `update document set fields = fields || '{"check_due_date":"${day(-1)}"}' where sn = $1 returning 1`,
      sn,
    )
    expect(await waiting({ overdue: '1', sort: 'check_due_date' })).toContain(sn)
    expect((await hospital.list('stopSale', { sn }))[0].overdue).toBe('1')
    const verdict = { conclusion: 'mixed', disposal: 'scrap' }
    expectMessage(await inspector.do('stopSale', 'check', sn, verdict), '复检数量合计必须等于停售数量')
    await inspector.done('stopSale', 'sendLab', sn, { lab_name: '市医疗器械检验所', lab_date: day() })
    await inspector.done('stopSale', 'edit', sn, findings('10', '2'))
    expectMessage(await inspector.do('stopSale', 'check', sn, verdict), '送检结果未登记')
    await inspector.done('stopSale', 'sendLab', sn, { lab_name: '市医疗器械检验所', lab_report_no: 'JY-001' })
    await inspector.done('stopSale', 'edit', sn, { lines: [{ line_no: 1, bad_quantity: '1' }] })
    expectMessage(await inspector.do('stopSale', 'check', sn, verdict), '第1行：复检数量合计必须等于停售数量')
    await inspector.done('stopSale', 'edit', sn, findings('10', '2'))
    expectMessage(await hospital.do('stopSale', 'check', sn, verdict), '不能复检本人提交的单据')
    await inspector.done('stopSale', 'check', sn, verdict)
    expectMessage(await hospital.do('stopSale', 'review', sn), '不能审核本人提交的单据')
    // A refusal is announced in advance, with the same text, and nothing changes.
    const { version, state } = await hospital.info('stopSale', sn)
    const ahead = (who: Person) => who.client.post('/v1/business/stopSale/offers', { sn, version, state })
    expect((await ahead(hospital)).info.refused).toMatchObject({ review: '不能审核本人提交的单据' })
    const refusedHead = (await ahead(head)).info.refused
    expect(refusedHead).not.toHaveProperty('review')
    expect(refusedHead).not.toHaveProperty('reject')
    expect((await hospital.info('stopSale', sn)).version).toBe(version)
    expect(await hospital.info('stopSale', sn)).toMatchObject({ good_total: '8.000', bad_total: '2.000' })
    expect((await hospital.list('stopSale', { overdue: '1' })).map(row => row.sn)).not.toContain(sn)
    await head.done('stopSale', 'review', sn)
    expect(await states('TS1')).toEqual({ qualified: '8.000', unqualified: '2.000' })
    expect((await hospital.info('stopSale', sn)).state).toBe('reviewed')
    const scrap = await hospital.from('scrap', sn)
    expect(await hospital.info('scrap', scrap.sn)).toMatchObject({
      state: 'draft',
      lines: [{ lot_no: 'TS1', quantity: '2.000', quality_state: 'unqualified' }],
    })
    await hospital.done('scrap', 'submit', scrap.sn)
    await head.done('scrap', 'review', scrap.sn)
    expect(await states('TS1')).toEqual({ qualified: '8.000' })
    expect((await hospital.info('stopSale', sn)).state).toBe('completed')
    expectMessage(await hospital.do('stopSale', 'unreview', sn), `单据已发生后续业务，不能反审核（${scrap.sn}）`)
  })

  step('blocked goods leave only by release or scrap; a release takes no more than is still blocked', async () => {
    const { hospital } = scene
    const sn = await submitted(stop([some('TS2', '20')], { stop_reason: 'recall', notice_no: 'ZH-1' }))
    const held = { conclusion: 'open', disposal: 'hold' }
    await inspector.done('stopSale', 'check', sn, held)
    // Until the audit is approved the check may be undone, and then nothing can be decided.
    await inspector.done('stopSale', 'uncheck', sn)
    expectMessage(await head.do('stopSale', 'review', sn), '请先完成复检')
    await inspector.done('stopSale', 'check', sn, held)
    await head.done('stopSale', 'review', sn)
    expectMessage(await inspector.do('stopSale', 'uncheck', sn), '当前单据状态不允许该操作')
    expect(await states('TS2')).toEqual({ stopped: '20.000' })
    const grant = {
      warehouse_model_inner_sn: scene.central,
      to_warehouse_model_inner_sn: scene.ward,
      lines: [some('TS2', '1')],
    }
    expectMessage(await attempt(hospital, 'grantOdo', grant), '批号TS2已停售，不能出库')
    const stopped = { ...grant, lines: [some('TS2', '1', { quality_state: 'stopped' })] }
    expectMessage(await attempt(hospital, 'transfer', stopped), '第1行：批号TS2已停售，不能出库')
    await hospital.done('stopSale', 'release', sn)
    const lift = await hospital.from('stopSale', sn)
    expect(lift).toMatchObject({ stop_type: 'release', state: 'draft' })
    await hospital.done('stopSale', 'edit', lift.sn, { lines: [{ line_no: 1, quantity: '5' }] })
    await hospital.done('stopSale', 'submit', lift.sn)
    expectMessage(
      await inspector.do('stopSale', 'check', lift.sn, { conclusion: 'good', disposal: 'hold' }),
      '解除停售须复检，处理方式不能为继续停售',
    )
    expectMessage(
      await inspector.do('stopSale', 'check', lift.sn, { conclusion: 'good', disposal: 'scrap' }),
      '复检合格的货物不能报废或退供应商，请选择解除停售',
    )
    await inspector.done('stopSale', 'check', lift.sn, { conclusion: 'good', disposal: 'release' })
    await head.done('stopSale', 'review', lift.sn)
    expect(await states('TS2')).toEqual({ qualified: '5.000', stopped: '15.000' })
    const more = await attempt(hospital, 'stopSale', {
      source_sn: sn,
      source_type: 124,
      lines: [{ source_line_no: 1, quantity: '16', quality_state: 'stopped' }],
    })
    expectMessage(more, /库存不足|解除数量不能大于停售数量15/)
    await head.done('stopSale', 'unreview', lift.sn)
    expect(await states('TS2')).toEqual({ stopped: '20.000' })
    await head.done('stopSale', 'review', lift.sn)
    await hospital.done('stopSale', 'toScrap', sn)
    const scrap = await hospital.from('scrap', sn)
    expect(await hospital.info('scrap', scrap.sn)).toMatchObject({
      scrap_type: 'recalled',
      lines: [{ quantity: '15.000', quality_state: 'stopped', location: 'A-01' }],
    })
  })

  step('serials are blocked by code, also in a stop-sale warehouse; undone exactly', async () => {
    const { hospital } = scene
    const quarantine = await scene.warehouse('H01-W05')
    const sn = await submitted(
      stop([{ unit_codes: ['TS-1', 'TS-2', 'TS-3'] }], { to_warehouse_model_inner_sn: quarantine }),
    )
    await inspector.done('stopSale', 'edit', sn, findings('3', '1'))
    const verdict = { conclusion: 'mixed', disposal: 'return' }
    expectMessage(await inspector.do('stopSale', 'check', sn, verdict), '第1行：请扫描不合格的院内码')
    await inspector.done('stopSale', 'edit', sn, findings('3', '1', { bad_codes: ['TS-2'] }))
    await inspector.done('stopSale', 'check', sn, verdict)
    await head.done('stopSale', 'review', sn)
    const trace = async (code: string) => (await hospital.trace(code)).list.map((event: { step: string }) => event.step)
    expect([await trace('TS-1'), await trace('TS-2')]).toEqual([
      ['opening', 'release'],
      ['opening', 'hold'],
    ])
    await head.done('stopSale', 'unreview', sn)
    expect(await states('TS3')).toEqual({ qualified: '3.000' })
    await hospital.done('stopSale', 'unsubmit', sn)
    const wrong = stop([{ unit_codes: ['TS-1'] }], { to_warehouse_model_inner_sn: scene.ward })
    expectMessage(await attempt(hospital, 'stopSale', wrong), '停售库只能选择类型为停售库的仓库')
  })

  step('a rejected block frees the goods at once; a whole lot is stopped in every warehouse', async () => {
    const { hospital, inflator } = scene
    const sn = await submitted(stop([some('TS1', '8')]))
    expectMessage(await head.do('stopSale', 'reject', sn), '请填写驳回原因')
    await head.done('stopSale', 'reject', sn, { reason: '依据不足' })
    const [row] = await hospital.list('stockBalance', { warehouse_model_inner_sn: scene.central, lot_no: 'TS1' })
    expect(row.available).toBe('8.000')
    const reply = await hospital.client.post('/v1/business/stopSale/byLot', {
      specification_sn: inflator,
      lot_no: 'TS2',
      stop_reason: 'recall',
      notice_no: 'ZH-2',
    })
    expect(reply.info.documents.length).toBe(2)
    expect(reply.info.result).toBe('已提交2张停售单，货物即时占用')
    for (const each of reply.info.documents) expect((await hospital.info('stopSale', each)).state).toBe('submitted')
    const left = await hospital.list('stockBalance', { lot_no: 'TS2', quality_state: 'qualified' })
    expect(left.map(each => each.available)).toEqual(left.map(() => '0.000'))
    const none = await hospital.client.post('/v1/business/stopSale/byLot', {
      specification_sn: inflator,
      lot_no: 'NONE',
      stop_reason: 'other',
    })
    expectMessage(none, '批号NONE没有可停售的库存')
  })

  step('a return to the supplier is drafted from its receipt; the block ends when the goods have left', async () => {
    const { dealer, hospital, h, shop, inflator } = scene
    await scene.shelve(dealer, shop, [lotOf(inflator, 'TSR', { quantity: '20' })])
    const odo = await dealer.add('saleOdo', {
      counterparty_sn: h,
      warehouse_model_inner_sn: shop,
      regime: 'purchased',
      lines: [{ specification_sn: inflator, lot_no: 'TSR', quantity: '10', price: '113', tax_rate: 13 }],
    })
    await dealer.pass('saleOdo', odo)
    const grn = (await hospital.from('purchaseGrn', odo)).sn
    await hospital.pass('purchaseGrn', grn)
    const store = (await hospital.info('purchaseGrn', grn)).warehouse_model_inner_sn
    const blocked = async (quantity: string, verdict: object, bad?: string) => {
      const sn = await submitted(stop([some('TSR', quantity)], { warehouse_model_inner_sn: store }))
      if (bad) await inspector.done('stopSale', 'edit', sn, findings(quantity, bad))
      await inspector.done('stopSale', 'check', sn, verdict)
      await head.done('stopSale', 'review', sn)
      return sn
    }
    // A whole lot is blocked by an organisation that delivered some of it: the places of the rest are noted on the
    // document, as a hint for a recall.
    const whole = { specification_sn: inflator, lot_no: 'TSR', stop_reason: 'complaint' }
    const hint = (await dealer.client.post('/v1/business/stopSale/byLot', whole)).info
    const { name } = await scene.one('select name from organisation where id = $1', h)
    expect(hint.result).toBe(
      `已提交1张停售单，货物即时占用；该批次另有：已发往【${name}】10。需要时请在通知公告管理发起召回`,
    )
    expect((await dealer.info('stopSale', hint.sn)).description).toBe(
      `批号TSR全部停售；该批次另有：已发往【${name}】10`,
    )
    await dealer.done('stopSale', 'unsubmit', hint.sn)
    await dealer.done('stopSale', 'del', hint.sn)
    const sn = await blocked('6', { conclusion: 'mixed', disposal: 'return' }, '4')
    expect((await hospital.info('stopSale', sn)).lines[0]).toMatchObject({
      supplier_sn: scene.d,
      available_quantity: '10.000',
    })
    const back = await hospital.from('purchaseReturn', grn)
    expect(await hospital.info('purchaseReturn', back.sn)).toMatchObject({
      state: 'draft',
      return_type: 'quality',
      source_sn: grn,
      lines: [{ lot_no: 'TSR', quantity: '4.000', quality_state: 'unqualified', price: '113.0000', stop_sn: sn }],
    })
    // The block lists the return among its follow-ups, and the return names the block.
    const followed = (await hospital.info('stopSale', sn)).related
    expect(followed).toContainEqual(expect.objectContaining({ direction: 'follow_up', sn: back.sn }))
    const behind = (await hospital.info('purchaseReturn', back.sn)).related
    expect(behind).toContainEqual(expect.objectContaining({ direction: 'source', kind: 'stopSale', sn }))
    expectMessage(await hospital.do('stopSale', 'toReturn', sn), `已有未完成的采购退货单${back.sn}，请先处理`)
    await hospital.pass('purchaseReturn', back.sn)
    expect((await hospital.info('stopSale', sn)).state).toBe('completed')
    await hospital.done('purchaseReturn', 'unreview', back.sn)
    expect((await hospital.info('stopSale', sn)).state).toBe('partial')
    await hospital.done('purchaseReturn', 'review', back.sn)
    // Held goods are returned on a user's decision, and no more than is still blocked. Goods found good at once:
    // nothing is booked, and the ledger confirms it at the end.
    const fine = await blocked('1', { conclusion: 'good', disposal: 'release' })
    expect((await hospital.info('stopSale', fine)).state).toBe('completed')
    const held = await blocked('4', { conclusion: 'open', disposal: 'hold' })
    await hospital.done('stopSale', 'toReturn', held)
    const draft = await hospital.from('purchaseReturn', grn)
    expect(await hospital.info('purchaseReturn', draft.sn)).toMatchObject({
      lines: [{ quantity: '4.000', stop_sn: held }],
    })
    await hospital.pass('purchaseReturn', draft.sn)
    expect((await hospital.info('stopSale', held)).state).toBe('completed')
    // Goods that no receipt brought in have no supplier to whom they could be returned.
    const stray = await submitted(stop([some('TS1', '1')]))
    await inspector.done('stopSale', 'check', stray, { conclusion: 'open', disposal: 'hold' })
    await head.done('stopSale', 'review', stray)
    expectMessage(await hospital.do('stopSale', 'toReturn', stray), /没有可退的采购入库单/)
  })
})
