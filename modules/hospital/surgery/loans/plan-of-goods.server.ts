import type { State } from '#kernel/definition/document-state.ts'
import { enqueueMessage, hasAccount, sendUpdate } from '#server/public/intercompany.ts'
import { patchDocument, transition } from '#server/public/documents.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** A plan as a row of ours: our own, or the copy of the hospital's. */
export type PlanRow = {
  readonly id: string
  readonly kind: 'bonePlan'
  readonly sn: string
  readonly role: 'own' | 'counterparty'
  readonly state: string
  readonly from_org_id: string
  readonly counterparty_id: string
  readonly surgery_at: string | null
  readonly surgery_type: string | null
  readonly accept_state: string
  readonly pre_state: string
  readonly use_state: string
  readonly follow_state: string
  readonly delivered_at: string | null
  readonly kit_codes: readonly string[]
  readonly tools_codes: readonly string[]
  readonly deliver_by: string | null
  readonly return_by: string | null
  readonly reported_codes: readonly string[]
  readonly reported_quantity: string | null
}

const columns = (tx: Tx) => tx`
  d.id, d.kind, d.sn, d.role, d.state, d.from_org_id, d.counterparty_id, d.fields->>'surgery_at' as surgery_at,
  d.fields->>'deliver_by' as deliver_by, d.fields->>'return_by' as return_by,
  d.fields->>'surgery_type' as surgery_type, coalesce(d.fields->>'accept_state', '1') as accept_state,
  coalesce(d.fields->>'pre_state', '1') as pre_state, coalesce(d.fields->>'use_state', '1') as use_state,
  coalesce(d.fields->>'follow_state', '1') as follow_state, d.fields->>'delivered_at' as delivered_at,
  coalesce(d.fields->'kit_codes', '[]'::jsonb) as kit_codes,
  coalesce(d.fields->'tools_codes', '[]'::jsonb) as tools_codes,
  coalesce(d.fields->'reported_codes', '[]'::jsonb) as reported_codes,
  d.fields->>'reported_quantity' as reported_quantity`

/** The plan behind a document, by its row here. */
export async function planById(tx: Tx, org: string, id: string | null): Promise<PlanRow | undefined> {
  if (!id) return undefined
  const [row] = await tx<PlanRow[]>`
    select ${columns(tx)} from document d where d.org_id = ${org} and d.id = ${id} and d.kind = 'bonePlan'`
  return row
}

/** The plan of a number: our own, or the copy of what `partner` sent us. */
export async function planByNumber(tx: Tx, org: string, sn: string, partner: string): Promise<PlanRow | undefined> {
  const [row] = await tx<PlanRow[]>`
    select ${columns(tx)} from document d
     where d.org_id = ${org} and d.kind = 'bonePlan' and d.sn = ${sn} and d.state not in ('cancelled', 'deleted')
       and ${partner} in (d.counterparty_id, d.from_org_id)
     order by d.role desc, d.id desc limit 1`
  return row
}

/** 跟台状态 of a hospital's plan of an operation: that of whichever supplier is furthest behind. */
export async function followOperation(tx: Tx, session: Session, bonePlanId: string): Promise<void> {
  const [row] = await tx<{ id: string; follow: string | null }[]>`
    select s.id, (
        select min(coalesce(d.fields->>'follow_state', '1')) from document d
         where d.org_id = s.org_id and d.kind = 'bonePlan' and d.role = 'own' and d.source_document_id = s.id
           and d.state not in ('cancelled', 'stopped', 'deleted')) as follow
      from document p join document s on s.org_id = p.org_id and s.id = p.source_document_id
     where p.org_id = ${session.org.id} and p.id = ${bonePlanId} and s.kind = 'surgeryPlan' and s.role = 'own'`
  if (row?.follow)
    await patchDocument(tx, session, { ...row, kind: 'surgeryPlan' }, { follow_state: row.follow }, 'derived')
}

/** Written on our row of the plan alone; a hospital's plan of the operation follows. */
export async function notePlan(
  tx: Tx,
  session: Session,
  plan: PlanRow,
  sets: Readonly<Record<string, string | null>>,
): Promise<void> {
  await patchDocument(tx, session, plan, sets, 'derived')
  if (session.org.type === 'H') await followOperation(tx, session, plan.id)
}

/**
 * Writes the progress of an operation on the plan of both sides: here, and at the other side by a message with the
 * words that its people read. None of it is about the patient.
 */
