import { subtract } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { attempt, lotOf, openScene, owed, expectMessage, type Scene, shelf } from '#tests/support/fixture.ts'
import { grantOdo } from './grant-odo.doc.ts'
import { day } from '#tests/support/story.ts'

/**
 * 发放出库: the central warehouse issues goods to a ward; they are in transit inside the organisation until the ward
 * confirms.
 */
let scene: Scene
const grant = (lines: object[], more: object = {}) => ({
  warehouse_model_inner_sn: scene.central,
  to_warehouse_model_inner_sn: scene.ward,
  department_inner_sn: scene.department,
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
  const { hospital, central, inflator, stent, d } = scene
  await scene.shelve(hospital, central, [
    lotOf(inflator, 'FF1', { quantity: '20', expiry_date: day(200) }),
    lotOf(inflator, 'FF2', { quantity: '20', expiry_date: day(600) }),
    lotOf(inflator, 'FF3', { quantity: '5', quality_state: 'pending' }),
    lotOf(stent, 'FF4', { unit_codes: ['FF-1', 'FF-2'], owner_org_sn: d }),
  ])
})
afterAll(() => scene?.close())

story('department issue, from one step to the next', step => {
  step(
    'issued: less stock in the warehouse, goods in transit, the ward must confirm; no one owes anything',
    async () => {
      const { hospital, central, inflator, stent, d } = scene
      const sn = await hospital.add(
        'grantOdo',
        grant([{ specification_sn: inflator, quantity: '5' }, { unit_codes: ['FF-1'] }]),
      )
      await hospital.pass('grantOdo', sn)
      expect(await shelf(hospital, central, inflator)).toMatchObject({ FF1: '15.000' })
      const transit = await hospital.list('stockBalance', { in_transit: '1' })
      expect(
        transit
          .filter(row => row.location === sn)
          .map(row => row.quantity)
          .sort(),
      ).toEqual(['1.000', '5.000'])
      const receipt = await hospital.from('wardReceipt', sn)
      expect(receipt).toMatchObject({ state: 'submitted', state_name: '待收货', warehouse_model_inner_sn: scene.ward })
      await hospital.done('wardReceipt', 'review', receipt.sn)
      // Issued without a list, it counts as picked all the same.
      const done = { state: 'completed', receive_state: '3', picking_state: '3', picked_total: '6.000' }
      expect(await hospital.info('grantOdo', sn)).toMatchObject(done)
      const [piece] = await hospital.list('stockBalance', {
        warehouse_model_inner_sn: scene.ward,
        specification_sn: stent,
      })
      expect(piece).toMatchObject({ owner_org_sn: d, quantity: '1.000' })
      expect((await owed(hospital, d)).payable).toBe('0.00')
      expectMessage(
        await hospital.do('grantOdo', 'unreview', sn),
        `科室已收货，不能反审核，请走科室退库（${receipt.sn}）`,
      )
    },
  )

  step('undone before confirmation: the goods are back in the warehouse, the pending receipt is gone', async () => {
    const { hospital, central, inflator } = scene
    const before = await shelf(hospital, central, inflator)
    const sn = await hospital.add('grantOdo', grant([some('FF1', '3')]))
    await hospital.pass('grantOdo', sn)
    const receipt = await hospital.from('wardReceipt', sn)
    await hospital.done('grantOdo', 'unreview', sn)
    expect(await shelf(hospital, central, inflator)).toEqual(before)
    expect((await hospital.info('wardReceipt', receipt.sn)).state).toBe('cancelled')
    await hospital.done('grantOdo', 'unsubmit', sn)
  })

  step('a later lot while an earlier one is on hand needs a reason, on the line or with the action', async () => {
    const { hospital, h } = scene
    const sn = await hospital.add('grantOdo', grant([some('FF2', '1')]))
    const submit = async (more: object = {}) => {
      const { version } = await hospital.info('grantOdo', sn)
      return hospital.client.post('/v1/business/grantOdo/submit', { sn, version, ...more })
    }
    expect(await submit()).toMatchObject({ code: 2200, msg: '第1行：存在更近效期批次FF1，请填写原因' })
    await scene.rule(h, 'first_expiry_first', 'refuse')
    expectMessage(await submit(), '第1行：存在更近效期批次FF1，请填写原因')
    expect((await submit({ reason: '科室指定批次' })).code).toBe(0)
    expect((await hospital.info('grantOdo', sn)).history.at(-1)).toMatchObject({ reason: '科室指定批次' })
    await hospital.done('grantOdo', 'unsubmit', sn)
    const written = await attempt(hospital, 'grantOdo', grant([some('FF2', '1', { remark: '科室指定批次' })]))
    expect(written.code).toBe(0)
    await scene.rule(h, 'first_expiry_first', 'warn')
  })

  step('what may not be issued is refused by lot and state', async () => {
    const { hospital, central } = scene
    const submit = (lines: object[], more: object = {}) => attempt(hospital, 'grantOdo', grant(lines, more))
    expectMessage(await submit([some('FF3', '1', { quality_state: 'pending' })]), '第1行：批号FF3为待验状态，不能发放')
    expectMessage(await submit([some('FF1', '1')], { business_date: day(201) }), '第1行：批号FF1为已过期状态，不能发放')
    expectMessage(
      await submit([some('FF1', '16')]),
      '库存不足：一次性使用球囊充压装置 30atm 20ml 批号FF1 可用15，需要16',
    )
    expectMessage(
      await submit([some('FF1', '1')], { to_warehouse_model_inner_sn: central }),
      '发放仓库与领入仓库不能相同',
    )
    expectMessage(await submit([{ unit_codes: ['FF-2'] }, { unit_codes: ['FF-2'] }]), '院内码FF-2在本单中重复')
    expectMessage(await submit([{ unit_codes: ['FF-1'] }]), '院内码FF-1不在该仓库，请核对所在仓库')
    const bare = await attempt(
      hospital,
      'grantOdo',
      grant([{ specification_sn: scene.stent, lot_no: 'FF4', quantity: '1' }]),
      'review',
    )
    expectMessage(bare, '第1行【冠状动脉药物洗脱支架系统】为一物一码产品，请扫描院内码')
  })

  step('partly reversed in red: only the rest is awaited', async () => {
    const { hospital, central, inflator } = scene
    const before = await shelf(hospital, central, inflator)
    const sn = await hospital.add('grantOdo', grant([some('FF1', '10')]))
    await hospital.pass('grantOdo', sn)
    await hospital.done('grantOdo', 'redReverse', sn, { reason: '多发', lines: [{ line_no: 1, quantity: '4' }] })
    expect(await shelf(hospital, central, inflator)).toEqual({ ...before, FF1: subtract(before.FF1 ?? '0', '6', 3) })
    const receipt = await hospital.from('wardReceipt', sn)
    expectMessage(await hospital.do('wardReceipt', 'review', receipt.sn), /数量不能大于来源单剩余数量6|库存不足/)
    const { version } = await hospital.info('wardReceipt', receipt.sn)
    await hospital.client.post('/v1/business/wardReceipt/edit', {
      sn: receipt.sn,
      version,
      lines: [{ line_no: 1, received_quantity: '6', difference_reason: 'short' }],
    })
    await hospital.done('wardReceipt', 'review', receipt.sn)
    expect((await hospital.info('grantOdo', sn)).state).toBe('completed')
  })

  step('换批次: another lot than reserved is issued, with a reason; the reservation moves with it', async () => {
    const { hospital, central, inflator, stent, d } = scene
    await scene.shelve(hospital, central, [
      lotOf(inflator, 'FFA', { quantity: '5', expiry_date: day(300) }),
      lotOf(inflator, 'FFB', { quantity: '3', expiry_date: day(400) }),
      lotOf(stent, 'FFC', { unit_codes: ['FF-A', 'FF-B'], owner_org_sn: d }),
    ])
    const sn = await hospital.add('grantOdo', grant([some('FFA', '3', { remark: '试' }), { unit_codes: ['FF-A'] }]))
    await hospital.done('grantOdo', 'submit', sn)
    const swap = (more: object) => hospital.do('grantOdo', 'swapLot', sn, more)
    expectMessage(await swap({ swap_line_no: 1, swap_lot_no: 'FFB' }), '请填写换批原因')
    const swap_reason = '货架上只找到该批'
    expectMessage(await swap({ swap_line_no: 9, swap_lot_no: 'FFB', swap_reason }), '没有第9行，请核对行号')
    expectMessage(
      await swap({ swap_line_no: 1, swap_lot_no: 'FF3', swap_reason }),
      '批号FF3在该仓库没有足够的可用合格库存，需要3',
    )
    expectMessage(await swap({ swap_line_no: 2, swap_reason }), '第2行为一物一码货物，请扫描要换的1个院内码')
    expect((await swap({ swap_line_no: 1, swap_lot_no: 'FFB', swap_reason })).code).toBe(0)
    expect((await swap({ swap_line_no: 2, swap_codes: ['FF-B'], swap_reason })).code).toBe(0)
    const { lines, swap_line_no } = await hospital.info('grantOdo', sn)
    expect(lines).toMatchObject([
      { lot_no: 'FFB', quantity: '3.000', remark: `原批号FFA，换批次：${swap_reason}` },
      { lot_no: 'FFC', unit_codes: ['FF-B'] },
    ])
    expect(swap_line_no).toBe(null)
    const free = async (lot_no: string) =>
      (await hospital.list('stockBalance', { warehouse_model_inner_sn: central, lot_no }))[0].available
    expect([await free('FFA'), await free('FFB')]).toEqual(['5.000', '0.000'])
    await hospital.done('grantOdo', 'review', sn)
    expect(await shelf(hospital, central, inflator)).toMatchObject({ FFA: '5.000' })
    expect((await hospital.trace('FF-B')).list.at(-1)).toMatchObject({ step: 'grant' })
  })

  step('picker and rechecker are two people; the recipient signs', async () => {
    const { hospital, surgeon } = scene
    const sn = await hospital.add(
      'grantOdo',
      grant([some('FF1', '1')], { picker_inner_sn: surgeon, rechecker_inner_sn: surgeon }),
    )
    await hospital.done('grantOdo', 'submit', sn)
    expectMessage(await hospital.do('grantOdo', 'review', sn), '拣货人与复核人不能为同一人')
    await hospital.done('grantOdo', 'unsubmit', sn)
    const { version } = await hospital.info('grantOdo', sn)
    await hospital.client.post('/v1/business/grantOdo/edit', {
      sn,
      version,
      rechecker_inner_sn: null,
      picker_inner_sn: null,
    })
    await hospital.pass('grantOdo', sn)
    const own = await scene.one("select employee_id as id from app_user where login = 'hospital'")
    expect(await hospital.info('grantOdo', sn)).toMatchObject({ picker_inner_sn: null, rechecker_inner_sn: own.id })
    const signature_sn = await hospital.sign('grantOdo', sn)
    await hospital.done('grantOdo', 'sign', sn, { receiver_inner_sn: surgeon, signature_sn })
    expect((await hospital.info('grantOdo', sn)).receiver_inner_sn).toBe(surgeon)
  })

  step('picked line by line; what is not found is recorded as short and returns to the requisition', async () => {
    const { hospital, central, inflator, stent, h, d, ward, department } = scene
    await scene.shelve(hospital, central, [
      lotOf(inflator, 'FF6', { quantity: '10', expiry_date: day(100), location: 'B-01-01-01' }),
      lotOf(stent, 'FF7', { unit_codes: ['FF-7', 'FF-8'], owner_org_sn: d }),
    ])
    const claim = await hospital.add('requisition', {
      warehouse_model_inner_sn: central,
      to_warehouse_model_inner_sn: ward,
      department_inner_sn: department,
      lines: [
        { specification_sn: inflator, quantity: '6' },
        { specification_sn: stent, quantity: '2' },
      ],
    })
    await hospital.pass('requisition', claim)
    const sn = await hospital.add('grantOdo', {
      source_sn: claim,
      source_type: 104,
      lines: [
        { source_line_no: 1, lot_no: 'FF6', quantity: '6', remark: '指定' },
        { source_line_no: 2, unit_codes: ['FF-7', 'FF-8'], quantity: '2', remark: '指定' },
      ],
    })
    await hospital.done('grantOdo', 'submit', sn)
    expect(await hospital.info('grantOdo', sn)).toMatchObject({ picking_state: '1', planned_total: '8.000' })
    const edit = async (lines: object[]) => {
      const { version } = await hospital.info('grantOdo', sn)
      return hospital.client.post('/v1/business/grantOdo/edit', { sn, version, lines })
    }
    await scene.rule(h, 'pick_before_grant', true)
    expectMessage(await hospital.do('grantOdo', 'review', sn), '还有2行未拣货')
    await scene.rule(h, 'pick_before_grant', false)
    expectMessage(
      await hospital.do('grantOdo', 'short', sn, { short_reason: '试' }),
      '尚未开始拣货，请先生成拣货单并拣货',
    )
    await hospital.done('grantOdo', 'pick', sn)
    expectMessage(await edit([{ line_no: 1, quantity: '4' }]), '待处理的发放出库单不能修改【发放数量】')
    expectMessage(await edit([{ line_no: 1, picked_quantity: '7' }]), '第1行：已拣数量不能大于应发数量6')
    expectMessage(
      await edit([{ line_no: 2, picked_quantity: '1', picked_codes: ['FF-2'] }]),
      '第2行：院内码FF-2不在本行应发的货物中',
    )
    expectMessage(await edit([{ line_no: 2, picked_quantity: '1' }]), /^第2行：一物一码的货物请逐码扫描拣货/)
    expect((await edit([{ line_no: 1, picked_quantity: '4' }])).code).toBe(0)
    expect((await edit([{ line_no: 2, picked_quantity: '1', picked_codes: ['FF-8'] }])).code).toBe(0)
    expect(await hospital.info('grantOdo', sn)).toMatchObject({ picking_state: '2', picked_total: '5.000' })
    expectMessage(await hospital.do('grantOdo', 'review', sn), '还有2行未拣货')
    const print = await hospital.client.get('/v1/business/grantOdo/print', { sn })
    expect(print.info.lines.map((line: { pick_key: string }) => line.pick_key)).toEqual(['B/09999/B-01-01-01', '~'])
    expectMessage(await hospital.do('grantOdo', 'short', sn), '请填写缺货原因')
    await hospital.done('grantOdo', 'short', sn, { short_reason: '货位实物不足' })
    const short = await hospital.info('grantOdo', sn)
    expect(short).toMatchObject({ picking_state: '3', short_total: '3.000', total_quantity: '5.000' })
    expect(short.lines[0]).toMatchObject({ quantity: '4.000', planned_quantity: '6.000', short_reason: '货位实物不足' })
    expect(short.lines[1].unit_codes).toEqual(['FF-8'])
    await hospital.done('grantOdo', 'review', sn)
    expect(await shelf(hospital, central, inflator)).toMatchObject({ FF6: '6.000' })
    const [asked] = await hospital.list('requisition', { sn: claim })
    expect(asked).toMatchObject({ state: 'partial' })
    const counter = await hospital.list('grantOdo', { sort: '-is_urgent,planned_date' })
    expect(counter.length).toBeGreaterThan(1)
    const again = await hospital.add('grantOdo', { source_sn: claim, source_type: 104 })
    expect((await hospital.info('grantOdo', again)).lines.map((line: { quantity: string }) => line.quantity)).toEqual([
      '2.000',
      '1.000',
    ])
  })

  step('at the counter urgent ones come first, then the earlier planned date; drafts are not listed', async () => {
    const { hospital } = scene
    const lines = [some('FF6', '1')]
    const waits = async (more: object) => {
      const sn = await hospital.add('grantOdo', grant(lines, more))
      await hospital.done('grantOdo', 'submit', sn)
      return sn
    }
    const later = await waits({ planned_date: day(3) })
    const sooner = await waits({ planned_date: day(2) })
    const urgent = await waits({ planned_date: day(5), is_urgent: true })
    const draft = await hospital.add('grantOdo', grant(lines, { is_urgent: true }))
    const counter = grantOdo.screens.find(screen => screen.route === '/commonView/grantOdoWarehouse')!
    const asked = { sort: counter.sort!, state: counter.states!.join(','), pageSize: '100' }
    const shown = (await hospital.list('grantOdo', asked)).map(row => row.sn)
    expect(shown.filter(sn => [later, sooner, urgent, draft].includes(sn))).toEqual([urgent, sooner, later])
    // Counter staff see no prices.
    expect(counter.columns.filter(name => /amount|price/.test(name))).toEqual([])
  })
})
