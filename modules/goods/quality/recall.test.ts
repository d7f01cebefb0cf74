import { afterAll, beforeAll, expect } from 'vitest'
import { deliverRecalls } from '#modules/goods/quality/recall-delivery.server.ts'
import { attempt, lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { openedBy, uploadPicture } from '#tests/support/picture.ts'
import { day, type Person } from '#tests/support/story.ts'
import { story } from '#tests/support/steps.ts'

/**
 * 召回: a manufacturer recalls a lot; every holder is notified, blocks it, counts it and answers; closed when all
 * have.
 */
let scene: Scene
let inspector: Person
let head: Person
let sn = ''
let letter = ''
const path = (kind: string, call: string) => `/v1/business/${kind}/${call}`

beforeAll(async () => {
  scene = await openScene()
  await scene.one(
    "update app_user set is_administrator = true where login = any(array['keeper', 'finance']) returning 1",
  )
  ;[inspector, head] = (await Promise.all(['keeper', 'finance'].map(scene.person))) as [Person, Person]
  const { dealer, hospital, shop, inflator, h, central } = scene
  await scene.shelve(dealer, shop, [
    lotOf(inflator, 'RC1', { quantity: '50' }),
    lotOf(inflator, 'RC2', { quantity: '5' }),
  ])
  const sale = await dealer.add('saleOdo', {
    counterparty_sn: h,
    warehouse_model_inner_sn: shop,
    lines: [{ specification_sn: inflator, lot_no: 'RC1', quantity: '10' }],
  })
  await dealer.pass('saleOdo', sale)
  const receipt = await hospital.from('purchaseGrn', sale)
  await hospital.pass('purchaseGrn', receipt.sn)
  const use = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: receipt.warehouse_model_inner_sn ?? central,
    use_type: 'consume',
    department_inner_sn: scene.department,
    lines: [{ specification_sn: inflator, lot_no: 'RC1', quantity: '2' }],
  })
  await hospital.pass('departmentUse', use)
})
afterAll(() => scene?.close())

const carry = () => deliverRecalls(scene.server.database.app, scene.server.database.owner)
const body = (more: object = {}) => ({
  heading: '球囊充压装置召回',
  recall_level: 'first',
  recall_reason: '密封圈可能泄漏',
  due_date: day(3),
  lines: [{ specification_sn: scene.inflator, lot_no: 'RC1', requirement: '停用并退回' }],
  ...more,
})
const notified = async (who: Person) => (await who.list('recallFeedback', { recall_sn: sn }))[0]
const answer = async (who: Person, action: string, more: object = {}) => {
  const { recall_feedback_sn, version } = await notified(who)
  return who.client.post(path('recallFeedback', action), { sn: recall_feedback_sn, version, ...more })
}
const sell = (lot_no: string) =>
  attempt(scene.dealer, 'saleOdo', {
    counterparty_sn: scene.h,
    warehouse_model_inner_sn: scene.shop,
    lines: [{ specification_sn: scene.inflator, lot_no, quantity: '1' }],
  })

