import type { AnyDocument } from '#kernel/definition/document.ts'

const line = {
  line_no: 1,
  quantity: '1.000',
  base_quantity: '1.000',
  price: '1.0000',
  tax_rate: 0,
  untaxed_amount: '1.00',
  tax_amount: '0.00',
  taxed_amount: '1.00',
  unqualified_quantity: '0.000',
  unit_codes: [],
  lot_no: 'L',
}
const doc = {
  sn: 'X1',
  org_sn: '1',
  counterparty_sn: '9',
  warehouse_model_inner_sn: '5',
  to_warehouse_model_inner_sn: '6',
  regime: 'purchased',
  source_type: 0,
  business_date: '2026-01-01',
  taxed_amount: '1.00',
  lines: [line],
}
const known = new Map<string, boolean>()

/**
 * Whether documents of a kind book something between organisations: decided by the posting function itself, which is
 * pure.
 */
export function booksAccounts(definition: AnyDocument): boolean {
  const before = known.get(definition.kind)
  if (before !== undefined) return before
  const books = asks(definition)
  known.set(definition.kind, books)
  return books
}

function asks({
  category: family,
  posting: { postings: posts },
  intercompany: { copies: sends },
  ownerTypes: keptBy,
}: AnyDocument): boolean {
  if (family === 'finance') return true
  const books = [posts, ...(sends ?? []).map(send => send.receiverPosts)]
  return (['H', 'D', 'V', 'P'] as const)
    .filter(type => keptBy === '' || keptBy.includes(type))
    .some(type => books.some(book => (book?.(doc as never, { org: '1', type } as never)?.entries?.length ?? 0) > 0))
}
