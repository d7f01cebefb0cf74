import { add, wholePieces } from '#kernel/values/decimal.ts'
import { booksOfLot } from '#modules/goods/quality/recall-register.server.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { attempt, lotOf, openScene, expectMessage, type Scene, shelf } from '#tests/support/fixture.ts'
import { uploadPicture } from '#tests/support/picture.ts'
import type { Person } from '#tests/support/story.ts'

/** Goods that one hospital sends to another at cost. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene({ figures: true })
})
afterAll(() => scene?.close())
story('机构调拨', step => {
  let other: Person
  let h2 = ''
  let theirs = ''
  beforeAll(async () => {
    const { hospital, central, inflator, stent, d } = scene
    h2 = await scene.org('H02')
    theirs = await scene.store('H02', 'central')
    await scene.one(
      `insert into app_user (org_id, login, password_hash, name, is_administrator)
        select $1, 'hospital-two', password_hash, '二院', true from app_user where login = 'hospital' returning 1`,
      h2,
    )
    other = await scene.person('hospital-two')
    await scene.shelve(hospital, central, [
      lotOf(inflator, 'JG1', { quantity: '9', price: '33.33' }),
      lotOf(inflator, 'JG2', { quantity: '4', owner_org_sn: d }),
      lotOf(stent, 'JG3', { unit_codes: ['JG-1', 'JG-2'], price: '2000' }),
    ])
  })
  const some = (lot_no: string, quantity: string, more: object = {}) => ({
    specification_sn: scene.inflator,
    lot_no,
    quantity,
    ...more,
  })
  const state = async (sn: string) => (await scene.hospital.info('transfer', sn)).state
  const across = (lines: object[], more: object = {}) => ({
    transfer_type: 'across',
    counterparty_sn: h2,
    warehouse_model_inner_sn: scene.central,
    transfer_reason: '医联体调剂',
    lines,
    ...more,
  })
  const created = async (sn: string) => {
    const doc = await other.from('transferArrival', sn)
    await other.done('transferArrival', 'edit', doc.sn, { warehouse_model_inner_sn: theirs })
    return other.info('transferArrival', doc.sn)
  }
  const line = (doc: { lines: { line_no: number; lot_no: string }[] }, lot: string) =>
    doc.lines.find(row => row.lot_no === lot)!.line_no

  step('needs a live relation between hospitals; what must be paid for is sold instead', async () => {
    const { hospital, ward, d } = scene
    const goods = [some('JG1', '1')]
    expectMessage(await attempt(hospital, 'transfer', across(goods, { counterparty_sn: null })), '请选择调入机构')
    expectMessage(
      await attempt(hospital, 'transfer', across(goods, { counterparty_sn: d })),
      /没有有效的医院之间或经销商之间的往来关系，不能调拨；跨机构有价调拨请使用销售出库$/,
    )
    expectMessage(
      await attempt(hospital, 'transfer', across(goods, { to_warehouse_model_inner_sn: ward })),
      '机构调拨由调入机构选择仓库，请清空调入仓库',
    )
    expectMessage(
      await attempt(hospital, 'transfer', across(goods, { transfer_type: 'allot', to_warehouse_model_inner_sn: ward })),
      '只有机构调拨填写调入机构，请核对调拨类型',
    )
    expectMessage(await attempt(hospital, 'transfer', across([some('JG2', '1')])), /寄售产品未经货主同意，不能调拨/)
    const offered = await hospital.client.get('/v1/business/organisation/list', { relation: 'sibling' })
    expect(offered.list.map((row: { org_sn: string }) => row.org_sn)).toEqual([h2])
  })

  step('arrives at cost with lots, serials and owner, nothing owed; refused goods return, the rest waits', async () => {
    const { hospital, central, inflator, d } = scene
    const memo = async (at: string) =>
      (
        await scene.one(
          `select coalesce(sum(quantity), 0)::text as n from consigned_out c join lot t on t.id = c.lot_id
            where c.org_id = $1 and c.customer_id = $2 and t.lot_no = 'JG2'`,
          d,
          at,
        )
      ).n
    const attachments = [await uploadPicture(hospital)]
    const sn = await hospital.add(
      'transfer',
      across([some('JG1', '6'), some('JG2', '3', { owner_org_sn: d }), { unit_codes: ['JG-1', 'JG-2'] }], {
        attachments,
      }),
    )
    await hospital.pass('transfer', sn)
    expect(await hospital.info('transfer', sn)).toMatchObject({ state: 'reviewed', taxed_amount: '4199.98' })
    for (const action of ['receive', 'refuse'])
      expectMessage(await hospital.do('transfer', action, sn, { reason: '试' }), /^机构调拨由调入机构收货或拒收/)
    // Actions of the other organisation, and those for loans only, are not offered.
    const { actions } = await hospital.info('transfer', sn)
    expect(actions).toContain('stop')
    expect(actions.filter((name: string) => /^(receive|refuse|giveBack|toTransfer|remind)$/.test(name))).toEqual([])
    const notified = await scene.one("select title, uri from message where org_id = $1 and object_id like 'JDR%'", h2)
    expect(notified).toEqual({ title: '收到机构调拨的货物，请收货', uri: 'transferArrival' })
    const doc = await created(sn)
    expect(doc).toMatchObject({ state: 'draft', taxed_amount: '4199.98', transfer_reason: '医联体调剂' })
    const [one, consigned, coded] = ['JG1', 'JG2', 'JG3'].map(lot => line(doc, lot))
    const write = (lines: object[]) => other.done('transferArrival', 'edit', doc.sn, { lines })
    const all = [
      { line_no: consigned },
      { line_no: coded, unit_codes: ['JG-1'], quantity: '1', difference_reason: '后补' },
    ]
    await write([{ line_no: one, quantity: '3', refused_quantity: '2' }, ...all])
    expectMessage(await other.do('transferArrival', 'submit', doc.sn), '第1行：请填写拒收原因')
    await write([{ line_no: one, quantity: '3', refused_quantity: '2', refuse_reason: '外包装破损' }, ...all])
    expectMessage(await other.do('transferArrival', 'submit', doc.sn), '第1行：差异数量1，请填写原因')
    const good = {
      line_no: one,
      quantity: '3',
      refused_quantity: '2',
      refuse_reason: '外包装破损',
      difference_reason: '少一件',
    }
    await write([{ ...good, refused_quantity: '4' }, ...all])
    expectMessage(await other.do('transferArrival', 'submit', doc.sn), /实收与拒收合计不能大于待收数量6$/)
    await write([good, { line_no: consigned }, { line_no: coded, unit_codes: ['QS-1', 'JG-1'], quantity: '2' }])
    expectMessage(await other.do('transferArrival', 'submit', doc.sn), /院内码QS-1不在本调拨单中$/)
    await write([good, ...all])
    await other.pass('transferArrival', doc.sn)
    expect(await hospital.info('transfer', sn)).toMatchObject({
      state: 'partial',
      receive_state: '2',
      received_by: '二院',
    })
    const word = await scene.one("select body from message where org_id = $1 and title = '调入机构已收货'", scene.h)
    expect(word.body).toMatch(/少一件，拒收2：外包装破损/)
    // Value, owner and trace are there; nothing is owed on either side; the supplier's memo followed its goods.
    const there = await other.list('stockBalance', { warehouse_model_inner_sn: theirs })
    const of = (lot: string) => there.filter(row => row.lot_no === lot)
    expect(of('JG1')).toMatchObject([{ quantity: '3.000', value: '99.99', owner_org_sn: h2 }])
    expect(of('JG2')).toMatchObject([{ quantity: '3.000', value: '0.00', owner_org_sn: d }])
    expect(of('JG3')).toMatchObject([{ quantity: '1.000', value: '2000.00', owner_org_sn: h2 }])
    expect([await memo(scene.h), await memo(h2)]).toEqual(['1.000', '3.000'])
    const entries = await scene.one('select count(*)::int as n from account_entry where org_id = any($1)', [
      scene.h,
      h2,
    ])
    expect(entries.n).toBe(0)
    const chain = (await other.trace('JG-1')).list
    expect(chain.map((event: { step: string }) => event.step)).toEqual(['opening', 'transfer_out', 'transfer_in'])
    // Other organisations can read neither document.
    for (const [kind, number] of [
      ['transfer', sn],
      ['transferArrival', doc.sn],
    ] as const)
      expect((await scene.vendor.client.get(`/v1/business/${kind}/info`, { sn: number })).code).not.toBe(0)
    expectMessage(await hospital.do('transfer', 'unreview', sn), /^对方已收货，不能反审核/)
    // Refused goods wait to be taken back; missing goods are for the receiver to find or refuse, not for the sender.
    const home = await hospital.from('transferReturn', sn)
    expect(home).toMatchObject({ state: 'draft', return_reason: '调入机构拒收', counterparty_sn: h2 })
    const lost = await hospital.add('loss', {
      source_type: 129,
      source_sn: sn,
      loss_reason: '丢失',
      lines: [{ source_line_no: 1, quantity: '3' }],
    })
    expectMessage(await hospital.do('loss', 'submit', lost), /调入机构拒收而未处理的数量为2，超出部分请由对方先拒收/)
    await hospital.done('loss', 'del', lost)
    const before = await shelf(hospital, central, inflator)
    await hospital.pass('transferReturn', home.sn)
    expect((await shelf(hospital, central, inflator)).JG1).toBe(add(before.JG1 ?? '0', '2', 3))
    // Found after all, and the second piece as well.
    const rest = await other.add('transferArrival', {
      source_type: 8,
      source_sn: sn,
      source_org_sn: scene.h,
      warehouse_model_inner_sn: theirs,
      lines: [{ source_line_no: 1 }, { source_line_no: 3, unit_codes: ['JG-2'] }],
    })
    await other.pass('transferArrival', rest)
    expect(await hospital.info('transfer', sn)).toMatchObject({ state: 'completed', receive_state: '2' })
    // The receiver undoes or reverses it, and the goods are the sender's in transit again.
    await other.done('transferArrival', 'unreview', rest)
    expect(await state(sn)).toBe('partial')
    await other.done('transferArrival', 'review', rest)
    await other.done('transferArrival', 'redReverse', rest, {
      reason: '录错',
      lines: [{ line_no: 2, unit_codes: ['JG-2'] }],
    })
    expect((await hospital.trace('JG-2')).info.now).toMatchObject({ status: 'in_transit' })
    // A recall finds the lot in both organisations' ledgers.
    const { id: lot } = await scene.one("select id from lot where lot_no = 'JG1'")
    const books = (org: string) => booksOfLot(scene.server.database.owner as never, org, lot)
    expect(await books(scene.h)).toMatchObject({ passed_on: '4.000', gone: '0.000' })
    expect(await books(h2)).toMatchObject({ received: '4.000', on_hand: '4.000' })
  })

  step('can be undone before receipt; fully refused, everything returns', async () => {
    const { hospital, central, inflator } = scene
    const before = await shelf(hospital, central, inflator)
    const sn = await hospital.add('transfer', across([some('JG1', '1')]))
    await hospital.pass('transfer', sn)
    await hospital.done('transfer', 'unreview', sn)
    expect((await other.list('transferArrival', { source_sn: sn }))[0].state).toBe('cancelled')
    expect(await shelf(hospital, central, inflator)).toEqual(before)
    await hospital.done('transfer', 'review', sn)
    const doc = await created(sn)
    await other.done('transferArrival', 'edit', doc.sn, {
      lines: [{ line_no: 1, quantity: '0', refused_quantity: '1', refuse_reason: '不需要' }],
    })
    await other.pass('transferArrival', doc.sn)
    expectMessage(await other.do('transferArrival', 'unreview', doc.sn), /^拒收数量已通知对方/)
    await hospital.pass('transferReturn', (await hospital.from('transferReturn', sn)).sn)
    expect(await state(sn)).toBe('completed')
    expect(await shelf(hospital, central, inflator)).toEqual(before)
  })

  step('is ended by the sender: unreceived goods return at cost, and the receiver is shown this', async () => {
    const { hospital, central, inflator, stent } = scene
    await scene.shelve(hospital, central, [
      lotOf(inflator, 'JG5', { quantity: '6', price: '10' }),
      lotOf(stent, 'JG6', { unit_codes: ['JG-61', 'JG-62', 'JG-63'], price: '1500' }),
    ])
    const codes = ['JG-61', 'JG-62', 'JG-63']
    const sn = await hospital.add('transfer', across([some('JG5', '5'), { unit_codes: codes }]))
    await hospital.pass('transfer', sn)
    const doc = await created(sn)
    await other.done('transferArrival', 'edit', doc.sn, {
      lines: [
        { line_no: line(doc, 'JG5'), quantity: '2', difference_reason: '余下未到' },
        { line_no: line(doc, 'JG6'), quantity: '1', unit_codes: ['JG-62'], difference_reason: '余下未到' },
      ],
    })
    await other.pass('transferArrival', doc.sn)
    // A receipt waiting for approval is finished first; a draft ends with the rest.
    const more = await other.add('transferArrival', {
      source_type: 8,
      source_sn: sn,
      source_org_sn: scene.h,
      warehouse_model_inner_sn: theirs,
      lines: [{ source_line_no: 1, quantity: '1', difference_reason: '先收一件' }],
    })
    await other.done('transferArrival', 'submit', more)
    expectMessage(await hospital.do('transfer', 'stop', sn), '请填写终止原因')
    const stop = () => hospital.do('transfer', 'stop', sn, { reason: '本院急用' })
    expectMessage(await stop(), `对方正在收货（机构调入单${more}待审核），不能终止；请等对方确认收货或撤回提交后再终止`)
    await other.done('transferArrival', 'unsubmit', more)
    expect((await stop()).code).toBe(0)
    expect((await other.info('transferArrival', more)).state).toBe('cancelled')
    expect(await state(sn)).toBe('stopped')
    const notified = await scene.one(
      "select body from message where org_id = $1 and title = '对方终止了单据' order by id desc limit 1",
      h2,
    )
    expect(notified.body).toMatch(new RegExp(`终止了调拨单${sn}：本院急用$`))
    // The receipt remains; undoing it would put goods into a transit that has ended.
    expectMessage(await other.do('transferArrival', 'unreview', doc.sn), /^对方已终止调拨单.*要退回货物请新增机构调拨$/)
    const home = await hospital.info('transferReturn', (await hospital.from('transferReturn', sn)).sn)
    expect(home).toMatchObject({ state: 'draft', return_reason: '终止调拨，调入机构未收', taxed_amount: '3030.00' })
    expect(home.lines.map((row: { quantity: string; unit_codes: string[] }) => [row.quantity, row.unit_codes])).toEqual(
      [
        ['3.000', []],
        ['2.000', ['JG-61', 'JG-63']],
      ],
    )
    await hospital.pass('transferReturn', home.sn)
    const rows = await hospital.list('stockBalance', { warehouse_model_inner_sn: central })
    const of = (lot: string) => rows.find(row => row.lot_no === lot)
    expect(of('JG5')).toMatchObject({ quantity: '4.000', value: '40.00' })
    expect(of('JG6')).toMatchObject({ quantity: '2.000', value: '3000.00' })
    expect(await state(sn)).toBe('stopped')
    const way = await scene.one(
      'select count(*)::int as n from stock_balance where org_id = $1 and location = $2',
      scene.h,
      sn,
    )
    expect(way.n).toBe(0)
  })

  step('ended and received at the same moment: each serial is either received or returned', async () => {
    const { hospital, central, inflator } = scene
    const left = async () => wholePieces((await shelf(hospital, central, inflator)).JG5 ?? '0')
    for (const waits of [false, true, false]) {
      const before = await left()
      const sn = await hospital.add('transfer', across([some('JG5', '1')]))
      await hospital.pass('transfer', sn)
      const doc = await created(sn)
      const take = (action: string) => other.do('transferArrival', action, doc.sn)
      if (waits) await take('submit')
      const taking = async () => (waits || (await take('submit')).code === 0) && take('review')
      await Promise.all([taking(), hospital.do('transfer', 'stop', sn, { reason: '急用' })])
      // The later one has no effect: a receipt that failed has ended, or still waits because the stop was refused.
      if ((await other.info('transferArrival', doc.sn)).state === 'submitted') await take('review')
      const received = ['reviewed', 'completed'].includes((await other.info('transferArrival', doc.sn)).state)
      const home = (await hospital.list('transferReturn', { source_sn: sn })).filter(row => row.state === 'draft')
      expect(home.length).toBe(received ? 0 : 1)
      for (const row of home) await hospital.pass('transferReturn', row.sn)
      expect(await left()).toBe(received ? before - 1 : before)
    }
  })
})
