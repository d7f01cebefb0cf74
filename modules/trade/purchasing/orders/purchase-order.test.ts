import { documents } from '#kernel/registry.ts'
import { isDirection } from '#kernel/values/organisation-type.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { afterThisTest, attempt, expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { uploadPicture } from '#tests/support/picture.ts'
import { proves } from '#tests/support/proves.ts'
import { day } from '#tests/support/story.ts'

/** 采购订单: sent to a supplier, answered by it, fulfilled by arriving goods. */
let scene: Scene
const order = (quantity: string, more: object = {}) => ({
  counterparty_sn: scene.d,
  warehouse_model_inner_sn: scene.central,
  lines: [{ specification_sn: scene.inflator, quantity }],
  ...more,
})
beforeAll(async () => {
  scene = await openScene()
  await scene.shelve(scene.dealer, scene.shop, [lotOf(scene.inflator, 'PO1', { quantity: '100' })])
})
afterAll(() => scene?.close())

/** A reviewed order and the sales order it became at the supplier. */
async function placed(quantity: string): Promise<{ po: string; so: string }> {
  const po = await scene.hospital.add('purchaseOrder', order(quantity))
  await scene.hospital.pass('purchaseOrder', po)
  return { po, so: (await scene.dealer.from('salesOrder', po)).sn }
}

test('goods come from suppliers and go to customers: no kind takes the other, nor ourselves', async () => {
  const { dealer, vendor, hospital, h, d, inflator } = scene
  // A manufacturer is a dealer's customer only if there is a relation by which it buys there: D01 has none with V04.
  const v = await scene.org('V04')
  const names = new Map<string, string>()
  for (const id of [h, v]) names.set(id, (await scene.one('select name from organisation where id = $1', id)).name)
  const kinds = documents().flatMap(({ kind, ownerTypes, header, lifecycle }) => {
    const field = header.counterparty_sn
    const relation = field?.optionsFilter?.relation
    const byHand = lifecycle.manualEntry !== false && ownerTypes.includes('D')
    return byHand && field && !field.readOnly && isDirection(relation) ? [{ kind, relation, label: field.label }] : []
  })
  expect(kinds.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining([
      'purchaseOrder',
      'salesOrder',
      'purchaseGrn',
      'saleOdo',
      'inboundInvoice',
      'outboundInvoice',
    ]),
  )
  for (const { kind, relation, label } of kinds) {
    const [wrong, role] = relation === 'supplier' ? [h, '供应商'] : [v, '客户']
    const add = (counterparty_sn: string) =>
      dealer.client.post(`/v1/business/${kind}/add`, { counterparty_sn, lines: [] })
    const words = `【${names.get(wrong)}】不是本机构的${role}，请重新选择【${label}】`
    expect([kind, (await add(wrong)).msg]).toEqual([kind, words])
    expect([kind, (await add(d)).msg]).toEqual([kind, `【${label}】不能是本机构，请重新选择`])
  }
  const buys = { counterparty_sn: d, lines: [] }
  expect((await vendor.client.post('/v1/business/purchaseOrder/add', buys)).code).toBe(0)
  const plan = { lines: [{ specification_sn: inflator, quantity: '1', supplier_sn: h }] }
  expectMessage(await hospital.client.post('/v1/business/purchasePlan/add', plan), '【供应商】不能是本机构，请重新选择')
  const enquiry = { heading: '耗材', suppliers: [v, h], lines: [{ specification_sn: inflator, quantity: '1' }] }
  expectMessage(
    await dealer.client.post('/v1/business/enquiry/add', enquiry),
    `【${names.get(h)}】不是本机构的供应商，请重新选择【邀请供应商】`,
  )
})

