import { type Decimal, negate, sum } from '#kernel/values/decimal.ts'
import { documentOf } from '#kernel/registry.ts'
import type { Tx } from '#server/public/database.ts'

/** A holder's ledger figures of a lot, in base units. */
export type LotBooks = {
  readonly received: Decimal
  readonly on_hand: Decimal
  readonly blocked: Decimal
  readonly used: Decimal
  readonly returned: Decimal
  readonly passed_on: Decimal
  readonly gone: Decimal
}
type Way = 'received' | 'used' | 'returned' | 'passed_on' | 'gone'

/** The way in which goods come or go with a document kind; goods returned to a seller do not count as passed on. */
function wayOf(kind: string): Way {
  const named: Readonly<Record<string, Way>> = {
    purchaseReturn: 'returned',
    saleReturn: 'passed_on',
    overflow: 'received',
    // Between warehouses it nets to zero; the remainder went to another organisation.
    transfer: 'passed_on',
  }
  const families: Readonly<Record<string, Way>> = {
    stockIn: 'received',
    stockOut: 'passed_on',
    sales: 'passed_on',
    ward: 'used',
  }
  return named[kind] ?? families[documentOf(kind)?.category ?? ''] ?? 'gone'
}

/**
 * Every move of the lot summed by its kind: in minus out is what is on hand. A gift is returned like other goods; at
 * the hospital a loan was received, and goes back.
 */
export async function booksOfLot(tx: Tx, org: string, lot: string): Promise<LotBooks> {
  const moves = await tx<{ kind: string; quantity: Decimal }[]>`
    select case when d.fields->>'odo_type' = 'gift_back' then 'purchaseReturn' when d.fields->>'grn_type' = 'gift_back'
      then 'saleReturn' when d.role = 'counterparty' and d.kind = 'bonePresale' then 'purchaseGrn'
      when d.role = 'counterparty' and d.kind = 'boneBack' then 'purchaseReturn' else d.kind end as kind,
      sum(m.quantity)::numeric(18,3) as quantity
      from stock_move m
      join document d on d.org_id = m.org_id and d.id = m.document_id
     where m.org_id = ${org} and m.lot_id = ${lot} group by 1`
  const [now] = await tx<{ on_hand: Decimal; blocked: Decimal }[]>`
    select coalesce(sum(quantity), 0)::numeric(18,3) as on_hand,
      coalesce(sum(quantity) filter (where quality_state <> 'qualified'), 0)::numeric(18,3) as blocked
      from stock_balance where org_id = ${org} and lot_id = ${lot}`
  const by = (way: Way): Decimal =>
    sum(
      moves.filter(move => wayOf(move.kind) === way).map(move => move.quantity),
      3,
    )
  return {
    received: by('received'),
    on_hand: now!.on_hand,
    blocked: now!.blocked,
    used: negate(by('used')),
    returned: negate(by('returned')),
    passed_on: negate(by('passed_on')),
    gone: negate(by('gone')),
  }
}
