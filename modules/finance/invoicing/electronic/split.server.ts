import { byName } from '#server/public/documents.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { type Decimal, isZero, plain } from '#kernel/values/decimal.ts'
import { splitLines, type SplitPart } from '#modules/finance/invoicing/electronic/split-lines.ts'
import { buildDraft, editDraft, saveDraft } from '#server/public/drafts.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import type { Tx } from '#server/public/database.ts'

/** The limit for an organisation without a channel. */
const MOST_LINES = 100

async function mostLines(tx: Tx, org: string): Promise<number> {
  const [row] = await tx<{ most_lines: number }[]>`
    select most_lines from e_invoice_channel where org_id = ${org} and status = 'enabled'`
  return row?.most_lines ?? MOST_LINES
}

/** Header fields that the other drafts have as well. */
const shared = [
  'counterparty_sn',
  'buyer_name',
  'buyer_tax_no',
  'buyer_bank',
  'buyer_address',
  'buyer_email',
  'buyer_phone',
  'invoice_type',
  'issue_way',
  'merge_way',
  'handler_inner_sn',
  'remark',
] as const

/**
 * 按限额拆分: this draft keeps what fits one invoice, and drafts of the same kind are created for the rest. Amounts of a
 * line that is cut are its pieces at its price.
 */
export async function splitByLimit(ctx: ActionContext): Promise<void> {
  const { tx, session, definition, doc, settings } = ctx
  if (byName(doc).is_red === true) throw new BusinessError('rule', '红字发票不能拆分')
  const limit = settings.invoice_limit as Decimal
  const invoices = splitLines(doc.lines, limit, await mostLines(tx, session.org.id))
  if (invoices === null) throw new BusinessError('rule', `单件含税单价已超过单张开票限额${plain(limit)}，不能拆分`)
  const [own = [], ...others] = invoices
  if (others.length === 0)
    throw new BusinessError(
      'rule',
      isZero(limit) ? '未设置单张开票限额，行数也未超过，不需要拆分' : '未超过单张开票限额，不需要拆分',
    )
  const linesOf = (parts: readonly SplitPart[], keepsNumbers: boolean) =>
    parts.map(({ line_no, quantity, isWhole }) => {
      const line = doc.lines.find(each => each.line_no === line_no)!
      const { source_sn, source_org_sn, source_line_no, unit_inner_sn, price, tax_rate, remark } = line
      const amounts = isWhole ? { taxed_amount: line.taxed_amount, tax_amount: line.tax_amount } : {}
      const named = keepsNumbers ? { line_no } : {}
      const source = { source_sn, source_org_sn, source_line_no }
      return { ...named, ...source, unit_inner_sn, quantity, price, tax_rate, remark, ...amounts }
    })
  // The other parts are created first: this draft still has all lines, and people look at it.
  for (const parts of others) {
    const header = Object.fromEntries(shared.map(name => [name, byName(doc)[name] ?? null]))
    const draft = await buildDraft(tx, session, definition, header, linesOf(parts, false))
    await saveDraft(tx, session, definition, draft, 'draft')
  }
  await editDraft(tx, session, definition, {
    sn: doc.sn,
    version: doc.version,
    invoice_amount: null,
    lines: linesOf(own, true),
  })
}
