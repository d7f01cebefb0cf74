import type { AnyDocument } from '#kernel/definition/document.ts'
import { today } from '#kernel/values/date.ts'
import { countsMoney } from '#server/documents/list/figures-sql.ts'
import type { Tx } from '#server/database/transaction.ts'

/** True if something of a document is overdue: goods that have not arrived or left, or money that was not paid. */
const overdueSql = (tx: Tx, definition: AnyDocument, due: string) => {
  const { main = '', mainAlso = [] } = definition.progress
  const whole = main !== '' && countsMoney(definition, main) ? tx`l.taxed_amount` : tx`l.base_quantity`
  return tx`
  case when d.state in ('reviewed', 'partial') and exists (
    select 1 from document_line l left join lateral (
        select sum(p.taken) as taken from line_progress p where p.org_id = l.org_id and p.document_id = l.document_id
          and p.line_no = l.line_no and p.purpose = any(${[main, ...mainAlso]})) g on true
     where l.org_id = d.org_id and l.document_id = d.id and coalesce(l.fields->>${due}, d.fields->>${due}) < ${today()}
       and ${whole} > coalesce(g.taken, 0)) then '1' else '0' end`
}

/** True if a waiting document is past the day by which it needed an answer. */
const lateSql = (
  tx: Tx,
  { field, while: open }: Extract<AnyDocument['lifecycle']['dueDate'], { while: unknown }>,
) => tx`
  case when d.state = 'submitted' and d.fields->>${field} < ${today()} and not exists (
    select 1 from jsonb_each(${tx.json(open)}) as k(name, words) where not k.words ? coalesce(d.fields->>k.name, ''))
      then '1' else '0' end`

/** True if a document's validity has expired. */
const lapsedSql = (tx: Tx, field: string) => tx`
  case when d.state in ('reviewed', 'partial', 'completed') and d.fields->>${field} < ${today()} then '1' else '0' end`

export type Owed = Extract<AnyDocument['lifecycle']['dueDate'], { owed: unknown }>

/**
 * The quantity that a document still owes: what was counted for the first purpose less the second. Where its flag is
 * set it owes nothing.
 */
export const owedSql = (tx: Tx, { owed: [given, back], unless }: Owed) => tx`
  (case when coalesce((d.fields->>${unless})::boolean, false) then 0 else (
    select coalesce(sum(case p.purpose when ${given} then p.taken else -p.taken end), 0) from line_progress p
     where p.org_id = d.org_id and p.document_id = d.id and p.line_no = 0 and p.purpose in (${given}, ${back})) end
  )::numeric(18,3)`

/** True if something is owed past the day on which it was due. */
export const owedLateSql = (tx: Tx, due: Owed) => tx`
  case when d.fields->>${due.field} < ${today()} and d.state in ('partial', 'completed', 'stopped')
    and ${owedSql(tx, due)} > 0 then '1' else '0' end`

/** True if a document is past its due date, as its definition says what is due. */
export function dueSql(tx: Tx, definition: AnyDocument, due: NonNullable<AnyDocument['lifecycle']['dueDate']>) {
  if (typeof due === 'string') return overdueSql(tx, definition, due)
  if ('owed' in due) return owedLateSql(tx, due)
  return 'lapses' in due ? lapsedSql(tx, due.field) : lateSql(tx, due)
}
