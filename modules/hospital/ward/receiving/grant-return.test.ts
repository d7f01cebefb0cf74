import { divide, isPositive, add } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { lotOf, openScene, expectMessage, type Scene, shelf } from '#tests/support/fixture.ts'

/** 科室退库: a ward returns what it has, and what never arrived goes back from transit. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  const { hospital, central, inflator, balloon, d } = scene
  await scene.shelve(hospital, central, [
    lotOf(inflator, 'TK1', { quantity: '50' }),
    lotOf(balloon, 'TK2', { unit_codes: ['TK-1', 'TK-2', 'TK-3'], owner_org_sn: d }),
  ])
})
afterAll(() => scene?.close())

/** Issued to the ward and received there, less what did not arrive. */
async function granted(line: object, received?: object): Promise<string> {
  const { hospital, central, ward, department } = scene
  const sn = await hospital.add('grantOdo', {
    warehouse_model_inner_sn: central,
    to_warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    lines: [line],
  })
  await hospital.pass('grantOdo', sn)
  const receipt = await hospital.from('wardReceipt', sn)
  if (received) await hospital.done('wardReceipt', 'edit', receipt.sn, { lines: [{ line_no: 1, ...received }] })
  await hospital.done('wardReceipt', 'review', receipt.sn)
  return sn
}
const plain = (quantity: string) => ({ specification_sn: scene.inflator, lot_no: 'TK1', quantity })
const back = (grant: string, lines?: object[], more: object = {}) =>
  scene.hospital.add('grantReturn', {
    source_type: 1,
    source_sn: grant,
    return_reason: '未用完',
    ...(lines ? { lines } : {}),
    ...more,
  })
async function takenIn(sn: string): Promise<void> {
  const { hospital } = scene
  await hospital.done('grantReturn', 'submit', sn)
  await hospital.done('grantReturn', 'inspect', sn)
  await hospital.done('grantReturn', 'review', sn)
}

