import { describe, expect, it } from 'vitest'
import { f } from '#kernel/definition/field.ts'
import { type AnyReport, defineReport } from '#kernel/definition/report.ts'
import { reports } from '#app/modules.ts'
import { checkReportSql, statementOf } from '#server/reports/report-sql.ts'

const definition = defineReport({
  kind: 'trial',
  title: '试',
  sqlFile: 'room/trial.sql',
  parameters: { begin_date: f.day('开始日期'), warehouse_sn: f.ref('仓库', 'warehouse') },
  columns: { word: f.text('词'), quantity: f.quantity('数量') },
  groupBy: ['word'],
  screens: [],
})
const sound = `
  select 'a:b' as word, quantity -- of :nobody
    from stock_move m
   where m.at::date >= :begin_date and m.warehouse_id = :warehouse_sn and {{ store_scope(m.warehouse_id) }}`

/** The faults that the boot finds in a report with this SQL, its parts by name. */
const said = (sql: string, parts: Readonly<Record<string, string>> = {}, changes: Partial<AnyReport> = {}) =>
  checkReportSql([{ ...definition, ...changes } as AnyReport], file => {
    if (file === 'room/trial.sql') return sql
    const part = /^room\/parts\/(.+)\.sql$/.exec(file)?.[1] ?? ''
    if (parts[part] === undefined) throw new Error(`no file ${file}`)
    return parts[part]
  })

describe('the SQL of a report', () => {
  it('reads what its definition gives, and is bound to what its reader may see', () => {
    expect(said(sound)).toEqual([])
  })

  it('stops the boot by a name that nobody gives, and by a parameter that it never reads', () => {
    expect(said(sound.replace(':begin_date', ':begin'))).toEqual([
      'report trial: room/trial.sql reads :begin, which nobody gives',
    ])
    expect(said(sound.replace('m.at::date >= :begin_date', 'true'))).toEqual([
      'report trial: room/trial.sql never reads begin_date',
    ])
    expect(said(sound, {}, { groupOnlyColumns: ['month'] } as object)[0]).toMatch(/never reads grouped_by_month$/)
    expect(
      said(sound.replace('m.at::date >= :begin_date', 'true'), {}, { displayParameters: ['begin_date'] } as object),
    ).toEqual([])
  })

  it('stops the boot by a fragment that is unknown or asked for wrongly', () => {
    expect(said(`${sound} and {{ everything(m.id) }}`)[0]).toMatch(/asks for an unknown fragment everything$/)
    expect(said(`${sound} and {{ author_scope(m.created_by) }}`)[0]).toMatch(/wrong arguments: m.created_by$/)
    expect(said(`${sound} and {{ warehouse_scope(1 or true) }}`)[0]).toMatch(/wrong arguments: 1 or true$/)
    expect(said(`${sound} and {{ warehouse_scope m.id }}`)[0]).toMatch(/a slot that cannot be read/)
  })

  it('takes expressions as arguments of those fragments alone that are made of them', () => {
    const summed = (written: string) => said(sound.replace('quantity --', `${written} as quantity --`))
    expect(summed("{{ sum_where(round(m.quantity, 2), m.side in ('a', 'b')) }}")).toEqual([])
    expect(summed('{{ value_where(- m.quantity, m.value > 0) }}')).toEqual([])
    expect(summed('{{ sum_where(m.quantity) }}')[0]).toMatch(/wrong arguments: m.quantity$/)
    expect(summed('{{ known_cost(- m.cost) }}')[0]).toMatch(/wrong arguments: - m.cost$/)
    const named = (names: string) => said(sound.replace('quantity --', `quantity, {{ goods_columns(${names}) }} --`))
    expect(named('product_name')[0]).toMatch(/yields product_name, which is not declared$/)
    expect(named('product')[0]).toMatch(/wrong arguments: product$/)
  })

  it('compares each parameter with the column that it narrows', () => {
    const narrowed = (filters: string) =>
      said(sound.replace('m.warehouse_id = :warehouse_sn', `{{ narrowed(m, ${filters}) }}`))
    expect(narrowed('warehouse_sn')).toEqual([])
    expect(narrowed('warehouse_model_inner_sn')[0]).toMatch(/reads :warehouse_model_inner_sn, which nobody gives$/)
    expect(narrowed('m.warehouse_id')[0]).toMatch(/wrong arguments/)
  })

  it('joins rows of a table by their own columns only', () => {
    const joined = (keys: string) => said(sound.replace('stock_move m', `stock_move m join {{ own(lot, k, ${keys}) }}`))
    expect(joined("id = m.lot_id, state = 'open'")).toEqual([])
    expect(joined('m.lot_id = k.id')[0]).toMatch(/wrong arguments/)
    expect(joined('id = 1 or true')[0]).toMatch(/wrong arguments/)
  })

  it('stops the boot where rows are bound to nothing, unless the definition says why, and not otherwise', () => {
    const everybodys = sound.replace('{{ store_scope(m.warehouse_id) }}', 'true')
    expect(said(everybodys)[0]).toMatch(/uses neither warehouse_scope nor department_scope/)
    expect(said(everybodys, {}, { unscoped: 'of the organisation' })).toEqual([])
    expect(said(sound, {}, { unscoped: 'of the organisation' })[0]).toMatch(/says that it is unscoped/)
    expect(said(sound.replace('store_scope', 'warehouse_scope'))[0]).toMatch(/to stores or to departments alone/)
    const priced = { columns: { ...definition.columns, word: f.amount('金额') } } as object
    expect(said(everybodys, {}, { unscoped: 'of the organisation', ...priced })[0]).toMatch(/it is wholeOnly/)
    expect(said(everybodys, {}, { wholeOnly: 'of the organisation', ...priced })).toEqual([])
  })

  it('stops the boot at a column that is not declared: shown, carried by a link or a call, or kept on the server', () => {
    const more = sound.replace('quantity --', 'quantity, m.admission as word_no, m.x as row_key --')
    expect(said(more)).toEqual(['report trial: room/trial.sql yields word_no, row_key, which is not declared'])
    const beside = { word_no: f.text('词号') }
    expect(said(more, {}, { beside })[0]).toMatch(/yields row_key, which/)
    const calls = { mark: { label: '标记', rows: 'many' } } as never
    expect(said(more, {}, { beside, calls })).toEqual([])
    const drillDown = { word: { to: 'stockFlow', with: { lot_no: 'word_no', product: '=product' } } } as never
    expect(said(more, {}, { drillDown, calls })).toEqual([])
    const starred = `with lines as (${sound.replace('quantity --', 'quantity, m.x --')}) select * from lines`
    expect(said(starred)).toEqual(['report trial: room/trial.sql yields x, which is not declared'])
  })

  it('stops the boot where a patient or a cost goes by another name: an alias keeps the kind of what it names', () => {
    const inner = (column: string) =>
      `with a as (select ${column} as b, m.quantity from stock_move m where m.at::date >= :begin_date
        and m.warehouse_id = :warehouse_sn and {{ store_scope(m.warehouse_id) }}),
       c as (select coalesce(a.b, null) as d, a.quantity from a)
       select c.d as word, c.quantity from c`
    const word = (field: object) => ({ columns: { ...definition.columns, word: field } }) as object
    expect(said(inner('m.admission_no'))[0]).toMatch(/yields word of a patient: declare it as f.patient$/)
    expect(said(inner('m.admission_no'), {}, word(f.patient('住院号')))).toEqual([])
    expect(said(inner('count(distinct m.admission_no)'), {}, word(f.count('例数')))).toEqual([])
    const drillDown = { quantity: { to: 'stockFlow', with: { lot_no: 'word' } } }
    const bare = { columns: { quantity: f.quantity('数量') }, groupBy: [], drillDown } as object
    expect(said(inner('m.admission_no'), {}, bare)[0]).toMatch(/yields word of a patient/)
    expect(said(inner('m.value / 2'), {}, word(f.amount('金额')))[0]).toMatch(
      /yields word from costs: declare it as f.cost/,
    )
    expect(said(inner('m.value / 2'), {}, word(f.cost('成本')))).toEqual([])
    expect(said(inner('{{ known_cost(m.value) }}'), {}, word(f.amount('金额')))).toEqual([])
    const listed = sound
      .replace("'a:b' as word", 'v.word')
      .replace('stock_move m', `stock_move m cross join lateral (values (1, m.value), (2, 0)) as v (step, word)`)
    expect(said(listed, {}, word(f.amount('金额')))[0]).toMatch(/yields word from costs/)
  })

  it('takes parts by their file, with names given as PostgreSQL gives them; a fragment in a part counts', () => {
    const bare = sound.replace('{{ store_scope(m.warehouse_id) }}', '{{ part(seen, store => :warehouse_sn) }}')
    const seen = ':store is null and {{ ward_scope(m.department_id) }}'
    expect(said(bare, { seen })).toEqual([])
    expect(said(bare, {})[0]).toMatch(/no file room\/parts\/seen.sql$/)
    expect(said(bare.replace('part(seen', 'part(room/seen'), { seen })).toEqual([])
    expect(said(bare.replace('part(seen', 'part(other/seen'), { seen })[0]).toMatch(/no file other\/parts\/seen.sql$/)
    expect(said(bare, { seen: 'true' })[0]).toMatch(/gives seen what it does not read: store$/)
    expect(said(bare.replace('store => :warehouse_sn', 'store => now()'), { seen })[0]).toMatch(/cannot be read/)
    expect(said(bare.replace(', store => :warehouse_sn', ''), { seen })[0]).toMatch(/reads :store, which nobody gives$/)
  })
})

