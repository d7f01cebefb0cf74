import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { hasPrices } from '#kernel/definition/line-content.ts'
import { documents } from '#kernel/registry.ts'
import { add, multiply } from '#kernel/values/decimal.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { loadDocuments } from '#server/documents/repository/load.ts'
import { inheritLines } from '#server/documents/sources/inherit-lines.ts'
import type { OpenLine } from '#server/documents/sources/open-source.ts'
import { importColumns, type SheetField } from '#server/documents/import/columns.ts'
import type { Session } from '#server/access/session.ts'
import { sendSheet, workbook } from '#tests/support/sheets.ts'
import type { Person } from '#tests/support/story.ts'
import { proves } from '#tests/support/proves.ts'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'

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

describe('a line of a workbook costs what it says, in its unit', () => {
  const kinds = documents().filter(
    definition => definition.lineRules.import === true && hasPrices(definition) && !definition.lineRules.basis,
  )
  /** The row of a template, with these values where the kind has the column. */
  const rowOf = (fields: readonly SheetField[], values: Readonly<Record<string, string>>) =>
    fields.map(({ title, name, example, required, field }) => {
      if (title === '产品编码') return values.code!
      if (name !== null && name in values) return values[name]!
      if (field?.as === 'quantity' && required) return values.quantity!
      return required && field?.as !== 'ref' ? example : ''
    })

  test.each(kinds.map(definition => [definition.kind, definition] as const))('%s', async (kind, definition) => {
    const isDealers = definition.ownerTypes.includes('D')
    const [who, org, store] = isDealers ? [scene.dealer, scene.d, scene.shop] : [scene.hospital, scene.h, scene.central]
    const session = { flags: 'all', org: { id: org, type: isDealers ? 'D' : 'H' } } as unknown as Session
    const fields = importColumns(session, definition)
    const { code } = await scene.one('select code from specification where id = $1', piece)
    const rows = [
      fields.map(({ title }) => title),
      rowOf(fields, { code, unit_inner_sn: '大箱', quantity: '2', price: '100' }),
      rowOf(fields, { code, unit_inner_sn: '', quantity: '40', price: '5' }),
    ]
    const header = { warehouse_model_inner_sn: store, dry: 'true' }
    const known = Object.entries(header).filter(([name]) => name === 'dry' || name in definition.header)
    const replies = []
    // Goods are bought of one partner and sold to another.
    for (const partner of 'counterparty_sn' in definition.header ? [scene.d, scene.h, scene.v] : [null]) {
      const fields = Object.fromEntries([
        ...known,
        ...(partner === null ? [] : [['counterparty_sn', partner] as const]),
      ])
      replies.push(await sendSheet(who.client, `/v1/business/${kind}/import`, workbook(rows), fields))
    }
    const shown = replies.find(({ code }) => code === 0)
    expect(shown?.info.lines, replies.map(({ msg }) => msg).join()).toMatchObject([
      { unit_name: '大箱', quantity: '2.000', price: '100.0000', taxed_amount: '200.00' },
      { quantity: '40.000', price: '5.0000', taxed_amount: '200.00' },
    ])
  })
})

