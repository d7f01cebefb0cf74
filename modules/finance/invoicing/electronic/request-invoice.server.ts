import { byName, patchDocument, type StoredDocument, textOf } from '#server/public/documents.ts'
import { type Figures, invoiceDifference } from '#modules/base/vocabulary/validators.ts'
import { compare, type Decimal, isZero, sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { invoiceSourceOf } from '#modules/finance/invoicing/electronic/invoice-sources.server.ts'
import { askProvider } from '#modules/finance/invoicing/electronic/ask-provider.server.ts'
import { type Channel, channelInUse } from '#modules/finance/invoicing/electronic/channel.server.ts'
import {
  type BilledLine,
  LINE_TAX_TOLERANCE,
  type SheetLine,
  sheetLines,
  taxDifference,
} from '#modules/finance/invoicing/electronic/sheet-lines.ts'
import {
  linesOfInvoice,
  liveInvoiceOf,
  type StoredInvoice,
} from '#modules/finance/invoicing/electronic/stored-invoice.server.ts'
import type { ActionContext } from '#server/public/hooks.ts'

type MergeWay = 'none' | 'same' | 'kind'
/** An outbound invoice, or a bill of fees that is invoiced electronically. */
type Doc = StoredDocument & Figures<'invoice_amount'>

const refuse = (msg: string, field?: string): never => {
  throw new BusinessError('rule', msg, field === undefined ? [] : [{ field, msg }])
}

/** Every line needs the tax class of its goods, and a tax that is its amount times its rate. */
function refuseWrongLines(
  lines: readonly BilledLine[],
  sheet: readonly SheetLine[],
  most: number,
  codeAt: string,
): void {
  const bare = lines.find(({ tax_code }) => !/^\d{19}$/.test(tax_code))
  if (bare) refuse(`${bare.item_name}未维护税收分类编码，请在${codeAt}`)
  const off = sheet.find(line => compare(taxDifference([line], line.tax_rate), LINE_TAX_TOLERANCE) > 0)
  if (off) refuse(`第${off.line_no}行税额与税率不符，不能开票`)
  if (sheet.length > most) refuse(`明细共${sheet.length}行，超过单张${most}行，请按限额拆分或合并明细`)
}

/** The sheet of this document, checked as the provider will check it. */
async function sheetOf(ctx: ActionContext, channel: Channel, way: MergeWay): Promise<readonly SheetLine[]> {
  const { tx, session, doc } = ctx
  const { billed, codeAt } = invoiceSourceOf(doc.kind)
  const lines = await billed(tx, session.org.id, doc.id)
  const sheet = sheetLines(lines, way)
  refuseWrongLines(lines, sheet, channel.most_lines, codeAt)
  return sheet
}

/** The blue invoice that a red document names, as the provider issued it. */
async function blueOf(ctx: ActionContext): Promise<StoredInvoice & { merge_way: MergeWay }> {
  const { tx, session, doc } = ctx
  const [blue] = await tx<(StoredInvoice & { merge_way: MergeWay })[]>`
    select id, channel, merge_way, invoice_no, taxed_amount, reversed_amount from e_invoice
     where org_id = ${session.org.id} and invoice_no = ${textOf(doc, 'blue_invoice_no')} and colour = 'blue'
       and counterparty_id = ${doc.counterparty_sn}`
  return (
    blue ??
    refuse(`蓝字发票${textOf(doc, 'blue_invoice_no') ?? ''}不是电子开票开具的，请登记红字票号`, 'blue_invoice_no')
  )
}

/** Each red line under the blue line that it takes back. */
async function withBlueLines(ctx: ActionContext, blue: StoredInvoice, sheet: readonly SheetLine[]) {
  const lines = await linesOfInvoice(ctx.tx, ctx.session.org.id, blue.id)
  const isSame = (one: SheetLine, other: SheetLine) =>
    (['item_name', 'tax_code', 'item_model', 'unit_name', 'tax_rate'] as const).every(name => one[name] === other[name])
  return sheet.map(line => {
    const of = lines.find(each => isSame(each, line)) ?? refuse(`红字明细【${line.item_name}】在蓝字发票中没有对应行`)
    return { ...line, blue_line_no: of.line_no }
  })
}

/**
 * Checks whether this document may be issued by a provider, and as which kind of invoice. Throws the first obstacle.
 */
async function foreseen(ctx: ActionContext) {
  const { tx, session } = ctx
  const doc = ctx.doc as Doc
  const live = await liveInvoiceOf(tx, session.org.id, doc.id)
  if (live) throw new BusinessError('duplicate', '该单据正在开票或已开票')
  if (textOf(doc, 'invoice_no')) refuse('该单据已登记票号，不能再申请电子开票')
  if (!['e_special', 'e_normal'].includes(textOf(doc, 'invoice_type') ?? ''))
    refuse('电子开票只能开具数电专票或数电普票', 'invoice_type')
  if (!/^[0-9A-Z]{18}$/.test(textOf(doc, 'buyer_tax_no') ?? ''))
    refuse('购方税号应为18位数字或大写字母', 'buyer_tax_no')
  if (!isZero(invoiceDifference(doc))) refuse('电子发票的价税合计须等于明细合计，请清空发票价税合计', 'invoice_amount')
  await invoiceSourceOf(doc.kind).refuse?.(ctx)
  const channel = await channelInUse(tx, session.org.id)
  const blue = byName(doc).is_red === true ? await blueOf(ctx) : null
  const way = blue?.merge_way ?? ((textOf(doc, 'merge_way') ?? 'none') as MergeWay)
  const sheet = await sheetOf(ctx, channel, way)
  return { channel: blue ? { ...channel, channel: blue.channel } : channel, blue, way, sheet }
}

export async function refuseRequest(ctx: ActionContext): Promise<void> {
  await foreseen(ctx)
}

const amountOf = (sheet: readonly SheetLine[], name: 'untaxed_amount' | 'tax_amount'): Decimal =>
  sum(
    sheet.map(line => line[name]),
    2,
  )

/** 申请开票: stores the request with its lines; it is sent at once if the channel is set so and the invoice is blue. */
export async function requestInvoice(ctx: ActionContext): Promise<void> {
  const { tx, session } = ctx
  const org = session.org.id
  const doc = ctx.doc as Doc
  const { channel, blue, way, sheet } = await foreseen(ctx)
  const lines = blue ? await withBlueLines(ctx, blue, sheet) : sheet.map(line => ({ ...line, blue_line_no: null }))
  const [untaxed, tax] = [amountOf(sheet, 'untaxed_amount'), amountOf(sheet, 'tax_amount')]
  const at = blue === null && channel.issues_at_once
  const [row] = await tx<{ id: string }[]>`
    insert into e_invoice (org_id, request_no, document_id, document_sn, source_kind, counterparty_id, channel,
      seller_name, seller_tax_no, buyer_name, buyer_tax_no, buyer_address, buyer_bank, buyer_email, buyer_phone,
      invoice_type, colour, blue_id, blue_invoice_no, merge_way, drawer, remark, untaxed_amount, tax_amount,
      taxed_amount, state, requested_by)
    select ${org}, ${doc.sn} || '-' || (count(*) + 1), ${doc.id}, ${doc.sn},
           ${invoiceSourceOf(doc.kind).sourceKind(doc)}, ${doc.counterparty_sn}, ${channel.channel},
           ${channel.seller_name}, ${channel.seller_tax_no}, ${textOf(doc, 'buyer_name') ?? ''},
           ${textOf(doc, 'buyer_tax_no') ?? ''}, ${textOf(doc, 'buyer_address')}, ${textOf(doc, 'buyer_bank')},
           ${textOf(doc, 'buyer_email')}, ${textOf(doc, 'buyer_phone')}, ${textOf(doc, 'invoice_type')},
           ${blue ? 'red' : 'blue'}, ${blue?.id ?? null}, ${blue?.invoice_no ?? null}, ${way}, ${channel.drawer},
           ${textOf(doc, 'remark')?.slice(0, 200) ?? null}, ${untaxed}, ${tax}, ${sum([untaxed, tax], 2)},
           ${at ? 'issuing' : 'pending'}, ${session.userName}
      from e_invoice where org_id = ${org} and document_id = ${doc.id}
    returning id`
  await tx`
    insert into e_invoice_line (org_id, e_invoice_id, line_no, nature, blue_line_no, item_name, tax_code, item_model,
      unit_name, quantity, price, untaxed_amount, tax_rate, tax_amount)
    select ${org}, ${row!.id}, line_no, nature, blue_line_no, item_name, tax_code, item_model, unit_name, quantity,
           price, untaxed_amount, tax_rate, tax_amount
      from jsonb_to_recordset(${tx.json(lines)}) as l(line_no int, nature text,
        blue_line_no int, item_name text, tax_code text, item_model text, unit_name text, quantity numeric, price text,
        untaxed_amount numeric, tax_rate smallint, tax_amount numeric)
    returning id`
  await patchDocument(tx, session, doc, { issue_state: at ? 'issuing' : 'pending', issue_error: null }, 'withAction')
  if (at) await askProvider(tx, org, { task: 'issue', id: row!.id, sn: doc.sn, attempt: 0 })
}

/**
 * Refuses to take back the review while an invoice is being issued or was issued; one that was only requested is closed
 * with it.
 */
export async function refuseWhileIssued(ctx: ActionContext): Promise<void> {
  const live = await liveInvoiceOf(ctx.tx, ctx.session.org.id, ctx.doc.id)
  if (!live) return
  if (live.outcome_unknown) refuse('开票结果未知，请先在【百望电子发票】查询结果')
  if (live.state === 'issuing' || live.state === 'redConfirming') refuse('电子发票正在开具，不能取消，请等待结果')
  if (live.state === 'issued' || live.state === 'reversed')
    refuse('已开具的发票不能作废，请在【百望电子发票】申请红字确认单')
}

/**
 * Closes the request that never became an invoice, when the document's review is taken back or a number is written by
 * hand.
 */
export async function closeRequest({ tx, session, doc }: ActionContext): Promise<void> {
  const closed = await tx`
    update e_invoice set state = 'closed', next_poll_at = null, version = version + 1
     where org_id = ${session.org.id} and document_id = ${doc.id} and state in ('pending', 'failed') returning id`
  if (closed.length > 0) await patchDocument(tx, session, doc, { issue_state: null, issue_error: null }, 'withAction')
}