describe('a statement', () => {
  const report = reports.find(({ kind }) => kind === 'stockFlow')!

  it('numbers its names with the types of their fields, each once, and leaves nothing of ours in the text', () => {
    const { text, names } = statementOf(report)
    expect(new Set(names).size).toBe(names.length)
    expect(text).toContain(`m.at >= $${names.indexOf('begin_date') + 1}::date::timestamp`)
    expect(text).toContain(`= any($${names.indexOf('visible_warehouses') + 1}::bigint[])`)
    expect(text.replace(/--.*/g, '')).not.toMatch(/\{\{|[^:]:[a-z]/)
  })

  it('is there without its order, for whoever sums its rows', () => {
    const { text, unordered } = statementOf(report)
    expect(text.startsWith(`${unordered}\norder by\n`)).toBe(true)
    const order = sound.replace('select', '\nselect') + '\norder by\n  :begin_date'
    expect(said(order)).toEqual([])
    expect(said(order.replace('m.at::date >= :begin_date', 'true'))[0]).toMatch(
      /orders by :begin_date, which its rows do not read$/,
    )
  })

  it('is as fine as the call groups', () => {
    const finance = reports.find(({ kind }) => kind === 'stockFinance')!
    expect(statementOf(finance).text).not.toBe(statementOf(finance, ['ownership']).text)
    expect(statementOf(finance).names).toEqual(statementOf(finance, ['ownership', 'supplier_name']).names)
    expect(statementOf(finance, ['period'])).toBe(statementOf(finance))
  })
})