story('purchase order, from one step to the next', step => {
  step('reviewed, it appears at the supplier at the agreed price, and its people are notified', async () => {
    const { hospital, dealer, h } = scene
    const { po, so } = await placed('10')
    expect(await hospital.info('purchaseOrder', po)).toMatchObject({
      state: 'reviewed',
      taxed_amount: '1450.00',
      confirm_state: '1',
      receive_state: '1',
      supplier_answer: null,
    })
    const sales = await dealer.info('salesOrder', so)
    expect(sales).toMatchObject({ state: 'submitted', counterparty_sn: h, source_type: 3, source_sn: po })
    expect(sales.lines[0]).toMatchObject({ quantity: '10.000', price: '145.0000' })
    const message = await scene.one(
      'select title, uri, extra from message where org_id = $1 order by id desc limit 1',
      scene.d,
    )
    expect(message).toMatchObject({ title: '收到新的采购订单', uri: 'salesOrder', extra: { salesOrderSn: so } })
  })

  step('with a partner stopped meanwhile, open business is finished and nothing new is started', async () => {
    const { hospital, dealer, shop, h, d } = scene
    const { so } = await placed('1')
    await dealer.done('salesOrder', 'review', so)
    const stand = (status: string) =>
      scene.one(
        `update org_relation set status = $1
        where (org_id, partner_id) in (($2::bigint, $3::bigint), ($3::bigint, $2::bigint)) returning 1`,
        status,
        h,
        d,
      )
    await stand('disabled')
    const odo = await dealer.add('saleOdo', {
      source_type: 4,
      source_sn: so,
      warehouse_model_inner_sn: shop,
      lines: [{ source_line_no: 1, quantity: '1' }],
    })
    await dealer.pass('saleOdo', odo)
    // The same for a product that the organisation stopped: ordered goods are received; none are ordered, planned or
    // requested anew.
    const [kept] = await hospital.list('hospitalProduct', { specification_sn: scene.inflator })
    const turn = async (action: string) => {
      const { version } = await hospital.info('hospitalProduct', kept.hospital_product_sn)
      const reply = await hospital.client.post(`/v1/business/hospitalProduct/${action}`, {
        sn: kept.hospital_product_sn,
        version,
      })
      expect(reply.code, reply.msg).toBe(0)
    }
    const offered = async () => (await hospital.list('specification', { q: 'P009-01', asked: 'true' })).length
    expect(await offered()).toBe(1)
    await turn('disable')
    expect(await offered()).toBe(0)
    const grn = await hospital.from('purchaseGrn', odo)
    await hospital.pass('purchaseGrn', grn.sn)
    const goods = '【一次性使用球囊充压装置】30atm 20ml'
    const lines = [{ specification_sn: scene.inflator, quantity: '1' }]
    await stand('enabled')
    expectMessage(
      await attempt(hospital, 'purchaseOrder', order('1')),
      `第1行：${goods}已在本机构产品目录中停用，不能下单`,
    )
    expectMessage(
      await attempt(hospital, 'purchasePlan', { warehouse_model_inner_sn: scene.central, lines }),
      '第1行：产品【一次性使用球囊充压装置 30atm 20ml】已停用',
    )
    const claim = { warehouse_model_inner_sn: scene.central, department_inner_sn: scene.department, lines }
    expectMessage(await attempt(hospital, 'requisition', claim), /不能申领$/)
    await turn('enable')
    await stand('disabled')
    const { name } = await scene.one('select name from organisation where id = $1', d)
    expectMessage(await attempt(hospital, 'purchaseOrder', order('1')), `相关机构【${name}】已停用`)
    await stand('enabled')
  })

  step('ordered, confirmed, shipped, received: each step shows on the order until nothing is left', async () => {
    const { hospital, dealer, shop } = scene
    const { po, so } = await placed('10')
    const stands = () => hospital.info('purchaseOrder', po)
    const listed = async () => (await hospital.list('purchaseOrder', { sn: po }))[0]
    await dealer.done('salesOrder', 'review', so)
    expect(await stands()).toMatchObject({ confirm_state: '3', ship_state: '1' })
    const odo = await dealer.add('saleOdo', {
      source_type: 4,
      source_sn: so,
      warehouse_model_inner_sn: shop,
      lines: [{ source_line_no: 1, quantity: '4' }],
    })
    await dealer.pass('saleOdo', odo)
    expect(await stands()).toMatchObject({ state: 'reviewed', ship_state: '2', receive_state: '1' })
    const grn = await hospital.from('purchaseGrn', odo)
    await hospital.pass('purchaseGrn', grn.sn)
    expect(await stands()).toMatchObject({ state: 'partial', state_name: '部分执行', receive_state: '2' })
    expect((await stands()).lines[0]).toMatchObject({ executed_quantity: '4.000', shipped_quantity: '4.000' })
    // Goods received without an arrival document count as arrived.
    expect(await listed()).toMatchObject({
      arrived_quantity: '4.000',
      received_quantity: '4.000',
      unreceived_quantity: '6.000',
      arrived_amount: '580.00',
      received_amount: '580.00',
      arrived_share: '0.4000',
    })
    expect((await dealer.list('salesOrder', { sn: so }))[0]).toMatchObject({
      shipped_amount: '580.00',
      shipped_share: '0.4000',
    })
    await hospital.done('purchaseOrder', 'remind', po)
    expectMessage(await hospital.do('purchaseOrder', 'remind', po), '今日已催办，每日限一次，请明日再催')
    const urged = await scene.one(
      'select title, body, uri, object_id from message where org_id = $1 order by id desc limit 1',
      scene.d,
    )
    expect(urged).toMatchObject({ title: '客户催货', uri: 'salesOrder', object_id: so })
    expect(urged.body).toContain('还有6未发货')
    const rest = await dealer.add('saleOdo', { source_type: 4, source_sn: so, warehouse_model_inner_sn: shop })
    await dealer.pass('saleOdo', rest)
    await hospital.pass('purchaseGrn', (await hospital.from('purchaseGrn', rest)).sn)
    expect(await stands()).toMatchObject({ state: 'completed', receive_state: '3' })
    expectMessage(await hospital.do('purchaseOrder', 'unreview', po), /^已有到货，不能反审核，请终止订单/)
    await hospital.done('purchaseGrn', 'redReverse', grn.sn, { reason: '错收' })
    expect(await stands()).toMatchObject({ state: 'partial', receive_state: '2' })
  })

  step('a supplier without an account gets none; the order shows 线下 and is received by hand', async () => {
    const { hospital, central } = scene
    const offline = await scene.one(
      `select h.specification_id as spec, h.supplier_id as org from hospital_product h
      join organisation o on o.id = h.supplier_id join specification s on s.id = h.specification_id
      join product p on p.id = s.product_id join registration_certificate c on c.id = s.registration_certificate_id
      where h.org_id = $1 and o.code = 'D02' and h.admission_state = 'admitted' and not h.is_unit_coded
      and h.regime = 'purchased' and p.status = 'released' and c.valid_to > '2027-06-30' and not p.is_cold_chain
      order by s.id limit 1`,
      scene.h,
    )
    const po = await hospital.add('purchaseOrder', {
      counterparty_sn: offline.org,
      warehouse_model_inner_sn: central,
      lines: [{ specification_sn: offline.spec, quantity: '5' }],
    })
    await hospital.pass('purchaseOrder', po)
    expect(await hospital.info('purchaseOrder', po)).toMatchObject({ supplier_answer: 'offline', confirm_state: '1' })
    expect(
      await scene.one('select 1 from intercompany_message where org_id = $1 and to_org_id = $2', scene.h, offline.org),
    ).toBeUndefined()
    const receipt = (quantity: string) =>
      attempt(
        hospital,
        'purchaseGrn',
        {
          source_type: 3,
          source_sn: po,
          lines: [{ source_line_no: 1, quantity, lot_no: 'OFF1', production_date: day(-10), expiry_date: day(900) }],
        },
        'review',
      )
    expectMessage(await receipt('6'), '入库数量超过订单未入库数量，最多还可入库5')
    expectMessage(await hospital.do('purchaseOrder', 'remind', po), '供应商未开通账号，请电话或传真催货')
    expect((await receipt('5')).code).toBe(0)
    expect((await hospital.info('purchaseOrder', po)).state).toBe('completed')
  })

  step('refused by the supplier, the order stays with the reason; accepted later, the refusal is gone', async () => {
    const { hospital, dealer } = scene
    const { po, so } = await placed('2')
    expectMessage(await dealer.do('salesOrder', 'reject', so), '请填写拒绝订单原因')
    await dealer.done('salesOrder', 'reject', so, { reason: '停产' })
    expect(await hospital.info('purchaseOrder', po)).toMatchObject({
      state: 'reviewed',
      supplier_answer: 'rejected',
      answer_reason: '停产',
    })
    await dealer.done('salesOrder', 'submit', so)
    await dealer.done('salesOrder', 'review', so)
    expect(await hospital.info('purchaseOrder', po)).toMatchObject({ supplier_answer: null, confirm_state: '3' })
  })

  step('undone while untouched at the supplier; once confirmed it can only be stopped, with notification', async () => {
    const { hospital, dealer } = scene
    const { po, so } = await placed('3')
    await hospital.done('purchaseOrder', 'unreview', po)
    expect((await dealer.info('salesOrder', so)).state).toBe('cancelled')
    await hospital.done('purchaseOrder', 'review', po)
    const [again] = await dealer.list('salesOrder', { source_sn: po, state: 'submitted' })
    await dealer.done('salesOrder', 'review', again.sn)
    expectMessage(await hospital.do('purchaseOrder', 'unreview', po), `对方已处理（销售订单${again.sn}），不能反审核`)
    expectMessage(await hospital.do('purchaseOrder', 'stop', po), '请填写终止原因')
    await hospital.done('purchaseOrder', 'stop', po, { reason: '改用别的规格' })
    expect((await hospital.info('purchaseOrder', po)).state).toBe('stopped')
    expect((await hospital.list('purchaseOrder', { sn: po }))[0]).toMatchObject({ unreceived_quantity: '0.000' })
    expect((await dealer.info('salesOrder', again.sn)).state).toBe('stopped')
    // The supplier's message opens its own order, of which it ships no more.
    const said = await scene.one('select * from message where org_id = $1 order by id desc limit 1', scene.d)
    expect(said).toMatchObject({ title: '对方终止了单据', uri: 'salesOrder', object_id: again.sn })
  })

  step('what cannot be ordered is refused with its own message', async () => {
    const { hospital, stent, inflator } = scene
    const submit = (more: object) => attempt(hospital, 'purchaseOrder', order('1', more))
    expectMessage(await submit({ lines: [] }), '请至少添加一行明细')
    expectMessage(await submit({ expected_date: day(-1) }), '要求到货日期不能早于订单日期')
    // A hospital's order has the agreed price, whatever was entered; without an agreed price nothing can be ordered.
    const written = { lines: [{ specification_sn: inflator, quantity: '1', price: '144', taxed_amount: '1' }] }
    const priced = await hospital.info('purchaseOrder', await hospital.add('purchaseOrder', order('1', written)))
    expect(priced.lines).toMatchObject([{ price: '145.0000', taxed_amount: '145.00' }])
    const agreed = (status: string) =>
      scene.one(
        'update price_agreement set status = $1 where org_id = $2 and specification_id = $3 returning 1',
        status,
        scene.h,
        inflator,
      )
    await agreed('disabled')
    expectMessage(
      await submit({ lines: [{ specification_sn: inflator, quantity: '1', price: '1' }] }),
      '第1行：【一次性使用球囊充压装置】与该供应商没有生效的进价，请先办理调价或询价登记再下单',
    )
    await agreed('enabled')
    expectMessage(
      await submit({ regime: 'consigned' }),
      '第1行：【一次性使用球囊充压装置】30atm 20ml在本院为买断管理，不能按寄售采购',
    )
    expect((await submit({ regime: 'consigned', lines: [{ specification_sn: stent, quantity: '1' }] })).code).toBe(0)
  })

  step(
    '经营范围: a supplier sells a hospital only what its licences cover, by the classes of either catalogue',
    async () => {
      proves('purchasing.supplierScope')
      const { hospital, h, d, inflator } = scene
      const scope = (text: string) =>
        scene.one(
          `update licence set scope = $3 where org_id = $1 and holder_id = $2
        and licence_type in ('医疗器械经营许可证', '第二类医疗器械经营备案凭证') returning 1`,
          h,
          d,
          text,
        )
      const { now, licence } = await scene.one(
        `select left(p.class_code, 2) as now, case p.device_class when 'III' then '医疗器械经营许可证'
      else l.licence_type end as licence from specification s join product p on p.id = s.product_id,
      lateral (select licence_type from licence where org_id = $2 and holder_id = $3 and licence_type = '医疗器械经营许可证'
      limit 1) l where s.id = $1`,
        inflator,
        h,
        d,
      )
      const { name } = await scene.one('select name from organisation where id = $1', d)
      const kept = await scene.one(
        `select string_agg(distinct scope, $3) as scope from licence where org_id = $1 and holder_id = $2
      and scope is not null`,
        h,
        d,
        '；',
      )
      await scope('2002年目录：6801；2017年目录：21')
      const outside = `供应商【${name}】${licence}的经营范围不含${now}【一次性使用球囊充压装置】`
      expectMessage(await attempt(hospital, 'purchaseOrder', order('1')), `第1行：${outside}，不能下单`)
      await scene.rule(h, 'certificate_check', 'warn')
      const sn = await hospital.add('purchaseOrder', order('1'))
      const { version } = await hospital.info('purchaseOrder', sn)
      const asked = await hospital.client.post('/v1/business/purchaseOrder/submit', { sn, version })
      expect(asked.info.questions[0]).toMatchObject({ rule: 'supplierScope', msg: `第1行：${outside}，是否继续？` })
      await scene.rule(h, 'certificate_check', 'refuse')
      // The platform maps it to a class of the older catalogue: a scope written in the older codes is valid as well.
      await scene.one("update device_class set corresponds = '6899' where code = $1 returning 1", now)
      await scope('2002年目录：6899')
      expect((await attempt(hospital, 'purchaseOrder', order('1'))).code).toBe(0)
      // A scope without classes is left to people.
      await scope('三类医疗器械')
      expect((await attempt(hospital, 'purchaseOrder', order('1'))).code).toBe(0)
      await scope(kept.scope)
    },
  )

  step('expired licences stop the order; with 证照校验 on warn they give a warning', async () => {
    proves('purchasing.licencesValid')
    const { hospital, inflator } = scene
    await scene.one(
      `update registration_certificate set valid_to = $1
      where id = (select registration_certificate_id from specification where id = $2) returning 1`,
      day(-1),
      inflator,
    )
    const sentence = /^第1行：【一次性使用球囊充压装置】注册证.*已过期，不能下单$/
    expectMessage(await attempt(hospital, 'purchaseOrder', order('1')), sentence)
    await scene.rule(scene.h, 'certificate_check', 'warn')
    const sn = await hospital.add('purchaseOrder', order('1'))
    const { version } = await hospital.info('purchaseOrder', sn)
    const asked = await hospital.client.post('/v1/business/purchaseOrder/submit', { sn, version })
    expect(asked).toMatchObject({ code: 2200, info: { questions: [{ rule: 'certificate', line: 1 }] } })
    await hospital.done('purchaseOrder', 'submit', sn)
    expect((await hospital.info('purchaseOrder', sn)).history.at(-1).confirmed[0]).toMatch(sentence)
  })

  step('a supplier whose manufacturer authorisation lapsed gives a warning, or a refusal if set so', async () => {
    const { hospital, h, d } = scene
    await scene.rule(h, 'certificate_check', 'refuse')
    await scene.one(
      `update registration_certificate set valid_to = $1
      where id = (select registration_certificate_id from specification where id = $2) returning 1`,
      day(400),
      scene.inflator,
    )
    const { maker, product } = await scene.one(
      `select p.manufacturer_id as maker, p.name as product from specification s join product p on p.id = s.product_id
      where s.id = $1`,
      scene.inflator,
    )
    await scene.server.database.owner`
    update licence set valid_to = ${day(-3)}, long_term = false
      where org_id = ${h} and licence_type in ('授权书', '产品授权书') and (grantee_id = ${d} or holder_id = ${d})`
    await scene.server.database.owner`
    insert into licence (org_id, holder_id, licence_type, licence_no, valid_from, valid_to, grantor_id, grantee_id)
      values (${h}, ${d}, '授权书', 'SQ-CG', ${day(-90)}, ${day(-2)}, ${maker}, ${d})`
    const sentence = `第1行：供应商未获得【${product}】的授权（授权书SQ-CG于${day(-2)}到期），不能下单`
    const ask = async () => {
      const sn = await hospital.add('purchaseOrder', order('1'))
      const { version } = await hospital.info('purchaseOrder', sn)
      return hospital.client.post('/v1/business/purchaseOrder/submit', { sn, version })
    }
    expect((await ask()).info.questions).toMatchObject([{ rule: 'certificate', msg: sentence }])
    await scene.server.database.owner`
    insert into licence_setting (org_id, licence_type, control)
      values (${h}, '授权书', 'refuse') on conflict (org_id, licence_type) do update set control = 'refuse'`
    expectMessage(await ask(), sentence)
    await scene.server.database
      .owner`update licence set valid_to = ${day(30)} where org_id = ${h} and licence_no = 'SQ-CG'`
    expect((await ask()).code).toBe(0)
    // Its lines state for which goods, where and until when it is valid; the order records it as a licence it relied
    // on.
    const [doc] = await hospital.list('licence', { licence_no: 'SQ-CG' })
    const line = (more: object) =>
      hospital.client.post('/v1/business/authorisationLine/add', { licence_sn: doc.licence_sn, ...more })
    expectMessage(await line({ valid_to: day(31) }), `授权期限不能超出授权书的有效期（${day(-90)}起至${day(30)}）`)
    const another = await scene.one('select product_id as id from specification where id = $1', scene.balloon)
    expectMessage(await line({ product_sn: another.id, manufacturer_sn: h }), '授权产品不是该生产厂家的产品')
    // An authorisation whose lines change after its review is reviewed again.
    const judged = async () => {
      const scan = await uploadPicture(hospital)
      for (const [action, more] of [
        ['edit', { attachments: [scan] }],
        ['submit', {}],
        ['review', {}],
      ] as const) {
        const [row] = await hospital.list('licence', { licence_no: 'SQ-CG' })
        if (action === 'edit') expect(row.audit_state).toBe('draft')
        const sent = { sn: row.licence_sn, version: row.version, ...more }
        expect((await hospital.client.post(`/v1/business/licence/${action}`, sent)).msg).toBe('')
      }
    }
    expect((await line({ product_sn: another.id })).code).toBe(0)
    await judged()
    expectMessage(await ask(), `第1行：供应商未获得【${product}】的授权，不能下单`)
    expect((await line({ area: '广东省' })).code).toBe(0)
    await judged()
    expectMessage(await ask(), `第1行：供应商未获得【${product}】的授权，不能下单`)
    const [, wide] = await hospital.list('authorisationLine', { licence_sn: doc.licence_sn })
    expect(wide).toMatchObject({ area: '广东省', manufacturer_sn: maker, grant_level: '1', line_origin: 'own' })
    const edited = await hospital.client.post('/v1/business/authorisationLine/edit', {
      sn: wide.authorisation_line_sn,
      version: wide.version,
      area: null,
      hospital_sn: h,
    })
    expect(edited.code, edited.msg).toBe(0)
    await judged()
    const sn = await hospital.add('purchaseOrder', order('1'))
    await hospital.done('purchaseOrder', 'submit', sn)
    await hospital.done('purchaseOrder', 'review', sn)
    expect((await hospital.info('purchaseOrder', sn)).relied).toContainEqual(
      expect.objectContaining({ licence_type: '授权书', licence_no: 'SQ-CG', valid_to: day(30) }),
    )
  })
})

