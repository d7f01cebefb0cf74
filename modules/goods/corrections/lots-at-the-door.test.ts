import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** Dates of a lot that its maker has otherwise, typed in every way at every document by which goods come in. */
let scene: Scene
const RIGHT = day(700)
const wide = (text: string) => text.replace(/[!-~]/g, one => String.fromCharCode(one.charCodeAt(0) + 0xfee0))
beforeAll(async () => {
  scene = await openScene()
  await made('DOOR1')
})
afterAll(() => scene?.close())

/** The maker keeps the lot with the right expiry. */
async function made(lot: string): Promise<void> {
  const { vendor, inflator } = scene
  const sn = await vendor.add('otherGrn', {
    warehouse_model_inner_sn: await scene.store('V01', 'central'),
    grn_type: 'produce',
    release_no: 'FX1',
    lines: [lotOf(inflator, lot, { quantity: '5' })],
  })
  await vendor.pass('otherGrn', sn)
}

const doors = {
  openingStock: () => ({}),
  otherGrn: () => ({ grn_type: 'other' }),
  purchaseGrn: () => ({ counterparty_sn: scene.d }),
}
const draft = async (kind: keyof typeof doors, line: object, header: object = {}) =>
  scene.hospital.client.post(`/v1/business/${kind}/add`, {
    warehouse_model_inner_sn: scene.central,
    ...doors[kind](),
    ...header,
    lines: [line],
  } as never)
async function submitted(kind: keyof typeof doors, line: object, header: object = {}) {
  const added = await draft(kind, line, header)
  return added.code === 0 ? submit(kind, added.info) : added
}
/** Submits without a confirmation. */
const submit = (kind: string, { sn, version }: { sn: string; version: number }) =>
  scene.hospital.client.post(`/v1/business/${kind}/submit`, { sn, version })

describe.each(Object.keys(doors) as (keyof typeof doors)[])('%s', kind => {
  it.each([
    ['a day off', () => ({ expiry_date: day(701) })],
    ['none', () => ({ expiry_date: null })],
    ['another day of production', () => ({ production_date: day(-61) })],
    ['the lot in small letters', () => ({ lot_no: 'door1', expiry_date: day(500) })],
    ['the lot full-width', () => ({ lot_no: wide('DOOR1'), expiry_date: day(500) })],
    ['the lot with blanks', () => ({ lot_no: ' DOOR1 ', expiry_date: day(500) })],
  ])('asks about an expiry that the maker has otherwise: %s', async (_what, typed) => {
    const line = lotOf(scene.inflator, 'DOOR1', { quantity: '1', price: '10', ...typed() })
    const { code, msg } = await submitted(kind, line)
    expect(code).not.toBe(0)
    expect(msg).toMatch(/批号DOOR1|请填写有效期至/i)
  })

  it('asks about a draft that was written before the maker had the lot', async () => {
    const lot = `LATE-${kind.slice(0, 5).toUpperCase()}`
    const line = lotOf(scene.inflator, lot, { quantity: '1', price: '10', expiry_date: day(500) })
    const { info } = await draft(kind, line)
    await made(lot)
    const { code, msg } = await submit(kind, info as { sn: string; version: number })
    expect({ code, msg }).toMatchObject({ code: 2200, msg: expect.stringContaining(RIGHT) })
  })

  it('refuses what is no day, a production in the future and an arrival before it', async () => {
    const line = (typed: object) => lotOf(scene.inflator, `NEW-${kind}`, { quantity: '1', price: '10', ...typed })
    expect((await submitted(kind, line({ expiry_date: '2028-06' }))).msg).toContain('【有效期至】不是有效日期')
    expect((await submitted(kind, line({ production_date: day(1) }))).msg).toContain(`生产日期${day(1)}晚于今天`)
    const early = await submitted(kind, line({ production_date: day() }), { business_date: day(-1) })
    expect(early.msg).toMatch(/生产日期.*晚于.*日期/)
    expect((await submitted(kind, line({ expiry_date: day(-60) }))).msg).toContain('有效期至必须晚于生产日期')
  })
})

describe('goods that come home', () => {
  it('have the lot and the dates of what was sent', async () => {
    const { hospital, dealer, d, h, shop, central, inflator } = scene
    await scene.shelve(dealer, shop, [
      lotOf(inflator, 'DOOR2', { quantity: '9' }),
      lotOf(inflator, 'DOOR3', { quantity: '9' }),
    ])
    const odo = await dealer.add('saleOdo', {
      counterparty_sn: h,
      warehouse_model_inner_sn: shop,
      lines: [{ specification_sn: inflator, lot_no: 'DOOR2', quantity: '4' }],
    })
    await dealer.pass('saleOdo', odo)
    const receipt = await hospital.from('purchaseGrn', odo)
    await hospital.done('purchaseGrn', 'edit', receipt.sn, { warehouse_model_inner_sn: central })
    await hospital.pass('purchaseGrn', receipt.sn)
    const sn = await hospital.add('purchaseReturn', {
      counterparty_sn: d,
      source_type: 9,
      source_sn: receipt.sn,
      return_reason: '近效期',
      lines: [{ source_line_no: 1, quantity: '1' }],
    })
    await hospital.pass('purchaseReturn', sn)
    const back = await dealer.from('saleReturn', sn)
    const right = { lot_no: wide('DOOR2'), expiry_date: RIGHT, production_date: day(-60) }
    for (const [typed, sentence] of [
      [{ expiry_date: day(400) }, `批号DOOR2发出时的有效期至为${RIGHT}，本单为${day(400)}`],
      [{ production_date: day(5) }, `批号DOOR2发出时的生产日期为${day(-60)}，本单为${day(5)}`],
      [{ lot_no: 'DOOR3' }, '退回的货物应为发出的批号DOOR2，本单为DOOR3'],
    ] as const) {
      const { version } = await dealer.info('saleReturn', back.sn)
      const body = {
        sn: back.sn,
        version,
        warehouse_model_inner_sn: shop,
        lines: [{ line_no: 1, quantity: '1', ...right, ...typed }],
      }
      expect((await dealer.client.post('/v1/business/saleReturn/edit', body)).msg).toBe('')
      expect((await dealer.do('saleReturn', 'submit', back.sn)).msg).toContain(sentence)
    }
    const { version } = await dealer.info('saleReturn', back.sn)
    const body = { sn: back.sn, version, lines: [{ line_no: 1, quantity: '1', ...right }] }
    expect((await dealer.client.post('/v1/business/saleReturn/edit', body)).msg).toBe('')
    for (const action of ['submit', 'inspect', 'review']) await dealer.done('saleReturn', action, back.sn)
  })
})