describe('over the wire', () => {
  const amounts = async (kind: string, sn: string) =>
    (await scene.hospital.info(kind, sn)).lines.map((line: Record<string, string>) => line.taxed_amount)

  it('an order of boxes received in pieces costs what was ordered', async () => {
    proves('document.priceByUnit')
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

  it('boxes that cross to another organisation cost the same in whatever unit they are taken', async () => {
    proves('document.priceByUnit')
    const { hospital, dealer, d, h, shop, central } = scene
    const lot = 'UW4'
    type Line = Readonly<Record<string, string>>
    const costs = async (who: Person, kind: string, sn: string) =>
      (await who.info(kind, sn)).lines.map(({ quantity, price, taxed_amount }: Line) => [quantity, price, taxed_amount])
    const taken = (source_sn: string, source_line_no: number, quantity: string, unit: string) => ({
      source_sn,
      source_line_no,
      specification_sn: piece,
      unit_inner_sn: unit,
      quantity,
    })
    await scene.shelve(dealer, shop, [lotOf(piece, lot, { quantity: '80', price: '3' })])
    const order = await hospital.add('purchaseOrder', {
      counterparty_sn: d,
      warehouse_model_inner_sn: central,
      lines: [{ specification_sn: piece, unit_inner_sn: box, quantity: '2' }],
    })
    await hospital.pass('purchaseOrder', order)
    const [[, ordered, whole]] = await costs(hospital, 'purchaseOrder', order)
    const sale = await dealer.from('salesOrder', order)
    expect(await costs(dealer, 'salesOrder', sale.sn)).toEqual([['2.000', ordered, whole]])

    const odo = await dealer.add('saleOdo', {
      counterparty_sn: h,
      warehouse_model_inner_sn: shop,
      lines: [{ specification_sn: piece, unit_inner_sn: box, lot_no: lot, quantity: '2', price: '100' }],
    })
    await dealer.pass('saleOdo', odo)
    const { sn: receipt } = await hospital.from('purchaseGrn', odo)
    expect(await costs(hospital, 'purchaseGrn', receipt)).toEqual([['2.000', '100.0000', '200.00']])
    const lines = [taken(odo, 1, '7', piece), taken(odo, 1, '33', piece)]
    await hospital.done('purchaseGrn', 'edit', receipt, { warehouse_model_inner_sn: central, lines })
    await hospital.pass('purchaseGrn', receipt)
    expect(await costs(hospital, 'purchaseGrn', receipt)).toEqual([
      ['7.000', '5.0000', '35.00'],
      ['33.000', '5.0000', '165.00'],
    ])

    const [few, many] = (await hospital.info('purchaseGrn', receipt)).lines.map(
      (line: { line_no: number }) => line.line_no,
    )
    const back = await hospital.add('purchaseReturn', {
      counterparty_sn: d,
      warehouse_model_inner_sn: central,
      source_sn: receipt,
      return_reason: 'quality',
      lines: [taken(receipt, few, '7', piece), taken(receipt, many, '1', box)],
    })
    await hospital.pass('purchaseReturn', back)
    const given = [
      ['7.000', '5.0000', '35.00'],
      ['1.000', '100.0000', '100.00'],
    ]
    expect(await costs(hospital, 'purchaseReturn', back)).toEqual(given)
    expect(await costs(dealer, 'saleReturn', (await dealer.from('saleReturn', back)).sn)).toEqual(given)
  })

  it('one box of two that is reversed in red takes back what one box cost', async () => {
    const { hospital } = scene
    const sn = await received('UW5', '2')
    const lines = [{ line_no: 1, quantity: '1' }]
    const { red_sn } = await hospital.done('purchaseGrn', 'redReverse', sn, { reason: '多收', lines })
    expect(await hospital.info('purchaseGrn', red_sn)).toMatchObject({ taxed_amount: '-100.00' })
  })

  it('twenty pieces of goods on consignment are owed as the box of twenty is', async () => {
    const { hospital, ward, department, d } = scene
    const held = lotOf(piece, 'UW6', { quantity: '2', price: '100', owner_org_sn: d, unit_inner_sn: box })
    await scene.shelve(hospital, ward, [held])
    const [unit, box_price] = await Promise.all(
      [piece, box].map(async unit_inner_sn => {
        const sn = await hospital.add('departmentUse', {
          warehouse_model_inner_sn: ward,
          department_inner_sn: department,
          patient_no: 'P9',
          patient_name: '苏听松',
          lines: [
            { specification_sn: piece, lot_no: 'UW6', quantity: unit_inner_sn === box ? '1' : '20', unit_inner_sn },
          ],
        })
        await hospital.pass('departmentUse', sn)
        const query = { for: 'use', counterparty_sn: d, pageSize: '500' }
        const { list } = await hospital.client.get('/v1/business/settlement/sources', query)
        return list.find((row: { source_sn: string }) => row.source_sn === sn).taxed_amount as string
      }),
    )
    expect(box_price).toBe(unit)
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
