import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { attempt, lotOf, openScene, owed, expectMessage, type Scene, shelf } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** 期初库存: the stock when a warehouse goes live. It counts as stock and as history, and nothing is owed for it. */
let scene: Scene
let [book, entry] = [] as unknown as [(lines: object[], more?: object) => Promise<string>, string]
beforeAll(async () => {
  scene = await openScene()
  book = (lines, more = {}) =>
    scene.dealer.add('openingStock', { warehouse_model_inner_sn: scene.shop, lines, ...more })
})
afterAll(() => scene?.close())

story('opening stock, from one step to the next', step => {
  step('own goods are on hand at cost, each serial’s trace starts here, and nothing is owed', async () => {
    const { dealer, shop, stent, inflator, v } = scene
    entry = await book([
      lotOf(inflator, 'QC1', { quantity: '10', price: '113' }),
      lotOf(stent, 'QC2', { unit_codes: ['QC-1', 'QC-2'], price: '500' }),
    ])
    await dealer.pass('openingStock', entry)
    expect(await shelf(dealer, shop, inflator)).toEqual({ QC1: '10.000' })
    const [row] = await dealer.list('stockBalance', { warehouse_model_inner_sn: shop, specification_sn: inflator })
    expect(row).toMatchObject({
      available: '10.000',
      quality_state: 'qualified',
      owner_org_sn: scene.d,
      value: '1000.00',
    })
    expect((await dealer.trace('QC-1')).list.map(event => event.step)).toEqual(['opening'])
    expect((await owed(dealer, v)).payable).toBe('0.00')
  })

  step('undone, the stock is empty again; a serial that never existed can be entered again', async () => {
    const { dealer, shop, stent } = scene
    await dealer.done('openingStock', 'unreview', entry)
    expect(await shelf(dealer, shop, stent)).toEqual({})
    await dealer.done('openingStock', 'review', entry)
    expect((await dealer.trace('QC-1')).info.now).toMatchObject({ status: 'in_stock' })
  })

  step("a hospital's consigned goods belong to their owner and have no cost", async () => {
    const { hospital, central, stent, d } = scene
    const doc = {
      warehouse_model_inner_sn: central,
      regime: 'consigned',
      lines: [lotOf(stent, 'QC3', { unit_codes: ['QC-31'] })],
    }
    const nobody = await hospital.add('openingStock', doc)
    expectMessage(await hospital.do('openingStock', 'submit', nobody), '第1行：寄售库存必须选择货主')
    const sn = await hospital.add('openingStock', { ...doc, counterparty_sn: d })
    await hospital.pass('openingStock', sn)
    const [row] = await hospital.list('stockBalance', { warehouse_model_inner_sn: central, specification_sn: stent })
    expect(row).toMatchObject({ owner_org_sn: d, value: '0.00' })
  })

  step('an owner that we do not trade with is refused by name', async () => {
    const { hospital, central, stent } = scene
    const outsider = await scene.one("select id, name from organisation where code = 'V02'")
    const sn = await hospital.add('openingStock', {
      warehouse_model_inner_sn: central,
      regime: 'consigned',
      lines: [lotOf(stent, 'QC4', { unit_codes: ['QC-41'], owner_org_sn: outsider.id })],
    })
    expectMessage(
      await hospital.do('openingStock', 'submit', sn),
      `货主【${outsider.name}】没有有效的往来关系，请选择相关机构`,
    )
  })

  step('expired goods are counted too, but only as 不合格, and cannot be used', async () => {
    const { dealer, shop, inflator } = scene
    const old = lotOf(inflator, 'OLD', { expiry_date: day(-1), quantity: '3' })
    expectMessage(
      await dealer.do('openingStock', 'submit', await book([old])),
      '第1行：批号OLD已过有效期，质量状态只能为不合格',
    )
    await dealer.pass('openingStock', await book([{ ...old, quality_state: 'unqualified' }]))
    const rows = await dealer.list('stockBalance', { warehouse_model_inner_sn: shop, lot_no: 'OLD' })
    expect(rows.map(row => [row.quality_state, row.quantity, row.available])).toEqual([
      ['unqualified', '3.000', '0.000'],
    ])
  })

  step('an invalid line is refused with its own message', async () => {
    const { dealer, shop, inflator, stent } = scene
    const submit = (...lines: object[]) => attempt(dealer, 'openingStock', { warehouse_model_inner_sn: shop, lines })
    expectMessage(await submit(), '请至少添加一行明细')
    expectMessage(await submit(lotOf(inflator, 'X', { quantity: '0' })), '第1行：【数量】必须大于0')
    expectMessage(
      await submit(lotOf(inflator, 'X', { quantity: '1', production_date: day(800) })),
      '第1行：有效期至必须晚于生产日期',
    )
    expectMessage(
      await submit({ ...lotOf(inflator, 'X', { quantity: '1' }), lot_no: null }),
      /第1行【一次性使用球囊充压装置】请填写批号/,
    )
    expectMessage(await submit(lotOf(stent, 'X', { unit_codes: ['X-1'], quantity: '2' })), /数量2与院内码数量1不一致/)
  })

  step('a code is unique in the network', async () => {
    const sn = await book([lotOf(scene.stent, 'QC2', { unit_codes: ['QC-1'] })])
    await scene.dealer.done('openingStock', 'submit', sn)
    expectMessage(await scene.dealer.do('openingStock', 'review', sn), '院内码QC-1已存在')
    await scene.dealer.done('openingStock', 'unsubmit', sn)
  })

  step('once a lot has been used in documents, its opening can be neither undone nor reversed', async () => {
    const { dealer, shop, inflator, h } = scene
    const sale = await dealer.add('saleOdo', {
      counterparty_sn: h,
      warehouse_model_inner_sn: shop,
      lines: [{ specification_sn: inflator, lot_no: 'QC1', quantity: '1' }],
    })
    await dealer.pass('saleOdo', sale)
    expectMessage(await dealer.do('openingStock', 'unreview', entry), `期初库存已发生业务，不能反审核（${sale}）`)
    expectMessage(
      await dealer.do('openingStock', 'redReverse', entry, { reason: '录错' }),
      `期初库存已发生业务，不能红冲（${sale}）`,
    )
    await dealer.done('saleOdo', 'unreview', sale)
  })

  step('reversed in red: a reversal takes the goods out and the original is 已红冲', async () => {
    const { dealer, shop, inflator } = scene
    const sn = await book([lotOf(inflator, 'QC5', { quantity: '5' })])
    await dealer.pass('openingStock', sn)
    const { red_sn } = await dealer.done('openingStock', 'redReverse', sn, { reason: '重复录入' })
    expect(await shelf(dealer, shop, inflator)).not.toHaveProperty('QC5')
    expect(await dealer.info('openingStock', sn)).toMatchObject({ state: 'reversed', state_name: '已红冲' })
    expect(await dealer.info('openingStock', red_sn)).toMatchObject({ red_of_sn: sn, total_quantity: '-5.000' })
  })

  step('期初结束 closes the warehouse for good, in the words of each organisation', async () => {
    const { dealer, hospital, stent, inflator, d } = scene
    const store = await scene.one('select id, name from warehouse where id = $1', scene.shop)
    await dealer.done('openingStock', 'closeOpening', entry)
    const closed = `仓库【${store.name}】期初已关账，不能再录入期初库存`
    expectMessage(
      await dealer.do('openingStock', 'submit', await book([lotOf(inflator, 'QC6', { quantity: '1' })])),
      closed,
    )
    expectMessage(await dealer.do('openingStock', 'closeOpening', entry), closed)
    expectMessage(await dealer.do('openingStock', 'unreview', entry), `仓库【${store.name}】期初已关账，不能反审核`)
    const goods = {
      warehouse_model_inner_sn: scene.ward,
      lines: [lotOf(stent, 'QC7', { unit_codes: ['QC-71'], owner_org_sn: d })],
    }
    const ward = await hospital.add('openingStock', goods)
    await hospital.pass('openingStock', ward)
    await hospital.done('openingStock', 'closeOpening', ward)
    const late = await hospital.add('openingStock', {
      ...goods,
      lines: [lotOf(stent, 'QC8', { unit_codes: ['QC-81'] })],
    })
    expectMessage(await hospital.do('openingStock', 'submit', late), '该仓库期初已结束，不能新增期初库存')
  })
})
