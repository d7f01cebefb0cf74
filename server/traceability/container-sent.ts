import { today } from '#kernel/values/date.ts'
import { type Decimal, multiply, round, sum } from '#kernel/values/decimal.ts'
import { asPackCode } from '#kernel/codes/pack-code.ts'
import { itemData } from '#server/documents/lines/item-data.ts'
import { maySeePrices } from '#server/access/sensitive-fields.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

type Sent = {
  readonly container: string
  readonly document_sn: string
  readonly sender_id: string
  readonly sender_name: string
  readonly specification_sn: string
  readonly product_name: string
  readonly specification_name: string
  readonly unit_name: string
  readonly lot_no: string
  readonly expiry_date: string | null
  readonly unit_codes: readonly string[]
  /** In base units. */
  readonly quantity: Decimal
}

/**
 * What the last document brought in a container of its sender (a numbered kit), as its receiver reads it by the code on
 * it: a row a line, with the price with tax that was agreed with the sender today for a base unit, and the sum of the
 * priced rows. Rows without an agreement have no price and are counted as `unpriced`. Prices are absent where the
 * reader may not see any. Null where nobody sent such a container here.
 */
export async function contentsSent(tx: Tx, session: Session, text: string): Promise<Record<string, unknown> | null> {
  const code = asPackCode(text.trim().slice(0, 512))
  const rows = await tx<Sent[]>`
    select s.code as container, d.sn as document_sn, d.from_org_id as sender_id, o.name as sender_name,
           s.specification_id as specification_sn, p.name as product_name, z.name as specification_name, z.unit_name,
           s.lot_no, s.expiry_date, s.unit_codes, s.quantity
      from container_sent s
      join document d on d.org_id = s.org_id and d.id = s.document_id
      join organisation o on o.id = d.from_org_id
      join specification z on z.id = s.specification_id
      join product p on p.id = z.product_id
     where s.org_id = ${session.org.id} and same_name(s.code) = same_name(${code}) and s.document_id = (
       select max(x.document_id) from container_sent x
        where x.org_id = ${session.org.id} and same_name(x.code) = same_name(${code}))
     order by s.line_no`
  if (rows.length === 0) return null
  const { container, document_sn, sender_id, sender_name } = rows[0]!
  const goods = rows.map(({ container: _code, document_sn: _sn, sender_id: _id, sender_name: _name, ...row }) => row)
  const head = { code: container, document_sn, sender_name }
  if (!maySeePrices(session)) return { ...head, goods }
  const trade = { org: session.org.id, counterparty: sender_id, direction: 'buy', day: today() } as const
  const items = await itemData(
    tx,
    rows.map(row => row.specification_sn),
    trade,
  )
  const priced = goods.map(row => {
    const price = items.get(row.specification_sn)?.agreed_price ?? null
    return { ...row, price, amount: price === null ? null : round(multiply(price, row.quantity, 7), 2) }
  })
  const amounts = priced.flatMap(({ amount }) => amount ?? [])
  return {
    ...head,
    goods: priced,
    amount: amounts.length > 0 ? sum(amounts, 2) : null,
    unpriced: priced.length - amounts.length,
  }
}
