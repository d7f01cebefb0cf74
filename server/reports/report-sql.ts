import { readFileSync } from 'node:fs'
import type { ParameterOrJSON } from 'postgres'
import { possibleCodes } from '#kernel/codes/canonical-code.ts'
import type { FieldKind } from '#kernel/definition/field.ts'
import type { Analysis } from '#kernel/definition/analysis.ts'
import { type AnyReport, columnField, declared } from '#kernel/definition/report.ts'
import { derived, documents, entities } from '#kernel/registry.ts'
import { today } from '#kernel/values/date.ts'
import { columnsOf, namesFrom } from '#server/reports/select-list.ts'
import { visibleTo } from '#server/access/data-scope.ts'
import type { Session } from '#server/access/session.ts'
import {
  fitsFragment,
  isSqlFragment,
  isWhollyScoped,
  scopeFragments,
  type SqlFragment,
  sqlFragments,
} from '#server/reports/sql-fragments.ts'
import { spelledOut } from '#server/reports/sql-shorthand.ts'
import path from 'node:path'

const MODULES = path.resolve(import.meta.dirname, '..', '..', 'modules')

/**
 * A report's statement: SQL with `$1`, `$2`, … and, in that order, the names of what is bound to them.
 *
 * The `.sql` file of a report is PostgreSQL's own SQL with two additions:
 *
 * - `:begin_date` is a named parameter. The names are the report's own parameters, `:organisation`, and
 * `:grouped_by_month` for each of its `groupOnlyColumns`. Each is bound with the type of its field, so that the
 * file needs no casts.
 * - `{{ name(arguments) }}` stands for SQL that is written once: a fragment of `sql-fragments.ts`, or `part(file)`,
 * which is `parts/file.sql` beside the statement. What a part names itself is given to it in PostgreSQL's notation:
 * `{{ part(classed, class => :custom_type_sn) }}`. A parameter, a text, a number, `true`, `false` or `null` is given.
 * A part of another room is named with it: `{{ part(platform/reports/classed, class => :custom_type_sn) }}`.
 *
 * A name, fragment, part or argument that is unknown, and a parameter that the file never reads, is an error of
 * whoever wrote it.
 */
export type ReportStatement = {
  readonly text: string
  /** The same rows in any order, for whoever sums them: PostgreSQL sorts a subquery that says how, also for nobody. */
  readonly unordered: string
  readonly names: readonly string[]
  /** With the names of its parameters, as it is checked. */
  readonly written: string
  /** The fragments that it uses, its parts' with them. */
  readonly fragments: ReadonlySet<SqlFragment>
}

/** Gives the text of an `.sql` file by its path from `modules/`. */
export type SqlReader = (file: string) => string

const readSql: SqlReader = file => readFileSync(path.join(MODULES, file), 'utf8')

/**
 * The SQL of a file that is no report's and is written as theirs are, from `modules/`: these names, with their types,
 * are bound in their order.
 */
export function writtenSql(file: string, types: Readonly<Record<string, string>>): string {
  const names = Object.keys(types)
  return replaceNames(spelledOut(expand(file, readSql).text), name => {
    if (types[name] === undefined) throw new Error(`${file} reads :${name}, which nobody gives`)
    return `$${names.indexOf(name) + 1}::${types[name]}`
  })
}

const statements = new Map<string, ReportStatement>()

/** The statement of a report, its rows as fine as the columns by which the call groups; read from its file once. */
export function statementOf(report: AnyReport, groups: readonly string[] = []): ReportStatement {
  const finer = groupOnlyColumns(report).filter(name => groups.includes(name))
  const key = [report.kind, ...finer].join(' ')
  let statement = statements.get(key)
  if (statement === undefined) {
    statement = compile(report, finer, readSql)
    statements.set(key, statement)
  }
  return statement
}

