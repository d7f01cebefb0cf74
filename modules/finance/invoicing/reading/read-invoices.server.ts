import { documentOf } from '#kernel/registry.ts'
import { compare, isPositive, plain } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { openInvoiceLines, receiptsAddingUpTo } from '#modules/finance/invoicing/auto-match.server.ts'
import { type KnownParty, uncheckedOf } from '#modules/finance/invoicing/reading/unchecked.ts'
import { proposedLines } from '#modules/finance/invoicing/reading/proposed-lines.ts'
import { mustBeInvoices } from '#modules/base/checks/invoice-files.server.ts'
import type { ReadInvoice } from '#modules/base/checks/read-invoice.ts'
import { buildDraft, saveDraft } from '#server/public/drafts.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const MOST_FILES = 5
const KIND = 'inboundInvoice'

const refuse = (msg: string): never => {
  throw new BusinessError('rule', msg)
}

/** The same invoice is registered once in an organisation, regardless of who enters it first: a draft counts too. */
async function refuseKnown(tx: Tx, session: Session, read: ReadInvoice): Promise<void> {
  const [other] = await tx<{ sn: string }[]>`
    select sn from document where org_id = ${session.org.id} and kind = ${KIND} and role = 'own'
      and state not in ('cancelled', 'deleted') and red_of_id is null and fields->>'invoice_no' = ${read.invoice_no}
      and coalesce(fields->>'invoice_code', '') = ${read.invoice_code ?? ''} limit 1`
  if (other) throw new BusinessError('duplicate', `发票号码${read.invoice_no}已存在（${other.sn}）`)
}

const partyOf = async (tx: Tx, id: string): Promise<KnownParty> => {
  const [party] = await tx<KnownParty[]>`
    select name, social_credit_code as "taxNo" from organisation where id = ${id}`
  return party!
}

/** Refuses an invoice for another organisation. */
function refuseOtherBuyer({ buyer_tax_no: taxNo }: ReadInvoice, own: KnownParty): void {
  if (taxNo !== null && own.taxNo && own.taxNo !== taxNo) refuse(`发票购买方税号${taxNo}与本机构税号不一致`)
}

/**
 * The supplier by the tax number on the sheet; by the user's choice if the sheet has none, and never against the sheet.
 */
async function supplierOf(tx: Tx, session: Session, read: ReadInvoice, chosen: string | null): Promise<string> {
  const { seller_name: name, seller_tax_no: taxNo } = read
  const [supplier] = taxNo
    ? await tx<{ id: string }[]>`
        select o.id from organisation o join org_relation r on r.org_id = ${session.org.id} and r.partner_id = o.id
          and r.status = 'enabled'
         where o.social_credit_code = ${taxNo} group by o.id`
    : []
  const registered = chosen === null ? null : (await partyOf(tx, chosen)).taxNo
  if (chosen !== null && (supplier ? supplier.id !== chosen : taxNo !== null && registered && registered !== taxNo))
    refuse(`发票销售方【${name ?? taxNo}】与所选供应商不一致`)
  return (
    supplier?.id ??
    chosen ??
    refuse(
      taxNo
        ? `发票销售方【${name ?? ''}】（${taxNo}）不是本机构的供应商，请核对或选择供应商`
        : '发票上没有读到销售方，请选择供应商后重新识别',
    )
  )
}

/** Lines by the goods on the sheet; if it names none, receipts that add up to its total; otherwise none. */
async function linesFor(tx: Tx, session: Session, supplier: string, read: ReadInvoice) {
  const open = await openInvoiceLines(tx, session, KIND, supplier)
  if (read.lines.length > 0) {
    const { lines, left } = proposedLines(read.lines, open)
    const named = left.map(line => `${line.item_name}${line.quantity === null ? '' : `×${plain(line.quantity)}`}`)
    return { lines, note: named.length === 0 ? null : `发票明细未匹配到入库：${named.join('、')}`.slice(0, 500) }
  }
  const total = read.taxed_amount
  const taken = total === null || !isPositive(total) ? null : receiptsAddingUpTo(open, total)
  const lines = (taken ?? []).map(({ sn, line_no }) => ({ source_sn: sn, source_line_no: line_no }))
  return { lines, note: taken === null ? '未找到金额匹配的入库明细，请选择入库明细' : null }
}

async function draftOf(
  tx: Tx,
  session: Session,
  own: KnownParty,
  { name, read, chosen }: { readonly name: string; readonly read: ReadInvoice; readonly chosen: string | null },
): Promise<{ readonly sn: string; readonly unchecked: readonly string[] }> {
  await refuseKnown(tx, session, read)
  refuseOtherBuyer(read, own)
  const supplier = await supplierOf(tx, session, read, chosen)
  const unchecked = uncheckedOf(read, own, await partyOf(tx, supplier))
  const { lines, note } = await linesFor(tx, session, supplier, read)
  const definition = documentOf(KIND)!
  const header = {
    counterparty_sn: supplier,
    invoice_type: read.invoice_type,
    invoice_code: read.invoice_code,
    invoice_no: read.invoice_no,
    invoice_date: read.invoice_date,
    check_code: read.check_code,
    invoice_amount: read.taxed_amount,
    buyer_name: read.buyer_name,
    buyer_tax_no: read.buyer_tax_no,
    is_red: read.taxed_amount !== null && compare(read.taxed_amount, '0') < 0,
    attachments: [name],
    unchecked: unchecked.join('；') || null,
    remark: note,
  }
  const draft = await buildDraft(tx, session, definition, header, [...lines])
  return { sn: await saveDraft(tx, session, definition, draft, 'draft'), unchecked }
}

/** 识别发票: each file becomes a draft with the values on it, its receipts proposed, and the file as its original. */
export async function readInvoices(
  tx: Tx,
  session: Session,
  body: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const files = (body.files ?? []) as readonly string[]
  if (files.length === 0) throw new BusinessError('invalid', undefined, [{ field: 'files', msg: '请上传发票文件' }])
  if (files.length > MOST_FILES) refuse(`一次最多识别${MOST_FILES}个文件`)
  const chosen = typeof body.counterparty_sn === 'string' ? body.counterparty_sn : null
  const own = await partyOf(tx, session.org.id)
  const made: Awaited<ReturnType<typeof draftOf>>[] = []
  for (const [at, read] of (await mustBeInvoices(tx, session, files)).entries())
    made.push(await draftOf(tx, session, own, { name: files[at]!, read, chosen }))
  const unsure = made.filter(({ unchecked }) => unchecked.length > 0)
  return {
    sn: made[0]!.sn,
    sns: made.map(({ sn }) => sn),
    version: 1,
    line_count: made.length,
    unchecked: unsure,
    result: [`已识别${made.length}张发票`, ...unsure.map(({ sn, unchecked }) => `${sn}：${unchecked.join('；')}`)].join(
      '。',
    ),
  }
}
