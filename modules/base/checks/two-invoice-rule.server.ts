import type { Problem } from '#kernel/rules/errors.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'
import type { Settings } from '#kernel/definition/setting.ts'
import type { StoredLine } from '#server/public/documents.ts'

/** How strictly an organisation applies 两票制 to some goods. */
export type TwoInvoices = 'off' | 'warn' | 'refuse'

/** The rule by goods, depending on whether they are high-value: an organisation may require it for those only. */
export const twoInvoicesOf = (settings: Settings): ((isHighValue: boolean) => TwoInvoices) => {
  const { two_invoice_system, two_invoice_check, two_invoice_high_value } = settings
  const how = two_invoice_system ? (two_invoice_check === 'warn' ? 'warn' : 'refuse') : 'off'
  return isHighValue => (two_invoice_high_value && !isHighValue ? 'off' : how)
}

type Foreign = { readonly line: StoredLine; readonly isHighValue: boolean }

/** Lines of goods not made by their seller: there is an invoice between manufacturer and seller. */
export async function ofAnothersMaking(
  { tx, session, doc }: ActionContext,
  lines: readonly StoredLine[],
  seller: string | null,
): Promise<readonly Foreign[]> {
  if (lines.length === 0) return []
  const facts = await specificationFacts(
    tx,
    lines.map(line => line.specification_sn!),
    { org: session.org.id, counterparty: null, direction: 'none', day: doc.business_date },
  )
  return lines.flatMap(line => {
    const fact = facts.get(line.specification_sn ?? '')
    return fact?.manufacturer_id === seller ? [] : [{ line, isHighValue: fact?.is_high_value === true }]
  })
}

/** Blocks the action if a required invoice is missing, and asks about a recommended one. */
export function refuseWithoutInvoice(
  ctx: ActionContext,
  missing: readonly (Problem & { readonly how: TwoInvoices })[],
): void {
  const stopping = missing.filter(one => one.how === 'refuse').map(({ how: _how, ...problem }) => problem)
  if (stopping[0]) throw new BusinessError('rule', stopping[0].msg, stopping)
  for (const { how, line, msg } of missing)
    if (how === 'warn') ctx.warnings.push({ rule: 'twoInvoice', ...(line ? { line } : {}), msg: `${msg}，是否继续？` })
}
