import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { proves } from '#tests/support/proves.ts'
import { day } from '#tests/support/story.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  const { hospital, central, inflator } = scene
  await scene.shelve(hospital, central, [
    lotOf(inflator, 'LATE', { quantity: '10', expiry_date: day(900) }),
    lotOf(inflator, 'SOON', { quantity: '4', expiry_date: day(90) }),
    lotOf(inflator, 'GONE', { quantity: '9', expiry_date: day(-1), quality_state: 'unqualified' }),
  ])
})
afterAll(() => scene.close())

const propose = (lines: object[], more: object = {}, kind = 'grantOdo') =>
  scene.hospital.client.post(`/v1/business/${kind}/propose`, {
    warehouse_model_inner_sn: scene.central,
    ...more,
    lines,
  })
const lotsIn = (reply: { info: { lines: Record<string, string>[] } }) =>
  reply.info.lines.map(line => [line.lot_no, line.quantity])

describe('lots for outgoing goods', () => {
  it('are proposed first expiry first and split over lots; a named lot is left alone', async () => {
    proves('stock.firstExpiryFirst')
    const { inflator } = scene
    const reply = await propose([{ specification_sn: inflator, quantity: '6' }])
    expect(lotsIn(reply)).toEqual([
      ['SOON', '4.000'],
      ['LATE', '2.000'],
    ])
    expect(reply.info.lines[0]).toMatchObject({
      expiry_date: day(90),
      product_name: expect.any(String),
      unit_name: '套',
    })
    expect(reply.info.lines[0]).not.toHaveProperty('line_no')
    expect(reply.info.problems).toEqual([])
    const named = await propose([
      { line_no: 3, specification_sn: inflator, quantity: '2', lot_no: 'LATE' },
      { specification_sn: inflator, quantity: '5' },
    ])
    expect(named.info.lines.map((line: Record<string, unknown>) => [line.line_no, line.lot_no, line.quantity])).toEqual(
      [
        [3, 'LATE', '2.000'],
        [undefined, 'SOON', '4.000'],
        [undefined, 'LATE', '1.000'],
      ],
    )
  })

  it('report what stock does not cover, and never propose an expired lot', async () => {
    proves('stock.firstExpiryFirst')
    const reply = await propose([{ specification_sn: scene.inflator, quantity: '20' }])
    expect(lotsIn(reply)).toEqual([
      ['SOON', '4.000'],
      ['LATE', '10.000'],
      [null, '6.000'],
    ])
    expect(reply.info.problems).toEqual([{ field: 'lot_no', line: 3, msg: '可用库存不足，没有可分配的批号' }])
  })

  it('write and reserve nothing, require the store first, and need the right to write such documents', async () => {
    await propose([{ specification_sn: scene.inflator, quantity: '14' }])
    expect(lotsIn(await propose([{ specification_sn: scene.inflator, quantity: '14' }]))).toHaveLength(2)
    expect(await scene.hospital.list('grantOdo')).toEqual([])
    expect(
      (await propose([{ specification_sn: scene.inflator, quantity: '1' }], { warehouse_model_inner_sn: '' })).msg,
    ).toBe('请先选择仓库，再分配批号')
    expect((await propose([])).msg).toBe('请至少添加一行明细')
    const { finance, inflator, central } = scene
    const body = { warehouse_model_inner_sn: central, lines: [{ specification_sn: inflator, quantity: '1' }] }
    expect((await finance.client.post('/v1/business/grantOdo/propose', body)).code).toBe(403)
    expect((await propose([{ specification_sn: inflator, quantity: '1' }], {}, 'purchaseGrn')).status).toBe(404)
  })
})
