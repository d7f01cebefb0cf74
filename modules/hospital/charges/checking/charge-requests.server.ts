import { BusinessError } from '#kernel/rules/errors.ts'
import { compare, type Decimal, isPositive, multiply, subtract } from '#kernel/values/decimal.ts'
import { dueSql } from '#modules/hospital/charges/checking/checks.server.ts'
import { noteChargeStates } from '#modules/hospital/charges/checking/charge-state.server.ts'
import { linkRequested, settleChecks } from '#modules/hospital/charges/checking/match-charges.server.ts'
import { shrinkLinks, storeCharges } from '#modules/hospital/charges/checking/stored-charges.server.ts'
import {
  askHis,
  type His,
  type HisCharge,
  type HisChargeOrder,
  HisError,
  type HisFailure,
  type HisRefundOrder,
  hisSender,
} from '#server/public/outbound.ts'
import type { Tx } from '#server/public/database.ts'

const CHARGE = 'useCharge'
const REFUND = 'useRefund'
type Kind = 'charge' | 'refund'
/** The person who asks for a charge or refund, and the reason. */
type Asker = { readonly name: string; readonly reason: string | null }
type Line = { readonly use_check_id: string; readonly his_charge_id: string | null; readonly quantity: Decimal }

/** A request for each document of these lines, and its call; it is sent when the action is committed. */
async function ask(
  tx: Tx,
  org: string,
  kind: Kind,
  lines: readonly (Line & { readonly document: string; readonly sn: string; readonly doc_kind: string })[],
  { name, reason }: Asker,
): Promise<void> {
  const sender = kind === 'charge' ? CHARGE : REFUND
  for (const [document, of] of Map.groupBy(lines, line => line.document)) {
    const [made] = await tx<{ id: string }[]>`
      insert into charge_request (org_id, use_document_id, request_kind, reason, asked_by)
      values (${org}, ${document}, ${kind}, ${reason}, ${name}) returning id`
    const request = made!.id
    await tx`
      insert into charge_request_line (org_id, request_id, line_no, use_check_id, his_charge_id, quantity)
      select ${org}, ${request}, k.line_no, k.use_check_id, k.his_charge_id, k.quantity
        from document d,
             jsonb_to_recordset(${tx.json(of.map((line, at) => ({ ...line, line_no: at + 1 })))})
               as k(line_no int, use_check_id bigint, his_charge_id bigint, quantity numeric)
       where d.org_id = ${org} and d.id = ${document}`
    const [first] = of
    await askHis(tx, org, {
      sender,
      key: `${sender}:${request}`,
      title: kind === 'charge' ? '耗材计费' : '耗材退费',
      reference: request,
      kind: first!.doc_kind,
      objectNo: first!.sn,
    })
  }
  await noteChargeStates(tx, org, [...new Set(lines.map(line => line.document))])
}

/**
 * Asks the HIS to charge the part of these uses that is neither charged nor requested yet. Returns how many are
 * requested; uses without a patient or without an item of the HIS are skipped.
 */
export async function askCharges(tx: Tx, org: string, checks: readonly string[], asker: Asker): Promise<number> {
  const lines = await tx<(Line & { document: string; sn: string; doc_kind: string })[]>`
    select c.id as use_check_id, null::bigint as his_charge_id, c.use_document_id as document, d.sn, d.kind as doc_kind,
           ${dueSql(tx)} - c.charged_quantity as quantity
      from use_check c join document d on d.org_id = c.org_id and d.id = c.use_document_id
     where c.org_id = ${org} and c.id = any(${checks as string[]}::bigint[]) and c.item_code is not null
       and c.state in ('waiting', 'missed', 'refunded') and ${dueSql(tx)} > c.charged_quantity
       and (coalesce(d.fields->>'patient_no', '') <> '' or coalesce(d.fields->>'admission_no', '') <> '')
       and not exists (select 1 from charge_request_line l join charge_request r on r.org_id = l.org_id
         and r.id = l.request_id where l.org_id = c.org_id and l.use_check_id = c.id and r.request_kind = 'charge'
         and r.state in ('asked', 'failed'))
     order by c.use_document_id, c.use_line_no, c.id for update of c`
  await tx`update use_check set by_hand = false
    where org_id = ${org} and id = any(${lines.map(line => line.use_check_id)}::bigint[])`
  await ask(tx, org, 'charge', lines, asker)
  return lines.length
}

type Refundable = {
  readonly check: string
  readonly charge: string
  readonly linked: Decimal
  readonly surplus: Decimal
  readonly document: string
  readonly sn: string
  readonly doc_kind: string
}

