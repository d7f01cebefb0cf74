import { add, absolute, compare } from '#kernel/values/decimal.ts'
import { askProvider } from '#modules/finance/invoicing/electronic/ask-provider.server.ts'
import { channelInUse } from '#modules/finance/invoicing/electronic/channel.server.ts'
import { invoiceSourceOf } from '#modules/finance/invoicing/electronic/invoice-sources.server.ts'
import { invoiceById, type StoredInvoice } from '#modules/finance/invoicing/electronic/stored-invoice.server.ts'
import { loadDocuments, patchDocument } from '#server/public/documents.ts'
import { definitionOf } from '#server/public/drafts.ts'
import { isSentTo, sendCopies } from '#server/public/intercompany.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import type { InvoiceResult, IssuedInvoice, RedConfirmation } from '#server/public/outbound.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'
import type { StoredDocument } from '#server/public/documents.ts'

/** These functions write a provider's answer into our own rows, in the transaction that stores the answer. */

/** An unanswered invoice is queried again after so many seconds, up to so many times. */
export const POLL_SECONDS = 30
export const MOST_POLLS = 10

async function documentOfInvoice(tx: Tx, org: string, row: StoredInvoice): Promise<StoredDocument | undefined> {
  const [doc] = await loadDocuments(tx, org, [row.document_id])
  return doc
}

/** 开票状态 on the document itself; `error`: why it failed. */
async function keepState(tx: Tx, org: string, row: StoredInvoice, state: string, error: string | null = null) {
  const doc = await documentOfInvoice(tx, org, row)
  const session = await systemSessionOf(tx, org)
  if (doc) await patchDocument(tx, session, doc, { issue_state: state, issue_error: error }, 'derived')
}

/** Sends an invoice to its customer once it has its number; before that it is not sent. */
export async function sendNumbered(tx: Tx, session: Session, document: string): Promise<boolean> {
  const [doc] = await loadDocuments(tx, session.org.id, [document])
  if (!doc || doc.counterparty_sn === null) return false
  await sendCopies(tx, session, definitionOf(doc.kind), doc, 'review')
  return isSentTo(tx, session.org.id, doc.id, doc.counterparty_sn)
}

/** Adds up the reversed amount of a blue invoice; when it is wholly reversed, invoice and document are marked so. */
async function countReversed(tx: Tx, org: string, red: StoredInvoice): Promise<void> {
  if (red.blue_id === null) return
  const blue = await invoiceById(tx, org, red.blue_id, true)
  if (!blue) return
  const reversed = add(blue.reversed_amount, absolute(red.taxed_amount), 2)
  const isWhole = compare(reversed, blue.taxed_amount) >= 0
  await tx`
    update e_invoice set reversed_amount = ${reversed}, state = ${isWhole ? 'reversed' : blue.state},
      version = version + 1 where org_id = ${org} and id = ${blue.id}`
  if (!isWhole) return
  await keepState(tx, org, blue, 'reversed')
  const doc = await documentOfInvoice(tx, org, blue)
  if (doc) await invoiceSourceOf(doc.kind).onReversed?.(tx, await systemSessionOf(tx, org), doc)
}

/** Number, day and files; written into the document, which is sent to its customer from here on. */
async function noteIssued(tx: Tx, org: string, row: StoredInvoice, issued: IssuedInvoice): Promise<void> {
  const [other] = await tx<{ document_sn: string }[]>`
    select document_sn from e_invoice where org_id = ${org} and invoice_no = ${issued.invoice_no}`
  if (other) {
    const reason = `开票平台给出的号码${issued.invoice_no}已用于${other.document_sn}，请与开票平台核实`
    return noteFailed(tx, org, row, reason, true)
  }
  await tx`
    update e_invoice set state = 'issued', invoice_no = ${issued.invoice_no}, invoice_date = ${issued.issued_on},
      issued_at = ${issued.issued_at}, fail_reason = null, outcome_unknown = false, next_poll_at = null,
      version = version + 1 where org_id = ${org} and id = ${row.id}`
  const doc = await documentOfInvoice(tx, org, row)
  if (!doc) return
  const session = await systemSessionOf(tx, org)
  await patchDocument(
    tx,
    session,
    doc,
    { invoice_no: issued.invoice_no, invoice_date: issued.issued_on, issue_state: 'issued', issue_error: null },
    { action: 'issued', label: '电子开票完成', reason: `发票号码${issued.invoice_no}` },
  )
  const isSent = await sendNumbered(tx, session, doc.id)
  await invoiceSourceOf(doc.kind).onIssued(tx, session, doc, isSent)
  await countReversed(tx, org, row)
  if (row.pdf.length === 0) await askProvider(tx, org, { task: 'files', id: row.id, sn: row.document_sn, attempt: 0 })
  const { delivers_at_once: atOnce } = await channelInUse(tx, org).catch(() => ({ delivers_at_once: false }))
  if (atOnce && (row.buyer_email ?? row.buyer_phone) !== null)
    await noteSending(tx, org, row, row.buyer_email, row.buyer_phone, 0)
}

