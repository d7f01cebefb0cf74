import type { ToolStep } from '#modules/hospital/surgery/tools/tool-steps.ts'
import type { Tx } from '#server/public/database.ts'
import type { Fragment } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'

type Event = {
  readonly step: ToolStep
  /** The condition for the instruments of the event: `t` is the row. */
  readonly where: Fragment
  /** The columns that the event sets on the instruments. */
  readonly set: Fragment
  /** The plan under which it happened; the history shows its number. */
  readonly plan?: string | null
  readonly remark?: string | null
  /** The action that changes the row counts its version itself. */
  readonly keepsVersion?: boolean
}

/**
 * Changes instruments and writes the step of each into its history: one statement for any number of them. A place is
 * the set, else the store. Returns the keys of those that changed.
 */
export async function recordToolEvents(
  tx: Tx,
  session: Session,
  { step, where, set, plan = null, remark = null, keepsVersion = false }: Event,
): Promise<string[]> {
  const place = (alias: string) => tx`coalesce(
    (select k.code from tools_kit k where k.org_id = ${session.org.id} and k.id = ${tx(`${alias}.tools_kit_id`)}),
    (select w.name from warehouse w where w.org_id = ${session.org.id} and w.id = ${tx(`${alias}.warehouse_id`)}))`
  const rows = await tx<{ id: string }[]>`
    with before as (
      select t.* from surgical_tool t where t.org_id = ${session.org.id} and ${where} order by t.id for update
    ), changed as (
      update surgical_tool t set ${set}, version = t.version + ${keepsVersion ? 0 : 1} from before b
       where t.org_id = ${session.org.id} and t.id = b.id returning t.*
    )
    insert into surgical_tool_event (org_id, surgical_tool_id, step, document_sn, from_place, to_place, handled_by,
      remark)
    select c.org_id, c.id, ${step}, d.sn,
           case when b.state = 'out' then coalesce(h.name, d.sn) else ${place('b')} end,
           case when c.state = 'out' then coalesce(h.name, d.sn) else ${place('c')} end,
           ${session.userName}, ${remark}
      from changed c join before b on b.id = c.id
      left join document d on d.org_id = c.org_id and d.id = ${plan}::bigint
      left join organisation h on h.id = d.counterparty_id
    returning surgical_tool_id as id`
  return rows.map(row => row.id)
}
