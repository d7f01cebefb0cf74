import type { AnyDocument } from '#kernel/definition/document.ts'
import type { Posting } from '#kernel/ledger/posting.ts'

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
type Book = (doc: never, book: never) => Posting

/** One that asks for more than this document has cannot be asked: the engine asks it again when it posts. */
function entriesOf(book: Book | undefined, type: string): number {
  try {
    return book?.(doc as never, { org: '1', type } as never).entries?.length ?? 0
  } catch {
    return 0
  }
}

/**
 * True if documents of a kind book something between organisations. The posting functions, which are pure, are called
 * with a document of one line.
 */
export function booksAccounts({ posting, intercompany, ownerTypes }: AnyDocument): boolean {
  const books: readonly (Book | undefined)[] = [
    posting.postings,
    ...Object.values(intercompany.onProgress ?? {}),
    ...(intercompany.copies ?? []).map(send => send.receiverPosts),
  ]
  return (['H', 'D', 'V', 'P'] as const)
    .filter(type => ownerTypes === '' || ownerTypes.includes(type))
    .some(type => books.some(book => entriesOf(book, type) > 0))
}
