import { add, compare, type Decimal, isPositive, plain, subtract } from '#kernel/values/decimal.ts'
import { inEnteredUnit } from '#modules/base/vocabulary/unit-quantity.ts'
import type { DocumentHooks } from '#server/public/hooks.ts'

type Line = Readonly<Record<string, unknown>>
type HeldBalance = {
  specification_id: string
  lot_no: string
  location: string
  store: string
  lent: boolean
  available: Decimal
}

/**
 * The quantity that is still to be shipped of each line, in the unit of its order, and the lots that would go first:
 * saleable goods, first to expire first; our own before those held on consignment, which are not forwarded as consigned
 * goods.
 */
export const salesOrderSheet: NonNullable<DocumentHooks['printFields']> = async (tx, session, info) => {
  const lines = info.lines as readonly Line[]
  const isLent = info.regime === '寄售' || info.regime === 'consigned'
  const stock = await tx<HeldBalance[]>`
    select b.specification_id, b.lot_no, b.location, w.name as store, b.owner_org_id <> b.org_id as lent,
      b.available
      from stock_on_hand b join warehouse w on w.org_id = b.org_id and w.id = b.warehouse_id
     where b.org_id = ${session.org.id} and (b.owner_org_id = b.org_id or not ${isLent})
       and b.available > 0 and b.warehouse_model <> 'ward'
       and b.specification_id = any(${lines.map(line => String(line.specification_sn))}::bigint[])
     order by b.owner_org_id <> b.org_id, b.expiry_date nulls last, b.lot_id, b.location`
  const stores = new Set<string>()
  const isOver = info.state === 'stopped' || info.state === 'cancelled'
  const shown = lines.map(line => {
    const shipped = String(line.shipped_quantity ?? '0.000') as Decimal
    const done = add(shipped, String(line.stopped_quantity ?? '0'), 3)
    let rest = isOver ? '0.000' : subtract(String(line.base_quantity), done, 3)
    const open = rest
    const taken: HeldBalance[] = []
    for (const lot of stock.filter(each => each.specification_id === line.specification_sn)) {
      if (!isPositive(rest) || !isPositive(lot.available)) continue
      const part = compare(lot.available, rest) > 0 ? rest : lot.available
      rest = subtract(rest, part, 3)
      lot.available = subtract(lot.available, part, 3)
      stores.add(lot.store)
      taken.push({ ...lot, available: part })
    }
    return {
      ...line,
      shipped: inEnteredUnit(line, shipped),
      open_quantity: inEnteredUnit(line, open),
      location: [...new Set(taken.map(lot => lot.location).filter(Boolean))].join('、'),
      proposed_lots: [
        ...taken.map(lot => `${lot.lot_no}${lot.lent ? '(寄售)' : ''}×${plain(inEnteredUnit(line, lot.available))}`),
        ...(isPositive(rest) ? [taken.length > 0 ? `缺${plain(inEnteredUnit(line, rest))}` : '缺货'] : []),
      ].join('、'),
    }
  })
  return {
    receiving_address: info.delivery_address || info.counterparty_address,
    delivery_date: info.promised_date || info.expected_date,
    shipping_stores: [...stores].join('、'),
    ordered_total: plain(shown.reduce((sum, line) => add(sum, String((line as Line).quantity), 3), '0.000')),
    open_total: plain(shown.reduce((sum, line) => add(sum, line.open_quantity, 3), '0.000')),
    lines: shown,
  }
}