/** A delivery is on its way. */
export async function noteSending(
  tx: Tx,
  org: string,
  row: StoredInvoice,
  email: string | null,
  phone: string | null,
  attempt: number,
): Promise<void> {
  await tx`
    update e_invoice set deliver_state = 'sending', delivered_to = ${[email, phone].filter(Boolean).join(' ')},
      version = version + 1 where org_id = ${org} and id = ${row.id}`
  await askProvider(tx, org, { task: 'deliver', id: row.id, email, phone, sn: row.document_sn, attempt })
}

/** Stores that the invoice was not issued, in the provider's words; it may be requested again. */
export async function noteFailed(
  tx: Tx,
  org: string,
  row: StoredInvoice,
  reason: string,
  isUnknown = false,
): Promise<void> {
  const changed = await tx`
    update e_invoice set state = 'failed', fail_reason = ${reason.slice(0, 500)}, outcome_unknown = ${isUnknown},
      next_poll_at = null, version = version + 1
     where org_id = ${org} and id = ${row.id} and state in ('pending', 'issuing', 'redConfirming', 'failed')
    returning id`
  if (changed.length > 0) await keepState(tx, org, row, 'failed', reason.slice(0, 200))
}

/** Stores the answer to an issue or to a query of it. `null`: the provider never received the request. */
export async function noteResult(tx: Tx, org: string, id: string, result: InvoiceResult): Promise<string> {
  const row = await invoiceById(tx, org, id, true)
  if (!row) return '记录已不存在'
  if (row.invoice_no !== null || row.state === 'closed') return '无需更新'
  if (result !== null && 'invoice_no' in result) {
    await noteIssued(tx, org, row, result)
    return `已开票，发票号码${result.invoice_no}`
  }
  if (result !== null && 'refused' in result) {
    await noteFailed(tx, org, row, result.refused)
    return `开票失败：${result.refused}`
  }
  if (result === null) {
    await noteFailed(tx, org, row, '开票平台没有收到该请求，请重试')
    return '开票平台没有收到该请求，请重试'
  }
  await notePending(tx, org, row.id)
  return '正在开票，请稍后再查询'
}

/** The provider still works on it: it is queried again, ten times at most. */
export const notePending = (tx: Tx, org: string, id: string) => tx`
  update e_invoice set next_poll_at = case when polls < ${MOST_POLLS}
      then now() + make_interval(secs => ${POLL_SECONDS}) end
   where org_id = ${org} and id = ${id} and state = 'issuing'`

const refusals = { refused: '购方不同意红字确认单', expired: '红字确认单超过72小时未确认，已失效' } as const

/**
 * Stores the state of a 红字确认单: an agreed one may be issued, a requested one waits for the buyer, any other has failed.
 */
export async function noteConfirmation(tx: Tx, org: string, id: string, said: RedConfirmation): Promise<string> {
  const row = await invoiceById(tx, org, id, true)
  if (row?.state !== 'redConfirming') return '无需更新'
  await tx`
    update e_invoice set red_confirm_id = ${said.confirmation_id}, red_confirm_no = ${said.confirmation_no},
      red_confirm_state = ${said.state}, fail_reason = null, version = version + 1,
      next_poll_at = case when ${said.state === 'asked'} then now() + interval '10 minutes' end
     where org_id = ${org} and id = ${id}`
  if (said.state === 'agreed') return `红字确认单${said.confirmation_no}已确认，可以红冲`
  if (said.state === 'asked') return `红字确认单${said.confirmation_no}待购方在72小时内确认`
  await noteFailed(tx, org, row, refusals[said.state])
  return refusals[said.state]
}
