import { describe, expect, it } from 'vitest'
import { spelledOut } from '#server/reports/sql-shorthand.ts'

/** The statement in one line, one blank between words. */
const said = (sql: string): string => spelledOut(sql).replaceAll(/\s+/g, ' ').trim()

describe('group by all', () => {
  it('groups by each column that is no aggregate and no constant, by its place', () => {
    expect(said("select 'use' as side, x.day, sum(x.amount) as amount, f(x.a, 2) as b from x group by all")).toBe(
      "select 'use' as side, x.day, sum(x.amount) as amount, f(x.a, 2) as b from x group by 2, 4",
    )
  })

  it('takes an aggregate of a subquery for a value of the row', () => {
    expect(
      said('select (select max(y.at) from y where y.id = x.id) as at, 1 + count(*) as n from x group by all'),
    ).toMatch(/group by 1$/)
    expect(said('select (select 1) + sum(x.a) as n, x.b from x group by all having sum(x.a) > 0')).toMatch(
      /group by 2 having sum\(x\.a\) > 0$/,
    )
  })

  it('is refused where nothing is left to group by, and below a star', () => {
    expect(() => said('select count(*) as n from x group by all')).toThrow('no column to group by')
    expect(() => said('select x.*, count(*) as n from x group by all')).toThrow('below a star')
  })
})

describe('union all by name', () => {
  it('gives each select the columns of the first, and null for those that it does not have', () => {
    const written = `
      select x.a, null::date as day, f(x.b) as c from x where x.a in (select a from z union all select 2)
      union all by name select y.day, y.b as a from y
      union all by name select v.c from v order by 1`
    expect(said(written)).toBe(
      'select x.a, null::date as day, f(x.b) as c from x where x.a in (select a from z union all select 2) ' +
        'union all select y.b as a, y.day, null from y union all select null, null, v.c from v order by 1',
    )
  })

  it('stands within another one, and groups the columns that it put in order', () => {
    expect(
      said(`select a, 0 as n, b from (select a, b from x union all by name select b, 1 as a from y) z
        union all by name select q.b, count(*) as n from q group by all`),
    ).toBe(
      'select a, 0 as n, b from (select a, b from x union all select 1 as a, b from y) z ' +
        'union all select null, count(*) as n, q.b from q group by 3',
    )
  })

  it('is refused with a name that the first select does not have, without names, and beside unions by place', () => {
    expect(() => said('select a from x union all by name select b from y')).toThrow('does not begin with b')
    expect(() => said('select a, b from x union all by name select a, f(b) from y')).toThrow('without a name')
    expect(() => said('select a from x union all by name select a, b as a from y')).toThrow('without a name')
    expect(() => said('select a from x union all by name select a from y union all select 1')).toThrow('mixed')
  })
})