/** Asks the HIS to refund the charges of these uses: all of them, or the part beyond the use. */
export async function askRefunds(
  tx: Tx,
  org: string,
  checks: readonly string[],
  much: 'all' | 'surplus',
  asker: Asker,
): Promise<number> {
  const links = await tx<Refundable[]>`
    select l.use_check_id as "check", l.his_charge_id as charge, l.quantity as linked, c.use_document_id as document,
           d.sn, d.kind as doc_kind,
           c.charged_quantity - ${much === 'all' ? tx`0` : dueSql(tx)} - coalesce(p.pending, 0) as surplus
      from charge_link l join use_check c on c.org_id = l.org_id and c.id = l.use_check_id
      join document d on d.org_id = c.org_id and d.id = c.use_document_id
      left join lateral (select sum(x.quantity) as pending from charge_request_line x join charge_request r
          on r.org_id = x.org_id and r.id = x.request_id
        where x.org_id = c.org_id and x.use_check_id = c.id and r.request_kind = 'refund'
          and r.state in ('asked', 'failed')) p on true
     where l.org_id = ${org} and l.use_check_id = any(${checks as string[]}::bigint[]) and l.quantity > 0
     order by c.use_document_id, c.use_line_no, l.use_check_id, l.linked_at desc for update of c`
  const lines = [...Map.groupBy(links, link => link.check).values()].flatMap(refundLines)
  await ask(tx, org, 'refund', lines, asker)
  return lines.length
}

/** The charges of one use that are to be refunded, the newest first. */
function refundLines(links: readonly Refundable[]) {
  let left = links[0]!.surplus
  return links.flatMap(({ check, charge, linked, document, sn, doc_kind }) => {
    if (!isPositive(left)) return []
    const quantity = compare(linked, left) < 0 ? linked : left
    left = subtract(left, quantity, 4)
    return [{ use_check_id: check, his_charge_id: charge, quantity, document, sn, doc_kind }]
  })
}

type ChargeHead = {
  readonly sn: string
  readonly state: string
  readonly reason: string | null
  readonly patient_no: string | null
  readonly patient_name: string | null
  readonly visit_no: string | null
  readonly surgery_no: string | null
  readonly department_code: string | null
  readonly used_at: Date
}
type ChargeLine = {
  readonly line_no: number
  readonly item_code: string
  readonly quantity: Decimal
  readonly price: Decimal
  readonly unit_code: string | null
  readonly udi_di: string | null
  readonly lot_no: string | null
}

/** The patient to be charged, with patient number and visit number; the HIS is asked for the one that the use lacks. */
async function patientOf(his: His, { sn, patient_no, visit_no }: ChargeHead) {
  if (patient_no !== null && visit_no !== null) return { patient_no, visit_no }
  if (visit_no !== null) {
    const visit = await his.visit(visit_no)
    if (visit) return { patient_no: visit.patient_no, visit_no }
  }
  if (patient_no !== null) {
    const open = (await his.visits(patient_no)).find(visit => visit.is_account_open)
    if (open) return { patient_no, visit_no: open.visit_no }
  }
  throw new BusinessError('rule', `使用单${sn}的患者在HIS中查不到，请核对患者编号和住院号/门诊号`)
}

const headOf = async (tx: Tx, org: string, request: string): Promise<ChargeHead | undefined> => {
  const [head] = await tx<ChargeHead[]>`
    select d.sn, r.state, r.reason, nullif(d.fields->>'patient_no', '') as patient_no,
           nullif(d.fields->>'patient_name', '') as patient_name,
           nullif(d.fields->>'admission_no', '') as visit_no, nullif(d.fields->>'surgery_no', '') as surgery_no,
           p.his_code as department_code, coalesce((d.fields->>'used_at')::timestamptz, d.reviewed_at, now()) as used_at
      from charge_request r join document d on d.org_id = r.org_id and d.id = r.use_document_id
      left join department p on p.org_id = d.org_id and p.id = d.department_id
     where r.org_id = ${org} and r.id = ${request} for update of r`
  return head
}

const namesIn = ({ patient_no, patient_name, visit_no }: ChargeHead) => [patient_name, patient_no, visit_no]

/** The charge that a request still has to send; null if the request was withdrawn meanwhile. */
async function composeCharge(tx: Tx, org: string, request: string) {
  const head = await headOf(tx, org, request)
  if (!head || head.state === 'void') return null
  const lines = await tx<ChargeLine[]>`
    select l.line_no, c.item_code, least(l.quantity, ${dueSql(tx)} - c.charged_quantity) as quantity,
           coalesce(i.his_price, 0) as price, c.unit_code, s.udi_di, t.lot_no
      from charge_request_line l join use_check c on c.org_id = l.org_id and c.id = l.use_check_id
      join specification s on s.id = c.specification_id
      left join lot t on t.id = c.lot_id
      left join his_item i on i.org_id = c.org_id and i.item_code = c.item_code
     where l.org_id = ${org} and l.request_id = ${request} and c.state not in ('waived', 'cost')
       and ${dueSql(tx)} > c.charged_quantity
     order by l.line_no`
  if (lines.length === 0) {
    await finish(tx, org, request, 'void')
    return null
  }
  const { sn, surgery_no, department_code, used_at } = head
  return async (his: His): Promise<HisChargeOrder> => ({
    sn,
    ...(await patientOf(his, head)),
    surgery_no,
    department_code,
    staff_no: null,
    used_at: new Date(used_at).toISOString(),
    lines: lines.map(line => ({ ...line, amount: multiply(line.price, line.quantity, 2) })),
    names_patient: namesIn(head),
  })
}