export async function markPlan(
  tx: Tx,
  session: Session,
  plan: PlanRow,
  sets: Readonly<Record<string, string | null>>,
  said: { readonly label: string; readonly text: string | null },
): Promise<void> {
  await notePlan(tx, session, plan, sets)
  if (plan.role === 'own') {
    if (await hasAccount(tx, plan.counterparty_id))
      await sendUpdate(tx, session, plan, [plan.counterparty_id], { ...said, sets })
    return
  }
  await enqueueMessage(tx, session, plan.from_org_id, plan.id, {
    message: 'act',
    kind: plan.kind,
    sn: plan.sn.split('/')[0]!,
    action: 'follow',
    label: said.label,
    reason: said.text,
    actor: session.userName,
    sets,
  })
}

/**
 * The quantity that is still out for a plan of ours, in base units: in the hospital's store for loans, or in transit
 * home.
 */
export async function openPieces(tx: Tx, org: string, planSn: string, supplier: string): Promise<string> {
  const [row] = await tx<{ open: string }[]>`
    select coalesce(sum(b.quantity), 0)::numeric(18,3)::text as open
      from stock_balance b join warehouse w on w.org_id = b.org_id and w.id = b.warehouse_id and w.model = 'loan'
     where b.org_id = ${org} and b.owner_id = ${supplier} and (
       -- Of a supplier without an account they lie under the number of the plan.
       b.location = ${planSn} or b.location in (
         select c.sn from document c
          where c.org_id = b.org_id and c.kind = 'bonePresale' and c.role = 'counterparty'
            and c.from_org_id = b.owner_id and c.fields->>'plan_sn' = ${planSn}))`
  return row!.open
}

/** The presales of a plan that are not settled. */
export async function openPresales(
  tx: Tx,
  org: string,
  planId: string,
): Promise<readonly { sn: string; state: string }[]> {
  return tx<{ sn: string; state: string }[]>`
    select sn, state from document
     where org_id = ${org} and kind = 'bonePresale' and role = 'own' and source_document_id = ${planId}
       and state in ('draft', 'submitted', 'rejected', 'reviewed', 'partial') order by id`
}

/** A plan that ended when all of its goods were home, and has goods out again: in the state that it ended from. */
export async function reopenPlan(
  tx: Tx,
  session: Session,
  plan: Pick<PlanRow, 'id' | 'kind'>,
  said: { readonly action: string; readonly label: string; readonly reason: string | null },
): Promise<void> {
  const [ended] = await tx<{ from_state: State }[]>`
    select from_state from document_history
     where org_id = ${session.org.id} and document_id = ${plan.id} and to_state = 'completed'
       and from_state <> 'completed' order by seq desc limit 1`
  const to = ended?.from_state === 'stopped' ? 'stopped' : 'reviewed'
  await transition(tx, { ...session, userId: '0', userName: '系统' }, plan, { ...said, from: ['completed'], to })
}

/** 已完结: everything that went out was used, came back or was lost; the plan ends on both sides. */
export async function closeIfSettled(tx: Tx, session: Session, plan: PlanRow): Promise<void> {
  const org = session.org.id
  const [row] = await tx<{ sent: number; open: number }[]>`
    select count(*)::int as sent, count(*) filter (where state not in ('completed', 'stopped'))::int as open
      from document where org_id = ${org} and kind = 'bonePresale' and role = 'own'
        and source_document_id = ${plan.id} and state in ('submitted', 'reviewed', 'partial', 'completed', 'stopped')`
  if (!row || row.sent === 0 || row.open > 0 || plan.follow_state === '7') return
  await notePlan(tx, session, plan, { follow_state: '7' })
  await transition(tx, { ...session, userId: '0', userName: '系统' }, plan, {
    action: 'settled',
    label: '完结',
    // Called off after the goods went out, it is done when they are back.
    from: ['reviewed', 'partial', 'stopped'],
    to: 'completed',
  })
  if (plan.role === 'own') return
  await enqueueMessage(tx, session, plan.from_org_id, plan.id, {
    message: 'act',
    kind: plan.kind,
    sn: plan.sn.split('/')[0]!,
    action: 'settled',
    label: '跟台计划已完结',
    reason: null,
    actor: session.userName,
    sets: { follow_state: '7' },
    to: 'completed',
  })
}
