import {
  byName,
  loadDocuments,
  patchDocument,
  replaceLines,
  type StoredDocument,
  sumLines,
  type TypedDocument,
} from '#server/public/documents.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { answerOwner } from '#modules/finance/accounting/answer-owner.server.ts'
import { serviceCharge } from '#modules/finance/service-charges/service-charge.doc.ts'
import type { Tx } from '#server/public/database.ts'
import { completeLines } from '#server/public/drafts.ts'
import type { Session } from '#server/public/session.ts'

type ServiceCharge = TypedDocument<typeof serviceCharge>

/** The fields that the platform's bill copies from the hospital's bill. */
const repeated = [
  'begin_date',
  'end_date',
  'settlement_count',
  'base_amount',
  'average_rate',
  'fee_amount',
  'adjust_amount',
  'adjust_reason',
  'payer_sn',
] as const
const lineFields = Object.keys(serviceCharge.lines)

/**
 * The platform's bill repeats the hospital's, line by line, whatever was edited: the platform chooses only where the
 * fee is paid to and until when. It collects on its own account.
 */
export async function repeatBill(tx: Tx, session: Session, doc: ServiceCharge): Promise<void> {
  const org = session.org.id
  const [copy] = doc.source_document_id ? await loadDocuments(tx, org, [doc.source_document_id]) : []
  if (!copy) throw new BusinessError('rule', '平台的服务费单由医院的服务费单生成，不能手工新增')
  const source = { source_sn: copy.sn, source_org_sn: copy.from_org_id, source_document_id: copy.id }
  const lines = copy.lines.map(line => ({
    ...Object.fromEntries(lineFields.map(name => [name, byName(line)[name] ?? null])),
    ...source,
    source_line_no: line.line_no,
    taxed_amount: line.taxed_amount,
  }))
  const header = { business_date: doc.business_date }
  const complete = await completeLines(tx, session, serviceCharge, header, lines, 0, doc.id)
  await replaceLines(tx, org, serviceCharge, doc.id, complete)
  await sumLines(tx, session, [doc.id], 'derived')
  const [own] = await tx<{ name: string; bank_name: string | null; bank_account: string | null }[]>`
    select name, bank_name, bank_account from organisation where id = ${org}`
  const values = {
    ...Object.fromEntries(repeated.map(name => [name, byName(copy)[name] ?? null])),
    collector: 'own',
    collect_method: 'alone',
    hospital_sn: copy.from_org_id,
    payee_name: doc.payee_name ?? own!.name,
    payee_bank: doc.payee_bank ?? own!.bank_name,
    payee_account: doc.payee_account ?? own!.bank_account,
    line_count: complete.length,
  }
  await patchDocument(tx, session, doc, values, 'derived')
}

const answers = { '2': '供应商已确认', '3': '供应商有异议', '4': '供应商自动确认' } as const

/** The hospital behind a bill that the platform collects reads what its supplier answered. */
export function answerHospital(
  tx: Tx,
  session: Session,
  doc: StoredDocument,
  confirm_state: keyof typeof answers,
  reason: string | null = null,
): Promise<void> {
  const sets = { confirm_state, answer_reason: reason }
  return answerOwner(tx, session, doc, { action: 'payerAnswer', label: answers[confirm_state], reason, sets })
}
