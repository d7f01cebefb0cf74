import type { AnyEntity } from '#kernel/definition/entity.ts'
import { columnOf, type FieldKind, type FieldSpec, nameKeyOf } from '#kernel/definition/field.ts'
import { addDays, type Day, startOf } from '#kernel/values/date.ts'
import { entityOf } from '#kernel/registry.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { type Condition, likePattern, listColumnsOf, type ListQuery, type Order } from '#server/lists/query.ts'
import type { Fragment, RecordRow } from '#server/records/hooks.ts'
import { codesNamedSql } from '#server/ledger/named-codes.ts'
import { rulesOf } from '#server/registry/hooks.ts'
import { maySeePatients } from '#server/access/patient-data.ts'
import { isRestricted, scopeSql, WHOLE_ONLY } from '#server/access/data-scope.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** The parts from which every read statement of a record is built. */
export type Parts = {
  /** Wire name → expression over `t` and the joined references. */
  readonly expression: (name: string) => Fragment
  readonly columns: () => Fragment
  readonly from: () => Fragment
  readonly mine: () => Fragment
}

const figures: ReadonlySet<FieldKind> = new Set(['amount', 'count', 'price', 'quantity', 'rate'])
/** The value of a field that this reader may not know: nobody filters, sorts or sums by it. */
const nothing = (tx: Tx, { as }: FieldSpec): Fragment => (figures.has(as) ? tx`null::numeric` : tx`null::text`)

const isOwn = (definition: AnyEntity) => definition.scope === 'organisation'

/**
 * Columns and joins of a definition for this caller. A list statement is one select over them. Refused to bound readers
 * where rows add up over the organisation.
 */
export function partsOf(tx: Tx, session: Session, definition: AnyEntity, parameters: Readonly<RecordRow> = {}): Parts {
  if (definition.wholeOnly !== undefined && isRestricted(session))
    throw new BusinessError('forbidden', `${definition.title}${WHOLE_ONLY}`)
  const rules = rulesOf(definition.kind)
  const computed = rules.columns?.(tx, session, parameters) ?? {}
  const joins: Fragment[] = []
  const expressions = new Map<string, () => Fragment>([
    [definition.key, () => tx`t.id`],
    ['version', () => tx`t.version`],
  ])
  const isWithheld = (field: FieldSpec | undefined) => field?.wholeOnly === true && isRestricted(session)
  const isHidden = (field: FieldSpec | undefined) =>
    (field?.patient === true && !maySeePatients(session)) || isWithheld(field)
  for (const [name, field] of Object.entries(definition.fields)) {
    if (rules.kept?.includes(name) && !Object.hasOwn(computed, name)) continue
    // Users who may not see patients find none, whatever they filter or sort by.
    if (field.secret || isHidden(field)) {
      expressions.set(name, () => nothing(tx, field))
      continue
    }
    expressions.set(name, () => tx`${tx(`t.${columnOf(name, field)}`)}`)
    const target = field.as === 'ref' ? entityOf(field.target ?? '') : undefined
    if (!target) continue
    const alias = `to_${name}`
    const own = isOwn(target) ? tx`${tx(`${alias}.org_id`)} = ${session.org.id} and ` : tx``
    joins.push(
      tx`left join ${tx(target.table)} ${tx(alias)}
        on ${own}${tx(`${alias}.id`)} = ${tx(`t.${columnOf(name, field)}`)}`,
    )
    const displayed = target.fields[target.display]
    const display = displayed ? columnOf(target.display, displayed) : target.display
    expressions.set(nameKeyOf(name), () => tx`${tx(`${alias}.${display}`)}`)
    for (const [shown, column] of Object.entries(field.shows ?? {}))
      expressions.set(shown, () => tx`${tx(`${alias}.${column}`)}`)
  }
  for (const [name, field] of Object.entries(definition.extras ?? {}))
    expressions.set(name, () =>
      isHidden(field)
        ? nothing(tx, field)
        : field.ofReadOrganisation
          ? tx`${session.org.name}::text`
          : tx`${tx(`t.${name}`)}`,
    )
  for (const [name, fragment] of Object.entries(computed))
    expressions.set(name, () => {
      const extra = definition.extras?.[name]
      const field = extra ?? definition.fields[name]
      return field && (isHidden(extra) || isWithheld(field)) ? nothing(tx, field) : fragment
    })
  if (definition.readOnly) expressions.delete('version')

  const expression = (name: string) => expressions.get(name)?.() ?? tx`null`
  const source = () => rules.source?.(tx, session, parameters) ?? tx`${tx(definition.table)}`
  return {
    expression,
    columns: () =>
      joined(
        tx,
        [...expressions.keys()].map(name => tx`${expression(name)} as ${tx(name)}`),
        tx`, `,
      ),
    from: () => tx`from ${source()} t ${joined(tx, joins, tx` `)}`,
    mine: () =>
      all(tx, [
        ...(isOwn(definition) ? [tx`t.org_id = ${session.org.id}`] : []),
        ...(rules.visible ? [rules.visible(tx, session, parameters)] : []),
        ...(definition.readOnly && isRestricted(session) ? [viewScope(tx, session, definition)] : []),
      ]),
  }
}

