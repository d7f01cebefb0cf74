import { logistics } from '#modules/trade/transport/logistics/logistics.doc.ts'
import { ofKind, patchDocument, type StoredDocument } from '#server/public/documents.ts'
import { kindsOf } from '#kernel/measure/feeding.ts'
import { type Decimal, isPositive } from '#kernel/values/decimal.ts'
import { instant } from '#kernel/values/date.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { eventsOf, updateCustomer, withEvents } from '#modules/trade/transport/logistics/tracking-events.server.ts'
import { noteSigner, reportSigner } from '#modules/trade/transport/logistics/signer.server.ts'
import type { TransportState } from '#modules/trade/transport/logistics/transport-states.ts'
import { enqueueMessage } from '#server/public/intercompany.ts'
import type { Hooks } from '#server/public/hooks.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Arriving = {
  readonly document_id: string
  readonly sn: string
  readonly from_org_id: string
  readonly is_here: boolean
}

/**
 * Shipments to us that carry goods of these deliveries and wait for a signature, and whether anything of their share
 * is here. Shares are taken in the order in which the shipments left: what arrived first is what left first.
 */
const waitingShipments = (tx: Tx, org: string, deliveries: readonly string[], document: string) => tx<Arriving[]>`
  with carried as (
    select d.id, d.sn, d.from_org_id, d.fields->>'transport_state' as stands, l.source_document_id as delivery,
           l.source_line_no as line_no,
           coalesce(sum(l.base_quantity) over (
             partition by l.source_document_id, l.source_line_no order by d.id
             rows between unbounded preceding and 1 preceding), 0) as before
      from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
     where l.org_id = ${org} and l.source_document_id = any(${[...deliveries]}::bigint[])
       and d.kind = 'logistics' and d.role = 'counterparty' and d.state <> 'cancelled'),
  here as (
    select x.delivery, x.line_no, sum(x.quantity) as quantity
      from (
        select l.delivery_document_id as delivery, l.delivery_line_no as line_no,
               l.base_quantity + coalesce((l.fields->>'refused_quantity')::numeric, 0) as quantity
          from document_line l where l.org_id = ${org} and l.document_id = ${document}
        union all
        select g.document_id, g.line_no, g.taken from line_progress g
         where g.org_id = ${org} and g.document_id = any(${[...deliveries]}::bigint[]) and g.line_no > 0
           and g.purpose in ('arrive', 'receive', 'refuse')) x
     group by 1, 2)
  select c.id as document_id, c.sn, c.from_org_id, bool_or(coalesce(h.quantity, 0) > c.before) as is_here
    from carried c left join here h on h.delivery = c.delivery and h.line_no = c.line_no
   where c.stands in ('in_transit', 'delivered', 'abnormal', 'partly_refused')
   group by 1, 2, 3 order by 1`

/**
 * The same for shipments that a lessor sent with goods of his tenant: they name the tenant's deliveries, whose goods
 * are known by lot. If several shipments carry goods of one notice, those are taken in the order in which the shipments
 * left.
 */
const waitingOfLessors = (tx: Tx, org: string, deliveries: readonly string[], document: string) => tx<Arriving[]>`
  with ours as (
    select d.id, split_part(d.sn, '/', 1) as sn, d.from_org_id from document d
     where d.org_id = ${org} and d.id = any(${[...deliveries]}::bigint[])),
  carried as (
    select d.id, d.sn, d.from_org_id, d.fields->>'transport_state' as stands, l.lot_id,
           string_to_array(d.fields->>'delivery_sn', '、') as named, (d.fields->>'lessee_sn')::bigint as lessee_id,
           coalesce(sum(l.base_quantity) over (
             partition by d.fields->>'lessee_sn', split_part(d.fields->>'delivery_sn', '、', 1), l.lot_id order by d.id
             rows between unbounded preceding and 1 preceding), 0) as before
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${org} and d.kind = 'logistics' and d.role = 'counterparty' and d.state <> 'cancelled'
       and d.fields->>'lessee_sn' = any(select from_org_id::text from ours)
       and d.fields->>'delivery_sn' is not null),
  here as (
    select o.sn, o.from_org_id, l.lot_id, sum(l.base_quantity + coalesce(
             (l.fields->>'refused_quantity')::numeric, 0)) as quantity
      from document_line l join ours o on o.id = l.delivery_document_id
     where l.org_id = ${org} and l.document_id = ${document}
     group by 1, 2, 3
    union all
    select o.sn, o.from_org_id, x.lot_id, sum(g.taken)
      from ours o join document_line x on x.org_id = ${org} and x.document_id = o.id
      join line_progress g on g.org_id = x.org_id and g.document_id = x.document_id and g.line_no = x.line_no
     where g.purpose in ('arrive', 'receive', 'refuse')
     group by 1, 2, 3)
  select document_id, sn, from_org_id, bool_or(arrived > before) as is_here from (
    select c.id as document_id, c.sn, c.from_org_id, c.before, c.lot_id, coalesce((
             select sum(h.quantity) from here h
              where h.lot_id = c.lot_id and h.from_org_id = c.lessee_id and h.sn = any(c.named)), 0) as arrived
      from carried c
     where c.stands in ('in_transit', 'delivered', 'abnormal', 'partly_refused')) part
   group by 1, 2, 3 order by 1`

