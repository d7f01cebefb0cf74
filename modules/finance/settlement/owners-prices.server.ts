import {
  byName,
  patchDocument,
  replaceLines,
  type StoredDocument,
  type StoredLine,
  totalsOfLines,
} from '#server/public/documents.ts'
import { clock, type Day, dayOf } from '#kernel/values/date.ts'
import { type Decimal, divide, isZero, multiply, sum } from '#kernel/values/decimal.ts'
import { splitTax, type TaxRate } from '#kernel/values/tax-amounts.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'
import { piecesOf } from '#modules/finance/settlement/settled-grants.server.ts'
import type { ActionContext } from '#server/public/hooks.ts'

export type OwnersPrice = { readonly price: Decimal | null; readonly rate: TaxRate }

/** The time at which goods were used: the one in the document, else now. */
export const usedAt = ({ doc }: ActionContext): string =>
  (byName(doc).used_at as string | null | undefined) ?? (clock.at ?? new Date()).toISOString()

/** The price at which consigned lots were received, by the latest receipt. */
async function receiptPrices({ tx, session }: ActionContext, lots: readonly string[]): Promise<Map<string, Decimal>> {
  const receipts = await tx<{ lot_id: string; price: Decimal }[]>`
    select distinct on (l.lot_id) l.lot_id, l.price from document_line l join document d on d.org_id = l.org_id
      and d.id = l.document_id
     where l.org_id = ${session.org.id} and d.kind = 'purchaseGrn' and d.regime = 'consigned'
       and d.state in ('reviewed', 'partial', 'completed') and l.unit_id is null
       and l.lot_id = any(${[...lots]}::bigint[]) order by l.lot_id, l.document_id desc`
  return new Map(receipts.map(row => [row.lot_id, row.price]))
}

/**
 * The price that we pay for goods of other owners once they are used, by line number: for a base unit, the price agreed
 * with the owner on the day, otherwise that of the receipt of the lot; null where there is neither.
 */
export async function ownersPrices(
  ctx: ActionContext,
  lines: readonly StoredLine[],
  day: Day = dayOf(new Date(usedAt(ctx))),
): Promise<Map<number, OwnersPrice>> {
  const { tx, session } = ctx
  const lots = lines.flatMap(line => line.lot_id ?? [])
  const received = lots.length > 0 ? await receiptPrices(ctx, lots) : new Map<string, Decimal>()
  const priced = new Map<number, OwnersPrice>()
  for (const [counterparty, some] of Map.groupBy(lines, line => line.owner_org_sn!)) {
    const facts = await specificationFacts(
      tx,
      some.map(line => line.specification_sn!),
      { org: session.org.id, counterparty, direction: 'buy', day },
    )
    for (const line of some) {
      const fact = facts.get(line.specification_sn!)
      priced.set(line.line_no, {
        price: (fact?.agreed_price as Decimal | null | undefined) ?? received.get(line.lot_id ?? '') ?? null,
        rate: (fact?.tax_rate ?? line.tax_rate) as TaxRate,
      })
    }
  }
  return priced
}

/** A line at that price, piece by piece as it is settled. */
function atPrice(line: StoredLine, { price, rate }: OwnersPrice): StoredLine {
  const amounts = piecesOf(line).map(({ quantity }) => multiply(price ?? '0', quantity, 2))
  const taxed = sum(amounts, 2)
  const each = isZero(line.quantity)
    ? '0.0000'
    : divide(multiply(price ?? '0', line.base_quantity, 4), line.quantity, 4)
  return { ...line, price: each, tax_rate: rate, ...splitTax(taxed, rate) }
}

/**
 * Sets the cost of goods of other owners when a use is reviewed, for lent ones as for consigned ones, however they will
 * be settled. The owner reads the same price on his report.
 */
export async function atOwnersPrices(ctx: ActionContext): Promise<StoredDocument> {
  const { tx, session, definition, doc } = ctx
  const others = doc.lines.filter(line => line.owner_org_sn && line.owner_org_sn !== session.org.id)
  if (others.length === 0) return doc
  const priced = await ownersPrices(ctx, others)
  const lines = doc.lines.map(line => {
    const found = priced.get(line.line_no)
    return found ? atPrice(line, found) : line
  })
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  const { untaxed_amount, tax_amount, taxed_amount } = totalsOfLines(lines)
  await patchDocument(tx, session, doc, { untaxed_amount, tax_amount, taxed_amount }, 'withAction')
  return { ...doc, untaxed_amount, tax_amount, taxed_amount, lines }
}