test('an order says where to deliver: from its warehouse, and the supplier reads it; without an address it stays', async () => {
  const { hospital, central, h } = scene
  const { po, so } = await placed('1')
  const store = await scene.one('select name, address from warehouse where org_id = $1 and id = $2', h, central)
  const own = await scene.one('select address from organisation where id = $1', h)
  const place = `${store.address || own.address} ${store.name}`
  expect((await hospital.info('purchaseOrder', po)).delivery_address).toBe(place)
  expect((await scene.dealer.info('salesOrder', so)).delivery_address).toBe(place)
  afterThisTest(async () => {
    await scene.one('update organisation set address = $2 where id = $1 returning id', h, own.address)
    await scene.one(
      'update warehouse set address = $3 where org_id = $1 and id = $2 returning id',
      h,
      central,
      store.address,
    )
  })
  await scene.one("update organisation set address = '' where id = $1 returning id", h)
  await scene.one('update warehouse set address = null where org_id = $1 and id = $2 returning id', h, central)
  expectMessage(
    await attempt(hospital, 'purchaseOrder', order('1'), 'submit'),
    /^请填写【收货地址】：收货仓库和本机构都没有维护地址/,
  )
  const written = await hospital.add('purchaseOrder', order('1', { delivery_address: '样例路9号3楼' }))
  await hospital.pass('purchaseOrder', written)
  expect((await hospital.info('purchaseOrder', written)).delivery_address).toBe('样例路9号3楼')
})
