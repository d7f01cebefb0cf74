import { afterAll, beforeAll, expect, test } from 'vitest'
import { attempt, lotOf, openScene, owed, expectMessage, type Scene, shelf } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'
import { story } from '#tests/support/steps.ts'

/** 其他入库: goods that were not bought. At a manufacturer they are created here, piece by piece. */
let scene: Scene
let works = ''
const udi = (serial: string) => `(01)06999900100016(21)${serial}`
const made = (serials: string[], more: object = {}) => ({
  warehouse_model_inner_sn: works,
  grn_type: 'produce',
  release_no: 'FX20261101',
  lines: [lotOf(scene.stent, 'SC1', { unit_codes: serials.map(udi), price: '400' })],
  ...more,
})
beforeAll(async () => {
  scene = await openScene()
  works = await scene.store('V01', 'central')
})
afterAll(() => scene?.close())

let birth = ''
story('three stents are created, never twice, undone, and reversed one by one', step => {
  step(
    'the manufacturer receives three stents: stocked at cost, trace starts with 生产入库, nothing owed',
    async () => {
      const { vendor, stent, d } = scene
      birth = await vendor.add('otherGrn', made(['A1', 'A2', 'A3']))
      await vendor.pass('otherGrn', birth)
      expect(await shelf(vendor, works, stent)).toEqual({ SC1: '3.000' })
      const { list, info } = await vendor.trace(udi('A1'))
      expect(list.map(event => event.step)).toEqual(['produce'])
      expect(info.now).toMatchObject({ status: 'in_stock', holder_name: expect.stringContaining('澜屿') })
      expect((await owed(vendor, d)).payable).toBe('0.00')
    },
  )

  step('a serial number is created once on the whole platform', async () => {
    const { vendor, dealer, shop, stent } = scene
    expectMessage(await attempt(vendor, 'otherGrn', made(['A1']), 'review'), `序列号${udi('A1')}已存在`)
    const elsewhere = {
      warehouse_model_inner_sn: shop,
      grn_type: 'other',
      lines: [lotOf(stent, 'SC1', { unit_codes: [udi('A2')] })],
    }
    expectMessage(await attempt(dealer, 'otherGrn', elsewhere, 'review'), `院内码${udi('A2')}已在库`)
  })

  step('undone, the serials never existed, and can be created again under the same numbers', async () => {
    const { vendor, stent } = scene
    await vendor.done('otherGrn', 'unreview', birth)
    expect(await shelf(vendor, works, stent)).toEqual({})
    const units = await vendor.list('unitLabel', { specification_sn: stent })
    expect(units.filter(unit => unit.status === 'in_stock')).toEqual([])
    await vendor.done('otherGrn', 'unsubmit', birth)
    await vendor.done('otherGrn', 'cancel', birth, { reason: '录错' })
    birth = await vendor.add('otherGrn', made(['A1', 'A2', 'A3']))
    await vendor.pass('otherGrn', birth)
    expect((await vendor.trace(udi('A1'))).info.now).toMatchObject({ status: 'in_stock' })
  })

  step('one of three reversed in red leaves two; the document cannot be undone as a whole any more', async () => {
    const { vendor, stent } = scene
    const { red_sn } = await vendor.done('otherGrn', 'redReverse', birth, {
      reason: '多录一件',
      lines: [{ line_no: 1, unit_codes: [udi('A3')] }],
    })
    expect(await shelf(vendor, works, stent)).toEqual({ SC1: '2.000' })
    expectMessage(await vendor.do('otherGrn', 'unreview', birth), `该单据已有后续单据（${red_sn}），不能反审核`)
    expectMessage(await vendor.do('otherGrn', 'redReverse', birth, {}), '请填写红冲原因')
  })
})

test('生产入库 is for manufacturers, and needs lot, production date and release', async () => {
  const { vendor, dealer, hospital, shop, central, stent } = scene
  expectMessage(
    await attempt(dealer, 'otherGrn', made(['B1'], { warehouse_model_inner_sn: shop })),
    '生产入库仅限生产厂家',
  )
  expectMessage(
    await attempt(dealer, 'otherGrn', { ...made(['B1']), warehouse_model_inner_sn: shop, grn_type: 'donation' }),
    '捐赠入库仅限医院',
  )
  // A surplus from a count is booked by 报溢单: this document has no kind for it.
  expectMessage(await attempt(vendor, 'otherGrn', made(['B1'], { grn_type: 'overflow' })), /【入库类型】/)
  expectMessage(await attempt(vendor, 'otherGrn', made(['B1'], { release_no: '' })), '生产入库请填写检验放行单号')
  const undated = lotOf(stent, 'SC2', { unit_codes: [udi('B1')], production_date: null })
  expectMessage(
    await attempt(vendor, 'otherGrn', made([], { lines: [undated] })),
    '第1行：生产入库请填写批号和生产日期',
  )
  const given = {
    warehouse_model_inner_sn: central,
    grn_type: 'donation',
    lines: [lotOf(stent, 'SC3', { unit_codes: ['GIVEN-1'], price: '0' })],
  }
  expect((await attempt(hospital, 'otherGrn', given, 'review')).code).toBe(0)
  expect((await hospital.trace('GIVEN-1')).list.map(event => event.step)).toEqual(['receive'])
})