story('召回 of a lot, from its publication to its summary', step => {
  step('召回 names only lots that were shipped; comes from the manufacturer or with its recall document', async () => {
    const { vendor, dealer, inflator } = scene
    expectMessage(
      await attempt(vendor, 'recall', body({ lines: [{ specification_sn: inflator }] })),
      '第1行：请填写批号',
    )
    expectMessage(
      await attempt(vendor, 'recall', body({ lines: [{ specification_sn: inflator, lot_no: 'NONE' }] })),
      '第1行：批号NONE没有本机构的流向记录，请核对规格和批号',
    )
    expectMessage(await attempt(dealer, 'recall', body()), '请上传召回文件')
    letter = await uploadPicture(vendor)
    sn = await vendor.add('recall', body({ attachments: [letter] }))
    expect(sn).toMatch(/^ZH\d{10}$/)
    await vendor.pass('recall', sn)
    expect((await sell('RC1')).code).toBe(0)
  })

  step('召回 published, reaches every organisation that ever received the lot, with its stock figures', async () => {
    const { vendor, dealer, hospital } = scene
    await vendor.done('recall', 'publish', sn)
    await carry()
    await carry()
    expect(await vendor.info('recall', sn)).toMatchObject({
      state: 'partial',
      state_name: '召回中',
      receiver_count: 2,
      answered_count: 0,
      lots_summary: 'RC1',
    })
    expect(await notified(hospital)).toMatchObject({
      state: 'waiting',
      requirement: '停用并退回',
      received: '10.000',
      on_hand: '8.000',
      used: '2.000',
      passed_on: '0.000',
    })
    // A scan of its label says so at once, to who holds it and to who never did; of another lot it says nothing.
    const { di } = await scene.one(
      `select udi_di as di from specification where id = $1 and udi_di is not null`,
      scene.inflator,
    )
    const parsed = async (who: Person, lot: string) =>
      (await who.client.post('/v1/code/parse', { code: `(01)${di}(10)${lot}` })).info.recall
    expect(await parsed(hospital, 'RC1')).toMatchObject({ recall_sn: sn })
    expect(await parsed(await scene.person('platform'), 'RC1')).toMatchObject({ recall_sn: sn })
    expect(await parsed(hospital, 'RC2')).toBeNull()
    expect(await notified(dealer)).toMatchObject({ received: '50.000', on_hand: '40.000', passed_on: '10.000' })
    // The manufacturer's notice is attached: every holder can open it, and no one who was not notified.
    expect((await notified(hospital)).attachments).toEqual([letter])
    expect(await openedBy(letter, hospital, dealer, await scene.person('platform'))).toEqual([200, 200, 404])
    expect(await vendor.list('recallFeedback')).toEqual([])
    const [message] = await scene.server.database.owner`
      select needs_confirm, title from message where org_id = ${scene.h} and kind = 'recallFeedback' order by id desc
        limit 1`
    expect(message).toEqual({ needs_confirm: true, title: '一级召回' })
  })

  step('召回 shows how many of the holders have read and confirmed it', async () => {
    const { vendor, dealer, hospital } = scene
    const inbox = async (who: Person) => (await who.client.get('/v1/business/message/list', { q: sn })).list[0]
    const message = await inbox(hospital)
    expect((await hospital.client.post('/v1/business/message/read', { sn: message.message_sn })).code).toBe(0)
    await carry()
    expect(await vendor.info('recall', sn)).toMatchObject({ read_count: 1, read_rate: '0.5000', confirmed_count: 0 })
    const other = await inbox(dealer)
    expect((await dealer.client.post('/v1/business/message/confirm', { sn: other.message_sn })).code).toBe(0)
    await carry()
    const [row] = await vendor.list('recall', { sn })
    expect(row).toMatchObject({ read_count: 2, read_rate: '1.0000', confirmed_count: 1, confirmed_rate: '0.5000' })
  })

  step('召回 blocks the lot everywhere: a blocking document is pending, and none is shipped or used', async () => {
    const { dealer, hospital, inflator } = scene
    expectMessage(await sell('RC1'), '批号RC1已召回，不能出库')
    expect((await sell('RC2')).code).toBe(0)
    const [draft] = await hospital.list('stopSale', { state: 'draft', lot_no: 'RC1' })
    expect(draft).toMatchObject({ stop_reason: 'recall', total_quantity: '8.000' })
    expect((await hospital.info('stopSale', draft.sn)).notice_no).toBe(sn)
    const use = { warehouse_model_inner_sn: draft.warehouse_model_inner_sn, use_type: 'consume' }
    const line = { specification_sn: inflator, lot_no: 'RC1', quantity: '1' }
    expectMessage(await attempt(hospital, 'departmentUse', { ...use, lines: [line] }), '批号RC1已召回，不能出库')
    const traced = await dealer.trace('RC1', { direction: 'forward' })
    expect(traced.info.recall).toMatchObject({ recall_sn: sn, title: '球囊充压装置召回' })
  })

  step('召回 cannot be lifted while the recall is open', async () => {
    const { hospital } = scene
    const [draft] = await hospital.list('stopSale', { state: 'draft', lot_no: 'RC1' })
    await hospital.done('stopSale', 'submit', draft.sn)
    await inspector.done('stopSale', 'check', draft.sn, { conclusion: 'good', disposal: 'release' })
    expectMessage(await head.do('stopSale', 'review', draft.sn), '召回未关闭，不能解除停售')
    await inspector.done('stopSale', 'uncheck', draft.sn)
    await inspector.done('stopSale', 'check', draft.sn, { conclusion: 'open', disposal: 'hold' })
    await head.done('stopSale', 'review', draft.sn)
    await hospital.done('stopSale', 'release', draft.sn)
    const [lift] = await hospital.list('stopSale', { state: 'draft', source_sn: draft.sn })
    expectMessage(await hospital.do('stopSale', 'submit', lift.sn), '召回未关闭，不能解除停售')
    await hospital.done('stopSale', 'del', lift.sn)
  })

  step('召回 is returned to the source by a return that names the recall', async () => {
    const { hospital, d } = scene
    expect((await answer(hospital, 'toReturn')).code).toBe(0)
    const [back] = await hospital.list('purchaseReturn', { counterparty_sn: d })
    const doc = await hospital.info('purchaseReturn', back.sn)
    expect(doc).toMatchObject({ return_type: 'recall', recall_no: sn, return_reason: '召回：球囊充压装置召回' })
    expect(doc.lines).toMatchObject([{ lot_no: 'RC1', quantity: '8.000', quality_state: 'stopped' }])
    await hospital.pass('purchaseReturn', back.sn)
    expect((await answer(hospital, 'recount')).code).toBe(0)
    expect(await notified(hospital)).toMatchObject({ received: '10.000', used: '2.000', returned: expect.any(String) })
    expectMessage(await answer(hospital, 'toReturn'), /没有可退的库存/)
  })

  step('召回 is answered in figures that add up', async () => {
    const { hospital, vendor } = scene
    const before = await notified(hospital)
    expect((await answer(hospital, 'edit', { used: '1' })).code).toBe(0)
    expectMessage(await answer(hospital, 'feedback'), '召回数量不平，差异1')
    expect((await answer(hospital, 'edit', { used: before.used, blocked: '9' })).code).toBe(0)
    expectMessage(await answer(hospital, 'feedback'), '已停售数量不能大于在库数量')
    expect((await answer(hospital, 'edit', { blocked: before.blocked, note: '已全部退回' })).code).toBe(0)
    expect((await answer(hospital, 'feedback')).code).toBe(0)
    await carry()
    expect(await vendor.info('recall', sn)).toMatchObject({ receiver_count: 2, answered_count: 1 })
    const rows = await vendor.list('recallDelivery', { recall_sn: sn, answer_state: 'answered' })
    expect(rows).toMatchObject([{ to_org_sn: scene.h, used: '2.000', note: '已全部退回', lot_no: 'RC1' }])
    expectMessage(await answer(hospital, 'del'), '召回由发出机构送达，不能新增或删除')
  })

  step('召回 is chased once a day and closed with a summary when all have answered', async () => {
    const { vendor, dealer } = scene
    expectMessage(await vendor.do('recall', 'close', sn), '请填写召回总结')
    const summary = { summary: '已全部处理' }
    expectMessage(await vendor.do('recall', 'close', sn, summary), '还有1家机构的1个批次没有反馈，不能关闭召回，请催办')
    await vendor.done('recall', 'remind', sn)
    await carry()
    await carry()
    const urged = await scene.server.database.owner`
      select 1 from message where org_id = ${scene.d} and title = '催办：一级召回'`
    expect(urged).toHaveLength(1)
    expectMessage(await vendor.do('recall', 'remind', sn), /今天已催办过/)
    expect((await answer(dealer, 'feedback')).code).toBe(0)
    await carry()
    await vendor.done('recall', 'close', sn, summary)
    expect((await sell('RC1')).msg).toBe('批号RC1已召回，不能出库')
    await carry()
    expect((await notified(dealer)).state).toBe('closed')
    expect((await sell('RC1')).code).toBe(0)
    expectMessage(await answer(dealer, 'feedback'), '召回已关闭')
  })

  step('召回 is printed with its lots, its level in words', async () => {
    const { info } = await scene.vendor.client.get(path('recall', 'print'), { sn })
    expect(info).toMatchObject({ title: '召回通知', heading: '球囊充压装置召回', recall_level: '一级' })
    expect(info.lines).toMatchObject([{ lot_no: 'RC1', requirement: '停用并退回' }])
  })

  step('召回 withdrawn with a reason, also releases the lots', async () => {
    const { vendor, dealer, inflator } = scene
    sn = await vendor.add('recall', body({ lines: [{ specification_sn: inflator, lot_no: 'RC2' }] }))
    await vendor.pass('recall', sn)
    await vendor.done('recall', 'publish', sn)
    await carry()
    expectMessage(await sell('RC2'), '批号RC2已召回，不能出库')
    expectMessage(await vendor.do('recall', 'withdraw', sn), '请填写撤下原因')
    await vendor.done('recall', 'withdraw', sn, { reason: '批号写错' })
    await carry()
    expect((await notified(dealer)).state).toBe('withdrawn')
    expect((await sell('RC2')).code).toBe(0)
  })
})

