import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { hasPrices } from '#kernel/definition/line-content.ts'
import { documents } from '#kernel/registry.ts'
import { add, multiply } from '#kernel/values/decimal.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { loadDocuments } from '#server/documents/repository/load.ts'
import { inheritLines } from '#server/documents/sources/inherit-lines.ts'
import type { OpenLine } from '#server/documents/sources/open-source.ts'
import { lotOf, openScene, type Scene } from '../../../tests/support/fixture.ts'

/** A price is a price of a unit: a box of 20 at 100 costs 5 a piece, on every way from one document to the next. */
let scene: Scene
let [box, piece] = ['', '']
beforeAll(async () => {
  scene = await openScene()
  piece = scene.inflator
  const unit = `insert into pack_unit (specification_id, name, measure, base_measure) values ($1, '大箱', 20, 20)`
  box = (await scene.one(`${unit} returning id`, piece)).id
})
afterAll(() => scene?.close())

/** A receipt of boxes at 100 a box, reviewed. */
async function received(lot: string, boxes: string): Promise<string> {
  const { hospital, d, central } = scene
  const line = { ...lotOf(piece, lot, { quantity: boxes, price: '100' }), unit_inner_sn: box }
  const sn = await hospital.add('purchaseGrn', {
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    lines: [line],
  })
  await hospital.pass('purchaseGrn', sn)
  return sn
}

const takes = documents().flatMap(definition =>
  (definition.sourcing.sources ?? [])
    .filter(take => hasPrices(definition) && !definition.lineRules.basis && !take.dropsFields?.includes('price'))
    .map(take => [`${definition.kind} from ${take.from}`, definition, take] as const),
)

describe('a line made from a source costs what its share of the source costs', () => {
  const written = [
    ['as it stands', {}, '2', '100.0000'],
    ['in pieces', { unit_inner_sn: 'piece' }, '40', '5.0000'],
    ['some pieces', { unit_inner_sn: 'piece', quantity: '3' }, '3', '5.0000'],
    ['one box', { unit_inner_sn: 'box', quantity: '1' }, '1', '100.0000'],
  ] as const
  test.each(takes)('%s', async (_, definition, take) => {
    const sn = await received(`U${takes.findIndex(each => each[1] === definition && each[2] === take)}`, '2')
    await inOrganisation(scene.server.database.app, scene.h, '0', async tx => {
      const { id } = await scene.one('select id from document where sn = $1 and org_id = $2', sn, scene.h)
      const [doc] = await loadDocuments(tx, scene.h, [id])
      const line = doc!.lines[0]!
      const open: OpenLine = { line, left: '40', restAmount: '200', restUntaxed: '190', fits: true }
      for (const [words, line, quantity, price] of written) {
        const unit = 'unit_inner_sn' in line ? { unit_inner_sn: line.unit_inner_sn === 'box' ? box : piece } : {}
        const [made] = await inheritLines(tx, scene.h, definition, [{ doc: doc!, take, lines: [open] }], sn, [
          { ...line, ...unit, source_line_no: 1 },
        ])
        const signed = take.negates && !('quantity' in line) ? `-${quantity}` : quantity
        expect({ words, price: made!.price, quantity: multiply(made!.quantity as string, '1', 3) }).toEqual({
          words,
          price,
          quantity: multiply(signed, '1', 3),
        })
      }
    })
  })
})

describe('over the wire', () => {
  const amounts = async (kind: string, sn: string) =>
    (await scene.hospital.info(kind, sn)).lines.map((line: Record<string, string>) => line.taxed_amount)

  it('an order of boxes received in pieces costs what was ordered', async () => {
    const { hospital, d, central } = scene
    const ordered = { specification_sn: piece, unit_inner_sn: box, quantity: '2' }
    const order = await hospital.add('purchaseOrder', {
      counterparty_sn: d,
      warehouse_model_inner_sn: central,
      lines: [ordered],
    })
    await hospital.pass('purchaseOrder', order)
    const [whole] = await amounts('purchaseOrder', order)
    const receive = (quantity: string, unit: string) =>
      hospital.add('purchaseGrn', {
        counterparty_sn: d,
        warehouse_model_inner_sn: central,
        source_sn: order,
        lines: [{ ...lotOf(piece, 'UW1', { quantity, price: undefined }), unit_inner_sn: unit, source_line_no: 1 }],
      })
    const first = await receive('7', piece)
    await hospital.pass('purchaseGrn', first)
    const rest = await receive('33', piece)
    await hospital.pass('purchaseGrn', rest)
    expect(add((await amounts('purchaseGrn', first))[0], (await amounts('purchaseGrn', rest))[0], 2)).toBe(whole)
  })

  it('boxes returned in boxes and pieces give back what was paid, and not a cent more', async () => {
    const { hospital, d, central } = scene
    const receipt = await received('UW2', '20')
    const line = (quantity: string, unit: string) => ({
      source_sn: receipt,
      source_line_no: 1,
      specification_sn: piece,
      unit_inner_sn: unit,
      quantity,
    })
    const sn = await hospital.add('purchaseReturn', {
      counterparty_sn: d,
      warehouse_model_inner_sn: central,
      source_sn: receipt,
      return_reason: 'quality',
      lines: [line('19', box), line('20', piece)],
    })
    expect(await amounts('purchaseReturn', sn)).toEqual(['1900.00', '100.00'])
  })

  it('a price that has no exact price of a piece still gives the share of the box', async () => {
    const { hospital, d, central } = scene
    const unit = `insert into pack_unit (specification_id, name, measure, base_measure) values ($1, '散箱', 3000, 3000)`
    const { id: carton } = await scene.one(`${unit} returning id`, piece)
    const receipt = await hospital.add('purchaseGrn', {
      counterparty_sn: d,
      warehouse_model_inner_sn: central,
      lines: [{ ...lotOf(piece, 'UW3', { quantity: '1', price: '100' }), unit_inner_sn: carton }],
    })
    await hospital.pass('purchaseGrn', receipt)
    const half = { source_sn: receipt, source_line_no: 1, specification_sn: piece, unit_inner_sn: piece }
    const sn = await hospital.add('purchaseReturn', {
      counterparty_sn: d,
      warehouse_model_inner_sn: central,
      source_sn: receipt,
      return_reason: 'quality',
      lines: [{ ...half, quantity: '1500' }],
    })
    expect(await amounts('purchaseReturn', sn)).toEqual(['50.00'])
  })
})
