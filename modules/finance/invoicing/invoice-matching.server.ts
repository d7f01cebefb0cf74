import type { AnyDocument } from '#kernel/definition/document.ts'
import { absolute, compare, type Decimal, isNegative, isZero, share, subtract, sum } from '#kernel/values/decimal.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { patchDocument, replaceLines, type StoredDocument, type StoredLine } from '#server/public/documents.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * A line that may be covered: its open quantity, and the quantity already taken, both in its own sign. A part of that
 * sign takes from the open quantity; one of the other sign returns taken quantity.
 */
export type Coverable = { readonly left: Decimal; readonly taken: Decimal }
/** A share of the quantity, and the line it covers; null if none can be covered. */
export type Covered<R> = { readonly from: R | null; readonly part: Decimal }
type Amounts = Pick<StoredLine, 'quantity' | 'base_quantity' | 'price' | 'taxed_amount' | 'tax_amount'>

/** The quantity of a line that a part may cover: a return in a settlement is a negative line, which red parts take. */
const roomOf = ({ left, taken }: Coverable, red: boolean): Decimal => {
  const fits = (quantity: Decimal) => !isZero(quantity) && isNegative(quantity) === red
  if (fits(left)) return absolute(left)
  return isZero(taken) || isNegative(taken) === red ? '0' : absolute(taken)
}

/** Spreads quantities over open lines, in order; several requests for the same line share it. */
export function covering<R extends Coverable>(): (quantity: Decimal, open: readonly R[]) => Covered<R>[] {
  const used = new Map<R, Decimal>()
  return (quantity, open) => {
    const red = isNegative(quantity)
    let rest = quantity
    const parts = open.flatMap((from): Covered<R>[] => {
      const room = subtract(roomOf(from, red), used.get(from) ?? '0', 3)
      if (isZero(rest) || compare(room, '0') <= 0) return []
      const size = compare(room, absolute(rest)) < 0 ? room : absolute(rest)
      used.set(from, sum([used.get(from) ?? '0', size], 3))
      const part = red ? subtract('0', size, 3) : size
      rest = subtract(rest, part, 3)
      return [{ from, part }]
    })
    return isZero(rest) ? parts : [...parts, { from: null, part: rest }]
  }
}

/** Quantity, price and money of each part, in base units; the last part takes the rest of the money. */
export function amountsOf(line: Amounts, parts: readonly Decimal[]) {
  const price = share(line.price, line.quantity, line.base_quantity, 4)
  const rest = { taxed_amount: line.taxed_amount, tax_amount: line.tax_amount }
  const take = (name: keyof typeof rest, quantity: Decimal, last: boolean): Decimal => {
    const amount = last ? rest[name] : share(line[name], quantity, line.base_quantity, 2)
    rest[name] = subtract(rest[name], amount, 2)
    return amount
  }
  return parts.map((quantity, at) => {
    const last = at === parts.length - 1
    const taxed_amount = take('taxed_amount', quantity, last)
    return { quantity, price, taxed_amount, tax_amount: take('tax_amount', quantity, last) }
  })
}

/** For SQL over lines `l` of documents `d`: how each source kind of `target` counts the quantity taken of a line. */
export const takesOf = (target: AnyDocument) =>
  (target.sourcing.sources ?? []).map(take => ({
    kind: take.from,
    purpose: take.purpose,
    eaten: [take.purpose, ...(take.sharesLimitWith ?? []), 'reverse'],
    regime: take.regime ?? null,
    negates: take.negates ?? false,
  }))

const goneOf = (tx: Tx, only: unknown) => tx`
  coalesce((select sum(g.taken) from line_progress g where g.org_id = l.org_id and g.document_id = l.document_id
    and g.line_no = l.line_no and ${only as never}), 0)`

/** The open and the taken quantity of a line for the take `k`: returned quantities are open to red lines only. */
export const openOf = (tx: Tx) => {
  const rest = tx`(l.base_quantity - ${goneOf(tx, tx`g.purpose in (select jsonb_array_elements_text(k.eaten))`)})`
  return tx`
  (case when k.negates then 0 else ${rest} end)::numeric(18,3) as left,
  (case when k.negates then ${rest} else ${goneOf(tx, tx`g.purpose = k.purpose`)} end)::numeric(18,3) as taken`
}

