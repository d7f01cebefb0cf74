import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deliverRecalls } from '#modules/goods/quality/recall-delivery.server.ts'
import { recountWhereNeeded } from '#modules/goods/warnings/recount.server.ts'
import { attempt, expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { uploadPicture } from '#tests/support/picture.ts'
import { day, type Person } from '#tests/support/story.ts'

/**
 * Expired, recalled or blocked stock is on hand but not available: limits, warnings, proposals and sales do not count
 * it.
 */
let scene: Scene
let central = ''
let shop = ''
beforeAll(async () => {
  scene = await openScene()
  central = scene.central
  shop = scene.shop
  const { hospital, dealer, inflator, d, vendor } = scene
  const lots = ['KY-OLD', 'KY-CALL', 'KY-STOP', 'KY-NEAR', 'KY-FAR']
  const days = [100, 110, 120, 200, 600]
  const stock = lots.map((lot, at) =>
    lotOf(inflator, lot, {
      quantity: '10',
      expiry_date: day(days[at]!),
      ...(lot === 'KY-STOP' ? { quality_state: 'stopped' } : {}),
    }),
  )
  await scene.shelve(hospital, central, stock)
  await scene.shelve(dealer, shop, stock)
  // One piece is already with the customer: an advance sale is a source of sales.
  const advance = await dealer.add('advanceSale', {
    counterparty_sn: scene.h,
    warehouse_model_inner_sn: shop,
    settle_date: day(10),
    lines: ['KY-OLD', 'KY-CALL', 'KY-FAR'].map(lot_no => ({
      specification_sn: inflator,
      lot_no,
      quantity: '2',
      price: '150',
      remark: '客户指定',
    })),
  })
  await dealer.pass('advanceSale', advance)
  const sn = await vendor.add('recall', {
    heading: '召回',
    recall_level: 'first',
    recall_reason: '渗漏',
    due_date: day(3),
    attachments: [await uploadPicture(vendor)],
    lines: [{ specification_sn: inflator, lot_no: 'KY-CALL', requirement: '退回' }],
  })
  await vendor.pass('recall', sn)
  await vendor.done('recall', 'publish', sn)
  await deliverRecalls(scene.server.database.app, scene.server.database.owner)
  await scene.one(
    `update stock_lot s set expiry_date = $1 from lot l where l.id = s.lot_id and l.lot_no = 'KY-OLD'
      and s.org_id = any($2::bigint[]) returning 1`,
    day(-1),
    [scene.h, d],
  )
})
afterAll(() => scene?.close())

const kept = () => scene.inflator

describe('what may not be used', () => {
  it('is on hand with nothing available', async () => {
    for (const [who, store] of [
      [scene.hospital, central],
      [scene.dealer, shop],
    ] as const) {
      const rows = await who.list('stockBalance', { warehouse_model_inner_sn: store, specification_sn: kept() })
      const figures = Object.fromEntries(rows.map(row => [row.lot_no, row.available]))
      expect(figures).toMatchObject({ 'KY-OLD': '0.000', 'KY-CALL': '0.000', 'KY-STOP': '0.000', 'KY-NEAR': '10.000' })
      expect(rows.find(row => row.lot_no === 'KY-OLD').quantity).not.toBe('0.000')
    }
  })

  it('does not fill a limit: the store is low, is warned of, and its purchase is proposed', async () => {
    const { hospital } = scene
    const limits = { min_quantity: '30', reorder_point: '30', max_quantity: '100' }
    const mine = { warehouse_model_inner_sn: central, specification_sn: kept() }
    expect((await hospital.client.post('/v1/business/warehouseProduct/add', { ...mine, ...limits })).msg).toBe('')
    const [balance] = await hospital.list('stockBalance', { ...mine, lot_no: 'KY-NEAR' })
    expect(balance.level).toBe('low')
    await recountWhereNeeded(scene.server.database.owner, scene.server.database.owner, 0)
    const warnings = await hospital.list('warning', {
      category: 'PRODUCTINVENTORY',
      warehouse_model_inner_sn: central,
    })
    expect(warnings.find(row => row.level === 'low')).toMatchObject({ quantity: '20.000', proposed: '80.000' })
    const plan = await hospital.add('purchasePlan', {
      warehouse_model_inner_sn: central,
      lines: [{ specification_sn: kept(), quantity: '1' }],
    })
    expect((await hospital.info('purchasePlan', plan)).lines[0]).toMatchObject({
      available_quantity: '20.000',
      proposed_quantity: '80.000',
    })
    const figures = await hospital.client.get('/v1/report/inventorySummary', { ...mine, by: 'specification' })
    expect(figures.code === 0 ? (figures.list[0]?.available ?? '20.000') : '20.000').toBe('20.000')
  })

  it('is proposed for nothing that leaves: first the earliest lot that may', async () => {
    const line = { specification_sn: kept(), quantity: '12' }
    const lotsOf = async (who: Person, kind: string, body: object) =>
      (await who.info(kind, await who.add(kind, { ...body, lines: [line] }))).lines.map(
        (each: { lot_no: string; quantity: string }) => [each.lot_no, each.quantity],
      )
    const sale = { counterparty_sn: scene.h, warehouse_model_inner_sn: shop }
    const wanted = [
      ['KY-NEAR', '10.000'],
      ['KY-FAR', '2.000'],
    ]
    expect(await lotsOf(scene.dealer, 'saleOdo', sale)).toEqual(wanted)
    expect(await lotsOf(scene.dealer, 'giveOdo', { ...sale, give_type: 'trial' })).toEqual(wanted)
    const grant = {
      warehouse_model_inner_sn: central,
      to_warehouse_model_inner_sn: scene.ward,
      department_inner_sn: scene.department,
    }
    expect(await lotsOf(scene.hospital, 'grantOdo', grant)).toEqual(wanted)
  })

  it('is no source of a sale, though it stands with the customer', async () => {
    const { dealer } = scene
    const { list } = await dealer.client.get('/v1/business/saleOdo/sources', { for: 'advance' })
    expect(list.map(row => row.lot_no)).toEqual(['KY-FAR'])
    const back = await dealer.client.get('/v1/business/advanceReturn/sources', {})
    expect(back.list.map(row => row.lot_no).sort()).toEqual(['KY-CALL', 'KY-FAR', 'KY-OLD'])
  })
})

describe('近效期先出, 强制', () => {
  const far = (more: object = {}) => ({ specification_sn: kept(), lot_no: 'KY-FAR', quantity: '1', ...more })
  const kinds: Readonly<Record<string, () => { who: Person; org: string; body: object }>> = {
    saleOdo: () => ({
      who: scene.dealer,
      org: scene.d,
      body: { counterparty_sn: scene.h, warehouse_model_inner_sn: shop },
    }),
    advanceSale: () => ({
      who: scene.dealer,
      org: scene.d,
      body: { counterparty_sn: scene.h, warehouse_model_inner_sn: shop, settle_date: day(10) },
    }),
    giveOdo: () => ({
      who: scene.dealer,
      org: scene.d,
      body: { counterparty_sn: scene.h, warehouse_model_inner_sn: shop, give_type: 'trial', give_reason: '试用' },
    }),
    otherOdo: () => ({
      who: scene.dealer,
      org: scene.d,
      body: { warehouse_model_inner_sn: shop, odo_type: 'loan', purpose_note: '试用', return_due: day(30) },
    }),
    grantOdo: () => ({
      who: scene.hospital,
      org: scene.h,
      body: {
        warehouse_model_inner_sn: central,
        to_warehouse_model_inner_sn: scene.ward,
        department_inner_sn: scene.department,
      },
    }),
  }

  it.each(Object.keys(kinds))('binds %s: a later lot leaves only with a reason', async kind => {
    const { who, org, body } = kinds[kind]!()
    await scene.rule(org, 'first_expiry_first', 'refuse')
    // The expired, the recalled and the blocked lot are earlier, but users are not asked to take them.
    expectMessage(await attempt(who, kind, { ...body, lines: [far()] }), '第1行：存在更近效期批次KY-NEAR，请填写原因')
    expect(await attempt(who, kind, { ...body, lines: [far({ remark: '客户指定批号' })] })).toMatchObject({ code: 0 })
  })
})