test('only gifts, donations and trials have no cost', async () => {
  const { dealer, shop, inflator } = scene
  const doc = (grn_type: string) => ({
    warehouse_model_inner_sn: shop,
    grn_type,
    lines: [lotOf(inflator, 'ZP1', { quantity: '2', price: '0' })],
  })
  expectMessage(await attempt(dealer, 'otherGrn', doc('other')), '第1行：单价为0仅限赠品入库、捐赠入库和试用品')
  expectMessage(await attempt(dealer, 'otherGrn', doc('sample_back')), '第1行：单价为0仅限赠品入库、捐赠入库和试用品')
  expect((await attempt(dealer, 'otherGrn', doc('gift'), 'review')).code).toBe(0)
})

test('expired goods or goods with an expired certificate are refused; short shelf life gives a warning', async () => {
  const { vendor, inflator, stent } = scene
  const doc = (line: object) => ({ warehouse_model_inner_sn: works, grn_type: 'other', lines: [line] })
  expectMessage(
    await attempt(vendor, 'otherGrn', doc(lotOf(inflator, 'GQ1', { quantity: '1', expiry_date: day(-1) }))),
    '第1行：产品已过有效期，不能入库：【一次性使用球囊充压装置】批号GQ1',
  )
  const short = await vendor.add(
    'otherGrn',
    doc(lotOf(stent, 'JX1', { unit_codes: ['JX-1'], production_date: day(-600), expiry_date: day(100) })),
  )
  const { version } = await vendor.info('otherGrn', short)
  const asked = await vendor.client.post('/v1/business/otherGrn/submit', { sn: short, version })
  expect(asked).toMatchObject({
    code: 2200,
    info: {
      questions: [
        {
          rule: 'shortLife',
          line: 1,
          msg: '第1行【冠状动脉药物洗脱支架系统】剩余效期不足三分之一（仅剩100天），是否继续？',
        },
      ],
    },
  })
  await scene.expire(stent)
  expectMessage(
    await attempt(vendor, 'otherGrn', made(['C1'])),
    /^第1行：【冠状动脉药物洗脱支架系统】注册证.*已过期，不能入库$/,
  )
})

test('采购入库: goods without UDI are refused, unless a reason is noted, a code is tied, or they are class I', async () => {
  const { hospital, inflator, one, h, d, central } = scene
  const lines = [lotOf(inflator, 'RK30', { price: '145', quantity: '1' })]
  const submit = () =>
    attempt(hospital, 'purchaseGrn', { counterparty_sn: d, warehouse_model_inner_sn: central, lines })
  const { udi_di } = await one('select udi_di from specification where id = $1', inflator)
  const { product_id } = await one(
    'update specification set udi_di = null where id = $1 returning product_id',
    inflator,
  )
  const refused =
    '第1行：【一次性使用球囊充压装置】30atm 20ml没有UDI，不能入库；请在产品资料中登记UDI-DI，或填写无UDI-DI说明'
  expectMessage(await submit(), refused)
  const noted = 'update specification set no_di_reason = $2 where id = $1 returning 1'
  await one(noted, inflator, '过渡期内生产')
  expect((await submit()).code).toBe(0)
  await one(noted, inflator, null)
  await one("update product set device_class = 'I' where id = $1 returning 1", product_id)
  expect((await submit()).code).toBe(0)
  await one("update product set device_class = 'II' where id = $1 returning 1", product_id)
  expectMessage(await submit(), refused)
  const tied = { code: '06901234000016', code_type: 'udi_di', specification_sn: inflator }
  expect((await hospital.client.post('/v1/business/productBarcode/add', tied)).msg).toBe('')
  expect((await submit()).code).toBe(0)
  await one('delete from product_barcode where org_id = $1 and code = $2 returning 1', h, tied.code)
  await one('update specification set udi_di = $2 where id = $1 returning 1', inflator, udi_di)
})

