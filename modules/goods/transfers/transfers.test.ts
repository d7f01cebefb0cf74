import { add, subtract } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { attempt, lotOf, openScene, expectMessage, type Scene, shelf } from '#tests/support/fixture.ts'
import { remindLoans } from '#modules/goods/transfers/loans.server.ts'
import { day, type Person } from '#tests/support/story.ts'

/**
 * 调拨: goods change their warehouse inside one organisation, at cost, with every lot and code; what is in transit is
 * still the sender's.
 */
let scene: Scene
let nurse: Person
let cold = ''
beforeAll(async () => {
  scene = await openScene({ figures: true })
  nurse = await scene.person('nurse')
  cold = await scene.warehouse('H01-W01')
  const { hospital, central, ward, inflator, balloon, d } = scene
  await scene.shelve(hospital, central, [
    lotOf(inflator, 'DB1', { quantity: '7', price: '33.33', location: 'A-01' }),
    lotOf(inflator, 'DB2', { quantity: '9', owner_org_sn: d }),
    lotOf(balloon, 'DB3', { unit_codes: ['DB-1', 'DB-2', 'DB-3'] }),
  ])
  await scene.shelve(hospital, ward, [
    lotOf(inflator, 'DB4', { quantity: '10', expiry_date: day(300) }),
    lotOf(inflator, 'DB5', { quantity: '10', expiry_date: day(900) }),
  ])
})
afterAll(() => scene?.close())

const sent = (lines: object[], more: object = {}) => ({
  warehouse_model_inner_sn: scene.central,
  to_warehouse_model_inner_sn: cold,
  lines,
  ...more,
})
const some = (lot_no: string, quantity: string, more: object = {}) => ({
  specification_sn: scene.inflator,
  lot_no,
  quantity,
  ...more,
})
const passed = async (body: object): Promise<string> => {
  const sn = await scene.hospital.add('transfer', body)
  await scene.hospital.pass('transfer', sn)
  return sn
}
const valueIn = async (warehouse: string, lot: string) =>
  (
    await scene.one(
      `select sum(b.value)::text as value from stock_balance b join lot t on t.id = b.lot_id
        where b.warehouse_id = $1 and t.lot_no = $2`,
      warehouse,
      lot,
    )
  ).value
/** The cost of today's losses of the central store, from the report of goods that left at cost. */
const lostAtCost = async (lot_no: string) => {
  const query = { begin_date: day(), end_date: day(), document_kind: 'loss', warehouse_model_inner_sn: scene.central }
  const { list } = await scene.hospital.client.get('/v1/report/outboundFinance', query)
  return list.filter((row: { lot_no: string }) => row.lot_no === lot_no).map((row: { cost: string }) => row.cost)
}
const state = async (sn: string) => (await scene.hospital.info('transfer', sn)).state

