import { beforeAll, describe, expect, test } from 'vitest'
import { f, rightsToMeasure, rightsToRead } from '#kernel/definition/field.ts'
import { columnField } from '#kernel/definition/report.ts'
import { shows } from '#kernel/measure/measure.ts'
import { reportOf, reports } from '#kernel/registry.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { registerModules } from '#app/composition.ts'

beforeAll(() => registerModules())

describe('the right to a figure stands at its measure', () => {
  test.each(Object.values(measures))('$name needs no less than the column of its rows', measure => {
    const { measures: _measures, ...column } = columnField(reportOf(measure.of)!, measure.column)!
    for (const org of measure.orgs as Iterable<OrgType>)
      expect(rightsToMeasure(measure, org)).toEqual(expect.arrayContaining([...rightsToRead(column, org)]))
  })

  test('every column that shows a measure needs the right of the measure', () => {
    const weaker = reports().flatMap(({ kind, columns }) =>
      Object.entries(columns).flatMap(([name, field]) =>
        (field.measures ?? []).flatMap(measure =>
          ([...measure.orgs] as OrgType[]).flatMap(org =>
            rightsToMeasure(measure, org).every(right => rightsToRead(field, org).includes(right))
              ? []
              : [`${kind}.${name} for ${org}`],
          ),
        ),
      ),
    )
    expect(weaker).toEqual([])
  })

  test('a column that calls a cost an amount is read by those alone who may know costs', () => {
    const column = f.amount('期末金额', shows(measures.stock))
    expect(rightsToRead(column, 'D')).toEqual(['price', 'profit'])
    expect(rightsToRead(column, 'H')).toEqual(['price'])
  })
})
