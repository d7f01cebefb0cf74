import type { dispatch } from '#modules/hospital/ward/issuing/dispatch.doc.ts'
import type { requisition } from '#modules/hospital/ward/requisition/requisition.doc.ts'
import type { ActionContext, ContextOf } from '#server/public/hooks.ts'
import { kindsOf } from '#kernel/measure/feeding.ts'
import type { Sql } from 'postgres'
import { instant, minuteOf } from '#kernel/values/date.ts'
import { sendMessage } from '#server/public/notifications.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import { type Session, systemSession } from '#server/public/session.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'
import { patchDocument, patchDocuments } from '#server/public/documents.ts'

type Context = ContextOf<typeof requisition>

/** 最迟送达时间: from its last approval a requisition has the minutes of an urgent one, or the hours of a normal one. */
export async function startClock({ tx, session, doc, settings }: Context): Promise<void> {
  const minutes = doc.is_urgent === true ? settings.urgent_minutes : settings.normal_hours * 60
  const due = new Date(Date.parse(instant()) + minutes * 60_000).toISOString()
  await patchDocument(tx, session, doc, { due_at: due, is_overdue: null }, 'withAction')
}

/** Its review was undone: nothing is due. */
export async function stopClock({ tx, session, doc }: ActionContext): Promise<void> {
  await patchDocument(tx, session, doc, { due_at: null, is_overdue: null }, 'withAction')
}

/** A picking list is due when the first of its requisitions is; unless planned otherwise, that is the plan. */
export async function takeOverDue({ tx, session, doc }: ContextOf<typeof dispatch>): Promise<void> {
  const sources = [...new Set(doc.lines.flatMap(line => line.source_document_id ?? []))]
  const [first] = await tx<{ due: string | null }[]>`
    select min(fields->>'due_at') as due from document
     where org_id = ${session.org.id} and id = any(${sources}::bigint[])`
  const due = first?.due ?? undefined
  await patchDocument(tx, session, doc, { due_at: due, required_at: doc.required_at ?? due }, 'withAction')
}

/** On delivery it is decided whether it is late. */
async function decide(tx: Tx, session: Session, kind: string, ids: readonly string[]): Promise<void> {
  const checked = await tx<{ id: string; is_overdue: boolean }[]>`
    select id, (fields->>'delivered_at')::timestamptz > (fields->>'due_at')::timestamptz as is_overdue from document
     where org_id = ${session.org.id} and id = any(${[...ids]}::bigint[])
       and fields->>'due_at' is not null and fields->>'delivered_at' is not null`
  const patches = checked.map(({ id, is_overdue }) => ({ id, values: { is_overdue } }))
  await patchDocuments(tx, session, kind, patches, 'derived')
}

export const checkDelivery = ({ tx, session, doc }: ActionContext): Promise<void> =>
  decide(tx, session, doc.kind, [doc.id])

/** Notes goods that the ward received as delivered, if that was not recorded before. */
export async function noteReceived({ tx, session, doc }: ActionContext): Promise<void> {
  const org = session.org.id
  const rows = await tx<{ id: string }[]>`
    select d.id from document d
     where d.org_id = ${org} and d.kind = 'dispatch' and d.role = 'own' and d.fields->>'delivered_at' is null
       and d.id in (select g.source_document_id from document_line g where g.org_id = ${org} and g.document_id in
                     (select w.source_document_id from document_line w
                       where w.org_id = ${org} and w.document_id = ${doc.id}))
     order by d.id for update`
  if (rows.length === 0) return
  const values = { delivered_at: instant(), delivered_to: session.userName }
  const patches = rows.map(({ id }) => ({ id, values }))
  await patchDocuments(tx, session, 'dispatch', patches, 'derived')
  await decide(
    tx,
    session,
    'dispatch',
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

/**
 * 超时: what is past its due time and not fully issued, or not delivered, is marked once, and the warehouse and the
 * ward are notified; anything else past it is not late.
 */
export async function notifyOverdue(app: Sql, owner: Sql): Promise<void> {
  const past = owner`kind = any(${kindsOf('requested', 'dispatched')}) and fields->>'due_at' is not null
    and fields->>'is_overdue' is null and fields->>'due_at' <= ${instant()}`
  const open = owner`(state in ('reviewed', 'partial') or kind = 'dispatch' and state in ('submitted', 'completed'))`
  const late = await owner<Late[]>`
    select id, org_id, kind, sn, warehouse_id, to_warehouse_id, fields->>'due_at' as due from document
     where ${past} and ${open} order by org_id, id limit 200`
  for (const doc of late) await inOrganisation(app, doc.org_id, '0', tx => notifyOne(tx, doc))
  const inTime = await owner<Pick<Late, 'id' | 'org_id' | 'kind'>[]>`
    select id, org_id, kind from document where ${past} and not ${open} order by org_id, id limit 2000`
  for (const [org, docs] of Map.groupBy(inTime, doc => doc.org_id))
    await inOrganisation(app, org, '0', async tx => {
      const session = systemSession((await systemSessionOf(tx, org)).org)
      for (const [kind, mine] of Map.groupBy(docs, doc => doc.kind)) {
        const patches = mine.map(({ id }) => ({ id, values: { is_overdue: false } }))
        await patchDocuments(tx, session, kind, patches, 'derived')
      }
    })
}

async function notifyOne(
  tx: Tx,
  { id, org_id: org, kind, sn, warehouse_id: store, to_warehouse_id: ward, due }: Late,
): Promise<void> {
  const [unmarked] = await tx`
    select 1 from document where org_id = ${org} and id = ${id} and fields->>'is_overdue' is null for update`
  if (!unmarked) return
  const session = systemSession((await systemSessionOf(tx, org)).org)
  await patchDocument(tx, session, { id, kind }, { is_overdue: true }, 'derived')
  const isDispatch = kind === 'dispatch'
  await sendMessage(tx, org, {
    title: isDispatch ? '配送超时' : '申领超时',
    body: `${isDispatch ? '配送单' : '物资申领单'}${sn}应于${minuteOf(new Date(due))}前送达，${isDispatch ? '还没有送达' : '还没有发齐'}，请尽快处理`,
    uri: isDispatch ? 'dispatch' : 'voucher',
    objectId: sn,
    kind,
    stores: [store, ward],
    extra: { kind },
  })
}
