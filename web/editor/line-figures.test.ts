import { describe, expect, it } from 'vitest'
import { documentOf } from '#kernel/registry.ts'
import { documents } from '#app/modules.ts'
import { completer, lineColumns } from '#web/editor/lines/line-columns.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { createLines } from '#web/grid/lines.ts'
import { inUnit, unitHint } from '#web/grid/units.ts'

const grn = documentOf('purchaseGrn')!
const box = { unit_inner_sn: '9', unit_name: '盒', unit_measure: '10' }
const piece = {
  specification_sn: '7',
  unit_inner_sn: '7',
  unit_name: '支',
  quantity: '20',
  price: '12.5000',
  tax_rate: 13,
}

describe('another unit of the same goods', () => {
  it('is the same quantity and amount in other figures', () => {
    expect(inUnit(piece, box)).toEqual({
      values: { ...box, quantity: '2', price: '125.0000' },
      problems: { quantity: null },
    })
    const back = inUnit(
      { ...piece, ...box, quantity: '2', price: '125.0000' },
      { unit_inner_sn: '7', unit_name: '支', unit_measure: '1' },
    )
    expect(back.values).toMatchObject({ quantity: '20', price: '12.5000' })
    // A saved line implies its conversion ratio by its two quantities.
    const saved = {
      specification_sn: '7',
      unit_inner_sn: '9',
      quantity: '2.000',
      base_quantity: '20.000',
      price: '125.0000',
    }
    expect(inUnit(saved, { unit_inner_sn: '7', unit_measure: '1' }).values).toMatchObject({
      quantity: '20',
      price: '12.5000',
    })
  })

  it('that does not convert evenly is refused with the reason beside the figure', () => {
    const three = { unit_inner_sn: '8', unit_name: '包', unit_measure: '3' }
    expect(inUnit(piece, three)).toMatchObject({
      values: { quantity: '20', price: '37.5000' },
      problems: { quantity: '20不能换算成整包（1包含3个基本单位），请重新填写数量' },
    })
    expect(unitHint({ ...piece, ...box, base_unit_name: '支' })).toBe('1盒=10支')
    expect(unitHint(piece)).toBeUndefined()
  })
})

describe('price, tax and amount', () => {
  const lineWith = (edit: object) => {
    const lines = createLines([], completer(grn))
    lines.edit([{ at: 0, values: { ...piece } }])
    lines.edit([{ at: 0, values: { ...edit } }])
    return lines.all()[0]!.values
  }
  it('follow from each other, whichever is entered', () => {
    expect(lineWith({})).toMatchObject({
      taxed_amount: '250.00',
      untaxed_amount: '221.24',
      tax_amount: '28.76',
      base_quantity: '20.000',
    })
    expect(lineWith({ taxed_amount: '100' })).toMatchObject({
      price: '5.0000',
      taxed_amount: '100.00',
      untaxed_amount: '88.50',
    })
    expect(lineWith({ untaxed_amount: '100' })).toMatchObject({
      price: '5.6500',
      untaxed_amount: '100.00',
      taxed_amount: '113.00',
    })
    expect(lineWith({ quantity: '40' })).toMatchObject({
      price: '12.5000',
      taxed_amount: '500.00',
      base_quantity: '40.000',
    })
    expect(lineWith({ tax_rate: 0 })).toMatchObject({ taxed_amount: '250.00', tax_amount: '0.00' })
    expect(lineWith({ taxed_amount: '100', quantity: '3' })).toMatchObject({ price: '12.5000', taxed_amount: '37.50' })
  })

  it('an invoice is right to the cent: its amount and its tax stay as they were typed', () => {
    const invoice = documentOf('inboundInvoice')!
    const lines = createLines([], completer(invoice))
    const now = (edit: object) => {
      lines.edit([{ at: 0, values: { ...edit } }])
      return lines.all()[0]!.values
    }
    now({ ...piece, quantity: '3', price: '33.3333' })
    expect(now({ taxed_amount: '100.01' })).toMatchObject({ taxed_amount: '100.01', price: '33.3367' })
    expect(now({ tax_amount: '11.49' })).toMatchObject({
      taxed_amount: '100.01',
      tax_amount: '11.49',
      untaxed_amount: '88.52',
    })
    const column = lineColumns(invoice, [], false, false).find(({ name }) => name === 'tax_amount')
    expect(column).toMatchObject({ editable: true })
  })

  it('amounts have their own columns, skipped by Enter and Tab; where cost is known they are read-only', () => {
    const columns = lineColumns(grn, [], false, false)
    expect(columns.find(column => column.name === 'taxed_amount')).toMatchObject({ editable: true, passed: true })
    expect(columns.find(column => column.name === 'tax_amount')).toMatchObject({ editable: false })
    const loss = lineColumns(documentOf('loss')!, [], false, false)
    expect(loss.filter(column => /amount/.test(column.name) && column.editable)).toEqual([])
    expect(lineColumns(grn, [], true, false).some(column => column.editable)).toBe(false)
  })

  it('quantities of every goods document are visible at 1920, before codes, locations and owners', () => {
    const [rowNumber, visible] = [46, 1400]
    for (const definition of documents.filter(each => 'specification_sn' in each.lines)) {
      const columns = lineColumns(definition, [], false, false)
      const ends = columns.map((_, at) => columns.slice(0, at + 1).reduce((sum, { width }) => sum + width, rowNumber))
      for (const [at, { name, field, editable }] of columns.entries())
        if (field.as === 'quantity' && editable) expect(ends[at], `${definition.kind} ${name}`).toBeLessThan(visible)
    }
    const names = lineColumns(documentOf('transferArrival')!, [], false, false).map(({ name }) => name)
    expect(names.indexOf('quantity')).toBeLessThan(names.indexOf('unit_codes'))
    expect(names.indexOf('price')).toBeGreaterThan(names.indexOf('owner_org_sn'))
  })
})

describe('a line of a count', () => {
  const count = documentOf('stockTake')!
  const row = { line_no: 1, specification_sn: '7', book_quantity: '5.000', price: '2.0000', first_quantity: null }
  const typed = (values: Row) => {
    const lines = createLines([row], completer(count))
    lines.edit([{ at: 0, values }])
    return lines.all()[0]!.values
  }

  it('has one difference with its sign, and none before it was counted', () => {
    expect(typed({ first_quantity: '3' })).toMatchObject({ difference: '-2.000', direction: 'short' })
    expect(typed({ first_quantity: '7' })).toMatchObject({ difference: '2.000', difference_amount: '4.00' })
    expect(typed({ first_quantity: '5' })).toMatchObject({ difference: '0.000', direction: 'none' })
    expect(typed({ remark: '未盘' })).toMatchObject({ difference: null, direction: null })
    const titles = lineColumns(count, [row], false, false).map(column => column.title)
    expect(titles.filter(title => /差异|实盘|金额/.test(title))).toEqual([
      '差异',
      '差异金额',
      '差异原因',
      '实盘院内码',
      '差异院内码',
    ])
  })
})
