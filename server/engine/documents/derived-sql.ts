import type { AnyDocument } from '#kernel/document.ts'
import type { Purpose } from '#kernel/purpose.ts'
import { countsMoney } from '#server/engine/documents/present.ts'
import type { Tx } from '#server/engine/transaction.ts'

/** 1 nothing taken, 2 something, 3 all: computed from progress, never stored. */
export const derivedSql = (tx: Tx, definition: AnyDocument, purpose: Purpose, begins?: Purpose) => tx`(
  select case when coalesce(max(abs(g.taken)) filter (where g.purpose = ${purpose}), 0) > 0 and max(abs(g.taken)) filter (where g.purpose = ${purpose}) >= abs(${countsMoney(definition, purpose) ? tx`d.taxed_amount + d.rounding` : tx`d.total_quantity`}) then '3'
              when coalesce(max(abs(g.taken)), 0) > 0 then '2' else '1' end
    from line_progress g where g.org_id = d.org_id and g.document_id = d.id and g.line_no = 0 and g.purpose = any(${[purpose, ...(begins ? [begins] : [])]}))`

type Figure = NonNullable<AnyDocument['figures']>[string]
/** What was counted of a paper's money or goods for a purpose, or what is left of it once red papers are taken off. */
export const figureSql = (tx: Tx, { purpose, besides, rest, of }: Figure) => {
  const taken = tx`coalesce((select sum(g.taken) from line_progress g where g.org_id = d.org_id and g.document_id = d.id and g.line_no = 0 and g.purpose = any(${besides ? [purpose, besides] : [purpose]})), 0)`
  if (of === 'quantity') return rest ? tx`(d.total_quantity - ${taken})::numeric(18,3)` : tx`${taken}::numeric(18,3)`
  const red = tx`coalesce((select sum(m.taxed_amount) from document m where m.org_id = d.org_id and m.red_of_id = d.id), 0)`
  return rest ? tx`(d.taxed_amount + d.rounding + ${red} - ${taken})::numeric(18,2)` : tx`${taken}::numeric(18,2)`
}
/** The figures of a kind as further columns of a list's statement. */
export const figuresSelect = (tx: Tx, definition: AnyDocument) =>
  Object.entries(definition.figures ?? {}).reduce(
    (all, [name, figure]) => tx`${all}, ${figureSql(tx, figure)} as ${tx(name)}`,
    tx``,
  )
