import { commonFields, commonLineFields } from '#kernel/definition/common-fields.ts'
import type { Fields } from '#kernel/definition/field.ts'
import type { Figure } from '#kernel/definition/progress.ts'
import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import { derived, documentOf, documents, entities, entityOf, reportOf, reports } from '#kernel/registry.ts'
import type { ListQuery } from '#server/lists/query.ts'
import { may, type Session } from '#server/access/session.ts'

/**
 * Whether a user may see prices and amounts; without the right none of them is sent to that user, whatever the call.
 */
export const maySeePrices = (session: Session): boolean => may(session, 'price')

const pricedIn = (fields: Fields | undefined): string[] =>
  Object.entries(fields ?? {})
    .filter(([, field]) => field.as === 'price' || field.as === 'amount')
    .map(([name]) => name)

/** List figures that are money; quantities and shares are visible to all. */
const moneyFigures = (figures: Readonly<Record<string, Figure>> | undefined): string[] =>
  Object.entries(figures ?? {})
    .filter(([, { of }]) => of === undefined || of === 'value')
    .map(([name]) => name)

/**
 * Money keys that no definition declares: ledger rows of a preview, the remaining cost of a source line, an amount
 * in words.
 */
const undeclared = ['amount', 'value', 'cost_price', 'rest_amount', 'amount_in_words', 'default_price']
const common = [...pricedIn(commonFields as Fields), ...pricedIn(commonLineFields as Fields)]

const everyone = derived(
  (): ReadonlySet<string> =>
    new Set([
      ...common,
      ...undeclared.filter(name => name !== 'value'),
      'paid_amount',
      'applied_amount',
      ...documents().flatMap(({ header, lines, progress: { columns: figures } }) => [
        ...pricedIn(header),
        ...pricedIn(lines),
        ...moneyFigures(figures),
      ]),
      ...entities().flatMap(({ fields, extras }) => [...pricedIn(fields), ...pricedIn(extras)]),
      ...reports().flatMap(({ columns }) => pricedIn(columns)),
    ]),
)
const known = new Map<string, ReadonlySet<string>>()

/** Keys under which replies about a kind contain money; for calls without a kind, the keys of all kinds. */
export function pricedNames(kind: string): ReadonlySet<string> {
  const before = known.get(kind)
  if (before) return before
  const names = namesOf(kind)
  known.set(kind, names)
  return names
}

function namesOf(kind: string): ReadonlySet<string> {
  const document = documentOf(kind)
  if (document) {
    const counted =
      document.lineRules.basis === 'amount' ? ['left', 'executed_quantity', 'quantity', 'total_quantity'] : []
    return new Set([...everyone(), 'value', ...counted])
  }
  const entity = entityOf(kind)
  if (entity) return new Set([...pricedIn(entity.fields), ...pricedIn(entity.extras), ...everyone()])
  const report = reportOf(kind)
  return report ? new Set([...pricedIn(report.columns), ...everyone()]) : everyone()
}

/** A reply without its money: keys that name it are removed, and so are figures marked as money. */
export function withoutPrices(value: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.filter(item => !isMoneyFigure(item)).map(item => withoutPrices(item, names))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !names.has(name))
      .map(([name, part]) => [name, withoutPrices(part, names)]),
  )
}

const costNames = new Map<string, ReadonlySet<string>>()

/** Keys under which records and document lists show our cost of goods beside their selling price. */
function costsOf(kind: string): ReadonlySet<string> {
  const before = costNames.get(kind)
  if (before) return before
  const [entity, document] = [entityOf(kind), documentOf(kind)]
  const fields = { ...entity?.fields, ...entity?.extras, ...(document ? (commonFields as Fields) : {}) }
  const names = new Set(profitIn(fields))
  costNames.set(kind, names)
  return names
}

/** A reply about a kind, reduced to what this user may read. */
export function hidePrices<Reply>(session: Session, kind: string, reply: Reply): Reply {
  const notified = maySeePrices(session) ? reply : (withoutPrices(reply, pricedNames(kind)) as Reply)
  const costs = costsOf(kind)
  return costs.size === 0 || may(session, 'profit') ? notified : (withoutPrices(notified, costs) as Reply)
}

const isMoneyFigure = (item: unknown): boolean =>
  typeof item === 'object' && item !== null && 'as' in item && (item.as === 'amount' || item.as === 'price')

/** The fields of a workbook that this user may read. */
export function readableFields(session: Session, fields: Fields): Fields {
  const [prices, profit] = [maySeePrices(session), may(session, 'profit')]
  const notified = ([, field]: [string, Fields[string]]) =>
    [field.orgs, field.carriedBy].every(orgs => orgs === undefined || orgs.includes(session.org.type)) &&
    (prices || (field.as !== 'price' && field.as !== 'amount')) &&
    (profit || field.profit !== true)
  return Object.fromEntries(Object.entries(fields).filter(notified)) as Fields
}

const profitIn = (fields: Fields): string[] => Object.keys(fields).filter(name => fields[name]!.profit === true)

/** Rows without profit figures, for users who may not see them. */
type Row = Readonly<Record<string, unknown>>
export function withoutProfit(session: Session, fields: Fields): (row: Row) => Row {
  const hidden = may(session, 'profit') ? [] : profitIn(fields)
  return row =>
    hidden.length === 0 ? row : Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.includes(name)))
}

/** Filtering or sorting by profit would reveal it as well. */
function refuseProfitQuery(session: Session, query: Pick<ListQuery, 'conditions' | 'order'>, fields: Fields): void {
  if (may(session, 'profit')) return
  const asked = [...query.conditions, ...query.order].find(({ name }) => fields[name]?.profit === true)
  if (asked) throw new BusinessError('forbidden', `没有成本毛利权限，不能按【${fields[asked.name]!.label}】查询或排序`)
}

/** Filtering or sorting by money would reveal it as well. */
export function checkPriceQuery(
  session: Session,
  query: Pick<ListQuery, 'conditions' | 'order'>,
  fields: Fields,
): void {
  refuseProfitQuery(session, query, fields)
  if (maySeePrices(session)) return
  const names = [...query.conditions.map(one => one.name), ...query.order.map(one => one.name)]
  const asked = names.find(name => fields[name]?.as === 'price' || fields[name]?.as === 'amount')
  if (asked !== undefined)
    throw new BusinessError('forbidden', `没有价格权限，不能按【${fields[asked]?.label ?? asked}】查询或排序`)
}

/**
 * Users who cannot see prices cannot write them: an empty one is left out and keeps the stored value, any other is
 * refused.
 */
export function dropUnreadablePrices<Row extends Readonly<Record<string, unknown>>>(
  session: Session,
  fields: Fields,
  row: Row,
  line?: number,
): Row {
  if (maySeePrices(session)) return row
  const priced = Object.keys(row).filter(name => fields[name]?.as === 'price' || fields[name]?.as === 'amount')
  const problems: Problem[] = priced
    .filter(name => row[name] !== null && row[name] !== undefined)
    .map(name => ({
      field: name,
      ...(line === undefined ? {} : { line }),
      msg: `没有价格权限，不能填写【${fields[name]!.label}】`,
    }))
  if (problems.length > 0) throw new BusinessError('forbidden', problems[0]!.msg, problems)
  return Object.fromEntries(Object.entries(row).filter(([name]) => !priced.includes(name))) as Row
}
