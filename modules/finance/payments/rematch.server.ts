import { byName, patchDocument, replaceLines, type StoredDocument, type StoredLine } from '#server/public/documents.ts'
import { type Decimal, isPositive, sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { allowanceOf } from '#modules/finance/payments/allowances.ts'
import { allocated, openLines } from '#modules/finance/payments/auto-match.server.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { consumeSources, postDocument, postingContext, releaseSources, unpostDocument } from '#server/public/actions.ts'

/** The money remains received and only its purpose changes: the ledger entries are reversed and written again. */
async function createdAnew(ctx: ActionContext, lines: readonly StoredLine[]): Promise<void> {
  const { tx, session, definition } = ctx
  const matched = lines.filter(line => line.source_document_id !== null)
  const docs = [...new Set(matched.map(line => line.source_sn))]
  await releaseSources(ctx, 'review')
  await unpostDocument(ctx)
  const doc = { ...ctx.doc, lines } as StoredDocument
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  const only = docs.length === 1 ? matched[0]! : null
  const values = {
    source_type: matched.length > 0 ? sourceTypes.ODO_INVOICE : sourceTypes.NONE,
    source_sn: only?.source_sn ?? null,
    source_document_id: only?.source_document_id ?? null,
    line_count: lines.length,
    allowance_amount: sum(lines.map(allowanceOf), 2),
    untaxed_amount: sum(
      lines.map(line => line.untaxed_amount),
      2,
    ),
    tax_amount: sum(
      lines.map(line => line.tax_amount),
      2,
    ),
    last_line_no: Math.max(doc.last_line_no, ...lines.map(line => line.line_no)),
  }
  await patchDocument(tx, session, doc, values, 'withAction')
  await postDocument(tx, session, definition, doc, definition.posting.postings!(doc, postingContext(session)))
  await consumeSources({ ...ctx, doc }, 'review')
}

const nowhere = {
  source_document_id: null,
  source_sn: null,
  source_org_sn: null,
  source_line_no: null,
  invoice_no: null,
  allowance_amount: null,
}

/** 取消核销: opens the invoices again, and makes the money an advance payment. */
export const unmatch = (ctx: ActionContext): Promise<void> =>
  createdAnew(
    ctx,
    ctx.doc.lines.map(line => ({ ...line, ...nowhere })),
  )

/** The named invoices, by their own number or by the document's; if none are named, all open ones. */
function meantBy(said: string, sn: string, invoice_no: string | null): boolean {
  const names = said.split(/[\s,，、;；]+/).filter(Boolean)
  return names.length === 0 || names.includes(sn) || (invoice_no !== null && names.includes(invoice_no))
}

/** 核销: matches an advance payment to open invoices of the customer, the oldest first. */
export async function match(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  const free = doc.lines.filter(line => line.source_document_id === null)
  const open = (await openLines(tx, session, doc.counterparty_sn!)).filter(line =>
    meantBy(String(byName(doc).match_invoices ?? ''), line.sn, line.invoice_no),
  )
  if (open.length === 0) throw new BusinessError('rule', '没有未收款的发票可核销，请核对开票单号或发票号码')
  const received = sum(
    free.map(line => line.taxed_amount),
    2,
  )
  const { taken, rest } = allocated(received, open)
  let line_no = Math.max(doc.last_line_no, ...doc.lines.map(line => line.line_no))
  const part = (taxed_amount: Decimal, source: object): StoredLine => {
    line_no += 1
    const amounts = { taxed_amount, untaxed_amount: taxed_amount, tax_amount: '0.00', tax_rate: 0 }
    return { ...free[0]!, ...nowhere, ...amounts, ...source, line_no }
  }
  const lines: StoredLine[] = doc.lines.filter(line => !free.includes(line))
  for (const { id, sn, line_no: of, part: amount, invoice_no } of taken) {
    const source = { source_document_id: id, source_sn: sn, source_org_sn: session.org.id, source_line_no: of }
    lines.push(part(amount, { ...source, invoice_no }))
  }
  if (isPositive(rest)) lines.push(part(rest, {}))
  await createdAnew(ctx, lines)
  await patchDocument(tx, session, doc, { match_invoices: null }, 'withAction')
}
