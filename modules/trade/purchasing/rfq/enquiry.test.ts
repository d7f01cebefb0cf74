import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDue } from '#modules/trade/purchasing/rfq/quotation.server.ts'
import { read, utils } from '@e965/xlsx'
import { deliverPending } from '#server/documents/intercompany/deliver.ts'
import { afterThisTest, attempt, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { sendSheet, workbook } from '#tests/support/sheets.ts'
import { day, type Person } from '#tests/support/story.ts'
import { proves } from '#tests/support/proves.ts'
import { story } from '#tests/support/steps.ts'

/** 询价: several suppliers are asked, answer sealed, are compared and awarded; an order and an agreed price follow. */
let scene: Scene
let d2: string
let d3: string
let second: Person
let third: Person
beforeAll(async () => {
  scene = await openScene()
  ;[d2, d3] = (await Promise.all(['D02', 'D03'].map(scene.org))) as [string, string]
  // Two more dealers get a user each, with all rights there.
  const hire = async (org: string, login: string) => {
    await scene.one(
      `insert into app_user (org_id, login, password_hash, name, is_administrator)
       select $1, $2, password_hash, '负责人', true from app_user where login = 'dealer' returning 1`,
      org,
      login,
    )
    return scene.person(login)
  }
  second = await hire(d2, 'second')
  third = await hire(d3, 'third')
})
afterAll(() => scene?.close())

const soon = () => new Date(Date.now() + 3_600_000).toISOString()
const question = (more: object = {}) => ({
  heading: '吻合器与压力泵询价',
  deadline: soon(),
  suppliers: [scene.d, d2, d3],
  lines: [{ specification_sn: scene.inflator, quantity: '20', limit_price: '150', allows_substitute: false }],
  ...more,
})
const round = async () => {
  const { app, owner } = scene.server.database
  await deliverPending(app, owner)
  await closeDue(app, owner)
  await deliverPending(app, owner)
}
const mine = async (who: Person, sn: string) => (await who.list('quotation', { source_sn: sn }))[0]
const offer = async (who: Person, sn: string, price: string, more: object = {}) => {
  const { sn: doc, version } = await mine(who, sn)
  const edited = await who.client.post('/v1/business/quotation/edit', {
    sn: doc,
    version,
    valid_until: day(30),
    promised_days: 3,
    quoter: '销售员',
    lines: [{ line_no: 1, price, ...more }],
  })
  if (edited.code !== 0) return edited
  return who.do('quotation', 'submit', doc)
}
/** The answer's data in the buyer's rows, regardless of what a page shows. */
const rowsAt = (org: string, sn: string) =>
  scene.one(
    `select string_agg(row_to_json(d)::text || row_to_json(l)::text, '') as all from document d
      join document_line l on l.org_id = d.org_id and l.document_id = d.id
      where d.org_id = $1 and d.kind = 'quotation' and d.fields->>'enquiry_sn' = $2`,
    org,
    sn,
  )

story('enquiries from their sealed answers to their orders', step => {
  step('refuses with the messages of its rules', async () => {
    const { hospital } = scene
    expectMessage(
      await attempt(hospital, 'enquiry', question({ deadline: new Date(Date.now() - 1000).toISOString() })),
      '报价截止时间必须晚于当前时间',
    )
    expectMessage(await attempt(hospital, 'enquiry', question({ suppliers: [] })), '请选择邀请供应商')
    const offline = await scene.one(
      `select o.id from org_relation r join organisation o on o.id = r.partner_id
        where r.org_id = $1 and o.system_type in (2, 3) and r.status = 'enabled'
          and not exists (select 1 from app_user u where u.org_id = o.id and u.status = 'enabled') limit 1`,
      scene.h,
    )
    expectMessage(
      await attempt(hospital, 'enquiry', question({ suppliers: [offline.id] })),
      /^【.+】不是启用中的供应商或未开通账号/,
    )
  })

  step('reaches each supplier as its own quotation, without the other suppliers or our limit', async () => {
    const { hospital, dealer } = scene
    const sn = await hospital.add('enquiry', question())
    await hospital.pass('enquiry', sn)
    expect(await hospital.info('enquiry', sn)).toMatchObject({
      state: 'reviewed',
      supplier_count: 3,
      answered_count: 0,
    })
    for (const who of [dealer, second, third]) {
      const doc = await who.info('quotation', (await mine(who, sn)).sn)
      expect(doc).toMatchObject({
        state: 'draft',
        heading: '吻合器与压力泵询价',
        lines: [expect.objectContaining({ quantity: '20.000', price: '0.0000' })],
      })
    }
    // Fields that the buyer keeps private are not in a supplier's rows, neither on the copy nor on the draft created.
    const there = await scene.one(
      `select string_agg(row_to_json(d)::text || row_to_json(l)::text, '') as all from document d
      join document_line l on l.org_id = d.org_id and l.document_id = d.id
      where d.org_id = $1 and (d.kind = 'enquiry' or d.kind = 'quotation')`,
      scene.d,
    )
    expect(there.all).not.toMatch(/limit_price|suppliers|supplier_count/)
    expect(there.all).not.toContain(`"${d2}"`)
    const notified = await dealer.client.get('/v1/business/message/list', {})
    expect(JSON.stringify(notified)).toContain('收到询价，请在截止前报价')
  })

  step('keeps answers sealed until the deadline, or until everyone has answered', async () => {
    const { hospital, dealer } = scene
    const [{ sn }] = await hospital.list('enquiry', { state: 'reviewed' })
    expectMessage(await offer(dealer, sn, '0'), '第1行请填写报价或勾选不报价')
    expectMessage(await offer(second, sn, '142'), '第1行：该产品不在贵司可销售范围内')
    for (const org of [d2, d3])
      await scene.one(
        'insert into dealer_product (org_id, specification_id, sale_price) values ($1, $2, 150) returning 1',
        org,
        scene.inflator,
      )
    expectMessage(
      await offer(second, sn, '142', { offered_specification_sn: scene.balloon }),
      '第1行：询价方不允许替代品',
    )
    // Goods authorised only for elsewhere cannot be offered here.
    await scene.server.database.owner`
    insert into licence_line (org_id, licence_id, product_id, hospital_id)
    select ${d2}, authorisation_licence(${d2}, '授权书', ${scene.v}, ${d2}, 'SQ-XJ', ${day(-9)}, ${day(99)}), product_id,
      ${await scene.org('H02')} from specification where id = ${scene.inflator}`
    expectMessage(
      await offer(second, sn, '142', { offered_specification_sn: null }),
      '第1行：该产品不在贵司可销售范围内',
    )
    await scene.one("delete from licence where org_id = $1 and licence_no = 'SQ-XJ' returning 1", d2)
    await offer(second, sn, '142', { offered_specification_sn: null })
    expect((await offer(dealer, sn, '141.5')).code).toBe(0)
    // Withdrawn and submitted again before the deadline: only the last one counts.
    await dealer.done('quotation', 'unsubmit', (await mine(dealer, sn)).sn)
    expect((await hospital.info('enquiry', sn)).answered_count).toBe(1)
    expect((await offer(dealer, sn, '139.5')).code).toBe(0)
    expect(await mine(dealer, sn)).toMatchObject({
      counterparty_type: '1',
      offered_count: 1,
      time_left: expect.stringMatching(/^0小时5\d分$/),
      submitted_at: expect.any(String),
    })
    expect(await hospital.info('enquiry', sn)).toMatchObject({ state: 'reviewed', answered_count: 2 })
    expectMessage(await hospital.client.post('/v1/business/enquiry/compare', { sn }), '报价截止前不可查看报价')
    expect((await rowsAt(scene.h, sn)).all).not.toMatch(/139\.5|142\.0/)
    expectMessage(await hospital.do('enquiry', 'unreview', sn), '已有供应商报价，不能反审核，请终止询价')
    expect((await offer(third, sn, '155')).code).toBe(0)
    expect((await hospital.info('enquiry', sn)).state).toBe('partial')
    await round()
    expectMessage(await dealer.do('quotation', 'unsubmit', (await mine(dealer, sn)).sn), '报价已截止，不能撤回')
    const { info } = await hospital.client.post('/v1/business/enquiry/compare', { sn })
    expect(info.suppliers).toHaveLength(3)
    expect(info.lines[0]).toMatchObject({ limit_price: '150.0000', quantity: '20.000' })
    const lowest = info.lines[0].offers.filter((each: { is_lowest: boolean }) => each.is_lowest)
    expect(lowest).toMatchObject([{ supplier_sn: scene.d, price: '139.5000' }])
  })

  step('is awarded within limit and quantity; each supplier sees only its own result', async () => {
    const { hospital, dealer } = scene
    const [{ sn }] = await hospital.list('enquiry', { state: 'partial' })
    const award = (awards: object[]) => hospital.do('enquiry', 'award', sn, { awards })
    expectMessage(await award([{ line_no: 1, supplier_sn: d3, quantity: '5' }]), '第1行：报价高于最高限价，不能定标')
    const over = [
      { line_no: 1, supplier_sn: scene.d, quantity: '15' },
      { line_no: 1, supplier_sn: d2, quantity: '6' },
    ]
    expectMessage(await award(over), '第1行：中标数量合计21超过询价数量20')
    // A form sends its list as text: it is the same choice.
    const form = (awards: string) => hospital.do('enquiry', 'award', sn, { awards })
    expectMessage(await form('not a list'), '明细格式有误，应为 JSON 列表')
    expect((await form(JSON.stringify([over[0]!, { ...over[1]!, quantity: '5' }]))).code).toBe(0)
    const doc = await hospital.info('enquiry', sn)
    expect(doc).toMatchObject({ state: 'completed', awarded_amount: '2802.50' })
    expect(doc.lines[0]).toMatchObject({ winner_sn: scene.d, awarded_price: '139.5000', awarded_quantity: '20.000' })
    const won = await dealer.info('quotation', (await mine(dealer, sn)).sn)
    expect(won).toMatchObject({ state: 'reviewed', award_state: 'won' })
    expect(won.lines[0]).toMatchObject({ awarded_quantity: '15.000', awarded_price: '139.5000' })
    expect(JSON.stringify(won)).not.toMatch(/142\.0/)
    expect(await third.info('quotation', (await mine(third, sn)).sn)).toMatchObject({ award_state: 'lost' })
  })

  step('prints as a comparison once its answers are open, never for a supplier', async () => {
    const { hospital, dealer } = scene
    const [{ sn }] = await hospital.list('enquiry', { state: 'completed' })
    const printed = (await hospital.client.get('/v1/business/enquiry/print', { sn })).info
    expect(printed).toMatchObject({ sheet_title: '比价表', supplier_a: expect.stringMatching(/（合计\d+\.\d\d）$/) })
    expect(printed.recommended_total).toMatch(/^[1-9]\d*\.\d\d（.+[元角分整]）$/)
    expect(printed.deadline).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/)
    const [line] = printed.lines
    expect(line.lowest_price).toBe('139.50')
    expect([line.offer_a, line.offer_b, line.offer_c].filter(Boolean).length).toBeGreaterThan(1)
    expect(line.recommended).toBeTruthy()
    const theirs = (await dealer.client.get('/v1/business/quotation/print', { sn: (await mine(dealer, sn)).sn })).info
    expect(JSON.stringify(theirs)).not.toMatch(/offer_a|比价表/)
  })

  step('becomes an order per winner for the awarded lines, and an agreed price that orders then take', async () => {
    const { hospital, dealer, central } = scene
    const [{ sn }] = await hospital.list('enquiry', { state: 'completed' })
    await hospital.done('enquiry', 'toOrder', sn)
    expectMessage(await hospital.do('enquiry', 'toOrder', sn), /^已生成采购订单（.+），不能重复生成$/)
    const orders = await hospital.list('purchaseOrder', { state: 'draft' })
    expect(orders.map(order => order.counterparty_sn).toSorted()).toEqual([scene.d, d2].toSorted())
    const forDealer = orders.find(order => order.counterparty_sn === scene.d)!
    const [line] = (await hospital.info('purchaseOrder', forDealer.sn)).lines
    expect(line).toMatchObject({ quantity: '15.000', price: '139.5000', source_line_no: 1 })
    const { version } = await hospital.info('purchaseOrder', forDealer.sn)
    const much = await hospital.client.post('/v1/business/purchaseOrder/edit', {
      sn: forDealer.sn,
      version,
      warehouse_model_inner_sn: central,
      lines: [{ line_no: 1, quantity: '16' }],
    })
    expect(much.code).toBe(0)
    expectMessage(await hospital.do('purchaseOrder', 'submit', forDealer.sn), /下单数量超过中标剩余数量15/)
    const edit = async (line: object) =>
      hospital.client.post('/v1/business/purchaseOrder/edit', {
        sn: forDealer.sn,
        version: (await hospital.info('purchaseOrder', forDealer.sn)).version,
        lines: [{ line_no: 1, ...line }],
      })
    await edit({ quantity: '15', price: '139' })
    expectMessage(await hospital.do('purchaseOrder', 'submit', forDealer.sn), /不允许修改单价，应为来源单的139\.5$/)
    await edit({ price: '139.5' })
    await hospital.pass('purchaseOrder', forDealer.sn)
    expect((await dealer.list('salesOrder', { source_sn: forDealer.sn })).length).toBe(1)

    await hospital.done('enquiry', 'toPrice', sn)
    const drafts = await hospital.list('priceRegistration', { counterparty_sn: scene.d, state: 'draft' })
    expect(drafts).toHaveLength(1)
    await hospital.pass('priceRegistration', drafts[0]!.sn)
    // 是否到期: a price that is valid today has not expired; one that was valid until yesterday has.
    const lapsed = async (overdue: string) =>
      (await hospital.list('priceRegistration', { overdue, pageSize: '100' })).map(row => row.sn)
    expect(await lapsed('0')).toContain(drafts[0]!.sn)
    const ends = (last: string | null) =>
      scene.one(
        `update document set fields = fields || jsonb_build_object('valid_to', $2::text)
          where sn = $1 and kind = 'priceRegistration' returning 1`,
        drafts[0]!.sn,
        last,
      )
    const { valid_to } = await hospital.info('priceRegistration', drafts[0]!.sn)
    await ends(day())
    expect(await lapsed('1')).not.toContain(drafts[0]!.sn)
    await ends(day(-1))
    expect(await lapsed('1')).toContain(drafts[0]!.sn)
    await ends(valid_to)
    const next = await hospital.add('purchaseOrder', {
      counterparty_sn: scene.d,
      lines: [{ specification_sn: scene.inflator, quantity: '1', price: '140' }],
    })
    expect((await hospital.info('purchaseOrder', next)).lines[0].price).toBe('139.5000')
    await hospital.done('purchaseOrder', 'submit', next)
    expectMessage(await hospital.do('priceRegistration', 'unreview', drafts[0]!.sn), /^价格已被订单引用，不能反审核/)
    await hospital.done('priceRegistration', 'stop', drafts[0]!.sn, { reason: '合同终止' })
    const after = await hospital.add('purchaseOrder', {
      counterparty_sn: scene.d,
      lines: [{ specification_sn: scene.inflator, quantity: '1' }],
    })
    expect((await hospital.info('purchaseOrder', after)).lines[0].price).not.toBe('139.5000')
  })

  step('can be extended, reminded and declined; it closes automatically, and later answers are refused', async () => {
    const { hospital, dealer } = scene
    const sn = await hospital.add('enquiry', question({ suppliers: [scene.d, d2], heading: '第二次询价' }))
    await hospital.pass('enquiry', sn)
    expectMessage(
      await hospital.do('enquiry', 'extend', sn, { new_deadline: new Date().toISOString() }),
      '新的截止时间必须晚于原截止时间，截止时间不能提前',
    )
    const later = new Date(Date.now() + 7_200_000).toISOString()
    await hospital.done('enquiry', 'extend', sn, { new_deadline: later })
    const doc = await mine(dealer, sn)
    const template = await dealer.client.raw({ method: 'GET', url: `/v1/business/quotation/template?sn=${doc.sn}` })
    const rows = utils.sheet_to_json<string[]>(Object.values(read(template.rawPayload).Sheets)[0]!, {
      header: 1,
      raw: false,
    })
    const head = rows.findIndex(row => row.some(cell => String(cell).startsWith('产品编码')))
    const at = (label: string) => rows[head]!.findIndex(cell => String(cell).startsWith(label))
    const filled = rows.map((row, index) =>
      index <= head ? row : row.map((cell, place) => (place === at('含税单价') ? '138.5' : (cell ?? ''))),
    )
    filled.forEach((row, index) => {
      if (index > head) row[at('含税单价')] = '138.5'
    })
    const sent = await sendSheet(dealer.client, '/v1/business/quotation/import', workbook(filled.slice(head)), {
      sn: doc.sn,
      version: String(doc.version),
    })
    expect(sent).toMatchObject({ code: 0 })
    expect((await dealer.info('quotation', doc.sn)).lines[0].price).toBe('138.5000')
    expect(Date.parse((await dealer.info('quotation', doc.sn)).deadline)).toBe(Date.parse(later))
    await hospital.done('enquiry', 'remind', sn)
    expect(JSON.stringify(await dealer.client.get('/v1/business/message/list', {}))).toContain('催报价')
    await second.done('quotation', 'refuse', (await mine(second, sn)).sn, { reason: '无货' })
    expect((await hospital.info('enquiry', sn)).refused_by).toEqual([d2])
    // The deadline passes.
    await scene.one(
      `update document set fields = fields || jsonb_build_object('deadline', now() - interval '1 second')
      where kind in ('enquiry', 'quotation') and (sn = $1 or source_sn = $1) returning 1`,
      sn,
    )
    expectMessage(await dealer.do('quotation', 'submit', doc.sn), '报价已截止，不能提交')
    await round()
    expect((await dealer.info('quotation', doc.sn)).state).toBe('stopped')
    expect((await hospital.info('enquiry', sn)).state).toBe('partial')
    expectMessage(await hospital.do('enquiry', 'award', sn), /^没有可定标的报价/)
    await hospital.done('enquiry', 'stop', sn, { reason: '无人报价' })
  })

  step('fewer than three answers need a reason; a plan becomes an enquiry and gets back unawarded lines', async () => {
    const { hospital, dealer, central, inflator } = scene
    const plan = await hospital.add('purchasePlan', {
      warehouse_model_inner_sn: central,
      lines: [{ specification_sn: inflator, quantity: '10', remark: '询价' }],
    })
    await hospital.pass('purchasePlan', plan)
    await hospital.done('purchasePlan', 'toEnquiry', plan)
    const draft = await hospital.from('enquiry', plan)
    const { version } = draft
    const edited = await hospital.client.post('/v1/business/enquiry/edit', {
      sn: draft.sn,
      version,
      deadline: soon(),
      suppliers: [scene.d],
    })
    expect(edited.code).toBe(0)
    await hospital.pass('enquiry', draft.sn)
    expectMessage(await hospital.do('purchasePlan', 'toOrder', plan), '当前单据状态不允许该操作')
    expectMessage(await hospital.do('purchasePlan', 'unreview', plan), /^计划已被下游单据引用，不能反审核/)
    expect((await offer(dealer, draft.sn, '120')).code).toBe(0)
    await round()
    const some = { awards: [{ line_no: 1, supplier_sn: scene.d, quantity: '4' }] }
    expectMessage(await hospital.do('enquiry', 'award', draft.sn, some), '报价供应商不足3家，请填写原因')
    await hospital.done('enquiry', 'award', draft.sn, { ...some, award_reason: '独家供应' })
    await hospital.done('purchasePlan', 'toOrder', plan)
    expect((await hospital.list('purchasePlan', { sn: plan }))[0]).toMatchObject({
      enquired_quantity: '4.000',
      state: 'partial',
    })
    const order = await hospital.from('purchaseOrder', plan)
    expect((await hospital.info('purchaseOrder', order.sn)).lines[0].quantity).toBe('6.000')
  })

  step('a newly agreed price ends the previous one if the reviewer says so', async () => {
    proves('purchasing.priceChange')
    const { dealer, h, stent } = scene
    const price = (value: string, from: number, more: object = {}) => ({
      price_side: 'sell',
      counterparty_sn: h,
      price_type: 'temporary',
      valid_from: day(from),
      lines: [{ specification_sn: stent, quantity: '1', price: value }],
      change_reason: '年度谈判',
      ...more,
    })
    const first = await dealer.add('priceRegistration', price('100', 0))
    await dealer.pass('priceRegistration', first)
    expectMessage(
      await attempt(dealer, 'priceRegistration', price('90', 5, { change_reason: null })),
      '价格变动幅度超过10%，请填写原因',
    )
    const next = await dealer.add('priceRegistration', price('95', 5))
    await dealer.done('priceRegistration', 'submit', next)
    const { version } = await dealer.info('priceRegistration', next)
    const asked = await dealer.client.post('/v1/business/priceRegistration/review', { sn: next, version })
    expect(asked).toMatchObject({ code: 2200 })
    await dealer.done('priceRegistration', 'review', next)
    const ended = await scene.one(
      "select valid_to::text from price_agreement where org_id = $1 and price_type = 'temporary' and price = 100",
      scene.d,
    )
    expect(ended.valid_to).toBe(day(4))
    await dealer.done('priceRegistration', 'unreview', next)
    expect(
      (
        await scene.one(
          "select valid_to from price_agreement where org_id = $1 and price_type = 'temporary' and price = 100",
          scene.d,
        )
      ).valid_to,
    ).toBeNull()
    expectMessage(await attempt(dealer, 'priceRegistration', price('80', -3), 'review'), /在所选期间已有有效价格$/)
    // 价格历史 shows each price with the previous one; orders use 集采价 before 中标价 before 协议价 before 临时价.
    const notified = await dealer.list('agreedPrice', { document_no: first })
    expect(notified).toMatchObject([{ price_side: 'sell', partner_sn: h, price: '100.0000', valid_to: null }])
    expect(notified[0].old_price).toBeTruthy()
    const ordered = async () => {
      const sn = await dealer.add('salesOrder', {
        counterparty_sn: h,
        lines: [{ specification_sn: stent, quantity: '1' }],
      })
      return (await dealer.info('salesOrder', sn)).lines[0].price
    }
    await scene.one(
      `update price_agreement set valid_to = current_date - 9 where org_id = $1 and buyer_id = $2
      and specification_id = $3 and price_type <> 'temporary' returning 1`,
      scene.d,
      h,
      stent,
    )
    expect(await ordered()).toBe('100.0000')
    for (const [price_type, value] of Object.entries({ agreed: '103', awarded: '102', volume: '101' })) {
      await dealer.pass('priceRegistration', await dealer.add('priceRegistration', price(value, 0, { price_type })))
      expect(await ordered()).toBe(`${value}.0000`)
    }
  })
})

test('最低限价 binds offers as it binds sales', async () => {
  const { hospital, dealer, d, inflator } = scene
  const sn = await hospital.add('enquiry', question())
  await hospital.pass('enquiry', sn)
  const limit = (price: string | null) =>
    scene.one(
      'update dealer_product set lowest_price = $3 where org_id = $1 and specification_id = $2 returning 1',
      d,
      inflator,
      price,
    )
  await limit('140')
  afterThisTest(() => limit(null))
  expectMessage(await offer(dealer, sn, '139.99'), /^第1行：【.+】.+销售价不能低于最低限价140$/)
  expect((await offer(dealer, sn, '140')).code).toBe(0)
})