type Receipt = Coverable & {
  document_id: string
  sn: string
  line_no: number
  specification_sn: string
  lot_id: string | null
  order_document_id: string | null
  order_line_no: number | null
  delivery_document_id: string | null
  delivery_line_no: number | null
}

/**
 * Open lines of our documents with the counterparty for these goods, oldest first, less what the document itself
 * takes.
 */
async function openReceipts(
  { tx, session, definition, doc }: ActionContext,
  bare: readonly StoredLine[],
): Promise<Receipt[]> {
  const rows = await tx<Receipt[]>`
    select l.document_id, d.sn, l.line_no, l.specification_id as specification_sn, l.lot_id, l.order_document_id,
      l.order_line_no, l.delivery_document_id, l.delivery_line_no, ${openOf(tx)}
      from document d
        join jsonb_to_recordset(${tx.json(takesOf(definition))}) as k(kind text, purpose text,
        eaten jsonb, regime text, negates boolean) on k.kind = d.kind
      join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${session.org.id} and d.role = 'own' and d.counterparty_id = ${doc.counterparty_sn}
       and d.state in ('reviewed', 'partial', 'completed') and d.red_of_id is null
       and (k.regime is null or d.regime = k.regime)
         and l.specification_id = any(${bare.map(line => line.specification_sn!)}::bigint[])
     order by d.id, l.line_no`
  return rows.map(row => {
    const mine = doc.lines.filter(
      line => line.source_document_id === row.document_id && line.source_line_no === row.line_no,
    )
    const own = sum(
      mine.map(line => line.base_quantity),
      3,
    )
    return { ...row, left: subtract(row.left, own, 3) }
  })
}

/**
 * Lines without a document of ours are allocated to open lines of the same goods: received since, or in other parts
 * than invoiced.
 */
export async function coverBareLines(ctx: ActionContext): Promise<StoredDocument> {
  const { tx, session, definition, doc } = ctx
  const bare = doc.lines.filter(line => !line.source_document_id && line.specification_sn)
  if (bare.length === 0) return doc
  const receipts = await openReceipts(ctx, bare)
  const cover = covering<Receipt>()
  let next = doc.last_line_no
  const lines = doc.lines.flatMap((line): StoredLine[] => {
    if (!bare.includes(line)) return [line]
    const parts = cover(line.base_quantity, receipts.filter(fits(line)))
    if (parts.every(({ from }) => from === null)) return [line]
    const amounts = amountsOf(
      line,
      parts.map(({ part }) => part),
    )
    return parts.map(({ from }, at) =>
      partOf(line, from, amounts[at]!, at === 0 ? line.line_no : ++next, session.org.id),
    )
  })
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  const counts = { line_count: lines.length, last_line_no: next }
  await patchDocument(tx, session, { id: doc.id, kind: definition.kind }, counts, 'withAction')
  return { ...doc, lines, last_line_no: next, line_count: lines.length }
}

/** Received under the invoiced delivery; if none is named, the same goods of the same lot. */
const fits =
  (line: StoredLine) =>
  (row: Receipt): boolean =>
    line.delivery_document_id
      ? row.delivery_document_id === line.delivery_document_id && row.delivery_line_no === line.delivery_line_no
      : row.specification_sn === line.specification_sn && (line.lot_id === null || row.lot_id === line.lot_id)

function partOf(
  line: StoredLine,
  from: Receipt | null,
  amounts: ReturnType<typeof amountsOf>[number],
  line_no: number,
  org: string,
): StoredLine {
  const part = {
    ...line,
    ...amounts,
    line_no,
    base_quantity: amounts.quantity,
    unit_inner_sn: null,
    untaxed_amount: subtract(amounts.taxed_amount, amounts.tax_amount, 2),
  }
  if (!from) return part
  const {
    document_id,
    sn,
    line_no: source_line_no,
    specification_sn: _goods,
    lot_id: _lot,
    left,
    taken,
    ...links
  } = from
  void left
  void taken
  return { ...part, ...links, source_document_id: document_id, source_sn: sn, source_org_sn: org, source_line_no }
}
