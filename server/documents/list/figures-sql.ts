import { documents } from '#kernel/registry.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { Figure, Purpose } from '#kernel/definition/progress.ts'
import { stopsLines } from '#server/documents/progress/stopped-lines.ts'
import type { Tx } from '#server/database/transaction.ts'
import type { PendingQuery, Row } from 'postgres'

/** True if a purpose counts yuan instead of goods. */
export const countsMoney = (definition: AnyDocument, purpose: Purpose): boolean =>
  definition.lineRules.basis === 'amount' || purpose === 'pay' || purpose === 'apply'

/** SQL as text over the document of that alias. Nothing in it comes from a call. */
type Over = (alias: string) => string

const reds = (figure: 'total_quantity' | 'taxed_amount', alias: string) =>
  `coalesce((select sum(m.${figure}) from document m
    where m.org_id = ${alias}.org_id and m.red_of_id = ${alias}.id), 0)`
/** The goods of a document, less those that red documents took back, and those of its stopped lines. */
const standingGoods = ({ kind }: Pick<AnyDocument, 'kind'>, alias: string): string =>
  `(${alias}.total_quantity + ${reds('total_quantity', alias)}${
    stopsLines(kind)
      ? ` - coalesce((select s.taken from line_progress s where s.org_id = ${alias}.org_id
    and s.document_id = ${alias}.id and s.line_no = 0 and s.purpose = 'stop'), 0)`
      : ''
  })`
/**
 * The money of a document with its 尾差, less what red documents took back; the last of them takes the 尾差 back as well.
 */
const standingMoney: Over = alias => `(case when ${alias}.state = 'reversed' then 0
  else ${alias}.taxed_amount + ${alias}.rounding + ${reds('taxed_amount', alias)} end)`

/**
 * 1 nothing taken, 2 a part, 3 all that was not reversed: computed from progress, never stored. The one source for
 * list, filter, page and report.
 */
const derivedState = (definition: AnyDocument, name: string, purpose: Purpose, alias: string): string => {
  const begins = definition.progress.startedBy?.[name]
  const purposes = [purpose, ...(begins ? [begins] : [])].map(each => `'${each}'`)
  const whole = countsMoney(definition, purpose) ? standingMoney(alias) : standingGoods(definition, alias)
  return `(
  select case when coalesce(t.taken, 0) <> 0 and abs(t.taken) >= abs(${whole}) then '3'
              when coalesce(t.most, 0) > 0 then '2' else '1' end
    from (select max(g.taken) filter (where g.purpose = '${purpose}') as taken, max(abs(g.taken)) as most
            from line_progress g
           where g.org_id = ${alias}.org_id and g.document_id = ${alias}.id and g.line_no = 0
             and g.purpose in (${purposes.join(', ')})) t)`
}

/** The derived state of that name, in a statement whose documents have the alias `d`. */
export const derivedStateSql = (tx: Tx, definition: AnyDocument, name: string, purpose: Purpose) =>
  tx`${tx.unsafe(derivedState(definition, name, purpose, 'd'))}`

/** The same for reports, over documents of all the kinds that have a state of that name. */
export const derivedStateOfAny = (alias: string, name: string): string => {
  const cases = documents().flatMap(definition => {
    const purpose = definition.progress.statuses?.[name]
    return purpose ? [`when '${definition.kind}' then ${derivedState(definition, name, purpose, alias)}`] : []
  })
  if (cases.length === 0) throw new Error(`no document has a derived state ${name}`)
  return `(case ${alias}.kind ${cases.join(' ')} end)`
}
/** The derived states of a kind as further columns of the statement of a list or a page. */
export const derivedSelect = (tx: Tx, definition: AnyDocument) =>
  Object.entries(definition.progress.statuses ?? {}).reduce(
    (all, [name, purpose]) => tx`${all}, ${derivedStateSql(tx, definition, name, purpose)} as ${tx(name)}`,
    tx``,
  )

