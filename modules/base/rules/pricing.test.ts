import { add as plus } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { chargePrice } from '#modules/trade/pricing/markup.ts'
import { openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { change } from '#tests/support/records.ts'
import { day } from '#tests/support/story.ts'

/** 加价率设置 and 供应商费率: what a hospital charges above cost, and the fees it charges its suppliers. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.one("update organisation set nature = '民营' where id = $1 returning 1", scene.h)
})
afterAll(() => scene?.close())

const add = (kind: string, body: object) => scene.hospital.client.post(`/v1/business/${kind}/add`, body as never)
const rule = (more: object = {}) => ({
  scope: 'house',
  method: 'band',
  price_from: '0',
  price_to: '500',
  rate: '0.1',
  valid_from: day(),
  ...more,
})
const passed = async (kind: string, body: object) => {
  const added = await add(kind, body)
  expect(added).toMatchObject({ code: 0 })
  const key = kind === 'markupRule' ? 'markup_rule_sn' : 'supplier_rate_sn'
  const row = (await scene.hospital.list(kind, { pageSize: '100', pageNum: '1' })).find(
    one => one[key] === added.info.sn,
  )
  const sent = { sn: added.info.sn, version: row.version }
  expect(await scene.hospital.client.post(`/v1/business/${kind}/review`, sent)).toMatchObject({ code: 0 })
  return added.info.sn as string
}
const firstError = async (kind: string, body: object) => {
  const reply = await add(kind, body)
  return reply.errors?.[0]?.msg ?? reply.msg
}
const trial = async (cost: string) =>
  (
    await scene.hospital.client.post('/v1/business/markupRule/trial', {
      specification_sn: scene.inflator,
      cost,
    })
  ).info?.said

story('pricing, from one step to the next', step => {
  step('收费价 = 进价 + min(进价 × 加价率, 加价封顶), rounded', () => {
    const band = { method: 'band', rate: '0.1', fixed_amount: null, cap: null, rounding: 'fen' } as const
    expect(chargePrice('480', band)).toBe('528.0000')
    expect(chargePrice('1200', { ...band, rate: '0.05', cap: '50' })).toBe('1250.0000')
    expect(chargePrice('33.33', { ...band, rounding: 'jiao' })).toBe('36.7000')
    expect(chargePrice('33.33', { ...band, rounding: 'yuan' })).toBe('37.0000')
    expect(chargePrice('33.33', { ...band, method: 'fixed', fixed_amount: '2.5' })).toBe('35.8300')
    expect(chargePrice('33.33', null)).toBe('33.3300')
  })

  step('bands may not overlap; centrally procured goods and public hospitals have no mark-up', async () => {
    await passed('markupRule', rule())
    await passed('markupRule', rule({ price_from: '500', price_to: '2000', rate: '0.05', cap: '50' }))
    expect(await firstError('markupRule', rule({ price_from: '400', price_to: '600' }))).toBe('价格区间重叠')
    expect(await firstError('markupRule', rule({ price_from: '600', price_to: '500' }))).toBe(
      '价格区间止应大于价格区间起',
    )
    expect(await trial('480')).toMatch(/进价480\.00元，按规则JJ\d+（按区间加价10%），收费价528\.00元$/)
    expect(await trial('1200')).toMatch(/5%，封顶50元），收费价1250\.00元$/)
    expect(await trial('5000')).toMatch(/没有适用的规则，零加成，收费价5000\.00元$/)
    await scene.one(
      `update product set is_collective = true where id = (select product_id from specification where id = $1)
      returning 1`,
      scene.balloon,
    )
    expect(await firstError('markupRule', rule({ scope: 'single', specification_sn: scene.balloon }))).toBe(
      '集采产品执行零加成',
    )
    await scene.one("update organisation set nature = '公立' where id = $1 returning 1", scene.h)
    expect(await firstError('markupRule', rule({ price_from: '3000', price_to: null }))).toBe('公立医院耗材零差率销售')
    await scene.one("update organisation set nature = '民营' where id = $1 returning 1", scene.h)
  })

  step('a single product takes precedence over its class, the deepest class over the organisation', async () => {
    const type = (await add('customType', { tree: 'own', name: '介入耗材' })).info.sn
    const leaf = (await add('customType', { tree: 'own', name: '充压装置', parent_sn: type })).info.sn
    expect(await add('typedProduct', { custom_type_sn: leaf, specification_sn: scene.inflator })).toMatchObject({
      code: 0,
    })
    await passed('markupRule', rule({ scope: 'class', custom_type_sn: type, rate: '0.07', price_to: null }))
    expect(await trial('100')).toContain('收费价107.00元')
    await passed('markupRule', rule({ scope: 'class', custom_type_sn: leaf, rate: '0.06', price_to: null }))
    expect(await trial('100')).toContain('收费价106.00元')
    await passed(
      'markupRule',
      rule({ scope: 'single', specification_sn: scene.inflator, method: 'fixed', fixed_amount: '3' }),
    )
    expect(await trial('100')).toContain('固定加价额3元），收费价103.00元')
  })

  step('review changes no price: the price document draft does, with old and new price', async () => {
    const { hospital, inflator } = scene
    await scene.one(
      `update hospital_product set is_chargeable = true, charge_price = purchase_price where org_id = $1
      and specification_id = $2 returning 1`,
      scene.h,
      inflator,
    )
    const done = await hospital.client.post('/v1/business/markupRule/apply', {})
    expect(done.info?.said).toMatch(/^已生成调价单TJ\S+，共\d+个产品，请提交审核后生效$/)
    const [doc] = await hospital.list('priceAdjustment', { adjust_reason: 'markup' })
    const line = (await hospital.info('priceAdjustment', doc.sn)).lines.find(
      (one: { specification_sn: string }) => one.specification_sn === inflator,
    )
    const product = (await hospital.list('hospitalProduct', { q: 'P009-01' }))[0]
    expect(line.new_charge).toBe(plus(product.purchase_price, '3', 4))
    expect(line.old_charge).toBe(product.charge_price)
    await hospital.pass('priceAdjustment', doc.sn)
    expectMessage(await hospital.client.post('/v1/business/markupRule/apply', {}), '没有收费价需要调整的产品')
  })

  step('rates of a supplier do not overlap; a change is a new row and closes the old one the day before', async () => {
    const { hospital, d } = scene
    const rate = (more: object = {}) => ({
      supplier_sn: d,
      fee_class: 'dear',
      rate: '0.031234',
      valid_from: day(-30),
      ...more,
    })
    expect(await firstError('supplierRate', rate({ rate: '1.2' }))).toBe('费率应在0至100之间')
    expect(await firstError('supplierRate', rate({ supplier_sn: scene.h }))).toBe('请选择相关机构。')
    expect(await firstError('supplierRate', rate({ supplier_sn: '999999999' }))).toBe('被编辑过的相关机构名称不存在。')
    const old = await passed('supplierRate', rate())
    expect(await firstError('supplierRate', rate())).toBe('该供应商在此期间已存在费率')
    const next = await passed('supplierRate', rate({ rate: '0.02', valid_from: day(5) }))
    const rows = await hospital.list('supplierRate', { pageSize: '100', pageNum: '1' })
    const row = (sn: string) => rows.find(one => one.supplier_rate_sn === sn)
    expect(row(old)).toMatchObject({ valid_to: day(4), rate_state: 'valid', rate: '0.031234' })
    expect(row(next)).toMatchObject({ valid_to: null, rate_state: 'waiting' })
    const edit = { sn: old, version: row(old).version, rate: '0.05' }
    expectMessage(await hospital.client.post('/v1/business/supplierRate/edit', edit), /^费率已审核/)
    const stop = (last_day: string) =>
      change(
        hospital.client,
        'supplierRate',
        'supplier_rate_sn',
        { rate_state: 'waiting' },
        { reason: '合同终止', last_day },
        'stopRate',
      )
    expectMessage(await stop(day()), '费率尚未生效，请反审核后删除')
    expect(await stop(day(10))).toMatchObject({ code: 0 })
    expect((await hospital.list('supplierRateStep', { supplier_sn: d })).map(step => step.action)).toEqual([
      '终止',
      '审核',
      '被新费率接替',
      '新增',
      '审核',
      '新增',
    ])
  })
})
