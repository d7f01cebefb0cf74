import { afterAll, beforeAll, expect } from 'vitest'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { applyPrices } from '#modules/trade/purchasing/prices/apply-prices.server.ts'
import { deliverPending } from '#server/documents/intercompany/deliver.ts'
import { attempt, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'
import { story } from '#tests/support/steps.ts'

/** 调价单: the only way to change prices of a hospital's products, from an effective date, with a history. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const doc = (more: object = {}, line: object = {}) => ({
  adjust_type: 'purchase',
  adjust_reason: 'bargain',
  counterparty_sn: scene.d,
  effective_on: day(),
  lines: [{ specification_sn: scene.inflator, new_price: '130', ...line }],
  ...more,
})
const price = async () => {
  const sn = await scene.hospital.add('purchaseOrder', {
    counterparty_sn: scene.d,
    lines: [{ specification_sn: scene.inflator, quantity: '1' }],
  })
  return (await scene.hospital.info('purchaseOrder', sn)).lines[0].price
}
const product = async () => (await scene.hospital.list('hospitalProduct', { q: 'P009-01' }))[0]

story('调价 from one day to the next, and the history that every change leaves', step => {
  step('refuses with the messages of its rules', async () => {
    const { hospital } = scene
    expectMessage(
      await attempt(hospital, 'priceAdjustment', doc({ effective_on: day(-1) })),
      '生效日期不能早于当前日期',
    )
    expectMessage(
      await attempt(hospital, 'priceAdjustment', doc({}, { new_price: '0' })),
      '第1行：请填写新进价，且必须大于0',
    )
    const foreign = await scene.one(
      `select s.id from specification s
        where not exists (select 1 from hospital_product h where h.org_id = $1 and h.specification_id = s.id) limit 1`,
      scene.h,
    )
    expectMessage(
      await attempt(hospital, 'priceAdjustment', doc({}, { specification_sn: foreign.id })),
      /不在医院产品目录中$/,
    )
    await scene.one("update organisation set nature = '公立' where id = $1 returning 1", scene.h)
    expectMessage(
      await attempt(hospital, 'priceAdjustment', doc({ adjust_type: 'both' }, { new_charge: '140' })),
      '第1行：公立医院耗材零差率销售',
    )
  })

  step('from its date on orders take the new price; earlier ones keep theirs', async () => {
    const { hospital } = scene
    expect(await price()).toBe('145.0000')
    const before = await hospital.add('purchaseOrder', {
      counterparty_sn: scene.d,
      lines: [{ specification_sn: scene.inflator, quantity: '2' }],
    })
    const sn = await hospital.add('priceAdjustment', doc())
    await hospital.done('priceAdjustment', 'submit', sn)
    expect((await hospital.info('priceAdjustment', sn)).lines[0]).toMatchObject({
      old_price: '145.0000',
      price_difference: '-15.0000',
      change_rate: '-0.1034',
    })
    expectMessage(
      await attempt(hospital, 'priceAdjustment', doc()),
      new RegExp(`^产品【.+】存在未审核的调价单（${sn}）$`),
    )
    await hospital.done('priceAdjustment', 'review', sn)
    expect(await hospital.info('priceAdjustment', sn)).toMatchObject({
      apply_state: '2',
      fallen_count: 1,
      risen_count: 0,
    })
    expect(await price()).toBe('130.0000')
    expect((await product()).purchase_price).toBe('130.0000')
    expect((await hospital.info('purchaseOrder', before)).lines[0].price).toBe('145.0000')
    expectMessage(
      await hospital.do('priceAdjustment', 'cancel', sn, { reason: '试' }),
      '调价已生效，不能作废，请另做调价单',
    )
  })

  step('with a later date changes nothing until that day, and can be undone before', async () => {
    const { hospital } = scene
    const sn = await hospital.add('priceAdjustment', doc({ effective_on: day(5) }, { new_price: '120' }))
    await hospital.pass('priceAdjustment', sn)
    expect(await hospital.info('priceAdjustment', sn)).toMatchObject({ apply_state: '1' })
    expect(await price()).toBe('130.0000')
    await hospital.done('priceAdjustment', 'cancel', sn, { reason: '谈判未成' })
    expect(await hospital.list('priceHistory', { document_sn: sn })).toEqual([])
    const again = await hospital.add(
      'priceAdjustment',
      doc({ adjust_type: 'charge', effective_on: day(3) }, { new_charge: '128' }),
    )
    await hospital.pass('priceAdjustment', again)
    expect((await product()).charge_price).not.toBe('128.0000')
    await scene.one('update price_history set valid_from = $2 where document_sn = $1 returning 1', again, day())
    await applyPrices(scene.server.database.owner)
    expect((await product()).charge_price).toBe('128.0000')
  })

  step('every product keeps its price history, private to the organisation', async () => {
    const { hospital, inflator } = scene
    const rows = await hospital.list('priceHistory', { specification_sn: inflator })
    expect(rows).toMatchObject([
      { price_kind: 'charge', new_price: '128.0000' },
      {
        price_kind: 'purchase',
        old_price: '145.0000',
        new_price: '130.0000',
        change_rate: '-0.1034',
        adjust_reason: 'bargain',
      },
    ])
    expect((await scene.dealer.list('priceHistory')).length).toBe(0)
  })

  step(
    '是否调整未执行订单: open lines take the new price; the supplier sees it on its copy and is notified',
    async () => {
      const { hospital, dealer } = scene
      const order = await hospital.add('purchaseOrder', {
        counterparty_sn: scene.d,
        lines: [{ specification_sn: scene.inflator, quantity: '10' }],
      })
      await hospital.pass('purchaseOrder', order)
      const partly = await hospital.add('purchaseGrn', {
        source_sn: order,
        source_type: sourceTypes.ORDER_PO,
        warehouse_model_inner_sn: scene.central,
        lines: [
          {
            source_sn: order,
            source_line_no: 1,
            specification_sn: scene.inflator,
            quantity: '4',
            lot_no: 'TJ1',
            production_date: day(-30),
            expiry_date: day(700),
          },
        ],
      })
      await hospital.pass('purchaseGrn', partly)
      const before = (await hospital.info('purchaseOrder', order)).lines[0].price
      // The supplier confirmed eight of the ten: its own order has the previous price.
      const so = (await dealer.from('salesOrder', order)).sn
      await dealer.done('salesOrder', 'edit', so, { lines: [{ line_no: 1, confirmed_quantity: '8' }] })
      await dealer.done('salesOrder', 'review', so)
      const sn = await hospital.add('priceAdjustment', doc({ rewrites_orders: true }, { new_price: '110' }))
      await hospital.pass('priceAdjustment', sn)
      expect(before).not.toBe('110.0000')
      expect(await hospital.info('purchaseOrder', order)).toMatchObject({
        taxed_amount: '1100.00',
        tax_amount: '126.55',
        lines: [{ price: '110.0000', taxed_amount: '1100.00' }],
      })
      expect((await hospital.info('purchaseGrn', partly)).lines[0].price).toBe(before)
      const { app, owner } = scene.server.database
      await deliverPending(app, owner)
      const [copy] = await dealer.list('purchaseOrder', { role: 'counterparty', sn: order })
      expect(copy.taxed_amount).toBe('1100.00')
      const notified = await scene.one(
        "select body, uri from message where org_id = $1 and title = '采购订单已调价'",
        scene.d,
      )
      expect(notified.body).toContain(`调价单${sn}调整未入库部分的单价：第1行110元`)
      expect(notified.uri).toBe('salesOrder')
      // The open quantity ships at the new price, and the order's history names the document.
      const theirs = await dealer.info('salesOrder', so)
      expect(theirs).toMatchObject({ taxed_amount: '880.00', lines: [{ price: '110.0000', quantity: '8.000' }] })
      expect(theirs.history.at(-1)).toMatchObject({ label: '采购订单已调价' })
    },
  )

  step(
    '批量调价 of a trader creates a price document: the general price from its date; agreed prices win',
    async () => {
      const { dealer, inflator, h } = scene
      const mine = async () => (await dealer.list('dealerProduct', { specification_sn: inflator }))[0]
      const row = await mine()
      const raise = (more: object) =>
        dealer.client.post('/v1/business/dealerProduct/price', {
          sns: JSON.stringify([row.dealer_product_sn]),
          side: 'sale',
          effective_on: day(),
          ...more,
        })
      await scene.one(
        `update dealer_product set sale_price = 200, lowest_price = 190 where org_id = $1 and specification_id = $2
      returning 1`,
        scene.d,
        inflator,
      )
      expectMessage(await raise({}), '调整幅度与统一调为请填写其中一项')
      expectMessage(await raise({ change_rate: '0.1', fixed_price: '9' }), '调整幅度与统一调为请填写其中一项')
      expectMessage(await raise({ change_rate: '0.1', effective_on: day(-1) }), '生效日期不能早于当前日期')
      expect((await raise({ change_rate: '-0.1' })).info.said).toMatch(/^已生成调价单TJ\d+，共1个产品/)
      const [low] = await dealer.list('priceAdjustment', { state: 'draft' })
      expectMessage(await dealer.do('priceAdjustment', 'submit', low.sn), /销售价不能低于最低限价190$/)
      await dealer.done('priceAdjustment', 'cancel', low.sn, { reason: '低于限价' })
      expect((await raise({ change_rate: '0.1' })).code).toBe(0)
      const [doc] = await dealer.list('priceAdjustment', { state: 'draft' })
      expect((await mine()).sale_price).toBe('200.0000')
      await dealer.pass('priceAdjustment', doc.sn)
      expect((await dealer.info('priceAdjustment', doc.sn)).lines).toMatchObject([
        { old_sale: '200.0000', new_sale: '220.0000', change_rate: '0.1000' },
      ])
      expect((await mine()).sale_price).toBe('220.0000')
      expect(await dealer.list('priceHistory', { specification_sn: inflator })).toMatchObject([
        {
          price_kind: 'sale',
          old_price: '200.0000',
          new_price: '220.0000',
          change_rate: '0.1000',
          document_sn: doc.sn,
        },
      ])
      const priced = async () => {
        const sn = await dealer.add('salesOrder', {
          counterparty_sn: h,
          lines: [{ specification_sn: inflator, quantity: '1' }],
        })
        return (await dealer.info('salesOrder', sn)).lines[0].price
      }
      await scene.one(
        `delete from price_agreement where org_id = $1 and seller_id = $1 and buyer_id = $2 and specification_id = $3
      returning 1`,
        scene.d,
        h,
        inflator,
      )
      expect(await priced()).toBe('220.0000')
      const agreed = await dealer.add('priceRegistration', {
        price_side: 'sell',
        counterparty_sn: h,
        valid_from: day(),
        change_reason: '协议',
        lines: [{ specification_sn: inflator, quantity: '1', price: '205' }],
      })
      await dealer.pass('priceRegistration', agreed)
      expect(await priced()).toBe('205.0000')
      expectMessage(
        await attempt(dealer, 'priceAdjustment', documentOf('both', { new_price: '1', new_charge: '2' })),
        '本机构不能选择调价类型【进价及收费价】',
      )
      expectMessage(
        await attempt(scene.hospital, 'priceAdjustment', documentOf('sale', { new_sale: '1' })),
        /^本机构不能选择调价类型【销售价】$/,
      )
    },
  )
  const documentOf = (adjust_type: string, line: object) => ({
    adjust_type,
    effective_on: day(),
    lines: [{ specification_sn: scene.inflator, ...line }],
  })

  step(
    '停止供货: a supplier’s price ends on a date; another with a price moves up, if any; no more orders',
    async () => {
      const { hospital, d, v, inflator } = scene
      expectMessage(await attempt(hospital, 'priceAdjustment', documentOf('end', {})), '请选择停止供货的供应商')
      const end = (counterparty_sn: string, effective_on = day()) => ({
        ...documentOf('end', {}),
        counterparty_sn,
        effective_on,
        adjust_reason: 'end',
      })
      expectMessage(await attempt(hospital, 'priceAdjustment', end(v)), /没有与该供应商的有效价格$/)
      const later = await hospital.add('priceAdjustment', end(d, day(30)))
      await hospital.pass('priceAdjustment', later)
      const supplied = async () =>
        (await hospital.list('productSupplier', { specification_sn: inflator, supplier_sn: d, status: 'enabled' }))[0]
      expect((await supplied()).valid_to).toBe(day(29))
      expect((await product()).supplier_sn).toBe(d)
      await hospital.done('priceAdjustment', 'cancel', later, { reason: '续签' })
      expect((await supplied()).valid_to).toBeNull()
      await scene.one(
        `insert into price_agreement (org_id, seller_id, buyer_id, specification_id, price, valid_from)
      values ($1, $2, $1, $3, 133, current_date - 5) returning 1`,
        scene.h,
        v,
        inflator,
      )
      await hospital.pass('priceAdjustment', await hospital.add('priceAdjustment', end(d)))
      expect((await supplied()).valid_to).toBe(day(-1))
      expect(await product()).toMatchObject({ supplier_sn: v, purchase_price: '133.0000' })
      expectMessage(
        await attempt(hospital, 'purchaseOrder', {
          counterparty_sn: d,
          warehouse_model_inner_sn: scene.central,
          lines: [{ specification_sn: inflator, quantity: '1' }],
        }),
        /^第1行：【.+】供应商已停止供货（TJ\d+），请另选供应商$/,
      )
      await hospital.pass('priceAdjustment', await hospital.add('priceAdjustment', end(v)))
      expect((await product()).supplier_sn).toBeNull()
      expectMessage(
        await attempt(hospital, 'purchasePlan', {
          lines: [{ specification_sn: inflator, quantity: '1', remark: '试' }],
        }),
        /未维护供应商价格$/,
      )
    },
  )
})