/** The faults of these reports' SQL, a sentence each: checked at boot, before anybody calls one. */
export const checkReportSql = (reports: readonly AnyReport[], read = readSql): readonly string[] =>
  reports.flatMap(report => {
    try {
      const statement = compile(report, [], read)
      checkScope(report, statement)
      checkColumns(report.analysis?.of ?? report, statement)
      checkKinds(report.analysis?.of ?? report, statement)
      if (report.analysis) checkMeasures(report, report.analysis)
      return []
    } catch (error) {
      return [`report ${report.kind}: ${(error as Error).message}`]
    }
  })

/**
 * Rows are bound to what the reader may see, or the definition says why they are not. Money that is bound to nothing
 * adds up over the organisation: it is for those alone who see all of it (`wholeOnly`).
 */
function checkScope({ unscoped, wholeOnly, columns }: AnyReport, { fragments }: ReportStatement): void {
  const scoped = scopeFragments.some(name => fragments.has(name))
  if (scoped && unscoped !== undefined) throw new Error('it says that it is unscoped, and its SQL is scoped')
  if (!scoped && unscoped === undefined && wholeOnly === undefined)
    throw new Error(
      `its SQL uses neither ${scopeFragments.join(' nor ')}, and its definition does not say why (unscoped)`,
    )
  if (scoped && wholeOnly === undefined && !isWhollyScoped(fragments))
    throw new Error('its SQL is bound to stores or to departments alone: store_scope and ward_scope bind it to both')
  const figure = Object.keys(columns).find(name => ['amount', 'price'].includes(columns[name]!.as))
  if (unscoped !== undefined && figure !== undefined)
    throw new Error(`its ${figure} adds up over the organisation: it is wholeOnly, and not unscoped`)
}

/** Every column that the statement yields is declared: what nobody declared has no kind, and nobody masks it. */
function checkColumns(report: AnyReport, { written }: ReportStatement): void {
  const names = declared(report)
  const stray = columnsOf(written).filter(({ name }) => !names.has(name))
  if (stray.length > 0)
    throw new Error(`${report.sqlFile} yields ${stray.map(({ name }) => name).join(', ')}, which is not declared`)
}

/** Names of columns that say who a patient is, as documents and records have them. */
const ofPatients = derived(
  (): ReadonlySet<string> =>
    new Set(
      [...documents().flatMap(({ header, lines }) => [header, lines]), ...entities().map(({ fields }) => fields)]
        .flatMap(fields => Object.entries(fields))
        .flatMap(([name, { patient }]) => (patient === true ? [name] : [])),
    ),
)
/** Names under which the ledgers say what goods cost. */
const ofCost: ReadonlySet<string> = new Set(['cost', 'cost_price', 'unit_cost', 'value'])

/** Kinds of field that say how much, and nobody's name. */
const figures: ReadonlySet<FieldKind> = new Set(['amount', 'count', 'flag', 'price', 'quantity', 'rate'])

/** An alias keeps the kind of what it names: a patient stays a patient and a cost a cost, however it is called. */
function checkKinds(report: AnyReport, { written }: ReportStatement): void {
  const [patients, costs] = [namesFrom(written, ofPatients()), namesFrom(written, ofCost)]
  for (const { name } of columnsOf(written)) {
    const field = columnField(report, name)
    if (patients.has(name) && !(field && (field.masked === true || figures.has(field.as))))
      throw new Error(`${report.sqlFile} yields ${name} of a patient: declare it as f.patient`)
    const isMoney = field?.as === 'price' || field?.as === 'amount'
    if (costs.has(name) && isMoney && field.worth === undefined)
      throw new Error(`${report.sqlFile} yields ${name} from costs: declare it as f.cost, f.unitCost or f.margin`)
  }
}

/** Checks that sums and quotients of costs and margins are declared as such themselves. */
function checkMeasures(report: AnyReport, { of: rows, measures }: Analysis): void {
  const worthOf = (name: string) => (columnField(report, name) ?? columnField(rows, name))?.worth
  for (const [name, measure] of Object.entries(measures)) {
    const of = 'change' in measure ? measure.change : 'before' in measure ? measure.before : null
    if (of !== null && 'closing' in measures[of]!)
      throw new Error(`its measure ${name} compares ${of}, a balance, of which no other period is read`)
    const made =
      'sum' in measure
        ? [measure.sum]
        : 'closing' in measure
          ? [measure.closing]
          : 'mean' in measure
            ? measure.mean
            : 'ratio' in measure
              ? measure.ratio
              : []
    const isMoney = ['price', 'amount'].includes(report.columns[name]?.as ?? '')
    const worths = made.map(column => worthOf(column) ?? columnField(rows, column)?.worth)
    const forgets = worths.includes('margin') || (isMoney && worths.includes('cost'))
    if (forgets && report.columns[name]?.worth === undefined)
      throw new Error(`its measure ${name} is made of costs or margins: declare it as one`)
  }
}

