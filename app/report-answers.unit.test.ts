import { describe, expect, test } from 'vitest'
import { type FieldSpec, rightsToRead } from '#kernel/definition/field.ts'
import { type AnyReport, carried, columnField, declared } from '#kernel/definition/report.ts'
import { reports } from '#kernel/registry.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { type Session, systemSession } from '#server/access/session.ts'
import { readable } from '#server/reports/report.ts'
import { statementOf } from '#server/reports/report-sql.ts'

/** Words that open a clause, brackets, and names of parameters; a cast is no name. */
const TOKEN = /[()]|::|:[a-z_][a-z_0-9]*|\b(?:select|from|where|having|on|group by|order by|filter|limit|union|with)\b/g
const CONDITIONS: readonly string[] = ['where', 'on', 'having', 'filter']

/** The parameters that a statement reads in a condition: what stands among its columns alone narrows nothing. */
function narrowing(sql: string): ReadonlySet<string> {
  const bare = sql.replace(/--[^\n]*/g, '').replace(/'[^']*'/g, "''")
  const found = new Set<string>()
  const clauses = ['']
  for (const [token] of bare.matchAll(TOKEN)) {
    if (token === '(') clauses.push(clauses.at(-1)!)
    else if (token === ')') clauses.pop()
    else if (token === '::') continue
    else if (!token.startsWith(':')) clauses.splice(-1, 1, token)
    else if (CONDITIONS.includes(clauses.at(-1)!)) found.add(token.slice(1))
  }
  return found
}

const HOW = ['汇总方式', '统计维度']
const WITH = ['供货天数', '安全天数', '补货周期']
/** What rows are chosen by: not a month or a number of days that figures are made with, nor how rows are summed. */
const narrows = ({ displayParameters = [] }: AnyReport, name: string, { as, label, match }: FieldSpec): boolean =>
  !displayParameters.includes(name) &&
  (as === 'ref' ||
    as === 'flag' ||
    (as === 'text' && match === undefined) ||
    (as === 'pick' && ![...HOW, ...WITH].includes(label)))

describe('the filters of a report', () => {
  test('a parameter among the columns narrows nothing, one in a condition does, however deep', () => {
    const sql = `select :a, (select 1 from t where (x = :b)) from u -- where :c
      where exists (select :d from v join w on w.x = any(array(select lot(:e))) where y = ':f')`
    expect([...narrowing(sql)]).toEqual(['b'])
  })

  test('each one narrows the rows: the statement reads it in a condition', () => {
    const wrong = reports().flatMap(report => {
      const read = narrowing(statementOf(report).written)
      return Object.entries(report.parameters)
        .filter(([name, field]) => narrows(report, name, field) && !read.has(name))
        .map(([name]) => `${report.kind} does not narrow by ${name}`)
    })
    expect(wrong).toEqual([])
  })
})

/** Somebody of an organisation of this type who has every right, but those that are named. */
const reader = (type: OrgType, ...lacks: string[]): Session => ({
  ...systemSession({ id: '1', code: 'X01', name: '机构', type }),
  flags: Object.assign(new Set<string>(), { has: (flag: string) => !lacks.includes(flag) }),
})

/** What an answer says of a row in which every column of the statement has a value. */
const answered = (report: AnyReport, session: Session): readonly string[] =>
  Object.keys(
    readable(report, session)(Object.fromEntries([...declared(report), 'undeclared'].map(name => [name, '7']))),
  )

describe.each(['P', 'H', 'D', 'V'] as const)('the answers that an organisation of type %s reads', type => {
  const shown = () => reports().filter(({ screens }) => screens.some(({ orgs }) => orgs.includes(type)))

  test('have no column of another type of organisation, and none that no page shows', () => {
    const wrong = shown().flatMap(report => {
      const without = report.screens.find(({ orgs }) => orgs.includes(type))?.without?.[type] ?? []
      const named = carried(report)
      return answered(report, reader(type))
        .filter(name => {
          const field = report.columns[name]
          if (field === undefined) return !named.includes(name)
          return without.includes(name) || (field.orgs !== undefined && !field.orgs.includes(type))
        })
        .map(name => `${report.kind}.${name}`)
    })
    expect(wrong).toEqual([])
  })

  test.each(['price', 'profit'])('have no column that needs the right %s, without it', right => {
    const wrong = shown().flatMap(report =>
      answered(report, reader(type, right))
        .filter(name => {
          const field = columnField(report, name)
          return field !== undefined && rightsToRead(field, type).some(needed => needed === right)
        })
        .map(name => `${report.kind}.${name}`),
    )
    expect(wrong).toEqual([])
  })
})