story('who may recall a lot, and from whom', step => {
  const recallOf = async (who: Person, reviewer: Person, lot_no: string) => {
    const attachments = [await uploadPicture(who)]
    const lines = [{ specification_sn: scene.inflator, lot_no }]
    const recall = await who.add('recall', body({ lines, attachments }))
    await who.done('recall', 'submit', recall)
    await reviewer.done('recall', 'review', recall)
    return recall
  }
  const deliveries = (who: Person, recall: string) => who.list('recallDelivery', { recall_sn: recall })
  const sold = async (lot_no: string, quantity: string) => {
    const { dealer, hospital, shop, inflator, h } = scene
    const lines = [{ specification_sn: inflator, lot_no, quantity }]
    const sale = await dealer.add('saleOdo', { counterparty_sn: h, warehouse_model_inner_sn: shop, lines })
    await dealer.pass('saleOdo', sale)
    await hospital.pass('purchaseGrn', (await hospital.from('purchaseGrn', sale)).sn)
  }

  step("a dealer that wrote another's lot on a receipt of its own recalls from nobody; it reports", async () => {
    const { dealer, dealer2, hospital, vendor, central, shop, inflator, server, v } = scene
    await scene.shelve(hospital, central, [lotOf(inflator, 'RC5', { quantity: '5' })])
    const lines = [lotOf(inflator, 'RC5', { quantity: '1' })]
    const receipt = { grn_type: 'other', warehouse_model_inner_sn: shop, lines }
    await dealer.pass('otherGrn', await dealer.add('otherGrn', receipt))
    const recall = await recallOf(dealer, dealer2, 'RC5')
    expectMessage(
      await dealer.do('recall', 'publish', recall),
      '批号RC5不是本机构生产的，也没有经平台由本机构交付给其他机构，不能召回，请【上报】生产厂家和平台',
    )
    await carry()
    expect(await hospital.list('recallFeedback', { lot_no: 'RC5' })).toEqual([])
    await dealer.done('recall', 'report', recall)
    expectMessage(await dealer.do('recall', 'report', recall), '已上报，请等待生产厂家和平台处理')
    await carry()
    await carry()
    const messages = await server.database.owner`
      select m.org_id from message m join organisation o on o.id = m.org_id
       where m.object_id = ${recall} and m.title = '质量问题上报' and (o.id = ${v} or o.system_type = 0)`
    expect(messages).toHaveLength(2)
    expect(await vendor.list('recallFeedback', { lot_no: 'RC5' })).toEqual([])
  })

  step('nor does it by sending one piece to somebody who has the lot from others', async () => {
    const { dealer, dealer2, hospital, central, shop, inflator, h } = scene
    await scene.shelve(hospital, central, [lotOf(inflator, 'RC9', { quantity: '5' })])
    await scene.shelve(dealer, shop, [lotOf(inflator, 'RC9', { quantity: '1' })])
    const lines = [{ specification_sn: inflator, lot_no: 'RC9', quantity: '1' }]
    await dealer.pass(
      'saleOdo',
      await dealer.add('saleOdo', { counterparty_sn: h, warehouse_model_inner_sn: shop, lines }),
    )
    const recall = await recallOf(dealer, dealer2, 'RC9')
    expectMessage(
      await dealer.do('recall', 'publish', recall),
      /^批号RC9不是本机构生产的，也没有经平台由本机构交付给其他机构/,
    )
    await carry()
    expect(await hospital.list('recallFeedback', { lot_no: 'RC9' })).toEqual([])
  })

  step('a dealer recalls what it delivered, from those who got it, and reads no name of another holder', async () => {
    const { dealer, dealer2, hospital, vendor, shop, inflator, d, h } = scene
    const yard = await scene.store('V01', 'central')
    await scene.shelve(vendor, yard, [lotOf(inflator, 'RC6', { quantity: '5' })])
    await scene.shelve(dealer, shop, [lotOf(inflator, 'RC6', { quantity: '5' })])
    await sold('RC6', '2')
    const recall = await recallOf(dealer, dealer2, 'RC6')
    await dealer.done('recall', 'publish', recall)
    await carry()
    const rows = await deliveries(dealer, recall)
    expect(rows.map(row => row.to_org_sn).sort()).toEqual([d, null].sort())
    expect(rows.find(row => row.to_org_sn === null)!.holder).toMatch(/^医院/)
    expect(JSON.stringify(rows)).not.toContain((await scene.one('select name from organisation where id = $1', h)).name)
    expect(await dealer.list('recallDelivery', { recall_sn: recall, to_org_sn: h })).toEqual([])
    expect(await hospital.list('recallFeedback', { lot_no: 'RC6' })).toHaveLength(1)
    expect(await vendor.list('recallFeedback', { lot_no: 'RC6' })).toEqual([])
    expectMessage(await sell('RC6'), '批号RC6已召回，不能出库')
    // The maker did not get the lot from the dealer, so its own stock is not held.
    const lines = [{ specification_sn: inflator, lot_no: 'RC6', quantity: '1' }]
    const sale = { counterparty_sn: d, warehouse_model_inner_sn: yard, lines }
    expect((await attempt(vendor, 'saleOdo', sale)).msg).not.toMatch(/召回/)
    await dealer.done('recall', 'withdraw', recall, { reason: '试行' })
    await carry()
  })

  step('whoever gets the goods after the publication is added: notified, held, and shown to the issuer', async () => {
    const { dealer, dealer2, shop, inflator, h, server } = scene
    const { owner, app } = server.database
    const later = await scene.org('D02')
    await scene.shelve(dealer, shop, [lotOf(inflator, 'RC8', { quantity: '5' })])
    await sold('RC8', '2')
    const recall = await recallOf(dealer, dealer2, 'RC8')
    await dealer.done('recall', 'publish', recall)
    await carry()
    expect(await deliveries(dealer, recall)).toHaveLength(2)
    await owner`
      insert into trace_event (lot_id, unit_id, step, org_id, from_org_id, from_place, to_org_id, to_place, quantity,
        document_kind, document_sn, line_no, actor)
      select e.lot_id, e.unit_id, e.step, ${later}, ${h}, e.from_place, ${later}, e.to_place, 1, e.document_kind,
        e.document_sn, e.line_no, e.actor
        from trace_event e join lot t on t.id = e.lot_id
       where t.lot_no = 'RC8' and e.to_org_id = ${h} and e.from_org_id <> ${h} limit 1`
    const isHeld = async () => {
      const [held] = await app.begin(async tx => {
        await tx`select set_config('app.org_id', ${later}, true)`
        return tx`select lot_is_recalled(${later}, id) as held from lot where lot_no = 'RC8'`
      })
      return held!.held
    }
    expect(await isHeld()).toBe(false)
    await carry()
    expect(await isHeld()).toBe(true)
    expect(await deliveries(dealer, recall)).toHaveLength(3)
    expect(await dealer.info('recall', recall)).toMatchObject({ receiver_count: 3 })
    const notified =
      await owner`select org_id, title from message where object_id = ${recall} and org_id <> ${h} order by id`
    expect(notified).toContainEqual({ org_id: later, title: '一级召回' })
    expect(notified).toContainEqual({ org_id: scene.d, title: '召回范围扩大' })
    await carry()
    expect(await deliveries(dealer, recall)).toHaveLength(3)
    await dealer.done('recall', 'withdraw', recall, { reason: '试行' })
    await carry()
  })

  step('the platform recalls from all who hold it, and reads their names', async () => {
    const { hospital, dealer, shop, inflator, h, d } = scene
    await scene.shelve(dealer, shop, [lotOf(inflator, 'RC7', { quantity: '5' })])
    await sold('RC7', '2')
    const platform = await scene.person('platform')
    const recall = await recallOf(platform, await scene.person('platform2'), 'RC7')
    await platform.done('recall', 'publish', recall)
    await carry()
    const rows = await deliveries(platform, recall)
    expect(rows.map(row => row.to_org_sn).sort()).toEqual([d, h].sort())
    for (const row of rows) expect(row.holder).toBe(row.to_org_name)
    expect(await hospital.list('recallFeedback', { lot_no: 'RC7' })).toHaveLength(1)
  })
})
