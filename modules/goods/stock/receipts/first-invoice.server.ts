import { byName, patchDocument, patchLines, replaceLines, type TypedDocument } from '#server/public/documents.ts'
import type { purchaseGrn } from '#modules/goods/stock/receipts/purchase-grn.doc.ts'
import type { ActionContext, ContextOf } from '#server/public/hooks.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { isPositive } from '#kernel/values/decimal.ts'
import { invoicesIn } from '#modules/base/checks/invoice-files.server.ts'
import { ofAnothersMaking, refuseWithoutInvoice, twoInvoicesOf } from '#modules/base/checks/two-invoice-rule.server.ts'
import { policyForItems } from '#server/public/settings.ts'

type Context = ContextOf<typeof purchaseGrn>
type PurchaseGrn = TypedDocument<typeof purchaseGrn>

/** The first invoices named by suppliers for the goods they sent, from our copies of their deliveries. */
async function saidBySuppliers({ tx, session, doc }: ActionContext): Promise<ReadonlyMap<string, string>> {
  const ids = doc.lines.flatMap(line => line.delivery_document_id ?? [])
  if (ids.length === 0) return new Map()
  const rows = await tx<{ document_id: string; line_no: number; said: string }[]>`
    select document_id, line_no, fields->>'upstream_invoice_no' as said from document_line
     where org_id = ${session.org.id} and document_id = any(${[...new Set(ids)]}::bigint[])
       and fields->>'upstream_invoice_no' <> ''`
  return new Map(rows.map(row => [`${row.document_id}/${row.line_no}`, row.said]))
}

/**
 * Sets the number of the manufacturer's invoice from the supplier's delivery, on lines without one. Lines that went
 * through arrival and inspection still refer to their delivery.
 */
export async function withFirstInvoices(ctx: Context, doc: PurchaseGrn): Promise<PurchaseGrn> {
  const bare = doc.lines.filter(line => !line.upstream_invoice_no && line.delivery_document_id)
  const said = bare.length > 0 ? await saidBySuppliers(ctx) : new Map<string, string>()
  if (said.size === 0) return doc
  const lines = doc.lines.map(line => {
    const notified = said.get(`${line.delivery_document_id}/${line.delivery_line_no}`)
    return bare.includes(line) && notified ? { ...line, upstream_invoice_no: notified } : line
  })
  await replaceLines(ctx.tx, ctx.session.org.id, ctx.definition, doc.id, lines)
  return { ...doc, lines }
}

/**
 * 两票制, if switched on for the goods: goods bought from someone other than their manufacturer come with the number of
 * the manufacturer's invoice. A number sent by the supplier is sufficient; one we entered needs its picture on the
 * line, or on the document.
 */
export async function needsFirstInvoices(ctx: Context): Promise<void> {
  const { tx, session, doc, settings } = ctx
  if (doc.regime === 'consigned') return
  const came = doc.lines.filter(line => isPositive(line.base_quantity))
  const place = { org: session.org.id, warehouse: doc.warehouse_model_inner_sn, department: doc.department_inner_sn }
  const own = await policyForItems(
    tx,
    place,
    'twoInvoice',
    came.map(line => line.specification_sn!),
  )
  const how = (specification: string | null) => twoInvoicesOf({ ...settings, ...own(specification ?? '') })
  const checked = came.filter(line => how(line.specification_sn)(true) !== 'off')
  const foreign = await ofAnothersMaking(ctx, checked, doc.counterparty_sn)
  if (foreign.length === 0) return
  const said = await saidBySuppliers(ctx)
  const missing = foreign.flatMap(({ line, isHighValue }) => {
    const no = byName(line).upstream_invoice_no || doc.first_invoice_no
    const notified = said.get(`${line.delivery_document_id}/${line.delivery_line_no}`)
    const shown =
      ((byName(line).upstream_invoice_files ?? []) as readonly string[]).length > 0 || doc.attachments.length > 0
    if (no && (no === notified || shown)) return []
    const [field, what] = no
      ? ['upstream_invoice_files', '请上传第一票图片']
      : ['upstream_invoice_no', '请填写第一票发票号码并上传']
    const goods = `第${line.line_no}行【${line.product_name ?? ''}】`
    const one = how(line.specification_sn)(isHighValue)
    const msg = one === 'warn' ? `${goods}没有生产厂家的第一票发票号码或图片` : `${goods}${what}`
    return [{ line: line.line_no, field: field!, msg, how: one }]
  })
  refuseWithoutInvoice(ctx, missing)
}

/** Pictures of one receipt that are read at once; the same picture on several lines is read once. */
const MOST_PICTURES = 20

/**
 * 识别第一票: the number of the maker's invoice is read from its picture, on every line that has one and no number, and
 * for the document from its own files. A number that somebody wrote stays.
 */
export async function readFirstInvoices({ tx, session, doc }: Context): Promise<void> {
  const bare = doc.lines.flatMap(line => {
    const files = (byName(line).upstream_invoice_files ?? []) as readonly string[]
    return files.length > 0 && !line.upstream_invoice_no ? [{ line_no: line.line_no, files }] : []
  })
  const own = doc.first_invoice_no ? [] : doc.attachments
  const pictures = [...new Set([...bare.flatMap(({ files }) => files), ...own])]
  if (pictures.length === 0) throw new BusinessError('rule', '请先上传第一票图片，已填写号码的不再识别')
  if (pictures.length > MOST_PICTURES) throw new BusinessError('rule', `一次最多识别${MOST_PICTURES}张第一票图片`)
  const invoices = await invoicesIn(tx, session, pictures)
  const numberOf = (files: readonly string[]) => files.flatMap(name => invoices.get(name)?.invoice_no ?? [])[0]
  const found = bare.flatMap(({ line_no, files }) => {
    const upstream_invoice_no = numberOf(files)
    return upstream_invoice_no ? [{ line_no, values: { upstream_invoice_no } }] : []
  })
  const whole = numberOf(own)
  if (found.length === 0 && !whole) throw new BusinessError('rule', '图片中没有识别到发票号码，请手工填写')
  if (found.length > 0) await patchLines(tx, session, doc, found, 'withAction')
  if (whole) await patchDocument(tx, session, doc, { first_invoice_no: whole }, 'withAction')
}
