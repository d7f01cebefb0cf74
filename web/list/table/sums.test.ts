import { describe, expect, it } from 'vitest'
import { type FieldSpec, f } from '#kernel/definition/field.ts'
import { entities, reports } from '#kernel/registry.ts'
import type { Column } from '#web/list/table/column.ts'
import { meaningfulSums } from '#web/list/table/sums.ts'

const column = (name: string, field: FieldSpec): Column => ({
  name,
  field,
  title: field.label,
  width: 100,
  pin: null,
  hidden: false,
  sortable: true,
})
const columns = [
  column('quantity', f.quantity('数量')),
  column('amount', f.amount('金额')),
  column('price', f.price('单价')),
  column('rate', f.rate('费率')),
  column('lots', f.count('批号数')),
]
const summary = { quantity: '7.000', amount: '12.00', price: '99.0000', rate: '0.500000', lots: 3 }

describe('the totals under a list', () => {
  it('are those of money and of numbers of things; prices and rates have none', () => {
    expect(meaningfulSums(columns, summary)).toEqual({ amount: '12.00', lots: 3 })
  })

  it('count pieces only where all of them are counted in one unit, and say in which', () => {
    expect(meaningfulSums(columns, { ...summary, unit_name: '套' })).toMatchObject({
      quantity: '7.000',
      unit_name: '套',
    })
    expect(meaningfulSums(columns, { ...summary, unit_name: null })).not.toHaveProperty('quantity')
  })

  it('of documents are those of money alone', () => {
    expect(meaningfulSums(columns, summary, false)).toEqual({ amount: '12.00' })
  })

  it('are no row at all where nothing has a sum', () => {
    expect(meaningfulSums([column('price', f.price('单价'))], { price: '1.0000' })).toBeUndefined()
    expect(meaningfulSums(columns, undefined)).toBeUndefined()
  })

  it('are asked of no definition for a price or a rate; an analysis measures both over everything', () => {
    const summed = [
      ...reports().flatMap(({ kind, totals = [], columns: own, analysis }) =>
        analysis ? [] : totals.map(name => ({ at: `${kind}.${name}`, as: own[name]?.as })),
      ),
      ...entities().flatMap(({ kind, sums = [], fields, extras }) =>
        sums.map(name => ({ at: `${kind}.${name}`, as: (fields[name] ?? extras?.[name])?.as })),
      ),
    ]
    expect(summed.length).toBeGreaterThan(40)
    expect(summed.filter(({ as }) => as !== 'amount' && as !== 'quantity' && as !== 'count')).toEqual([])
  })

  it('with pieces stand where the rows say their unit, or else are never shown', () => {
    const without = [...reports()].filter(
      ({ totals = [], columns: own }) =>
        totals.some(name => own[name]?.as === 'quantity') && own.unit_name === undefined,
    )
    // A row is a reason or a month over many goods: their pieces have no sum.
    expect(without.map(({ kind }) => kind).toSorted()).toEqual(['lossStats', 'monthEnd', 'warningTrend'])
  })
})