/** The counted quantity of one line's goods, or of the whole document where the line is the document's sum. */
const takenSql = (tx: Tx, { purpose, besides, atLeast }: Figure, line: PendingQuery<Row[]>) => {
  const of = (names: readonly string[]) =>
    tx`coalesce((select sum(g.taken) from line_progress g where g.org_id = d.org_id and g.document_id = d.id
      and g.line_no = ${line} and g.purpose = any(${names})), 0)`
  const taken = of(besides ? [purpose, besides] : [purpose])
  return atLeast ? tx`greatest(${taken}, ${of([atLeast])})` : taken
}

/**
 * Summed line by line, because with several purposes each line uses the most advanced one, or because each line has
 * its own price.
 */
const overLines = (tx: Tx, figure: Figure, what: (taken: PendingQuery<Row[]>) => PendingQuery<Row[]>) =>
  tx`coalesce((select sum(${what(tx`t.taken`)}) from document_line l cross
    join lateral (select ${takenSql(tx, figure, tx`l.line_no`)} as taken) t
      where l.org_id = d.org_id and l.document_id = d.id), 0)`

/** Goods at the price of their line; the last part takes what is left of its amount. */
const worth = (tx: Tx) => (taken: PendingQuery<Row[]>) =>
  tx`case when ${taken} >= l.base_quantity then l.taxed_amount
    else round(l.taxed_amount * ${taken} / l.base_quantity, 2) end`

const goodsSql = (tx: Tx, figure: Figure) =>
  figure.atLeast ? overLines(tx, figure, taken => taken) : takenSql(tx, figure, tx`0`)

/** The money or goods of a document that were counted for a purpose, or what is left of them after reversals. */
export const figureSql = (tx: Tx, definition: AnyDocument, figure: Figure) => {
  const { rest, of } = figure
  // Nothing more is left on a document that was stopped or voided.
  const left = (what: PendingQuery<Row[]>) =>
    tx`case when d.state in ('stopped', 'cancelled', 'reversed') then 0 else ${what} end`
  if (of === 'share')
    return tx`case when d.total_quantity > 0
      then (${
        figure.atLeast
          ? overLines(
              tx,
              figure,
              taken => tx`least(${taken},
      l.base_quantity)`,
            )
          : goodsSql(tx, figure)
      } / nullif(${tx.unsafe(standingGoods(definition, 'd'))}, 0))::numeric(18,4) end`
  if (of === 'quantity') {
    const taken = goodsSql(tx, figure)
    return rest
      ? tx`(${left(tx`${tx.unsafe(standingGoods(definition, 'd'))} - ${taken}`)})::numeric(18,3)`
      : tx`${taken}::numeric(18,3)`
  }
  if (of === 'standing') {
    const taken = takenSql(tx, figure, tx`l.line_no`)
    const stopped = takenSql(tx, { ...figure, purpose: 'stop' }, tx`l.line_no`)
    return tx`(case when d.state = 'cancelled' then 0
      when d.state = 'stopped' or ${takenSql(tx, { ...figure, purpose: 'stop' }, tx`0`)} > 0 then coalesce((
        select sum(ordered_worth(d.state, l.taxed_amount + l.rounding, l.base_quantity, ${taken}, ${stopped}))
          from document_line l where l.org_id = d.org_id and l.document_id = d.id), 0)
      else d.taxed_amount + d.rounding end)::numeric(18,2)`
  }
  if (of === 'value') {
    const taken = overLines(tx, figure, worth(tx))
    return rest ? tx`(${left(tx`d.taxed_amount - ${taken}`)})::numeric(18,2)` : tx`${taken}::numeric(18,2)`
  }
  const taken = takenSql(tx, figure, tx`0`)
  return rest ? tx`(${tx.unsafe(standingMoney('d'))} - ${taken})::numeric(18,2)` : tx`${taken}::numeric(18,2)`
}
/** The figures of a kind as additional columns of a list's statement. */
export const figuresSelect = (tx: Tx, definition: AnyDocument) =>
  Object.entries(definition.progress.columns ?? {}).reduce(
    (all, [name, figure]) => tx`${all}, ${figureSql(tx, definition, figure)} as ${tx(name)}`,
    tx``,
  )
