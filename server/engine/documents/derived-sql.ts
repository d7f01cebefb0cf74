import type { AnyDocument } from '#kernel/document.ts'
import type { Figure, Purpose } from '#kernel/purpose.ts'
import { countsMoney } from '#server/engine/documents/present.ts'
import type { Tx } from '#server/engine/transaction.ts'
import type { PendingQuery, Row } from 'postgres'

/** 1 nothing taken, 2 something, 3 all: computed from progress, never stored. */
export const derivedSql = (tx: Tx, definition: AnyDocument, purpose: Purpose, begins?: Purpose) => tx`(
  select case when coalesce(max(abs(g.taken)) filter (where g.purpose = ${purpose}), 0) > 0 and max(abs(g.taken)) filter (where g.purpose = ${purpose}) >= abs(${countsMoney(definition, purpose) ? tx`d.taxed_amount + d.rounding` : tx`d.total_quantity`}) then '3'
              when coalesce(max(abs(g.taken)), 0) > 0 then '2' else '1' end
    from line_progress g where g.org_id = d.org_id and g.document_id = d.id and g.line_no = 0 and g.purpose = any(${[purpose, ...(begins ? [begins] : [])]}))`

/** What was counted of one line's goods, or of the whole paper's where the line is the paper's sum. */
const takenSql = (tx: Tx, { purpose, besides, atLeast }: Figure, line: PendingQuery<Row[]>) => {
  const of = (names: readonly string[]) =>
    tx`coalesce((select sum(g.taken) from line_progress g where g.org_id = d.org_id and g.document_id = d.id and g.line_no = ${line} and g.purpose = any(${names})), 0)`
  const taken = of(besides ? [purpose, besides] : [purpose])
  return atLeast ? tx`greatest(${taken}, ${of([atLeast])})` : taken
}

/** Summed line by line, because of several purposes each line counts the one that went furthest, or because each has its own price. */
const overLines = (tx: Tx, figure: Figure, what: (taken: PendingQuery<Row[]>) => PendingQuery<Row[]>) =>
  tx`coalesce((select sum(${what(tx`t.taken`)}) from document_line l cross join lateral (select ${takenSql(tx, figure, tx`l.line_no`)} as taken) t
      where l.org_id = d.org_id and l.document_id = d.id), 0)`

/** Goods at the price of their line; the last of them bring what is left of its amount. */
const worth = (tx: Tx) => (taken: PendingQuery<Row[]>) =>
  tx`case when ${taken} >= l.base_quantity then l.taxed_amount else round(l.taxed_amount * ${taken} / l.base_quantity, 2) end`

const goodsSql = (tx: Tx, figure: Figure) =>
  figure.atLeast ? overLines(tx, figure, taken => taken) : takenSql(tx, figure, tx`0`)

/** What was counted of a paper's money or goods for a purpose, or what is left of it once red papers are taken off. */
export const figureSql = (tx: Tx, figure: Figure) => {
  const { rest, of } = figure
  // Nothing more will come of a paper that was stopped or voided.
  const left = (what: PendingQuery<Row[]>) =>
    tx`case when d.state in ('stopped', 'cancelled', 'reversed') then 0 else ${what} end`
  if (of === 'share')
    return tx`case when d.total_quantity > 0 then (${figure.atLeast ? overLines(tx, figure, taken => tx`least(${taken}, l.base_quantity)`) : goodsSql(tx, figure)} / d.total_quantity)::numeric(18,4) end`
  if (of === 'quantity') {
    const taken = goodsSql(tx, figure)
    return rest ? tx`(${left(tx`d.total_quantity - ${taken}`)})::numeric(18,3)` : tx`${taken}::numeric(18,3)`
  }
  if (of === 'value') {
    const taken = overLines(tx, figure, worth(tx))
    return rest ? tx`(${left(tx`d.taxed_amount - ${taken}`)})::numeric(18,2)` : tx`${taken}::numeric(18,2)`
  }
  const taken = takenSql(tx, figure, tx`0`)
  const red = tx`coalesce((select sum(m.taxed_amount) from document m where m.org_id = d.org_id and m.red_of_id = d.id), 0)`
  return rest ? tx`(d.taxed_amount + d.rounding + ${red} - ${taken})::numeric(18,2)` : tx`${taken}::numeric(18,2)`
}
/** The figures of a kind as further columns of a list's statement. */
export const figuresSelect = (tx: Tx, definition: AnyDocument) =>
  Object.entries(definition.figures ?? {}).reduce(
    (all, [name, figure]) => tx`${all}, ${figureSql(tx, figure)} as ${tx(name)}`,
    tx``,
  )
