import type { Sql } from 'postgres'
import { inOrganisation, type Tx } from '#server/public/database.ts'
import { patchDocument } from '#server/public/documents.ts'
import { sendMessage } from '#server/public/notifications.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import { deliveredTo } from '#server/public/traceability.ts'

/** A lot of a recall; `everywhere`: its maker or the platform recalls it, from all holders. */
export type Recalled = { readonly lot_id: string; readonly everywhere: boolean }
export type Holder = { readonly lot_id: string; readonly org_id: string }

/**
 * The organisations that a recall reaches, lot by lot. The maker and the platform reach everybody who ever held the
 * lot; others reach those to whom they delivered it, directly or through others, and themselves.
 */
export async function reachedBy(tx: Tx, org: string, lots: readonly Recalled[]): Promise<readonly Holder[]> {
  const idsOf = (everywhere: boolean) => lots.filter(lot => lot.everywhere === everywhere).map(({ lot_id }) => lot_id)
  const [all, others] = [idsOf(true), idsOf(false)]
  const stations = await tx<Holder[]>`
    select lot_id, org_id from lot_org
     where lot_id = any(${all}::bigint[]) or lot_id = any(${others}::bigint[]) and org_id = ${org}`
  return [...stations, ...(others.length === 0 ? [] : await deliveredTo(tx, org, others))]
}

/**
 * Adds the holders that a recall does not contain yet, and returns the number of organisations that it contains now.
 */
export async function addReceivers(
  tx: Tx,
  { org, document }: { readonly org: string; readonly document: string },
  holders: readonly Holder[],
): Promise<{ readonly added: readonly string[]; readonly receivers: number }> {
  const rows = await tx<{ to_org_id: string }[]>`
    insert into recall_delivery (org_id, document_id, line_no, to_org_id, specification_id, lot_id)
    select distinct l.org_id, l.document_id, l.line_no, o.org_id, l.specification_id, l.lot_id
      from document_line l
      join jsonb_to_recordset(${tx.json([...holders])}) as o(lot_id bigint, org_id bigint) on o.lot_id = l.lot_id
     where l.org_id = ${org} and l.document_id = ${document}
    on conflict do nothing returning to_org_id`
  const [count] = await tx<{ receivers: number }[]>`
    select count(distinct to_org_id)::int as receivers from recall_delivery
     where org_id = ${org} and document_id = ${document}`
  return { added: [...new Set(rows.map(row => row.to_org_id))], receivers: count!.receivers }
}

type Open = { readonly org: string; readonly document: string; readonly sn: string; readonly lots: readonly Recalled[] }

/**
 * Goods move on while a recall is open: goods that were in transit when it was published arrive, and goods not yet held
 * are passed on. Their receivers are added to the recall, and its issuer is notified.
 */
export async function followGoods(app: Sql, owner: Sql): Promise<void> {
  const open = await owner<Open[]>`
    select d.org_id as org, d.id as document, d.sn, jsonb_agg(distinct jsonb_build_object('lot_id', l.lot_id::text,
      'everywhere', exists (select 1 from lot_recall r
        where r.org_id = d.org_id and r.document_id = d.id and r.lot_id = l.lot_id))) as lots
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id and l.lot_id is not null
     where d.kind = 'recall' and d.role = 'own' and d.state = 'partial' group by d.org_id, d.id, d.sn`
  for (const recall of open) await inOrganisation(app, recall.org, '0', tx => addLater(tx, recall))
}

async function addLater(tx: Tx, recall: Open): Promise<void> {
  const { org, document, sn, lots } = recall
  const { added, receivers } = await addReceivers(tx, recall, await reachedBy(tx, org, lots))
  if (added.length === 0) return
  const asker = await systemSessionOf(tx, org)
  await patchDocument(tx, asker, { id: document, kind: 'recall' }, { receiver_count: receivers }, 'derived')
  await sendMessage(tx, org, {
    title: '召回范围扩大',
    body: `召回${sn}发布后，又有${added.length}家机构收到了召回批号的货物，已通知其停用并反馈`,
    uri: '/commonView/noticeManage',
    objectId: sn,
    kind: 'recall',
    type: 'notice',
  })
}