function compile(report: AnyReport, finer: readonly string[], read: SqlReader): ReportStatement {
  const { text: short, order, fragments } = expand(report.sqlFile, read)
  const text = spelledOut(short)
  return { ...bind(report, { text, order }, finer), written: text, fragments }
}

type Expanded = {
  readonly text: string
  /** Its last clause, with whatever it stands before; empty where the rows have no order of their own. */
  readonly order: string
  readonly fragments: ReadonlySet<SqlFragment>
}

/** The beginning of the order of a whole statement: files are written one clause a line (`npm run sql:format`). */
const ORDER = '\norder by\n'

const SLOT = /\{\{\s*([a-z_]+)\(([^{}]*)\)\s*\}\}/g

/** The SQL of a file, with fragments and parts in place of their slots. */
function expand(file: string, read: SqlReader): Expanded {
  const fragments = new Set<SqlFragment>()
  const fill = (written: string) =>
    written.replace(SLOT, (_, name: string, argument: string) => {
      const given = argumentsOf(argument)
      if (name === 'part') {
        const part = expandPart(file, given, read)
        for (const fragment of part.fragments) fragments.add(fragment)
        return part.text
      }
      if (!isSqlFragment(name)) throw new Error(`${file} asks for an unknown fragment ${name}`)
      fragments.add(name)
      return callFragment(file, name, given)
    })
  const whole = read(file).trim()
  const at = whole.lastIndexOf(ORDER)
  const [text, order] = at === -1 ? [fill(whole), ''] : [fill(whole.slice(0, at)), fill(whole.slice(at))]
  const left = /\{\{.*/.exec(text + order)
  if (left) throw new Error(`${file} has a slot that cannot be read: ${left[0]}`)
  return { text, order, fragments }
}

function callFragment(file: string, name: SqlFragment, given: readonly string[]): string {
  if (!fitsFragment(name, given)) throw new Error(`${file} gives ${name} wrong arguments: ${given.join(', ')}`)
  const fragment: (...words: string[]) => string = sqlFragments[name]
  return fragment(...given)
}

/** The words between the commas that are in no brackets. */
function argumentsOf(written: string): readonly string[] {
  const given = ['']
  let depth = 0
  for (const letter of written) {
    if (letter === '(') depth++
    if (letter === ')') depth--
    if (letter === ',' && depth === 0) given.push('')
    else given[given.length - 1] += letter
  }
  return given.map(word => word.trim())
}

const VALUE = /^([a-z_]+)\s*=>\s*(:[a-z_]+|'[^']*'|\d+|true|false|null)$/

/** A part with the names that its caller gives it in place of its own. */
function expandPart(
  file: string,
  [name = '', ...given]: readonly string[],
  read: SqlReader,
): Pick<Expanded, 'text' | 'fragments'> {
  const room = path.posix.dirname(name.includes('/') ? name : file.replace('/parts/', '/'))
  const part = expand(path.posix.join(room, 'parts', `${path.posix.basename(name)}.sql`), read)
  const values = new Map(
    given.map(argument => {
      const [, own, value] = VALUE.exec(argument) ?? []
      if (own === undefined || value === undefined)
        throw new Error(`${file} gives ${name} what cannot be read: ${argument}`)
      return [own, value]
    }),
  )
  const unread = new Set(values.keys())
  const text = replaceNames(part.text + part.order, own => {
    unread.delete(own)
    return values.get(own) ?? `:${own}`
  })
  if (unread.size > 0) throw new Error(`${file} gives ${name} what it does not read: ${[...unread].join(', ')}`)
  return { text, fragments: part.fragments }
}

/** Strings, comments, quoted names and casts are stepped over; what is left with a colon is a name. */
const TOKEN = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|::|:([a-z_]+)/g

const replaceNames = (text: string, replacement: (name: string) => string): string =>
  text.replace(TOKEN, (token, name: string | undefined) => (name === undefined ? token : replacement(name)))

/** As which type a parameter is bound, by the kind of its field. */
const parameterTypes: Partial<Record<FieldKind, string>> = {
  ref: 'bigint',
  day: 'date',
  text: 'text',
  pick: 'text',
  flag: 'boolean',
}

/** The values of a statement's names: the code of a piece as all that it may be. */
export const bound = (
  { parameters }: AnyReport,
  names: readonly string[],
  given: Readonly<Record<string, unknown>>,
): ParameterOrJSON<never>[] =>
  names.map(name => {
    const value = given[name] ?? null
    const isPiece = parameters[name]?.form === 'piece' && value !== null
    return (isPiece ? possibleCodes(String(value), today()) : value) as ParameterOrJSON<never>
  })

/** The parameters that every statement may read beside the report's own. */
const engineParameters = {
  organisation: 'bigint',
  visible_warehouses: 'bigint[]',
  visible_departments: 'bigint[]',
  visible_author: 'bigint',
  reader: 'bigint',
  sees_costs: 'boolean',
  is_comparison: 'boolean',
} as const

/**
 * A value for each of them: whose rows are read, what he sees of them, whether he may know their cost, and that they
 * are not read for a comparison alone.
 */
export const engineValues = (
  session: Session,
  seesCosts: boolean,
): Readonly<Record<keyof typeof engineParameters, unknown>> => ({
  organisation: session.org.id,
  ...visibleTo(session),
  reader: session.userId,
  sees_costs: seesCosts,
  is_comparison: false,
})

const groupOnlyColumns = (report: AnyReport): readonly string[] => report.groupOnlyColumns ?? []

/** A fixed value of a definition, as SQL: texts come from the program, and are quoted all the same. */
const literal = (value: string | boolean | null): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)

/**
 * Names become numbered parameters; how fine the rows are, and what the report fixes, is known when the statement is
 * planned, and is written into it.
 */
function bind(
  report: AnyReport,
  { text, order }: Pick<Expanded, 'text' | 'order'>,
  finer: readonly string[],
): Omit<ReportStatement, 'fragments' | 'written'> {
  const written = new Map([
    ...groupOnlyColumns(report).map(name => [`grouped_by_${name}`, String(finer.includes(name))] as const),
    ...Object.entries(report.fixed ?? {}).map(([name, value]) => [name, literal(value)] as const),
  ])
  const types = new Map<string, string>(Object.entries(engineParameters))
  for (const [name, field] of Object.entries(report.parameters)) {
    const type = field.form === 'piece' ? 'text[]' : parameterTypes[field.as]
    if (type === undefined) throw new Error(`the parameter ${name} is of a kind that SQL is not given: ${field.as}`)
    if (types.has(name) || written.has(name)) throw new Error(`the parameter ${name} has a name of the engine`)
    types.set(name, type)
  }
  const names: string[] = []
  const unread = new Set([...Object.keys(report.parameters), ...written.keys()])
  for (const name of report.displayParameters ?? []) unread.delete(name)
  const place = (name: string): string => {
    unread.delete(name)
    const fixed = written.get(name)
    if (fixed !== undefined) return fixed
    const type = types.get(name)
    if (type === undefined) throw new Error(`${report.sqlFile} reads :${name}, which nobody gives`)
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}::${type}`
  }
  const unordered = replaceNames(text, place)
  const read = names.length
  const ordered = unordered + replaceNames(order, place)
  if (names.length > read) throw new Error(`${report.sqlFile} orders by :${names[read]}, which its rows do not read`)
  if (unread.size > 0) throw new Error(`${report.sqlFile} never reads ${[...unread].join(', ')}`)
  return { text: ordered, unordered, names }
}