const refusedOf = (line: object): Decimal => (line as { refused_quantity?: Decimal | null }).refused_quantity ?? '0'

/** The state in which an arrival leaves a shipment: taken whole, in part, or sent away. */
function endOf(doc: StoredDocument): { readonly state: TransportState; readonly to: 'completed' | 'stopped' } {
  const isRefused = doc.lines.some(line => isPositive(refusedOf(line)))
  const isTaken = doc.lines.some(line => isPositive(line.base_quantity))
  if (!isTaken) return { state: 'refused', to: 'stopped' }
  return { state: isRefused ? 'partly_refused' : 'signed', to: 'completed' }
}

/**
 * The review of a delivery's arrival, or of its receipt where no arrival is written, signs for the shipments that
 * carried it.
 */
async function signShipments(tx: Tx, session: Session, definition: AnyDocument, doc: StoredDocument): Promise<void> {
  if (!kindsOf('arrived', 'delivered').includes(definition.kind) || doc.role !== 'own' || doc.red_of_id) return
  const deliveries = [...new Set(doc.lines.flatMap(line => line.delivery_document_id ?? []))]
  if (deliveries.length === 0) return
  const org = session.org.id
  const waiting = [
    ...(await waitingShipments(tx, org, deliveries, doc.id)),
    ...(await waitingOfLessors(tx, org, deliveries, doc.id)),
  ]
  const arrived = waiting.filter(row => row.is_here)
  const { state, to } = endOf(doc)
  const signed = { transport_state: state, signed_by: session.userName, signed_at: instant() }
  for (const { document_id: id, sn, from_org_id: from } of arrived) {
    await patchDocument(tx, session, { id, kind: 'logistics' }, signed, 'version')
    await enqueueMessage(tx, session, from, doc.id, {
      message: 'act',
      kind: 'logistics',
      sn: sn.split('/')[0]!,
      action: 'sign',
      label: '客户签收',
      reason: null,
      actor: session.userName,
      sets: signed,
      to,
    })
  }
}

/** The sender's own shipment notes the signature among the events of its way. */
export async function notedByCustomer(tx: Tx, session: Session, doc: StoredDocument): Promise<void> {
  const [row] = await tx<{ fields: Record<string, unknown> }[]>`
    select fields from document where org_id = ${session.org.id} and id = ${doc.id}`
  const { signed_by, signed_at, arrived_at } = row!.fields
  const at = String(signed_at ?? instant())
  const tracking = withEvents(eventsOf(row!.fields), [
    { at, place: null, text: `客户到货审核，签收人：${String(signed_by ?? '')}`, by: '系统' },
  ])
  const values = { tracking, arrived_at: arrived_at ?? at }
  await patchDocument(tx, session, doc, values, 'derived')
  const transport_state = row!.fields.transport_state
  const { signer_note } = await noteSigner(tx, session, ofKind(logistics, doc), {
    transport_state,
    signed_by,
    signed_at: at,
  })
  if (signer_note !== null) await reportSigner(tx, session, doc, signer_note)
  await updateCustomer(tx, session, doc, { label: '签收', text: null }, values)
}

export const customerSigns: Hooks['effects'][number] = {
  onEffective: signShipments,
  onVoided: async () => undefined,
}
