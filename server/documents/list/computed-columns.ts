import { today } from '#kernel/values/date.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { figureSql } from '#server/documents/list/figures-sql.ts'
import { owedLateSql, owedSql } from '#server/documents/list/due-sql.ts'
import { hooks } from '#server/registry/hooks.ts'
import type { Fragment } from '#server/records/hooks.ts'
import type { Tx } from '#server/database/transaction.ts'

/** The name of the user who acted: of the organisation, the engine, or the platform in the organisation's name. */
export const actorName = (tx: Tx, column: 'created_by' | 'submitted_by' | 'reviewed_by') => tx`
  coalesce((select u.name from app_user u where u.id = d.${tx(column)}),
    case when d.${tx(column)} = 0 then '系统' when d.${tx(column)} is not null then '平台代办' end)`

/** The counterparty's organisation type. */
export const partnerTypeSql = (tx: Tx): Fragment =>
  tx`(select o.system_type::text from organisation o where o.id = d.counterparty_id)`

/**
 * 账龄: days from its review to today, or to the day on which its last follow-up settled it. Money in advance is settled
 * when nothing is left of it: once paid it only begins to be open.
 */
export const ageSql = (tx: Tx, definition: AnyDocument): Fragment => {
  const { posting, progress } = definition
  const left = posting.opens === undefined ? undefined : Object.values(progress.columns ?? {}).find(({ rest }) => rest)
  const settled = left === undefined ? tx`true` : tx`${figureSql(tx, definition, left)} = 0`
  return tx`
  (coalesce(((case when d.state = 'completed' and ${settled}
    then (select max(r.reviewed_at) from document_line l join document r on r.org_id = l.org_id and r.id = l.document_id
                                             where l.org_id = d.org_id and l.source_document_id = d.id
                                               and r.role = 'own') end) at time zone 'Asia/Shanghai')::date,
                                               ${today()}::date) - (d.reviewed_at at time zone 'Asia/Shanghai')::date)`
}

/**
 * Quantities of a kind whose lines are lowered while it waits, in base units: what the lines were for (`kept`), what
 * was written of it so far (`found`), and the part that was taken off (`less`).
 */
function correctedSql(tx: Tx, { lineRules }: AnyDocument, what: 'kept' | 'found' | 'less'): Fragment {
  const { field, keeps } = lineRules.quantityCorrection!
  const kept = tx`coalesce((l.fields->>${keeps})::numeric, l.quantity)`
  const found = tx`case when d.state in ('draft', 'submitted', 'rejected')
    then coalesce((l.fields->>${field})::numeric, 0) else l.quantity end`
  const figure = { kept, found, less: tx`${kept} - l.quantity` }[what]
  return tx`
    (select coalesce(sum((${figure}) * coalesce(u.base_measure, 1)), 0)::numeric(18,3) from document_line l
       left join unit_tree u on u.id = l.unit_id where l.org_id = d.org_id and l.document_id = d.id)`
}
const corrected =
  (what: 'kept' | 'found' | 'less'): ListColumn =>
  (tx, definition) =>
    definition.lineRules.quantityCorrection ? correctedSql(tx, definition, what) : tx`null::numeric(18,3)`

/** A value that a list shows of a document `d` and that is not stored on it. */
export type ListColumn = (tx: Tx, definition: AnyDocument) => Fragment

/** The columns that the engine itself knows; modules register more. */
const ownColumns: Readonly<Record<string, ListColumn>> = {
  age_days: (tx, definition) => tx`${ageSql(tx, definition)}`,
  // Days since its due date, while something of it is open.
  overdue_days: (tx, { lifecycle: { dueDate: due } }) =>
    typeof due === 'object' && 'owed' in due
      ? tx`
    case when ${owedLateSql(tx, due)} = '1' then ${today()}::date - (d.fields->>${due.field})::date end`
      : tx`
    case when d.state in ('reviewed', 'partial') and d.fields->>${String(due)} < ${today()}
      then ${today()}::date - (d.fields->>${String(due)})::date end`,
  // The quantity that was lent, has not come back and still has to.
  owed_quantity: (tx, { lifecycle: { dueDate: due } }) =>
    typeof due === 'object' && 'owed' in due ? owedSql(tx, due) : tx`null::numeric(18,3)`,
  uncorrected_quantity: corrected('kept'),
  corrected_quantity: corrected('found'),
  correction_quantity: corrected('less'),
  counterparty_type: tx => tx`${partnerTypeSql(tx)}`,
  // Owners of the goods on its lines; the own organisation is named where it owns some of them.
  owner_names: tx => tx`
    (select string_agg(distinct o.name, '、') from document_line l
      join organisation o on o.id = coalesce(l.owner_org_id, d.org_id)
      where l.org_id = d.org_id and l.document_id = d.id)`,
  // The opinion of the previous approval level.
  last_opinion: tx => tx`
    (select h.actor_name || coalesce('：' || h.reason, '') from document_history h
      where h.org_id = d.org_id and h.document_id = d.id and h.action = 'review' order by h.seq desc limit 1)`,
  rejected_for: tx => tx`
    case when d.state = 'rejected' then (select h.reason from document_history h
      where h.org_id = d.org_id and h.document_id = d.id and h.action = 'reject' order by h.seq desc limit 1) end`,
  entry_mode: tx => tx`
    case when exists (select 1 from document_history h where h.org_id = d.org_id and h.document_id = d.id
      and h.action = 'import') then 'import' else 'hand' end`,
}

/** The column of a name, where it is computed. */
export const listColumn = (name: string): ListColumn | undefined => ownColumns[name] ?? hooks().listColumns[name]

/** The additional columns of a list row that some page of the kind shows. */
export const computedColumnsSql = (tx: Tx, definition: AnyDocument): Fragment =>
  Object.entries({ ...ownColumns, ...hooks().listColumns })
    .filter(([name]) => definition.screens.some(screen => screen.columns.includes(name)))
    .reduce((all, [name, select]) => tx`${all}, ${select(tx, definition)} as ${tx(name)}`, tx``)
