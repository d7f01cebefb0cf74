import type { Problem } from '#kernel/refusal.ts'
import { Refusal } from '#kernel/refusal.ts'
import type { Acting } from '#server/engine/documents/acting.ts'
import { specificationFacts } from '#server/engine/documents/facts.ts'
import type { Settings } from '#server/engine/documents/settings.ts'
import type { StoredLine } from '#server/engine/documents/stored.ts'

/** How hard a house has 两票制 for some goods. */
export type TwoInvoices = 'off' | 'warn' | 'refuse'

export const twoInvoicesOf = ({ two_invoice_system, two_invoice_check }: Settings): TwoInvoices =>
  two_invoice_system ? (two_invoice_check === 'warn' ? 'warn' : 'refuse') : 'off'

/** Lines of goods that somebody else than their seller made: between maker and seller there is an invoice of its own. */
export async function ofAnothersMaking(
  { tx, session, doc }: Acting,
  lines: readonly StoredLine[],
  seller: string | null,
): Promise<readonly StoredLine[]> {
  if (lines.length === 0) return []
  const facts = await specificationFacts(
    tx,
    lines.map(line => line.specification_sn!),
    { org: session.org.id, counterparty: null, direction: 'none', day: doc.business_date },
  )
  return lines.filter(line => facts.get(line.specification_sn ?? '')?.manufacturer_id !== seller)
}

/** Stops the deed for what must be there, and asks about what should. */
export function refuseWithoutInvoice(
  acting: Acting,
  missing: readonly (Problem & { readonly how: TwoInvoices })[],
): void {
  const stopping = missing.filter(one => one.how === 'refuse').map(({ how: _how, ...problem }) => problem)
  if (stopping[0]) throw new Refusal('rule', stopping[0].msg, stopping)
  for (const { how, line, msg } of missing)
    if (how === 'warn')
      acting.questions.push({ rule: 'twoInvoice', ...(line ? { line } : {}), msg: `${msg}，是否继续？` })
}
