import type { Sql } from 'postgres'
import { instant, minuteOf } from '#kernel/day.ts'
import type { Acting } from '#server/public/hooks.ts'
import { leaveMessage } from '#server/public/notifications.ts'
import { inOrg, type Tx } from '#server/public/database.ts'

/** 最迟送达时间: from the last approval on a requisition has the minutes of an urgent one, or the hours of a normal one. */
export async function startClock({ tx, session, doc, settings }: Acting): Promise<void> {
  const minutes = doc.is_urgent === true ? settings.urgent_minutes : settings.normal_hours * 60
  const due = new Date(Date.parse(instant()) + minutes * 60_000).toISOString()
  await tx`
    update document set fields = (fields || ${tx.json({ due_at: due })}) - 'is_overdue' where org_id = ${session.org.id} and id = ${doc.id}`
}

/** Its review was taken back: nothing is due. */
export async function stopClock({ tx, session, doc }: Acting): Promise<void> {
  await tx`
    update document set fields = fields - 'due_at' - 'is_overdue' where org_id = ${session.org.id} and id = ${doc.id}`
}

/** A picking list is due when the first of its requisitions is; where nobody planned otherwise, that is the plan. */
export async function takeOverDue({ tx, session, doc }: Acting): Promise<void> {
  const sources = [...new Set(doc.lines.flatMap(line => line.source_document_id ?? []))]
  await tx`
    update document d set fields = d.fields || jsonb_strip_nulls(jsonb_build_object('due_at', s.due, 'required_at', coalesce(d.fields->>'required_at', s.due)))
      from (select min(fields->>'due_at') as due from document where org_id = ${session.org.id} and id = any(${sources}::bigint[])) s
     where d.org_id = ${session.org.id} and d.id = ${doc.id}`
}

/** Delivered, it is late or it is not. */
const judge = (tx: Tx, org: string, ids: readonly string[]) => tx`
  update document set fields = fields || jsonb_build_object('is_overdue', (fields->>'delivered_at')::timestamptz > (fields->>'due_at')::timestamptz)
   where org_id = ${org} and id = any(${[...ids]}::bigint[]) and fields->>'due_at' is not null and fields->>'delivered_at' is not null`

export const judgeDelivery = ({ tx, session, doc }: Acting): Promise<void> =>
  judge(tx, session.org.id, [doc.id]).then(() => undefined)

/** What the ward received was delivered, also where nobody noted it before. */
export async function noteReceived({ tx, session, doc }: Acting): Promise<void> {
  const org = session.org.id
  const rows = await tx<{ id: string }[]>`
    update document d set fields = d.fields || ${tx.json({ delivered_at: instant(), delivered_to: session.userName })}
     where d.org_id = ${org} and d.kind = 'dispatch' and d.role = 'own' and d.fields->>'delivered_at' is null
       and d.id in (select g.source_document_id from document_line g where g.org_id = ${org} and g.document_id in
                     (select w.source_document_id from document_line w where w.org_id = ${org} and w.document_id = ${doc.id}))
    returning d.id`
  if (rows.length > 0)
    await judge(
      tx,
      org,
      rows.map(row => row.id),
    )
}

type Late = {
  id: string
  org_id: string
  kind: string
  sn: string
  warehouse_id: string | null
  to_warehouse_id: string | null
  due: string
}

/** 超时: what is past its moment and not all granted, or not delivered, is marked once, and the store and the ward are told; whatever else is past it is not late. */
export async function tellOverdue(app: Sql, owner: Sql): Promise<void> {
  const past = owner`kind in ('requisition', 'dispatch') and fields->>'due_at' is not null and fields->>'is_overdue' is null and fields->>'due_at' <= ${instant()}`
  const open = owner`(state in ('reviewed', 'partial') or kind = 'dispatch' and state in ('submitted', 'completed'))`
  const late = await owner<Late[]>`
    select id, org_id, kind, sn, warehouse_id, to_warehouse_id, fields->>'due_at' as due from document
     where ${past} and ${open} order by org_id, id limit 200`
  for (const paper of late) await inOrg(app, paper.org_id, '0', tx => tellOne(tx, paper))
  await owner`update document set fields = fields || '{"is_overdue": false}' where ${past} and not ${open}`
}

async function tellOne(
  tx: Tx,
  { id, org_id: org, kind, sn, warehouse_id: store, to_warehouse_id: ward, due }: Late,
): Promise<void> {
  const marked = await tx`
    update document set fields = fields || '{"is_overdue": true}' where org_id = ${org} and id = ${id} and fields->>'is_overdue' is null returning 1`
  if (marked.length === 0) return
  const isDispatch = kind === 'dispatch'
  await leaveMessage(tx, org, {
    title: isDispatch ? '配送超时' : '申领超时',
    body: `${isDispatch ? '配送单' : '物资申领单'}${sn}应于${minuteOf(new Date(due))}前送达，${isDispatch ? '还没有送达' : '还没有发齐'}，请尽快处理`,
    uri: isDispatch ? 'dispatch' : 'voucher',
    objectId: sn,
    kind,
    stores: [store, ward],
    extra: { kind },
  })
}
