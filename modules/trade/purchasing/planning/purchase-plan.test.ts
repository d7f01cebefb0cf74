import { add, compare } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { attempt, expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { sendSheet, workbook } from '#tests/support/sheets.ts'
import { day } from '#tests/support/story.ts'

/** 采购计划: goods that must be bought and why, turned into orders by supplier. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.shelve(scene.hospital, scene.central, [lotOf(scene.inflator, 'JH1', { quantity: '12' })])
  await limits('30', '100')
})
afterAll(() => scene?.close())

const limits = (least: string, most: string) =>
  scene.one(
    `insert into warehouse_product (org_id, warehouse_id, specification_id, min_quantity, reorder_point, max_quantity)
      values ($1, $2, $3, $4, $4, $5)
     on conflict (org_id, warehouse_id, specification_id) do update set min_quantity = $4, reorder_point = $4,
       max_quantity = $5 returning 1`,
    scene.h,
    scene.central,
    scene.inflator,
    least,
    most,
  )
const plan = (quantity: string, more: object = {}) => ({
  warehouse_model_inner_sn: scene.central,
  lines: [{ specification_sn: scene.inflator, quantity, ...more }],
})
const orders = (sn: string) => scene.hospital.list('purchaseOrder', { source_sn: sn })
const call = (name: string, body: object = {}) =>
  scene.hospital.client.post(`/v1/business/purchasePlan/${name}`, { warehouse_model_inner_sn: scene.central, ...body })

story('purchase plan, from one step to the next', step => {
  step('each line shows what is on hand, in transit and proposed: 上限100，可用12，在途20，建议68', async () => {
    const { hospital, d, central, inflator } = scene
    const po = await hospital.add('purchaseOrder', {
      counterparty_sn: d,
      warehouse_model_inner_sn: central,
      lines: [{ specification_sn: inflator, quantity: '20' }],
    })
    await hospital.pass('purchaseOrder', po)
    const sn = await hospital.add('purchasePlan', plan('68'))
    const [line] = (await hospital.info('purchasePlan', sn)).lines
    expect(line).toMatchObject({
      available_quantity: '12.000',
      coming_quantity: '20.000',
      min_quantity: '30.000',
      max_quantity: '100.000',
      proposed_quantity: '68.000',
      supplier_sn: d,
      price: '145.0000',
    })
    await hospital.done('purchaseOrder', 'stop', po, { reason: '重新计划' })
  })

  step('a plan is of something', async () => {
    expectMessage(await attempt(scene.hospital, 'purchasePlan', plan('0')), '第1行：【计划数量】必须大于0')
  })

  step('低库存生成 plans what is below its lower limit and nothing else', async () => {
    const made = await call('fromLowStock')
    expect(made.code).toBe(0)
    const doc = await scene.hospital.info('purchasePlan', made.info.sn)
    expect(doc).toMatchObject({ state: 'draft', plan_source: 'low_stock', plan_type: 'refill' })
    const planned = async (sn: string) =>
      (await scene.hospital.info('purchasePlan', sn)).lines.find(
        (line: { specification_sn: string }) => line.specification_sn === scene.inflator,
      )
    expect(await planned(made.info.sn)).toMatchObject({ quantity: '88.000' })
    for (const line of doc.lines)
      expect(compare(add(line.available_quantity, line.coming_quantity, 3), line.min_quantity)).toBeLessThan(1)
    await limits('11', '100')
    expect(await planned((await call('fromLowStock')).info.sn)).toBeUndefined()
    await limits('30', '100')
    expectMessage(await call('fromLowStock', { warehouse_model_inner_sn: scene.ward }), /^没有低于下限的产品/)
  })

  step('按用量生成 plans as much as left the warehouse in thirty days', async () => {
    const { hospital, central, inflator } = scene
    const used = await hospital.add('otherOdo', {
      warehouse_model_inner_sn: central,
      odo_type: 'sample',
      purpose_note: '试用',
      department_inner_sn: scene.department,
      lines: [{ specification_sn: inflator, lot_no: 'JH1', quantity: '5' }],
    })
    await hospital.pass('otherOdo', used)
    const made = await call('fromUse')
    expect(made.code, made.msg).toBe(0)
    const doc = await hospital.info('purchasePlan', made.info.sn)
    expect(doc).toMatchObject({ plan_source: 'use', plan_type: 'monthly' })
    expect(doc.lines.find((line: { specification_sn: string }) => line.specification_sn === inflator)).toMatchObject({
      quantity: '5.000',
      used_30_days: '5.000',
    })
    await hospital.done('otherOdo', 'unreview', used)
    await hospital.done('otherOdo', 'cancel', used, { reason: '试完' })
  })

  step('an invalid plan is refused with its own message', async () => {
    const { hospital, inflator, central } = scene
    const twice = {
      warehouse_model_inner_sn: central,
      lines: [inflator, inflator].map(each => ({ specification_sn: each, quantity: '1' })),
    }
    expectMessage(await attempt(hospital, 'purchasePlan', twice), /^同一规格不能重复：/)
    expectMessage(
      await attempt(hospital, 'purchasePlan', plan('500')),
      /^第1行：计划数量超过建议数量88.000的1.5倍，请在备注说明$/,
    )
    const much = plan('500')
    const said = await hospital.add('purchasePlan', {
      ...much,
      lines: (much.lines as object[]).map(line => ({ ...line, remark: '集采备货' })),
    })
    const printed = await hospital.client.get('/v1/business/purchasePlan/print', { sn: said })
    expect(printed.info.lines[0].remark).toBe('▲ 集采备货')
    await hospital.done('purchasePlan', 'del', said)
    expectMessage(
      await attempt(hospital, 'purchasePlan', { ...plan('1'), business_date: day(), expected_date: day(-1) }),
      '需求日期不能早于计划日期',
    )
    const foreign = await scene.one(
      `select s.id from specification s where not exists (select 1 from hospital_product h where h.org_id = $1
      and h.specification_id = s.id) limit 1`,
      scene.h,
    )
    expectMessage(
      await attempt(hospital, 'purchasePlan', {
        warehouse_model_inner_sn: central,
        lines: [{ specification_sn: foreign.id, quantity: '1' }],
      }),
      /^第1行：产品【.+】未准入$/,
    )
  })

  step('转采购订单: a draft per supplier, counted at its submission, never beyond what is left', async () => {
    const { hospital, d, central } = scene
    const sn = await hospital.add('purchasePlan', plan('40'))
    await hospital.pass('purchasePlan', sn)
    await hospital.done('purchasePlan', 'toOrder', sn)
    const [draft] = await orders(sn)
    expect(await hospital.info('purchaseOrder', draft.sn)).toMatchObject({
      state: 'draft',
      counterparty_sn: d,
      warehouse_model_inner_sn: central,
      lines: [expect.objectContaining({ quantity: '40.000', price: '145.0000' })],
    })
    expectMessage(
      await hospital.do('purchasePlan', 'toOrder', sn),
      `已有未提交的采购订单（${draft.sn}），请先提交或删除`,
    )
    const edited = await hospital.client.post('/v1/business/purchaseOrder/edit', {
      sn: draft.sn,
      version: draft.version,
      lines: [{ line_no: 1, quantity: '15' }],
    })
    expect(edited.code).toBe(0)
    await hospital.done('purchaseOrder', 'submit', draft.sn)
    expect(await hospital.info('purchasePlan', sn)).toMatchObject({ state: 'partial', order_state: '2' })
    expect((await hospital.list('purchasePlan', { sn }))[0]).toMatchObject({
      ordered_quantity: '15.000',
      unordered_quantity: '25.000',
      ordered_amount: '2175.00',
      ordered_share: '0.3750',
    })
    expectMessage(await hospital.do('purchasePlan', 'unreview', sn), /^计划已被下游单据引用，不能反审核/)
    const much = { counterparty_sn: d, source_sn: sn, source_type: 111, lines: [{ source_line_no: 1, quantity: '26' }] }
    expectMessage(await attempt(hospital, 'purchaseOrder', much), /订购数量超过计划剩余数量25/)
    const [left] = await hospital.list('purchaseOrder', { source_sn: sn, state: 'draft' })
    await hospital.client.post('/v1/business/purchaseOrder/del', { sn: left.sn, version: left.version })
    await hospital.done('purchasePlan', 'toOrder', sn)
    const rest = (await orders(sn)).find(each => each.state === 'draft')
    await hospital.done('purchaseOrder', 'submit', rest.sn)
    expect(await hospital.info('purchasePlan', sn)).toMatchObject({ state: 'completed', order_state: '3' })
    await hospital.done('purchaseOrder', 'unsubmit', rest.sn)
    expect((await hospital.info('purchasePlan', sn)).state).toBe('partial')
  })

  step('a line without a supplier waits for one', async () => {
    const { dealer, shop } = scene
    const bare = await scene.one(
      'select e.specification_id as id from dealer_product e where e.org_id = $1 and e.supplier_id is null limit 1',
      scene.d,
    )
    const model = bare?.id ?? scene.inflator
    await scene.one(
      'update dealer_product set supplier_id = null where org_id = $1 and specification_id = $2 returning 1',
      scene.d,
      model,
    )
    const sn = await dealer.add('purchasePlan', {
      warehouse_model_inner_sn: shop,
      lines: [{ specification_sn: model, quantity: '1', remark: '试用' }],
    })
    await dealer.pass('purchasePlan', sn)
    expectMessage(await dealer.do('purchasePlan', 'toOrder', sn), /^请先指定供应商：/)
  })

  step('按申领汇总 takes what wards requested and the warehouse lacks, once; stopping frees it', async () => {
    const { hospital, central, ward, department, inflator } = scene
    const asked = await hospital.add('requisition', {
      warehouse_model_inner_sn: central,
      to_warehouse_model_inner_sn: ward,
      department_inner_sn: department,
      lines: [{ specification_sn: inflator, quantity: '50' }],
    })
    await hospital.pass('requisition', asked)
    const made = await call('fromClaim')
    expect(made.code).toBe(0)
    const doc = await hospital.info('purchasePlan', made.info.sn)
    expect(doc.lines[0]).toMatchObject({
      quantity: '50.000',
      department_inner_sn: department,
      unmet_quantity: '50.000',
    })
    expectMessage(await call('fromClaim'), '没有库存不足且未计划的申领明细')
    await hospital.pass('purchasePlan', made.info.sn)
    expectMessage(await call('fromClaim'), '没有库存不足且未计划的申领明细')
    await hospital.done('purchasePlan', 'stop', made.info.sn, { reason: '改为调拨' })
    expect((await call('fromClaim')).code).toBe(0)
    expect((await hospital.info('requisition', asked)).state).toBe('reviewed')
  })

  step(
    'a line of a requisition stands in one live plan, whatever its quantity, until it is deleted there',
    async () => {
      const { hospital, central, ward, department, inflator } = scene
      const request = await hospital.add('requisition', {
        warehouse_model_inner_sn: central,
        to_warehouse_model_inner_sn: ward,
        department_inner_sn: department,
        lines: ['30', '40'].map(quantity => ({ specification_sn: inflator, quantity })),
      })
      await hospital.pass('requisition', request)
      const named = (...lines: number[]) => ({
        warehouse_model_inner_sn: central,
        source_type: 104,
        lines: lines.map(source_line_no => ({ source_sn: request, source_line_no, quantity: '5' })),
      })
      const add = (...lines: number[]) => hospital.client.post('/v1/business/purchasePlan/add', named(...lines))
      const first = await hospital.add('purchasePlan', named(1, 2))
      const taken = `第1行：申领单${request}第1行已列入采购计划${first}，请先删除该计划中的明细或终止该计划`
      expectMessage(await add(1), taken)
      // A line deleted from the plan is free; a line that stays in it is not.
      const { version, lines } = await hospital.info('purchasePlan', first)
      const second = lines.find((line: { source_line_no: number }) => line.source_line_no === 2)
      const edit = { sn: first, version, lines: [{ line_no: second.line_no, quantity: '5' }] }
      expect((await hospital.client.post('/v1/business/purchasePlan/edit', edit)).msg).toBe('')
      const other = await hospital.add('purchasePlan', named(1))
      expectMessage(await add(2), new RegExp(`第2行已列入采购计划${first}`))
      // A line that another plan contains now cannot come back into the first plan.
      const back = { sn: first, version: version + 1, lines: named(1, 2).lines }
      expectMessage(await hospital.client.post('/v1/business/purchasePlan/edit', back), new RegExp(`采购计划${other}`))
      await hospital.done('purchasePlan', 'del', first)
      const again = await hospital.add('purchasePlan', named(2))
      await hospital.pass('purchasePlan', again)
      expectMessage(await add(2), new RegExp(`第2行已列入采购计划${again}`))
      await hospital.done('purchasePlan', 'stop', again, { reason: '改为调拨' })
      await hospital.done('purchasePlan', 'del', await hospital.add('purchasePlan', named(2)))
      await hospital.done('purchasePlan', 'del', other)
      await hospital.done('requisition', 'stop', request, { reason: '不再需要' })
    },
  )

  step(
    'of two who plan the same line at once one is refused, and the database refuses a second of its own',
    async () => {
      const { hospital, central, ward, department, inflator, one, h } = scene
      const request = await hospital.add('requisition', {
        warehouse_model_inner_sn: central,
        to_warehouse_model_inner_sn: ward,
        department_inner_sn: department,
        lines: [{ specification_sn: inflator, quantity: '30' }],
      })
      await hospital.pass('requisition', request)
      const header = { warehouse_model_inner_sn: central, source_sn: request, source_type: 104 }
      const both = await Promise.all([1, 2].map(() => hospital.client.post('/v1/business/purchasePlan/add', header)))
      expect(both.map(({ code }) => code === 0).toSorted()).toEqual([false, true])
      expectMessage(both.find(({ code }) => code !== 0)!, /已列入采购计划/)
      const made = both.find(({ code }) => code === 0)!.info.sn
      await expect(
        one(
          `insert into planned_request_line select c.org_id, c.request_id, c.request_line_no, c.plan_id
           from planned_request_line c join document p on p.org_id = c.org_id and p.id = c.plan_id
          where c.org_id = $1 and p.sn = $2 returning 1`,
          h,
          made,
        ),
      ).rejects.toThrow(/planned_request_line_pk/)
      await hospital.done('purchasePlan', 'del', made)
      await hospital.done('requisition', 'stop', request, { reason: '不再需要' })
    },
  )

  step('缺货订单生成 is for sellers, 按申领汇总 for organisations with wards', async () => {
    expect((await call('fromShortage')).code).toBe(403)
    const { dealer } = scene
    expect((await dealer.client.post('/v1/business/purchasePlan/fromClaim', {})).code).toBe(403)
    const po = await scene.hospital.add('purchaseOrder', {
      counterparty_sn: scene.d,
      warehouse_model_inner_sn: scene.central,
      lines: [{ specification_sn: scene.inflator, quantity: '9' }],
    })
    await scene.hospital.pass('purchaseOrder', po)
    const made = await dealer.client.post('/v1/business/purchasePlan/fromShortage', {})
    expect(made.code).toBe(0)
    const { lines } = await dealer.info('purchasePlan', made.info.sn)
    expect(lines.find((line: { specification_sn: string }) => line.specification_sn === scene.inflator)).toBeDefined()
  })

  step(
    '建议数量 counts open ward requests, rounded up to whole boxes: 200 − 60 − 50 + 20 = 110, box of 50 → 150',
    async () => {
      const { hospital, d, h, central, ward, department, inflator } = scene
      const { model } = await scene.one(
        `select h.specification_id as model from hospital_product h join organisation o on o.id = h.supplier_id
      join specification s on s.id = h.specification_id join product p on p.id = s.product_id
      join registration_certificate c on c.id = s.registration_certificate_id where h.org_id = $1
      and o.code = 'D01' and h.admission_state = 'admitted' and not h.is_unit_coded and h.regime = 'purchased'
      and h.purchase_price > 0 and p.status = 'released' and c.valid_to > '2027-06-30' and not p.is_cold_chain
      and s.id <> $2 and not exists (select 1 from pack_unit u where u.specification_id = s.id
      and u.name = '计划箱') order by s.id limit 1`,
        h,
        inflator,
      )
      await scene.one(
        `with packed as (insert into pack_unit (specification_id, name, measure, base_measure)
      values ($1, '计划箱', 50, 50)) update specification set minimum_sales_unit = '计划箱' where id = $1 returning 1`,
        model,
      )
      await scene.one(
        `insert into warehouse_product (org_id, warehouse_id, specification_id, min_quantity, reorder_point,
      max_quantity) values ($1, $2, $3, 30, 30, 200)
      on conflict (org_id, warehouse_id, specification_id) do update set min_quantity = 30, reorder_point = 30,
      max_quantity = 200 returning 1`,
        h,
        central,
        model,
      )
      await scene.shelve(hospital, central, [lotOf(model, 'JH60', { quantity: '60' })])
      const lines = (quantity: string) => [{ specification_sn: model, quantity }]
      const po = await hospital.add('purchaseOrder', {
        counterparty_sn: d,
        warehouse_model_inner_sn: central,
        lines: lines('50'),
      })
      await hospital.pass('purchaseOrder', po)
      const asked = await hospital.add('requisition', {
        warehouse_model_inner_sn: central,
        to_warehouse_model_inner_sn: ward,
        department_inner_sn: department,
        lines: lines('20'),
      })
      await hospital.pass('requisition', asked)
      const sn = await hospital.add('purchasePlan', { warehouse_model_inner_sn: central, lines: lines('150') })
      expect((await hospital.info('purchasePlan', sn)).lines[0]).toMatchObject({
        available_quantity: '60.000',
        coming_quantity: '50.000',
        unmet_quantity: '20.000',
        proposed_quantity: '150.000',
      })
      // A supplier with a minimum of 180 is ordered from in whole boxes of that quantity.
      await scene.one(
        `insert into price_agreement (org_id, seller_id, buyer_id, specification_id, price, valid_from, min_order)
      values ($1, $2, $1, $3, 10, current_date - 1, 180)
     on conflict (org_id, seller_id, buyer_id, specification_id, price_type, valid_from) do update set min_order = 180
       returning 1`,
        h,
        d,
        model,
      )
      const more = await hospital.add('purchasePlan', { warehouse_model_inner_sn: central, lines: lines('200') })
      expect((await hospital.info('purchasePlan', more)).lines[0].proposed_quantity).toBe('200.000')
      expect((await hospital.list('purchasePlan', { supplier_sn: d })).map(row => row.sn)).toContain(sn)
      expect(await hospital.list('purchasePlan', { supplier_sn: h })).toEqual([])
      expectMessage(
        await attempt(hospital, 'purchasePlan', { warehouse_model_inner_sn: central, lines: lines('0') }),
        /计划数量/,
      )
      await scene.one(
        'update hospital_product set supplier_id = null where org_id = $1 and specification_id = $2 returning 1',
        h,
        model,
      )
      expectMessage(await hospital.do('purchasePlan', 'submit', sn), /^第1行：产品【.+】未维护供应商价格$/)
    },
  )

  step('bought and consigned goods become separate orders; a workbook with a bad row imports none', async () => {
    const { hospital, central, inflator, stent } = scene
    const sn = await hospital.add('purchasePlan', {
      warehouse_model_inner_sn: central,
      lines: [inflator, stent].map(each => ({ specification_sn: each, quantity: '1', remark: '试' })),
    })
    const { version } = await hospital.info('purchasePlan', sn)
    const rows = [
      ['产品编码', '计划数量'],
      ['P042-01', 3],
      ['没有这个', 1],
    ]
    const fields = { sn, version: String(version) }
    const bad = await sendSheet(hospital.client, '/v1/business/purchasePlan/import', workbook(rows), fields)
    expect(bad.code).not.toBe(0)
    expect(bad.errors).toMatchObject([{ row: 3, column: '产品编码' }])
    expect((await hospital.info('purchasePlan', sn)).lines).toHaveLength(2)
    await hospital.pass('purchasePlan', sn)
    await hospital.done('purchasePlan', 'toOrder', sn)
    const made = await Promise.all((await orders(sn)).map(each => hospital.info('purchaseOrder', each.sn)))
    expect(made.map(each => each.regime).toSorted()).toEqual(['consigned', 'purchased'])
  })
})