story('department return, from one step to the next', step => {
  step(
    'a ward return goes to its source warehouse, inspected first; bad part apart; at most what was issued',
    async () => {
      const { hospital, central, ward, inflator } = scene
      const grant = await granted(plain('10'))
      const sn = await back(grant, [{ source_line_no: 1, quantity: '4' }])
      const draft = await hospital.info('grantReturn', sn)
      expect(draft).toMatchObject({ warehouse_model_inner_sn: ward, to_warehouse_model_inner_sn: central })
      expect(draft.lines[0]).toMatchObject({ lot_no: 'TK1', source_quantity: '10.000', left_quantity: '10.000' })
      await hospital.done('grantReturn', 'submit', sn)
      expectMessage(await hospital.do('grantReturn', 'review', sn), '请先完成退库验收')
      await hospital.done('grantReturn', 'edit', sn, { lines: [{ line_no: 1, unqualified_quantity: '1' }] })
      expectMessage(await hospital.do('grantReturn', 'inspect', sn), '第1行：请填写不合格原因')
      await hospital.done('grantReturn', 'edit', sn, {
        lines: [{ line_no: 1, unqualified_quantity: '1', unqualified_reason: '包装破损' }],
      })
      await hospital.done('grantReturn', 'inspect', sn)
      // Goods that cannot be used again are marked on the printed slip and totalled separately.
      const slip = (await hospital.client.get('/v1/business/grantReturn/print', { sn })).info
      const { taxed_amount: money, remark } = slip.lines[0]
      expect(slip).toMatchObject({ quantity_total: '4', usable_total: '3', scrap_total: '1' })
      expect(slip.scrap_amount).toBe(divide(money, '4', 2))
      expect([remark, isPositive(money)]).toEqual(['转报废1', true])
      await hospital.done('grantReturn', 'review', sn)
      expect(await shelf(hospital, ward, inflator)).toEqual({ TK1: '6.000' })
      const rows = await hospital.list('stockBalance', { warehouse_model_inner_sn: central, lot_no: 'TK1' })
      expect(rows.map(row => [row.quality_state, row.quantity]).sort()).toEqual([
        ['qualified', '43.000'],
        ['unqualified', '1.000'],
      ])
      const more = await back(grant, [{ source_line_no: 1, quantity: '7' }])
      expectMessage(await hospital.do('grantReturn', 'submit', more), /^库存不足/)
      await hospital.done('grantReturn', 'cancel', more, { reason: '多填' })
      // The ward has more of the lot than this issue brought: only what it brought can be returned by it.
      await granted(plain('5'))
      const beyond = await back(grant, [{ source_line_no: 1, quantity: '7' }])
      await hospital.done('grantReturn', 'submit', beyond)
      await hospital.done('grantReturn', 'inspect', beyond)
      expectMessage(await hospital.do('grantReturn', 'review', beyond), '退库数量不能大于可退数量6')
      await hospital.done('grantReturn', 'reject', beyond, { reason: '多填' })
      await hospital.done('grantReturn', 'redReverse', sn, { reason: '又要用', lines: [{ line_no: 1, quantity: '4' }] })
      expect((await hospital.info('grantReturn', sn)).state).toBe('reversed')
      expect(await shelf(hospital, ward, inflator)).toEqual({ TK1: '15.000' })
    },
  )

  step('a serial by its code, with its owner; not a used one', async () => {
    const { hospital, central, ward, balloon, department, surgeon, d } = scene
    const grant = await granted({ unit_codes: ['TK-1', 'TK-2'] })
    const used = await hospital.add('departmentUse', {
      warehouse_model_inner_sn: ward,
      department_inner_sn: department,
      patient_name: '应牧野',
      doctor_inner_sn: surgeon,
      lines: [{ unit_codes: ['TK-1'] }],
    })
    await hospital.pass('departmentUse', used)
    const late = await back(grant, [{ source_line_no: 1, unit_codes: ['TK-1'] }])
    expectMessage(await hospital.do('grantReturn', 'submit', late), '院内码TK-1已使用，不能退库')
    const sn = await back(grant, [{ source_line_no: 1, unit_codes: ['TK-2'] }])
    await takenIn(sn)
    const [row] = await hospital.list('stockBalance', { warehouse_model_inner_sn: central, specification_sn: balloon })
    expect(row).toMatchObject({ quantity: '2.000', owner_org_sn: d })
    await hospital.done('grantReturn', 'unreview', sn)
    await hospital.done('grantReturn', 'unsubmit', sn)
    const steps = (await hospital.trace('TK-2')).list.map((event: { step: string }) => event.step)
    expect(steps.slice(0, 4)).toEqual(['opening', 'grant', 'ward_receive', 'return'])
  })

  step('what never reached the ward is returned from transit, and the issue is done', async () => {
    const { hospital, central, inflator } = scene
    const grant = await granted(plain('5'), { received_quantity: '3', difference_reason: 'short' })
    expect((await hospital.info('grantOdo', grant)).state).toBe('partial')
    const good = async () =>
      (
        await hospital.list('stockBalance', {
          warehouse_model_inner_sn: central,
          lot_no: 'TK1',
          quality_state: 'qualified',
        })
      )[0].quantity
    const before = await good()
    const sn = await back(grant, undefined, { source_type: 123, return_reason: '科室未收到' })
    expect(await hospital.info('grantReturn', sn)).toMatchObject({ total_quantity: '2.000' })
    await takenIn(sn)
    expect((await hospital.info('grantReturn', sn)).return_type).toBe('missing')
    expect(await good()).toBe(add(before, '2', 3))
    expect((await hospital.info('grantOdo', grant)).state).toBe('completed')
    const transit = await hospital.list('stockBalance', { specification_sn: inflator, in_transit: '1' })
    expect(transit.filter(row => row.location === grant)).toEqual([])
    // Pieces in transit are named by their codes.
    const coded = await granted({ unit_codes: ['TK-3'] }, { received_quantity: '0', difference_reason: 'short' })
    const piece = await back(coded, undefined, { source_type: 123 })
    await takenIn(piece)
    expect((await hospital.list('unitLabel', { q: 'TK-3' }))[0]).toMatchObject({ status: 'in_stock' })
  })
})
