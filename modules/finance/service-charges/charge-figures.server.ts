import { loadDocument, patchDocument, replaceLines, sumLines, type TypedDocument } from '#server/public/documents.ts'
import { isDay } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { type Decimal, divide, isZero, sum, zero } from '#kernel/values/decimal.ts'
import {
  type Before,
  type FeeLine,
  feeLines,
  type Rate,
  type Settled,
  stepsOn,
} from '#modules/finance/service-charges/fee-lines.ts'
import { serviceCharge } from '#modules/finance/service-charges/service-charge.doc.ts'
import { classOfSettlement } from '#modules/base/vocabulary/fee-classes.ts'
import { repeatBill } from '#modules/finance/service-charges/platform-bill.server.ts'
import type { Tx } from '#server/public/database.ts'
import { platformId } from '#server/public/organisations.ts'
import { completeLines } from '#server/public/drafts.ts'
import type { Session } from '#server/public/session.ts'

type ServiceCharge = TypedDocument<typeof serviceCharge>

type Row = Settled & { readonly supplier: string; readonly is_received: boolean }

/** Settlements meant by a condition over `d`, with what was received of them; locked, so that no two bills take one. */
export const settlementsOf = (tx: Tx, org: string, meant: ReturnType<Tx>) => tx<Row[]>`
  select d.sn, d.business_date::text as day, d.counterparty_id as supplier,
         coalesce((${tx.json(classOfSettlement)}::jsonb)->>(d.fields->>'settlement_type'), 'other') as fee_class,
         d.taxed_amount as settled_amount, d.untaxed_amount, r.amount as received_amount,
         r.amount = d.taxed_amount as is_received
    from document d
    cross join lateral (
      select coalesce(sum(l.taxed_amount), 0)::numeric(18,2) as amount from document_line l
        join document g on g.org_id = l.org_id and g.id = l.document_id and g.kind = 'settlementGrn' and g.role = 'own'
         and g.state in ('reviewed', 'partial', 'completed', 'reversed')
       where l.org_id = d.org_id and l.source_document_id = d.id) r
   where d.org_id = ${org} and d.kind = 'settlement' and d.role = 'own'
     and d.state in ('reviewed', 'partial', 'completed') and d.fields->>'confirm_state' in ('2', '4') and ${meant}
   order by d.id for update of d`

/** Settlements `d` that a bill in force, or one being written, names. */
export const namedByOthers = (tx: Tx, but: string | null) => tx`exists (
  select 1 from document c join document_line x on x.org_id = c.org_id and x.document_id = c.id
   where c.org_id = d.org_id and c.kind = 'serviceCharge' and c.role = 'own' and c.red_of_id is null
     and c.state not in ('cancelled', 'deleted', 'reversed') and c.id is distinct from ${but}
     and x.fields->>'settlement_no' = d.sn)`

export const ratesOf = (tx: Tx, org: string, suppliers: readonly string[]) => tx<
  (Rate & { supplier: string; payment_days: number | null })[]
>`
  select id, supplier_id as supplier, fee_class, fee_base, base_from, rate, floor_amount, cap_amount, payment_days,
         valid_from::text as valid_from, valid_to::text as valid_to
    from supplier_rate where org_id = ${org} and supplier_id = any(${[...suppliers]}::bigint[])
     and audit_state = 'passed' order by id`

/** The amounts that other bills over days of this period charged the supplier, by class. */
const earlier = (tx: Tx, org: string, supplier: string, begin: string, end: string, but: string | null) => tx<Before[]>`
  select x.fields->>'fee_class' as fee_class, sum((x.fields->>'base_amount')::numeric)::numeric(18,2) as base,
         sum((x.fields->>'fee_amount')::numeric)::numeric(18,2) as fee, sum(x.taxed_amount)::numeric(18,2) as charged
    from document c join document_line x on x.org_id = c.org_id and x.document_id = c.id
   where c.org_id = ${org} and c.kind = 'serviceCharge' and c.role = 'own' and c.red_of_id is null
     and c.state not in ('cancelled', 'deleted', 'reversed') and c.counterparty_id = ${supplier}
     and c.id is distinct from ${but} and x.fields->>'rate_no' is not null
     and (c.fields->>'begin_date')::date <= ${end} and (c.fields->>'end_date')::date >= ${begin}
   group by 1`

