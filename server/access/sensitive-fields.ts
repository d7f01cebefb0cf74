import { commonFields, commonLineFields, fieldsOfDocument, isAtCost } from '#kernel/definition/common-fields.ts'
import { type Fields, type FieldSpec, nameKeyOf, rightsToMeasure, rightsToRead } from '#kernel/definition/field.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import type { Measure } from '#kernel/measure/measure.ts'
import type { Figure } from '#kernel/definition/progress.ts'
import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import { derived, documentOf, documents, entities, entityOf, reportOf, reports } from '#kernel/registry.ts'
import type { ListQuery } from '#server/lists/query.ts'
import { may, type Session } from '#server/access/session.ts'

/** True if a user may see prices and amounts. Without this right no call sends them to the user. */
export const maySeePrices = (session: Session): boolean => may(session, 'price')

/** True if a user may read a field, as far as the field is money. */
export const maySeeMoney = (session: Session, field: Pick<FieldSpec, 'as' | 'worth' | 'measures'>): boolean =>
  rightsToRead(field, session.org.type).every(right => may(session, right))

/** True if a user may read a measure. */
export const mayReadMeasure = (session: Session, measure: Pick<Measure, 'right'>): boolean =>
  rightsToMeasure(measure, session.org.type).every(right => may(session, right))

/** True if a user may know what goods cost the own organisation. */
export const maySeeCosts = (session: Session): boolean => maySeeMoney(session, { as: 'amount', worth: 'cost' })

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

/** A reply without these keys, at whatever depth, and without the list items that are `left` out. */
function withoutKeys(value: unknown, names: ReadonlySet<string>, left: (item: unknown) => boolean): unknown {
  if (Array.isArray(value)) return value.filter(item => !left(item)).map(item => withoutKeys(item, names, left))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !names.has(name))
      .map(([name, part]) => [name, withoutKeys(part, names, left)]),
  )
}

/** A reply without its money: keys that name it are removed, and so are figures marked as money. */
export const withoutPrices = (value: unknown, names: ReadonlySet<string>): unknown =>
  withoutKeys(value, names, isMoneyFigure)

const foreign = new Map<string, ReadonlySet<string>>()

/**
 * Keys of fields of a kind that are for organisations of other types, and of the names of what they refer to. A name
 * that another part of the kind has for this type as well stays.
 */
export function foreignNames(kind: string, type: OrgType): ReadonlySet<string> {
  const key = `${kind} ${type}`
  const before = foreign.get(key)
  if (before) return before
  const [document, entity] = [documentOf(kind), entityOf(kind)]
  const parts = [document?.header, document?.lines, entity?.fields, entity?.extras].map(part =>
    Object.entries((part ?? {}) as Fields),
  )
  const isTheirs = ([, { orgs }]: readonly [string, FieldSpec]) => orgs === undefined || orgs.includes(type)
  const own = new Set(parts.flatMap(part => part.filter(isTheirs).map(([name]) => name)))
  const others = parts.flatMap(part => part.filter(field => !isTheirs(field)))
  const keys = others.flatMap(([name, field]) => (field.as === 'ref' ? [name, nameKeyOf(name)] : [name]))
  const names = new Set(keys.filter(name => !own.has(name)))
  foreign.set(key, names)
  return names
}

/** The fields of a kind that replies about it may show. */
function fieldsOf(kind: string): Fields {
  const [document, entity] = [documentOf(kind), entityOf(kind)]
  return {
    ...entity?.fields,
    ...entity?.extras,
    ...(document ? fieldsOfDocument(document) : {}),
    ...reportOf(kind)?.columns,
  }
}

/** Keys of costs that no definition declares, in replies about a kind that is at cost. */
const undeclaredCosts = (kind: string): readonly string[] => {
  const document = documentOf(kind)
  return document && isAtCost(document) ? undeclared : []
}

/** A reply about a kind, reduced to what this user may read: no money without its right, nothing for other types. */
export function hidePrices<Reply>(session: Session, kind: string, reply: Reply): Reply {
  const names = foreignNames(kind, session.org.type)
  return withoutMoney(session, kind, names.size === 0 ? reply : (withoutKeys(reply, names, () => false) as Reply))
}

function withoutMoney<Reply>(session: Session, kind: string, reply: Reply): Reply {
  if (!maySeePrices(session)) return withoutPrices(reply, pricedNames(kind)) as Reply
  if (maySeeCosts(session)) return reply
  const hidden = [...hiddenMoney(session, fieldsOf(kind)), ...undeclaredCosts(kind)]
  return hidden.length === 0 ? reply : (withoutPrices(reply, new Set(hidden)) as Reply)
}

const isMoneyFigure = (item: unknown): boolean =>
  typeof item === 'object' && item !== null && 'as' in item && (item.as === 'amount' || item.as === 'price')

/** The fields of a workbook that this user may read. */
export function readableFields(session: Session, fields: Fields): Fields {
  const notified = ([, field]: [string, Fields[string]]) =>
    [field.orgs, field.carriedBy].every(orgs => orgs === undefined || orgs.includes(session.org.type)) &&
    maySeeMoney(session, field)
  return Object.fromEntries(Object.entries(fields).filter(notified)) as Fields
}

/** The names of these fields whose money this user may not read. */
export const hiddenMoney = (session: Session, fields: Fields): readonly string[] =>
  Object.keys(fields).filter(name => !maySeeMoney(session, fields[name]!))

/** The right that somebody lacks who may not read some money, in the words of the rights. */
const lackedBy = (session: Session): string => (maySeePrices(session) ? '成本毛利' : '价格')

/** Filtering or sorting by money would reveal it as well. */
export function checkPriceQuery(
  session: Session,
  query: Pick<ListQuery, 'conditions' | 'order'>,
  fields: Fields,
): void {
  const names = [...query.conditions, ...query.order].map(({ name }) => name)
  const asked = names.find(name => fields[name] && !maySeeMoney(session, fields[name]))
  if (asked === undefined) return
  throw new BusinessError('forbidden', `没有${lackedBy(session)}权限，不能按【${fields[asked]!.label}】查询或排序`)
}

/**
 * Users who cannot see prices or costs cannot write them: an empty one is left out and keeps the stored value, any
 * other is refused.
 */
export function dropUnreadablePrices<Row extends Readonly<Record<string, unknown>>>(
  session: Session,
  fields: Fields,
  row: Row,
  line?: number,
): Row {
  const priced = Object.keys(row).filter(name => fields[name] && !maySeeMoney(session, fields[name]))
  if (priced.length === 0) return row
  const problems: Problem[] = priced
    .filter(name => row[name] !== null && row[name] !== undefined)
    .map(name => ({
      field: name,
      ...(line === undefined ? {} : { line }),
      msg: `没有${lackedBy(session)}权限，不能填写【${fields[name]!.label}】`,
    }))
  if (problems.length > 0) throw new BusinessError('forbidden', problems[0]!.msg, problems)
  return Object.fromEntries(Object.entries(row).filter(([name]) => !priced.includes(name))) as Row
}