/** Ledger views are scoped like documents, by the store and the department in their rows. */
const viewScope = (tx: Tx, session: Session, { fields }: AnyEntity): Fragment =>
  scopeSql(tx, session, {
    stores: 'warehouse_model_inner_sn' in fields ? [tx`t.warehouse_id`] : [],
    department: 'department_inner_sn' in fields ? tx`t.department_id` : null,
    people: [],
  })

/** `a and b and c`; true when there are no conditions. */
export const all = (tx: Tx, conditions: readonly Fragment[]): Fragment =>
  conditions.length === 0
    ? tx`true`
    : joined(
        tx,
        conditions.map(condition => tx`(${condition})`),
        tx` and `,
      )

export function joined(tx: Tx, fragments: readonly Fragment[], between: Fragment): Fragment {
  return fragments.reduce(
    (before, fragment, index) => (index === 0 ? fragment : tx`${before}${between}${fragment}`),
    tx``,
  )
}

/** The conditions of a list call. */
export function whereOf(tx: Tx, definition: AnyEntity, parts: Parts, query: ListQuery): Fragment {
  const conditions = query.conditions.map(condition => conditionOf(tx, parts.expression(condition.name), condition))
  const search = query.q === null ? [] : [searchOf(tx, definition, parts, query.q, query.parameters)]
  return all(tx, [parts.mine(), ...conditions, ...search])
}

function conditionOf(tx: Tx, expression: Fragment, condition: Condition): Fragment {
  const value = condition.value as string
  const isMoment = condition.field.as === 'instant'
  switch (condition.is) {
    case 'contains':
      return tx`${expression} ilike ${value}`
    case 'piece':
      return namesPiece(tx, expression, value)
    case 'holds':
      return tx`${value} = any((${expression})::text[])`
    case 'among':
      return tx`${expression}::text = any(${condition.value as string[]}::text[])`
    case 'from':
      return isMoment ? tx`${expression} >= ${startOf(value as Day)}::timestamptz` : tx`${expression} >= ${value}`
    case 'to':
      return isMoment
        ? tx`${expression} < ${startOf(addDays(value as Day, 1))}::timestamptz`
        : tx`${expression} <= ${value}`
    case 'equal':
      return isMoment
        ? tx`${expression} >= ${startOf(value as Day)}::timestamptz
          and ${expression} < ${startOf(addDays(value as Day, 1))}::timestamptz`
        : condition.field.target === 'specification'
          ? tx`${expression} = any(array(select z.id from specification z
            where z.id = ${value}::bigint or z.mapped_to_id = ${value}::bigint))`
          : tx`${expression} = ${value}`
  }
}

/** Whether a column has a text, or the code of a piece that the text means. */
const namesPiece = (tx: Tx, expression: Fragment, text: string): Fragment => tx`(
  (${expression})::text ilike ${likePattern(text)}
  or exists (select 1 from unnest(${codesNamedSql(tx, text)}) n(code) where strpos((${expression})::text, n.code) > 0))`

function searchOf(tx: Tx, definition: AnyEntity, parts: Parts, q: string, parameters: Readonly<RecordRow>): Fragment {
  const pattern = likePattern(q)
  const rules = rulesOf(definition.kind)
  if (rules.search) return rules.search(tx, pattern, parameters)
  const names = definition.search ?? [definition.display]
  const listed = listColumnsOf(definition).columns
  const holds = names.map(name =>
    Object.hasOwn(listed, name)
      ? listed[name]?.form === 'piece'
        ? namesPiece(tx, parts.expression(name), q)
        : tx`(${parts.expression(name)})::text ilike ${pattern}`
      : tx`${tx(`t.${name}`)}::text ilike ${pattern}`,
  )
  return holds.length === 0 ? tx`true` : joined(tx, holds, tx` or `)
}

/** The order of a list call, made unique by the key. */
export function orderOf(tx: Tx, parts: Parts, order: readonly Order[]): Fragment {
  const terms = order.map(term =>
    term.descending
      ? tx`${parts.expression(term.name)} desc nulls last`
      : tx`${parts.expression(term.name)} nulls last`,
  )
  return joined(tx, [...terms, tx`t.id`], tx`, `)
}