type Bill = { readonly supplier: string; readonly begin: string; readonly end: string; readonly but: string | null }

/** The lines that a supplier's settlements make in a period. */
export async function linesOf(
  tx: Tx,
  org: string,
  { supplier, begin, end, but }: Bill,
  settled: readonly Settled[],
): Promise<readonly FeeLine[]> {
  const before = await earlier(tx, org, supplier, begin, end, but)
  return feeLines(settled, await ratesOf(tx, org, [supplier]), before)
}

const total = (lines: readonly FeeLine[], name: 'base_amount' | 'fee_amount' | 'taxed_amount'): Decimal =>
  sum(
    lines.map(line => line[name]),
    2,
  )

/** The settlements that a bill names. */
export const settlementNos = (doc: ServiceCharge): readonly string[] => [
  ...new Set(doc.lines.flatMap(line => (line.settlement_no ? [String(line.settlement_no)] : []))),
]

/**
 * The settlements that may be charged to a supplier up to a day and that no other live bill names, late ones of earlier
 * periods too. A settlement that is charged by its receipts waits until all of it is received.
 */
export async function chargeable(tx: Tx, org: string, supplier: string | null, end: string, but: string | null) {
  const found = await settlementsOf(
    tx,
    org,
    tx`d.business_date <= ${end} and (${supplier}::bigint is null or d.counterparty_id = ${supplier}::bigint)
      and d.red_of_id is null and not ${namedByOthers(tx, but)}`,
  )
  const rates = await ratesOf(tx, org, [...new Set(found.map(each => each.supplier))])
  const first = (each: Row) => {
    const own = rates.filter(rate => rate.supplier === each.supplier)
    return stepsOn(own, each.fee_class, each.day)[0]
  }
  const ready = found.filter(each => first(each)?.fee_base !== 'received' || each.is_received)
  return {
    ready,
    rates,
    waiting: found.filter(each => !ready.includes(each)),
    hasRate: (each: Row) => Boolean(first(each)),
  }
}

/**
 * Writes what the rates make of the supplier's settlements of the period, and the adjustment: as they are today. At the
 * platform, what the hospital's bill says.
 */
export async function writeFigures(tx: Tx, session: Session, sn: string): Promise<void> {
  const org = session.org.id
  const doc = await loadDocument(tx, org, serviceCharge, sn, { lock: true })
  if (session.org.type === 'P') return repeatBill(tx, session, doc)
  const { counterparty_sn: supplier, begin_date: begin, end_date: end } = doc
  if (!supplier || !isDay(begin) || !isDay(end)) return
  const { ready } = await chargeable(tx, org, supplier, end, doc.id)
  if (ready.length === 0) throw new BusinessError('rule', '本期间没有可生成服务费的结算单')
  const fees = await linesOf(tx, org, { supplier, begin, end, but: doc.id }, ready)
  const adjust = (doc.adjust_amount as Decimal | null | undefined) ?? zero
  const adjustment = isZero(adjust)
    ? []
    : [{ taxed_amount: adjust, remark: `调整：${String(doc.adjust_reason ?? '')}` }]
  const header = { business_date: doc.business_date }
  const lines = await completeLines(tx, session, serviceCharge, header, [...fees, ...adjustment], 0, doc.id)
  await replaceLines(tx, org, serviceCharge, doc.id, lines)
  await sumLines(tx, session, [doc.id], 'derived')
  const base = total(fees, 'base_amount')
  const values = {
    settlement_count: ready.length,
    base_amount: base,
    fee_amount: total(fees, 'taxed_amount'),
    average_rate: isZero(base) ? '0' : divide(total(fees, 'fee_amount'), base, 6),
    line_count: lines.length,
    payer_sn: supplier,
    collector_sn: doc.collector === 'platform' ? await platformId(tx) : null,
  }
  await patchDocument(tx, session, doc, values, 'derived')
}
