import { parseInteger } from '#kernel/values/integer.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { afterThisTest, attempt, lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { proves } from '#tests/support/proves.ts'
import { day, type Person } from '#tests/support/story.ts'

/** 销售订单: a customer's demand, confirmed as far as we can, shipped as far as we confirmed. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.shelve(scene.dealer, scene.shop, [lotOf(scene.inflator, 'SO1', { quantity: '100' })])
})
afterAll(() => scene?.close())

async function asked(quantity: string): Promise<{ po: string; so: string }> {
  const po = await scene.hospital.add('purchaseOrder', {
    counterparty_sn: scene.d,
    warehouse_model_inner_sn: scene.central,
    lines: [{ specification_sn: scene.inflator, quantity }],
  })
  await scene.hospital.pass('purchaseOrder', po)
  return { po, so: (await scene.dealer.from('salesOrder', po)).sn }
}
const edit = async (so: string, body: object) => {
  const { version } = await scene.dealer.info('salesOrder', so)
  return scene.dealer.client.post('/v1/business/salesOrder/edit', { sn: so, version, ...body })
}
const ship = (so: string, quantity: string) =>
  attempt(
    scene.dealer,
    'saleOdo',
    { source_type: 4, source_sn: so, warehouse_model_inner_sn: scene.shop, lines: [{ source_line_no: 1, quantity }] },
    'review',
  )

story('sales order, from one step to the next', step => {
  step("on a customer's order we edit only confirmed quantity, promised date and remark", async () => {
    const { po, so } = await asked('10')
    expectMessage(await edit(so, { lines: [{ line_no: 1, price: '150' }] }), '待处理的销售订单不能修改【含税单价】')
    expectMessage(await edit(so, { counterparty_sn: scene.v }), '待处理的销售订单不能修改【客户】')
    expectMessage(
      await edit(so, { lines: [{ line_no: 1, confirmed_quantity: '11' }] }),
      '第1行：确认数量不能大于客户订单数量10',
    )
    const found = (counterparty_type: string) => scene.dealer.list('salesOrder', { sn: so, counterparty_type })
    expect(await found('1')).toMatchObject([{ sn: so, counterparty_type: '1' }])
    expect(await found('2')).toEqual([])
    const from = (source_type: string) => scene.dealer.list('salesOrder', { sn: so, source_type })
    expect([(await from('3')).length, (await from('0')).length, (await from('0,3')).length]).toEqual([1, 0, 1])
    expect((await edit(so, { promised_date: day(3), lines: [{ line_no: 1, confirmed_quantity: '6' }] })).code).toBe(0)
    const { lines, taxed_amount } = await scene.dealer.info('salesOrder', so)
    expect([lines[0].ordered_quantity, lines[0].confirmed_quantity, lines[0].quantity, taxed_amount]).toEqual([
      '10.000',
      '6.000',
      '6.000',
      '870.00',
    ])
    await scene.dealer.done('salesOrder', 'review', so)
    expect(await scene.hospital.info('purchaseOrder', po)).toMatchObject({ confirm_state: '2' })
  })

  step(
    '换货: an exchange after receipt comes on the same order, done on arrival; returns are counted too',
    async () => {
      const { dealer, hospital, h, shop } = scene
      const colleague = await scene.colleague('hospital')
      await scene.rule(h, 'arrival_before_receipt', true)
      const { po, so } = await asked('10')
      await dealer.done('salesOrder', 'review', so)
      const order = async () => {
        const { state, lines, receive_state, ship_state } = await hospital.info('purchaseOrder', po)
        return [state, ship_state, receive_state, lines[0].received_quantity]
      }
      const shipped = async (quantity: string) => {
        const odo = await dealer.add('saleOdo', {
          source_type: 4,
          source_sn: so,
          warehouse_model_inner_sn: shop,
          lines: [{ source_line_no: 1, quantity }],
        })
        await dealer.pass('saleOdo', odo)
        const arrival = (await hospital.from('arrivalOrder', odo)).sn
        await hospital.pass('arrivalOrder', arrival)
        return { odo, ys: (await hospital.from('inspectionOrder', arrival)).sn }
      }
      const { odo, ys } = await shipped('10')
      await hospital.done('inspectionOrder', 'edit', ys, {
        lines: [{ line_no: 1, unqualified_quantity: '2', unqualified_reason: '标签模糊', disposition: 'hold' }],
      })
      await hospital.done('inspectionOrder', 'submit', ys)
      await colleague.done('inspectionOrder', 'review', ys)
      const { sn: grn } = await hospital.from('purchaseGrn', ys)
      await hospital.pass('purchaseGrn', grn)
      const printed = async (who: Person, kind: string, sn: string) =>
        (await who.client.get(`/v1/business/${kind}/print`, { sn })).info
      expect(await printed(hospital, 'purchaseGrn', grn)).toMatchObject({ order_sns: po, invoice_nos: null })
      expect(await printed(dealer, 'saleOdo', odo)).toMatchObject({
        sale_order_sns: so,
        hospital_order_sns: po,
        source_sn: null,
      })
      expect(await order()).toEqual(['completed', '3', '3', '10.000'])
      expect((await dealer.info('salesOrder', so)).state).toBe('completed')

      const bad = () => hospital.list('inspectionQualityLine', { inspection_no: ys, has_unqualified: 'yes' })
      const [row] = await bad()
      const { inspection_quality_line_sn, version } = row!
      await hospital.client.post('/v1/business/inspectionQualityLine/dispose', {
        sn: inspection_quality_line_sn,
        version,
        disposal_method: 'exchange',
      })
      expect(await bad()).toMatchObject([{ line_disposal_state: '2', exchange_no: po }])
      const { sn: back } = await hospital.from('purchaseReturn', grn)
      expect(await hospital.info('purchaseReturn', back)).toMatchObject({ state: 'draft', is_exchange: true })
      await hospital.pass('purchaseReturn', back)
      expect(await order()).toEqual(['partial', '2', '2', '8.000'])
      await hospital.done('purchaseReturn', 'unreview', back)
      expect(await order()).toEqual(['completed', '3', '3', '10.000'])
      await hospital.done('purchaseReturn', 'review', back)
      await hospital.done('purchaseReturn', 'redReverse', back, {
        reason: '少换一件',
        lines: [{ line_no: 1, quantity: '1' }],
      })
      expect(await order()).toEqual(['partial', '2', '2', '9.000'])

      // The manufacturer ships again once it has the goods back, on its existing order.
      const { sn: home } = await dealer.from('saleReturn', back)
      expect(await dealer.info('saleReturn', home)).toMatchObject({ is_exchange: true, total_quantity: '1.000' })
      for (const action of ['submit', 'inspect', 'review']) await dealer.done('saleReturn', action, home)
      expect(await dealer.info('salesOrder', so)).toMatchObject({ state: 'partial' })
      const again = await shipped('1')
      expect((await dealer.info('saleOdo', again.odo)).taxed_amount).toBe('145.00')
      expectMessage(await dealer.do('saleReturn', 'unreview', home), '换货的货物已按原销售订单出库，不能撤回退货')
      await hospital.done('inspectionOrder', 'submit', again.ys)
      await colleague.done('inspectionOrder', 'review', again.ys)
      const received = (await hospital.from('purchaseGrn', again.ys)).sn
      await hospital.pass('purchaseGrn', received)
      expect((await hospital.info('purchaseGrn', received)).taxed_amount).toBe('145.00')
      expect(await order()).toEqual(['completed', '3', '3', '10.000'])
      expect((await dealer.info('salesOrder', so)).state).toBe('completed')
      expect((await dealer.info('saleOdo', odo)).lines[0]).toMatchObject({ returned_quantity: '1.000' })

      // By hand too, while goods may still arrive on the order; refused by the manufacturer, they count as arrived
      // again.
      const more = { source_type: 9, source_sn: grn, return_reason: '划痕', is_exchange: true }
      const third = await hospital.add('purchaseReturn', { ...more, lines: [{ source_line_no: 1, quantity: '1' }] })
      await hospital.pass('purchaseReturn', third)
      expect(await order()).toEqual(['partial', '2', '2', '9.000'])
      const { sn: refused } = await dealer.from('saleReturn', third)
      await dealer.done('saleReturn', 'edit', refused, {
        lines: [{ line_no: 1, quantity: '0', refused_quantity: '1', refuse_reason: '非质量问题' }],
      })
      for (const action of ['submit', 'inspect', 'review']) await dealer.done('saleReturn', action, refused)
      expect(await order()).toEqual(['completed', '3', '3', '10.000'])
      // Goods that came without an order, or on a stopped one, need a new order.
      const lost = { ...more, lines: [{ source_line_no: 1, quantity: '1' }] }
      await scene.one("update document set state = 'stopped' where org_id = $1 and sn = $2 returning 1", h, po)
      expectMessage(
        await attempt(hospital, 'purchaseReturn', lost),
        '第1行没有可再到货的采购订单（没有订单或订单已终止），请取消换货，另下采购订单',
      )
      await scene.one("update document set state = 'completed' where org_id = $1 and sn = $2 returning 1", h, po)
      await scene.rule(h, 'arrival_before_receipt', false)
    },
  )

  step('shipped in parts, never beyond the order; afterwards the order cannot be undone', async () => {
    const { so } = await asked('10')
    expectMessage(await ship(so, '1'), `来源单${so}当前状态不能引用，请确认已审核且未终止`)
    await scene.dealer.done('salesOrder', 'review', so)
    expect((await ship(so, '4')).code).toBe(0)
    expect(await scene.dealer.info('salesOrder', so)).toMatchObject({ state: 'partial', ship_state: '2' })
    expectMessage(await ship(so, '7'), '出库数量超过订单剩余数量6')
    const [delivery] = await scene.dealer.list('saleOdo', { source_sn: so, state: 'reviewed' })
    for (const { sn, version } of await scene.dealer.list('saleOdo', { source_sn: so, state: 'draft' }))
      await scene.dealer.client.post('/v1/business/saleOdo/del', { sn, version })
    expectMessage(await scene.dealer.do('salesOrder', 'unreview', so), `订单已出库，不能反审核（${delivery.sn}）`)
    await ship(so, '6')
    expect((await scene.dealer.info('salesOrder', so)).state).toBe('completed')
  })

  step("undone before anything was shipped, the buyer's confirmation is undone too", async () => {
    const { po, so } = await asked('5')
    // If the organisation sets it so, its own draft delivery waits at once; untouched, it is removed when the review
    // is undone.
    await scene.rule(scene.d, 'auto_sale_odo', true)
    await scene.dealer.done('salesOrder', 'review', so)
    await scene.rule(scene.d, 'auto_sale_odo', false)
    const [created] = await scene.dealer.list('saleOdo', { source_sn: so })
    expect(created).toMatchObject({ state: 'draft', source_type: 4, warehouse_model_inner_sn: scene.shop })
    expect((await scene.dealer.info('saleOdo', created.sn)).lines).toMatchObject([{ quantity: '5.000' }])
    expect((await scene.hospital.info('purchaseOrder', po)).confirm_state).toBe('3')
    await scene.dealer.done('salesOrder', 'unreview', so)
    expect((await scene.hospital.info('purchaseOrder', po)).confirm_state).toBe('1')
    expect((await scene.dealer.info('salesOrder', so)).state).toBe('submitted')
  })

  step("stopped by us, nothing more is shipped, and the buyer's order ends with our reason", async () => {
    const { po, so } = await asked('10')
    await scene.dealer.done('salesOrder', 'review', so)
    await ship(so, '4')
    await scene.dealer.done('salesOrder', 'stop', so, { reason: '厂家断货' })
    expect(await scene.hospital.info('purchaseOrder', po)).toMatchObject({
      state: 'stopped',
      supplier_answer: 'stopped',
      answer_reason: '厂家断货',
    })
    expectMessage(await ship(so, '1'), `来源单${so}当前状态不能引用，请确认已审核且未终止`)
    const [delivery] = await scene.dealer.list('saleOdo', { source_sn: so })
    await scene.hospital.pass('purchaseGrn', (await scene.hospital.from('purchaseGrn', delivery.sn)).sn)
    expect((await scene.hospital.info('purchaseOrder', po)).lines[0].received_quantity).toBe('4.000')
  })

  step('a telephone order is entered by hand; the customer must be ours with valid licences', async () => {
    const { dealer, h, d, inflator } = scene
    const order = (more: object = {}) => ({
      counterparty_sn: h,
      lines: [{ specification_sn: inflator, quantity: '2' }],
      ...more,
    })
    const sn = await dealer.add('salesOrder', order({ business_date: day(), expected_date: day(7) }))
    await dealer.pass('salesOrder', sn)
    expect((await ship(sn, '2')).code).toBe(0)
    expectMessage(
      await attempt(dealer, 'salesOrder', order({ expected_date: day(-1) })),
      '要求到货日期不能早于订单日期',
    )
    expectMessage(await attempt(dealer, 'salesOrder', order({ lines: [] })), '请至少添加一行明细')
    const outsider = await scene.one(
      `select o.id, o.name from organisation o join org_relation r on r.partner_id = o.id and r.org_id = $1
        where o.system_type = 1 and o.id <> $2 and r.status = 'enabled' limit 1`,
      d,
      h,
    )
    await scene.one(
      `update org_relation set status = 'disabled' where (org_id, partner_id) = ($1, $2)
      or (org_id, partner_id) = ($2, $1) returning 1`,
      d,
      outsider.id,
    )
    expectMessage(
      await attempt(dealer, 'salesOrder', order({ counterparty_sn: outsider.id })),
      `相关机构【${outsider.name}】已停用`,
    )
    const hospital = await scene.one('select name from organisation where id = $1', h)
    await scene.one(
      'update licence set valid_to = $1, long_term = false where org_id = $2 and holder_id = $3 returning 1',
      day(-1),
      d,
      h,
    )
    expectMessage(
      await attempt(dealer, 'salesOrder', order()),
      `客户【${hospital.name}】的医疗机构执业许可证已过期，不能接单`,
    )
  })

  step('a dealer buys only what its licences cover, by the classes in their scope', async () => {
    proves('sales.customerScope')
    const { vendor, v, d, inflator } = scene
    const scope = (text: string) =>
      scene.one(
        `update licence set scope = $3 where org_id = $1 and holder_id = $2
        and licence_type in ('医疗器械经营许可证', '第二类医疗器械经营备案凭证') returning 1`,
        v,
        d,
        text,
      )
    const { now } = await scene.one(
      'select left(p.class_code, 2) as now from specification s join product p on p.id = s.product_id where s.id = $1',
      inflator,
    )
    const sn = await vendor.add('salesOrder', {
      counterparty_sn: d,
      lines: [{ specification_sn: inflator, quantity: '1' }],
    })
    await vendor.done('salesOrder', 'submit', sn)
    const review = async () => {
      const { version } = await vendor.info('salesOrder', sn)
      return vendor.client.post('/v1/business/salesOrder/review', { sn, version })
    }
    await scope('2002年目录：6801；2017年目录：21')
    expectMessage(await review(), `第1行：购货单位经营范围不含${now}【一次性使用球囊充压装置】，不能销售`)
    await scene.rule(v, 'certificate_check', 'warn')
    expect(JSON.stringify((await review()).info)).toContain('购货单位经营范围不含')
    await scene.rule(v, 'certificate_check', 'refuse')
    await scope(`2002年目录：6801；2017年目录：${now},21`)
    expect((await review()).code).toBe(0)
  })

  step('a hospital buys for its licensed departments: the platform maps classes to them', async () => {
    const { dealer, d, h, inflator } = scene
    const platform = await scene.person('platform')
    const { code } = await scene.one(
      'select left(p.class_code, 2) as code from specification s join product p on p.id = s.product_id where s.id = $1',
      inflator,
    )
    const limit = async (...subjects: string[]) => {
      const row = (await platform.list('deviceClass', { catalogue: '2017', code })).find(each => each.code === code)
      const body = { sn: row.device_class_sn, version: row.version, subjects }
      return platform.client.post('/v1/business/deviceClass/edit', body)
    }
    const licensed = (...subjects: string[]) =>
      scene.one(
        `update licence set valid_to = $3, subjects = case when licence_type = '医疗机构执业许可证' then $4::text[]
        else '{}' end where org_id = $1 and holder_id = $2 returning 1`,
        d,
        h,
        day(300),
        subjects,
      )
    expectMessage(await limit('美甲科'), '诊疗科目名录中没有【美甲科】，请从名录选择')
    expect((await limit('口腔科', '骨科专业')).code).toBe(0)
    const lines = [{ specification_sn: inflator, quantity: '1' }]
    const review = async (sn: string) => {
      const { version } = await dealer.info('salesOrder', sn)
      return dealer.client.post('/v1/business/salesOrder/review', { sn, version })
    }
    await licensed('外科')
    const sn = await dealer.add('salesOrder', { counterparty_sn: h, lines })
    await dealer.done('salesOrder', 'submit', sn)
    const refused = '第1行：购货单位诊疗科目不含口腔科、骨科专业【一次性使用球囊充压装置】，不能销售'
    await licensed('内科', '眼科')
    expectMessage(await review(sn), refused)
    // The first submit already refuses for the reasons of the review.
    expectMessage(await attempt(dealer, 'salesOrder', { counterparty_sn: h, lines }), refused)
    const carried = { counterparty_sn: h, warehouse_model_inner_sn: scene.shop, settle_date: day(9) }
    const advance = { ...carried, lines: [{ ...lines[0], lot_no: 'SO1', price: '150' }] }
    expectMessage(await attempt(dealer, 'advanceSale', advance, 'review'), refused)
    await scene.rule(d, 'certificate_check', 'warn')
    expect(JSON.stringify((await review(sn)).info)).toContain('购货单位诊疗科目不含口腔科、骨科专业')
    await scene.rule(d, 'certificate_check', 'refuse')
    // Surgery as a whole includes orthopaedics; a licence that names no subjects is left to people.
    await licensed('外科')
    expect((await review(sn)).code).toBe(0)
    await licensed()
    const unread = await dealer.add('salesOrder', { counterparty_sn: h, lines })
    await dealer.pass('salesOrder', unread)
    expect((await limit()).code).toBe(0)
  })

  step('ordered by package: its prints also show quantity in packages: open, stopped, lots to ship first', async () => {
    const { hospital, dealer, shop, inflator } = scene
    const units = await hospital.list('unitTree', { specification_sn: inflator })
    const pack = units.find(unit => parseInteger(unit.base_measure) > 1)!
    const order = await hospital.add('purchaseOrder', {
      counterparty_sn: scene.d,
      warehouse_model_inner_sn: scene.central,
      lines: [
        { specification_sn: inflator, unit_inner_sn: pack.unit_inner_sn, quantity: '300', price: '1450', tax_rate: 13 },
      ],
    })
    await hospital.pass('purchaseOrder', order)
    const { sn } = await dealer.from('salesOrder', order)
    await dealer.done('salesOrder', 'review', sn)
    await scene.shelve(dealer, shop, [
      lotOf(inflator, 'PICK0', { quantity: String(pack.base_measure), expiry_date: day(30) }),
    ])
    const sheet = async (who: typeof dealer, kind: string, of: string) =>
      (await who.client.get(`/v1/business/${kind}/print`, { sn: of })).info
    const wanted = await sheet(dealer, 'salesOrder', sn)
    expect(wanted).toMatchObject({ ordered_total: '300', open_total: '300', lines: [{ open_quantity: '300.000' }] })
    expect(wanted.lines[0].proposed_lots).toMatch(/^PICK0×1、.*、缺[\d.]+$/)
    await dealer.done('salesOrder', 'stop', sn, { reason: '缺货' })
    expect((await sheet(hospital, 'purchaseOrder', order)).lines[0]).toMatchObject({ stopped_quantity: '300.000' })
  })
})

test('客户订单已由另一张销售订单全部确认：系统生成、待审核的那张自动作废', async () => {
  const { dealer } = scene
  const { po, so } = await asked('10')
  expect((await dealer.info('salesOrder', so)).state).toBe('submitted')
  const confirmed = async (quantity: string) => {
    const lines = [{ source_line_no: 1, quantity }]
    const sn = await dealer.add('salesOrder', { source_type: 3, source_sn: po, source_org_sn: scene.h, lines })
    await dealer.pass('salesOrder', sn)
    return sn
  }
  await confirmed('4')
  expect((await dealer.info('salesOrder', so)).state).toBe('submitted')
  const rest = await confirmed('6')
  const waiting = await dealer.info('salesOrder', so)
  expect(waiting.state).toBe('cancelled')
  expect(waiting.history.at(-1)).toMatchObject({ label: '作废', reason: '来源已全部执行' })
  expect((await dealer.info('salesOrder', rest)).state).toBe('reviewed')
  expect(await scene.hospital.info('purchaseOrder', po)).toMatchObject({ state: 'reviewed', confirm_state: '3' })
  // Reviewed, the one that was made by itself takes all there is, and was never void.
  const whole = await asked('3')
  await dealer.done('salesOrder', 'review', whole.so)
  const { state, history } = await dealer.info('salesOrder', whole.so)
  expect([state, history.map(({ label }: { label: string }) => label)]).toEqual(['reviewed', ['新增', '审核']])
  // An order that somebody edited is not cancelled by itself.
  const other = await asked('2')
  await edit(other.so, { promised_date: day(3) })
  const lines = [{ source_line_no: 1, quantity: '2' }]
  const header = { source_type: 3, source_sn: other.po, source_org_sn: scene.h, lines }
  await dealer.pass('salesOrder', await dealer.add('salesOrder', header))
  expect((await dealer.info('salesOrder', other.so)).state).toBe('submitted')
})

test('最低限价 binds whatever we offer, agree and sell: orders, deliveries, agreements', async () => {
  const { dealer, inflator, h, d, shop } = scene
  const before = await scene.one(
    'select lowest_price from dealer_product where org_id = $1 and specification_id = $2',
    d,
    inflator,
  )
  const limit = (price: string | null) =>
    scene.one(
      'update dealer_product set lowest_price = $3 where org_id = $1 and specification_id = $2 returning 1',
      d,
      inflator,
      price,
    )
  await limit('140')
  afterThisTest(() => limit(before.lowest_price))
  const at = (price: string) => ({
    counterparty_sn: h,
    lines: [{ specification_sn: inflator, quantity: '1', price }],
  })
  const low = /^第1行：【.+】.+销售价不能低于最低限价140$/
  expectMessage(await attempt(dealer, 'salesOrder', at('139.99'), 'submit'), low)
  await dealer.pass('salesOrder', await dealer.add('salesOrder', at('140')))
  const delivery = (price: string) => ({ ...at(price), warehouse_model_inner_sn: shop })
  expectMessage(await attempt(dealer, 'saleOdo', delivery('139.99'), 'submit'), low)
  const agreed = { ...at('139'), price_side: 'sell', valid_from: day(), valid_to: day(30), change_reason: '促销' }
  expectMessage(await attempt(dealer, 'priceRegistration', agreed, 'submit'), low)
  // A customer's own order below it is not confirmed either.
  const { so } = await asked('1')
  await limit('150')
  expectMessage(await dealer.do('salesOrder', 'review', so), /销售价不能低于最低限价150$/)
  await limit(null)
  await dealer.done('salesOrder', 'review', so)
})

test('an order taken by telephone is delivered where the customer is filed; without an address it is not submitted', async () => {
  const { dealer, h, d, inflator } = scene
  const lines = [{ specification_sn: inflator, quantity: '1', price: '100', tax_rate: 13 }]
  const so = await dealer.add('salesOrder', { counterparty_sn: h, lines })
  const filed = await scene.one('select address from organisation where id = $1', h)
  const kept = await scene.one(
    'select id, delivery_address from org_relation where org_id = $1 and partner_id = $2 and status = $3 order by id',
    d,
    h,
    'enabled',
  )
  expect((await dealer.info('salesOrder', so)).delivery_address).toBe(kept.delivery_address || filed.address)
  afterThisTest(async () => {
    await scene.one('update organisation set address = $2 where id = $1 returning id', h, filed.address)
    await scene.one(
      'update org_relation set delivery_address = $2 where id = $1 returning id',
      kept.id,
      kept.delivery_address,
    )
  })
  await scene.one("update organisation set address = '' where id = $1 returning id", h)
  await scene.one('update org_relation set delivery_address = null where id = $1 returning id', kept.id)
  expectMessage(
    await attempt(dealer, 'salesOrder', { counterparty_sn: h, lines }, 'submit'),
    '请填写【收货地址】：客户资料中没有收货地址，可在订单中填写，或先在往来单位中维护',
  )
  const written = await dealer.add('salesOrder', { counterparty_sn: h, delivery_address: '样例路9号', lines })
  await dealer.pass('salesOrder', written)
})