async function composeRefund(tx: Tx, org: string, request: string): Promise<HisRefundOrder | null> {
  const head = await headOf(tx, org, request)
  if (!head || head.state === 'void') return null
  const lines = await tx<{ line_no: number; charge_no: string; quantity: Decimal }[]>`
    select l.line_no, h.charge_no, least(l.quantity, h.net_quantity) as quantity
      from charge_request_line l join his_charge_left h on h.org_id = l.org_id and h.id = l.his_charge_id
     where l.org_id = ${org} and l.request_id = ${request} and h.net_quantity > 0 order by l.line_no`
  if (lines.length === 0) {
    await finish(tx, org, request, 'answered')
    return null
  }
  return { sn: head.sn, reason: head.reason ?? '退用', staff_no: null, lines, names_patient: namesIn(head) }
}

/** Stores the result of a request, and updates the state of its document. */
async function finish(tx: Tx, org: string, request: string, state: string, error: string | null = null) {
  const [row] = await tx<{ use_document_id: string; before: string }[]>`
    update charge_request r set state = case when r.state = 'void' then r.state else ${state} end, error = ${error},
      answered_at = case when ${state} = 'failed' then null else now() end
      from (select state from charge_request where org_id = ${org} and id = ${request}) b(before)
     where r.org_id = ${org} and r.id = ${request} returning r.use_document_id, b.before`
  if (row) await noteChargeStates(tx, org, [row.use_document_id])
  return row
}

const checksOf = async (tx: Tx, org: string, request: string): Promise<readonly string[]> =>
  (
    await tx<{ id: string }[]>`
    select use_check_id as id from charge_request_line where org_id = ${org} and request_id = ${request}`
  ).map(row => row.id)

/** The HIS charged: its numbers are stored with the uses; charges of uses taken back meanwhile are refunded at once. */
async function charged(tx: Tx, org: string, request: string, booked: readonly HisCharge[]): Promise<void> {
  await storeCharges(tx, org, booked)
  await linkRequested(tx, org)
  const ended = await finish(tx, org, request, 'answered')
  const checks = await checksOf(tx, org, request)
  await settleChecks(tx, org, checks)
  const asker = { name: '系统', reason: '计费期间已退用' }
  if (ended?.before === 'void') await askRefunds(tx, org, checks, 'all', asker)
  else {
    const taken = await tx<{ id: string }[]>`
      select id from use_check where org_id = ${org} and id = any(${checks as string[]}::bigint[]) and returned > 0`
    await askRefunds(
      tx,
      org,
      taken.map(row => row.id),
      'surplus',
      asker,
    )
  }
}

async function refunded(tx: Tx, org: string, request: string, booked: readonly HisCharge[]): Promise<void> {
  const charges = await storeCharges(tx, org, booked)
  const shrunk = await shrinkLinks(tx, org, charges)
  await finish(tx, org, request, 'answered')
  await settleChecks(tx, org, [...shrunk, ...(await checksOf(tx, org, request))])
}

/** True if the HIS refused: one that cannot be reached or is out of order has not refused. */
const isRefusal = (cause: Error): boolean =>
  cause instanceof HisError ? cause.kind === 'refused' : cause instanceof BusinessError

/**
 * Stores a failed try. If the HIS was not reached, the request counts as on its way until the last try. If the HIS
 * refused it, it is 计费失败 at once, but its call goes on trying: it is charged once the cause is gone, or once somebody
 * asks again.
 */
async function failed(tx: Tx, org: string, request: string, { error, cause, isLast }: HisFailure): Promise<void> {
  const isRefused = isRefusal(cause)
  await tx`
    update charge_request r set error = ${error}, is_refused = ${isRefused}
     where r.org_id = ${org} and r.id = ${request}`
  if (isLast || isRefused) await finish(tx, org, request, 'failed', error)
}

export const useChargeSender = hisSender<'charge'>({
  name: CHARGE,
  write: 'charge',
  compose: composeCharge,
  accepted: charged,
  failed,
})
export const useRefundSender = hisSender<'refund'>({
  name: REFUND,
  write: 'refund',
  compose: composeRefund,
  accepted: refunded,
  failed,
})

/** Voids the charge requests of a use that are unanswered or failed, so that they are not charged any more. */
export const withdrawCharges = (tx: Tx, org: string, document: string, states = ['asked', 'failed']) => tx`
  update charge_request set state = 'void', answered_at = now()
   where org_id = ${org} and use_document_id = ${document} and request_kind = 'charge'
     and state = any(${states})`

/** Voids a refund that the HIS refused, before a new one is requested in its place. */
export const withdrawFailedRefunds = (tx: Tx, org: string, document: string) => tx`
  update charge_request set state = 'void', answered_at = now()
   where org_id = ${org} and use_document_id = ${document} and request_kind = 'refund' and state = 'failed'`
