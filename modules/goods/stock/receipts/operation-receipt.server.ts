import type { purchaseGrn } from '#modules/goods/stock/receipts/purchase-grn.doc.ts'
import type { ContextOf } from '#server/public/hooks.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'
import { isOfOperation } from '#modules/goods/stock/receipts/receipt-moves.ts'
import { patchDocument } from '#server/public/documents.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Context = ContextOf<typeof purchaseGrn>

/** Rules of 骨科采购入库: implants that an operation used, booked in afterwards. */

type Operation = {
  id: string
  use_sn: string | null
  surgery_no: string | null
  surgery_name: string | null
  operated_on: string | null
  surgeon: string | null
  operated_in: string | null
  admission_no: string | null
  patient_name: string | null
}

/** The record of use behind a receipt is named on it, with its patient for those who may read patients. */
export async function keepOperation(tx: Tx, session: Session, sn: string): Promise<void> {
  const [row] = await tx<Operation[]>`
    select d.id, u.sn as use_sn, u.fields->>'surgery_no' as surgery_no, u.fields->>'surgery_name' as surgery_name,
           u.business_date::text as operated_on, e.name as surgeon, x.name as operated_in,
           u.fields->>'admission_no' as admission_no, u.fields->>'patient_name' as patient_name
      from document d
      join lateral (
        select coalesce(l.delivery_document_id, l.source_document_id) as use_id, l.source_document_id
          from document_line l where l.org_id = d.org_id and l.document_id = d.id order by l.line_no limit 1) l on true
      join document u on u.org_id = d.org_id and u.id in (l.use_id, l.source_document_id) and u.kind = 'surgeryUse'
      left join employee e on e.org_id = u.org_id and e.id::text = u.fields->>'doctor_inner_sn'
      left join department x on x.org_id = u.org_id and x.id = u.department_id
     where d.org_id = ${session.org.id} and d.kind = 'purchaseGrn' and d.role = 'own' and d.sn = ${sn}
       and d.source_type = 5 limit 1`
  if (!row) return
  const { id, ...values } = row
  await patchDocument(tx, session, { id, kind: 'purchaseGrn' }, values, 'withAction')
}

/**
 * It is made of an operation, piece by piece, once for each supplier, as soon as that is recorded: what was lent beside
 * it and is not back yet stays open on the presale and the plan.
 */
export async function refuseUnfitOperation(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  if (!isOfOperation(doc)) return
  if (doc.lines.some(line => !line.source_document_id)) throw new BusinessError('rule', '请从手术使用记录生成')
  const facts = await specificationFacts(
    tx,
    doc.lines.flatMap(line => line.specification_sn ?? []),
    { org: session.org.id, counterparty: null, direction: 'none', day: doc.business_date },
  )
  const bare = doc.lines.find(
    line => line.unit_codes.length === 0 && facts.get(line.specification_sn ?? '')?.is_implant && !line.lot_no,
  )
  if (bare) throw new BusinessError('rule', `第${bare.line_no}行：植入产品须录入UDI或序列号`)
  const [other] = await tx<{ sn: string }[]>`
    select sn from document where org_id = ${session.org.id} and kind = 'purchaseGrn' and role = 'own'
      and id <> ${doc.id} and counterparty_id = ${doc.counterparty_sn}
      and fields->>'use_sn' = ${String(doc.use_sn ?? '')}
      and red_of_id is null and state in ('submitted', 'reviewed', 'partial', 'completed') limit 1`
  if (other) throw new BusinessError('duplicate', `该手术已有该供应商的骨科入库单（${other.sn}）`)
}