story('goods that move within one organisation', step => {
  // 调拨 in two steps
  step('is in transit until the other warehouse confirms; the cost moves with it to the cent', async () => {
    const { hospital, central, inflator, balloon } = scene
    const sn = await passed(sent([some('DB1', '3'), { unit_codes: ['DB-1', 'DB-2'] }]))
    expect(await hospital.info('transfer', sn)).toMatchObject({ state: 'reviewed', receive_state: '1' })
    expect(await shelf(hospital, central, inflator)).toMatchObject({ DB1: '4.000' })
    expect((await hospital.trace('DB-1')).info.now).toMatchObject({ status: 'in_transit' })
    // In transit it is a line of its own, and the organisation's total stays the same.
    const { list } = await hospital.client.get('/v1/report/stockAsOf', { end_date: day(), lot_no: 'DB1' })
    expect(Object.fromEntries(list.map(row => [row.warehouse_name === '在途', [row.quantity, row.value]]))).toEqual({
      true: ['3.000', '99.99'],
      false: ['4.000', '133.32'],
    })
    const receipt = await hospital.from('transferReceipt', sn)
    expect(receipt).toMatchObject({ state: 'submitted', state_name: '待收货', warehouse_model_inner_sn: cold })
    await hospital.done('transferReceipt', 'review', receipt.sn)
    expect(await hospital.info('transfer', sn)).toMatchObject({ state: 'completed', receive_state: '3' })
    expect((await hospital.info('transfer', sn)).received_by).toBeTruthy()
    expect([await valueIn(cold, 'DB1'), await valueIn(central, 'DB1')]).toEqual(['99.99', '133.32'])
    expect(await shelf(hospital, cold, balloon)).toMatchObject({ DB3: '2.000' })
    expect((await hospital.trace('DB-1')).list.map((event: { step: string }) => event.step)).toEqual([
      'opening',
      'transfer_out',
      'transfer_in',
    ])
    expectMessage(await hospital.do('transfer', 'unreview', sn), `对方已收货，不能反审核（${receipt.sn}）`)
    expectMessage(await hospital.do('transfer', 'redReverse', sn, { reason: '试' }), /对方已收货|已有后续业务/)
    await hospital.done('transferReceipt', 'redReverse', receipt.sn, { reason: '收错库' })
    expect(await state(sn)).toBe('reviewed')
    await hospital.done('transfer', 'redReverse', sn, { reason: '调错' })
    expect(await shelf(hospital, central, inflator)).toMatchObject({ DB1: '7.000' })
    expect(await valueIn(central, 'DB1')).toBe('233.31')
  })

  step('is partly received with a reason, partly refused, and stopped: the rest returns to its location', async () => {
    const { hospital, central, inflator } = scene
    const sn = await passed(sent([some('DB1', '6')]))
    const lines = (quantity: string) => ({ lines: [{ line_no: 1, quantity }] })
    expectMessage(await hospital.do('transfer', 'receive', sn, lines('7')), '数量不能大于在途数量6')
    expectMessage(await hospital.do('transfer', 'receive', sn, lines('2')), '差异数量4，请填写原因')
    await hospital.done('transfer', 'receive', sn, { ...lines('2'), reason: '少发，待找' })
    expect(await state(sn)).toBe('partial')
    expectMessage(await hospital.do('transfer', 'refuse', sn, lines('1')), '请填写拒收原因')
    await hospital.done('transfer', 'refuse', sn, { ...lines('1'), reason: '包装破损' })
    expect(await shelf(hospital, central, inflator)).toMatchObject({ DB1: '2.000' })
    const before = await hospital.list('stockBalance', { in_transit: '1', lot_no: 'DB1' })
    expect(before.filter(row => row.location === sn)).toMatchObject([{ quantity: '3.000' }])
    await hospital.done('transfer', 'stop', sn, { reason: '不再需要' })
    expect(await hospital.info('transfer', sn)).toMatchObject({ state: 'stopped' })
    const here = await hospital.list('stockBalance', { warehouse_model_inner_sn: central, lot_no: 'DB1' })
    expect(here).toMatchObject([{ location: 'A-01', quantity: '5.000' }])
    expectMessage(await hospital.do('transfer', 'receive', sn), '当前单据状态不允许该操作')
    expect((await hospital.list('transferReturn', { source_sn: sn })).length).toBe(2)
  })

  step(
    '在途报损: what never arrived is written off from transit at cost; a total loss leaves nothing to receive',
    async () => {
      const { hospital, central } = scene
      const head = await scene.person('keeper')
      await scene.shelve(hospital, central, [lotOf(scene.inflator, 'DB9', { quantity: '4', price: '33.33' })])
      const [before, cost] = [await valueIn(central, 'DB9'), await valueIn(cold, 'DB9')]
      const sn = await passed(sent([some('DB9', '2')]))
      const receipt = await hospital.from('transferReceipt', sn)
      const lose = (quantity: string) =>
        hospital.add('loss', {
          source_type: 129,
          source_sn: sn,
          loss_reason: '运输途中丢失',
          lines: [{ source_line_no: 1, quantity }],
        })
      const early = await lose('1')
      expectMessage(
        await hospital.do('loss', 'submit', early),
        `请先由收货方在${receipt.sn}确认实收数量，再对没有收到的部分报损`,
      )
      await hospital.done('transfer', 'receive', sn, { reason: '少一件', lines: [{ line_no: 1, quantity: '1' }] })
      await hospital.done('loss', 'submit', early)
      await head.done('loss', 'review', early)
      expect(await hospital.info('loss', early)).toMatchObject({ loss_type: 'transport', taxed_amount: '33.33' })
      expect(await lostAtCost('DB9')).toEqual(['33.33'])
      expect(await state(sn)).toBe('completed')
      expect((await hospital.trace('DB9')).list.at(-1)).toMatchObject({ step: 'loss' })
      expectMessage(await hospital.do('transfer', 'stop', sn, { reason: '晚了' }), /当前单据状态不允许该操作/)
      await hospital.done('loss', 'redReverse', early, { reason: '找到了' })
      expect((await lostAtCost('DB9')).sort()).toEqual(['-33.33', '33.33'])
      expect(await state(sn)).toBe('partial')
      await hospital.done('transfer', 'receive', sn)
      expect(await state(sn)).toBe('completed')
      const gone = await passed(sent([some('DB9', '1')]))
      const waiting = await hospital.from('transferReceipt', gone)
      const all = await hospital.add('loss', { source_type: 129, source_sn: gone, loss_reason: '车辆事故' })
      await hospital.done('loss', 'submit', all)
      await head.done('loss', 'review', all)
      expect([await state(gone), (await hospital.info('transferReceipt', waiting.sn)).state]).toEqual([
        'completed',
        'cancelled',
      ])
      expect(await valueIn(central, 'DB9')).toBe(subtract(before, '99.99', 2))
      expect(await valueIn(cold, 'DB9')).toBe(add(cost ?? 0, '66.66', 2))
      await hospital.done('loss', 'redReverse', all, { reason: '虚惊' })
      await hospital.done('transfer', 'stop', gone, { reason: '货回来了' })
    },
  )

  step('fully refused, it is completed without moves; undone before receipt, everything is as before', async () => {
    const { hospital, central, inflator } = scene
    const before = await shelf(hospital, central, inflator)
    const sn = await passed(sent([some('DB1', '1')]))
    await hospital.done('transfer', 'unreview', sn)
    const [receipt] = await hospital.list('transferReceipt', { source_sn: sn })
    expect(receipt.state).toBe('cancelled')
    await hospital.done('transfer', 'review', sn)
    await hospital.done('transfer', 'refuse', sn, { reason: '送错' })
    expect(await state(sn)).toBe('completed')
    expect(await shelf(hospital, central, inflator)).toEqual(before)
  })

  step('needs the owner’s consent for consigned goods; not to the same or a stop-sale warehouse', async () => {
    const { hospital, central } = scene
    const submit = (body: object) => attempt(hospital, 'transfer', body)
    expectMessage(await submit(sent([some('DB2', '1')])), '第1行：寄售产品未经货主同意，不能调拨，请上传货主的书面同意')
    expectMessage(
      await submit(sent([some('DB1', '1')], { to_warehouse_model_inner_sn: central })),
      '调出仓库与调入仓库不能相同',
    )
    const stopped = await scene.warehouse('H01-W05')
    expectMessage(
      await submit(sent([some('DB1', '1')], { to_warehouse_model_inner_sn: stopped })),
      '停售库存请使用停售单办理',
    )
    expectMessage(
      await submit(sent([some('DB1', '99')])),
      /^库存不足：一次性使用球囊充压装置 30atm 20ml 批号DB1 可用\d+，需要\d+$/,
    )
  })

  // 移库 in one step
  step('arrives at once, from location to location of one warehouse, and is undone exactly', async () => {
    const { hospital, central } = scene
    const body = { transfer_type: 'move', to_warehouse_model_inner_sn: central }
    expectMessage(
      await attempt(hospital, 'transfer', sent([some('DB1', '1', { location: 'A-01', to_location: 'A-01' })], body)),
      '第1行：移出货位与移入货位不能相同',
    )
    await scene.places(central, ['B-02'])
    const sn = await passed(sent([some('DB1', '2', { to_location: 'B-02' })], body))
    const places = async () =>
      (await hospital.list('stockBalance', { warehouse_model_inner_sn: central, lot_no: 'DB1' }))
        .map(row => [row.location, row.quantity])
        .sort()
    expect(await places()).toEqual([
      ['A-01', '3.000'],
      ['B-02', '2.000'],
    ])
    expect(await hospital.list('transferReceipt', { source_sn: sn })).toEqual([])
    const moves = (move_kind: string) => hospital.list('transfer', { transfer_type: 'move', move_kind, sn })
    expect(await moves('inside')).toMatchObject([{ move_kind: 'inside' }])
    expect(await moves('between')).toEqual([])
    expectMessage(await hospital.do('transfer', 'receive', sn), '移库一步到位，没有收货环节')
    await hospital.done('transfer', 'redReverse', sn, { reason: '放错', lines: [{ line_no: 1, quantity: '1' }] })
    expect(await places()).toEqual([
      ['A-01', '4.000'],
      ['B-02', '1.000'],
    ])
    await hospital.done('transfer', 'redReverse', sn, { reason: '放错' })
    expect(await places()).toEqual([['A-01', '5.000']])
    await scene.one(
      'update warehouse set manager_id = (select min(id) from employee where org_id = $1) where id = $2 returning 1',
      scene.h,
      central,
    )
    await scene.one(
      'update warehouse set manager_id = (select max(id) from employee where org_id = $1) where id = $2 returning 1',
      scene.h,
      cold,
    )
    expectMessage(
      await attempt(hospital, 'transfer', sent([some('DB1', '1')], { transfer_type: 'move' })),
      '不同管理员的仓库请使用调拨单',
    )
  })

  step('goes to no closed shelf, and to none too cold for the goods', async () => {
    const { hospital, central } = scene
    const post = async (kind: string, call: string, body: Record<string, unknown>) => {
      const reply = await hospital.client.post(`/v1/business/${kind}/${call}`, body)
      expect(reply.code, reply.msg).toBe(0)
      return reply.info
    }
    const places = async (code: string, storage_condition: string, area_kind = 'qualified') => {
      const body = { warehouse_model_inner_sn: central, area: `Z${code}`, area_kind, code, layers: 1, columns_count: 1 }
      const { sn } = await post('shelf', 'add', { ...body, storage_condition })
      await post('shelf', 'generate', { sn, version: 1 })
    }
    await places('1', 'cold')
    await places('2', 'normal')
    const [shut] = await hospital.list('shelfPlace', { code: 'Z2-02-01-01' })
    await post('shelfPlace', 'disable', { sn: shut.shelf_place_sn, version: shut.version })
    const to = (to_location: string) =>
      attempt(
        hospital,
        'transfer',
        sent([some('DB1', '1', { to_location })], { transfer_type: 'move', to_warehouse_model_inner_sn: central }),
      )
    expectMessage(await to('Z1-01-01-01'), '第1行：货位储存条件与产品不符：Z1-01-01-01')
    expectMessage(await to('Z2-02-01-01'), '第1行：货位Z2-02-01-01已停用，请重新选择')
    const { name } = await scene.one('select name from warehouse where id = $1', central)
    expectMessage(await to('Z-09'), `第1行：仓库【${name}】没有货位Z-09，请在仓库建模中核对货位编码`)
    await places('3', 'normal', 'unqualified')
    expectMessage(
      await to('Z3-03-01-01'),
      '第1行：货位Z3-03-01-01在不合格品区(红)，合格货物只能放在合格品区(绿)或发货区(绿)',
    )
    // The same applies to what comes in: a receipt, a find, an opening stock.
    const came = (location: string) => ({
      counterparty_sn: scene.d,
      warehouse_model_inner_sn: central,
      lines: [lotOf(scene.inflator, 'DB8', { quantity: '1', price: '140', location })],
    })
    expectMessage(await attempt(hospital, 'purchaseGrn', came('A-99')), /没有货位A-99/)
    await places('4', 'normal')
    const taken = await attempt(hospital, 'purchaseGrn', came('Z4-04-01-01'), 'review')
    expect(taken.code, taken.msg).toBe(0)
    // A warehouse that does not use locations has none, and one without defined locations accepts no text for one.
    await scene.one('update warehouse set use_locations = false where id = $1 returning 1', central)
    expectMessage(
      await attempt(hospital, 'purchaseGrn', came('窗台')),
      `第1行：仓库【${name}】未启用货位，请清空货位窗台，或先在仓库建模中启用`,
    )
    const bare = { ...came('窗台'), warehouse_model_inner_sn: scene.ward }
    expectMessage(
      await attempt(hospital, 'purchaseGrn', bare),
      /^第1行：仓库【.+】没有货位窗台，请在仓库建模中核对货位编码$/,
    )
    await scene.one('update warehouse set use_locations = true where id = $1 returning 1', central)
  })

  // 科室借用
  const borrow = (quantity: string, more: object = {}) =>
    sent([some('DB1', quantity)], {
      transfer_type: 'borrow',
      to_warehouse_model_inner_sn: scene.ward,
      due_date: day(7),
      ...more,
    })

  step('overdue is chased by the system once a day, until returned', async () => {
    const { hospital, central, inflator } = scene
    await scene.shelve(hospital, central, [lotOf(inflator, 'DBL', { quantity: '2' })])
    const lines = [some('DBL', '2')]
    const loan = await passed(borrow('2', { lines }))
    await hospital.done('transfer', 'receive', loan)
    const { owner } = scene.server.database
    const asked = async () => {
      await remindLoans(owner)
      return owner`select 1 from message where object_id = ${loan} and title = '借用催还'`
    }
    expect(await asked()).toEqual([])
    await owner`update document set fields = fields || '{"due_date": "2026-01-01"}' where sn = ${loan}`
    expect(await asked()).toHaveLength(1)
    expect(await asked()).toHaveLength(1)
    await owner`update message set extra = '{"reminds": "2026-01-02"}' where object_id = ${loan}`
    expect(await asked()).toHaveLength(2)
    await hospital.done('transfer', 'toTransfer', loan, { reason: '长期使用' })
    await owner`update message set extra = '{}' where object_id = ${loan}`
    expect(await asked()).toHaveLength(2)
  })

  step('is returned in part, from another lot that expires no earlier; never more than was borrowed', async () => {
    const { hospital, ward, inflator } = scene
    expectMessage(await attempt(hospital, 'transfer', borrow('3', { due_date: null })), '请填写预计归还日期')
    const loan = await passed(borrow('3'))
    expectMessage(await hospital.do('transfer', 'giveBack', loan), '当前单据状态不允许该操作')
    await hospital.done('transfer', 'receive', loan)
    await hospital.done('transfer', 'remind', loan)
    const notified = await scene.one('select title, body from message where object_id = $1', loan)
    expect(notified).toMatchObject({ title: '借用催还', body: expect.stringContaining(loan) })
    await hospital.done('transfer', 'giveBack', loan)
    const draft = await hospital.from('transfer', loan)
    expect(draft).toMatchObject({ state: 'draft', transfer_type: 'give_back', warehouse_model_inner_sn: ward })
    const edit = (lot_no: string, quantity: string) =>
      hospital.done('transfer', 'edit', draft.sn, { lines: [{ line_no: 1, lot_no, quantity }] })
    await edit('DB4', '2')
    expectMessage(await hospital.do('transfer', 'submit', draft.sn), '第1行：归还批次效期不得早于借出批次')
    await edit('DB5', '4')
    expectMessage(await hospital.do('transfer', 'submit', draft.sn), '第1行：归还数量不能大于未归还数量3')
    await edit('DB5', '2')
    await hospital.pass('transfer', draft.sn)
    expect((await hospital.info('transfer', loan)).give_back_state).toBe('2')
    expect(await shelf(hospital, ward, inflator)).toMatchObject({ DB1: '3.000', DB5: '8.000' })
    await hospital.done('transfer', 'toTransfer', loan, { reason: '不再归还' })
    expectMessage(await hospital.do('transfer', 'giveBack', loan), '借用已转为调拨')
    expect(await hospital.info('transfer', loan)).toMatchObject({ is_converted: true, borrow_type: 'convert' })
  })

  step('is listed with what is still out, red once it is overdue, and is given back once', async () => {
    const { hospital, central, ward, inflator } = scene
    await scene.shelve(hospital, central, [lotOf(inflator, 'DBM', { quantity: '5' })])
    const loan = await passed(borrow('5', { lines: [some('DBM', '5')], transfer_reason: '急诊' }))
    await hospital.done('transfer', 'receive', loan)
    const listed = async (query: object = {}) =>
      (await hospital.list('transfer', { transfer_type: 'borrow', sn: loan, ...query } as Record<string, string>))[0]
    const { name } = await scene.one('select name from department where id = $1', scene.department)
    expect(await listed()).toMatchObject({
      owed_quantity: '5.000',
      given_back_quantity: '0.000',
      borrowing_department: name,
      overdue: '0',
      overdue_days: null,
    })
    const due = day(-3)
    await scene.one(
      `update document set fields = fields || jsonb_build_object('due_date', $2::text) where sn = $1 returning 1`,
      loan,
      due,
    )
    expect(await listed({ overdue: '1', borrowing_department: name })).toMatchObject({ overdue: '1', overdue_days: 3 })
    await remindLoans(scene.server.database.owner)
    const { stores } = await scene.one("select stores from message where object_id = $1 and title = '借用催还'", loan)
    expect(new Set(stores)).toEqual(new Set([ward, central]))
    await hospital.done('transfer', 'giveBack', loan)
    const draft = await hospital.from('transfer', loan)
    expectMessage(await hospital.do('transfer', 'giveBack', loan), `已有未完成的归还单${draft.sn}，请在【归还】中办理`)
    await hospital.done('transfer', 'edit', draft.sn, { lines: [{ line_no: 1, lot_no: 'DBM', quantity: '2' }] })
    await hospital.done('transfer', 'submit', draft.sn)
    expectMessage(
      await hospital.do('transfer', 'toTransfer', loan, { reason: '留用' }),
      `归还单${draft.sn}正待审核，请先审核或驳回，再转为调拨`,
    )
    await hospital.done('transfer', 'review', draft.sn)
    expect(await listed()).toMatchObject({ owed_quantity: '3.000', given_back_quantity: '2.000', overdue: '1' })
    await hospital.done('transfer', 'toTransfer', loan, { reason: '留用' })
    expect(await listed()).toMatchObject({ owed_quantity: '0.000', overdue: '0', overdue_days: null })
    expect((await hospital.info('transfer', loan)).converted_on).toBe(day())
    expect(await shelf(hospital, ward, inflator)).toMatchObject({ DBM: '3.000' })
  })

  step('given back wholly, it is no transfer', async () => {
    const { hospital, central, inflator } = scene
    await scene.shelve(hospital, central, [lotOf(inflator, 'DBN', { quantity: '1' })])
    const loan = await passed(borrow('1', { lines: [some('DBN', '1')] }))
    await hospital.done('transfer', 'receive', loan)
    await hospital.done('transfer', 'giveBack', loan)
    const draft = await hospital.from('transfer', loan)
    await hospital.done('transfer', 'edit', draft.sn, { lines: [{ line_no: 1, lot_no: 'DBN', quantity: '1' }] })
    await hospital.pass('transfer', draft.sn)
    expectMessage(await hospital.do('transfer', 'toTransfer', loan, { reason: '留用' }), '借用已全部归还，无需转为调拨')
  })

  step('is confirmed by people of the warehouse concerned', async () => {
    const { hospital } = scene
    const sn = await passed(borrow('1'))
    await scene.one("update app_user set store_scope = 'chosen' where login = 'nurse' returning 1")
    await scene.one(
      `insert into user_scope (org_id, user_id, warehouse_id) select org_id, id, $1 from app_user
        where login = 'nurse' returning 1`,
      scene.ward,
    )
    nurse = await scene.person('nurse')
    expectMessage(await nurse.do('transfer', 'stop', sn, { reason: '试' }), /^没有操作权限/)
    await nurse.done('transfer', 'receive', sn)
    expect(await hospital.info('transfer', sn)).toMatchObject({ state: 'completed' })
  })
})