test('获取待收货单: supplier deliveries without a receipt are fetched again as drafts, once', async () => {
  const { vendor, dealer, hospital, d, inflator } = scene
  await scene.shelve(vendor, works, [lotOf(inflator, 'FETCH', { quantity: '10' })])
  const odo = await vendor.add('saleOdo', {
    counterparty_sn: d,
    warehouse_model_inner_sn: works,
    lines: [{ specification_sn: inflator, lot_no: 'FETCH', quantity: '10' }],
  })
  await vendor.pass('saleOdo', odo)
  const fetch = async () => (await dealer.client.post('/v1/business/purchaseGrn/fetch', {})).info
  const here = (state: string) => dealer.list('purchaseGrn', { source_type: '7', source_sn: odo, state })
  const [first] = await here('draft')
  expect(await fetch()).toEqual({ sns: [], result: '没有新的待收货单' })
  await dealer.done('purchaseGrn', 'del', first.sn)
  const again = await fetch()
  expect(again.result).toBe(`已生成1张待收货单：${again.sns[0]}`)
  const { version } = await dealer.info('purchaseGrn', again.sns[0])
  const lines = [{ line_no: 1, quantity: '4', reject_reason: '分批到货' }]
  await dealer.client.post('/v1/business/purchaseGrn/edit', { sn: again.sns[0], version, lines })
  await dealer.pass('purchaseGrn', again.sns[0])
  const rest = await fetch()
  expect(await here('draft')).toMatchObject([{ sn: rest.sns[0], due_quantity: '6.000', source_type: 7 }])
  expect((await fetch()).sns).toEqual([])
  expect(await dealer.list('purchaseGrn', { source_type: '6', source_sn: odo })).toEqual([])
  expectMessage(await hospital.client.post('/v1/business/purchaseGrn/fetch', {}), '没有操作权限')
  // Deliveries to another warehouse must not hide mine: fifty-five of those are found first, then ours.
  const { one, balloon } = scene
  const mine = await scene.warehouse('D01-W04')
  await one(
    'update dealer_product set default_warehouse_id = $2 where org_id = $1 and specification_id = $3 returning 1',
    d,
    mine,
    balloon,
  )
  const copy = "from document c, generate_series(1, 55) n where c.org_id = $1 and c.sn = $2 and c.role = 'counterparty'"
  await one(
    `insert into document
      select (jsonb_populate_record(c, jsonb_build_object('id', -n, 'sn', c.sn || '.' || n))).* ${copy} returning 1`,
    d,
    odo,
  )
  await one(
    `insert into document_line select (jsonb_populate_record(l, jsonb_build_object('document_id', -n))).*
      from document_line l, generate_series(1, 55) n
      where l.org_id = $1
        and l.document_id = (select c.id from document c where c.org_id = $1 and c.sn = $2 and c.role = 'counterparty')
        returning 1`,
    d,
    odo,
  )
  await scene.shelve(vendor, works, [lotOf(balloon, 'MINE', { unit_codes: ['MINE-1'] })])
  const ours = await vendor.add('saleOdo', {
    counterparty_sn: d,
    warehouse_model_inner_sn: works,
    lines: [{ specification_sn: balloon, lot_no: 'MINE', unit_codes: ['MINE-1'] }],
  })
  await vendor.pass('saleOdo', ours)
  const [created] = await dealer.list('purchaseGrn', { source_type: '7', source_sn: ours, state: 'draft' })
  expect(created).toMatchObject({ warehouse_model_inner_sn: mine })
  await dealer.done('purchaseGrn', 'del', created.sn)
  const flags = ['page:/commonView/purchaseGrn', 'purchaseGrn.fetch']
  const role = (await dealer.client.post('/v1/business/role/add', { name: '二号库收货', flags })).info.sn
  await one("update app_user set is_administrator = false where org_id = $1 and login = 'dealer2' returning 1", d)
  const [person] = await dealer.list('user', { login: 'dealer2' })
  const bound = {
    sn: person.user_inner_sn,
    version: person.version,
    roles: [role],
    store_scope: 'chosen',
    warehouses: [mine],
  }
  expect(await dealer.client.post('/v1/business/user/edit', bound)).toMatchObject({ code: 0 })
  const hers = await (await scene.person('dealer2')).client.post('/v1/business/purchaseGrn/fetch', {})
  expect(hers.info.sns).toHaveLength(1)
  expect(await dealer.list('purchaseGrn', { source_sn: ours, state: 'draft' })).toMatchObject([
    { sn: hers.info.sns[0] },
  ])
  await one('delete from document_line where org_id = $1 and document_id between -55 and -1 returning 1', d)
  await one('delete from document where org_id = $1 and id between -55 and -1 returning 1', d)
})
