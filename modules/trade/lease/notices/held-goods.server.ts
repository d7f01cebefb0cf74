import { byName, type StoredLine } from '#server/public/documents.ts'
import { kindsAdding, kindsTakingBack } from '#kernel/measure/feeding.ts'
import { type Decimal, isZero, least, plain, subtract } from '#kernel/values/decimal.ts'
import { type Move, outside, store } from '#kernel/ledger/posting.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { letArea } from '#modules/trade/lease/notices/notice-checks.server.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { serialsByCode } from '#server/public/stock.ts'
import type { Tx } from '#server/public/database.ts'

/** Refuses a line that needs more than is in stock. */
export function short(line: StoredLine, lot: string, available: Decimal, needed: Decimal = line.base_quantity): never {
  const msg =
    `库存不足：${line.product_name ?? ''} ${line.specification_name ?? ''} 批号${lot} ` +
    `可用${plain(available)}，需要${plain(needed)}`
  throw new BusinessError('stockShort', msg, [{ line: line.line_no, field: 'quantity', msg }])
}

/** Goods of a tenant that are stored with the lessor, by the tenant's books and by lot. */
export type Held = {
  specification_id: string
  lot_id: string
  lot_no: string
  expiry_date: string | null
  available: Decimal
}

/**
 * The tenant's goods that are stored with the lessor and that no other notice already sends out, the first to expire
 * first. Both outgoing notices and red ones count.
 */
export const heldAt = ({ tx, session, doc }: ActionContext) => tx<Held[]>`
  select c.specification_id, c.lot_id, t.lot_no, k.expiry_date::text,
         (c.quantity - coalesce((
           select sum(greatest(case when d.kind = any(${kindsAdding('stored_elsewhere')}) then -l.base_quantity
                               else l.base_quantity - coalesce((l.fields->>'shipped_quantity')::numeric, 0) end, 0))
             from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
            where d.org_id = c.org_id and d.role = 'own' and d.id <> ${doc.id}
              and (d.kind = any(${kindsTakingBack('stored_elsewhere')})
                or d.kind = any(${kindsAdding('stored_elsewhere')}) and d.fields->>'notice_type' = 'red')
              and d.state in ('submitted', 'reviewed', 'partial') and l.lot_id = c.lot_id
              and d.fields->>'lessor_sn' = ${String(byName(doc).lessor_sn)}), 0))::numeric(18,3)::text as available
    from consigned_out c join lot t on t.id = c.lot_id
    left join stock_lot k on k.org_id = c.org_id and k.lot_id = c.lot_id
   where c.org_id = ${session.org.id} and c.customer_id = ${String(byName(doc).lessor_sn)}
     and c.specification_id = any(${doc.lines.flatMap(line => line.specification_sn ?? [])}::bigint[])
   order by k.expiry_date nulls last, t.lot_no`

/** The quantity of a lot at a place. */
export type Place = {
  readonly lot_id: string
  readonly location: string
  readonly warehouse_id: string
  readonly quantity: Decimal
}

/** The tenant's qualified stock of these lots in the lessor's warehouse, place by place. */
export async function balances(ctx: ActionContext): Promise<readonly Place[]> {
  const { tx, session, doc } = ctx
  const { warehouse_id } = await letArea(ctx)
  return tx<Place[]>`
    select lot_id, location, warehouse_id, quantity::text from lease_stock
     where org_id = ${session.org.id} and owner_id = ${doc.counterparty_sn} and warehouse_id = ${warehouse_id}
       and quality_state = 'qualified' and lot_id = any(${doc.lines.flatMap(line => line.lot_id ?? [])}::bigint[])
     order by location`
}

/** The place of each of these pieces in its store. */
export async function placesOf(tx: Tx, org: string, codes: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (codes.length === 0) return new Map()
  return new Map([...(await serialsByCode(tx, org, codes))].map(([code, unit]) => [code, unit.place ?? '']))
}

type Wanted = { readonly quantity: Decimal; readonly codes: readonly string[] }
type Part = {
  readonly line: StoredLine
  readonly quantity: Decimal
  readonly codes: readonly string[]
  readonly place: Place
}

/** The places that goods leave: pieces from their own places, others place by place, as long as there are any. */
export function partsOf(
  lines: readonly StoredLine[],
  places: readonly Place[],
  placed: ReadonlyMap<string, string>,
  wantedOf: (line: StoredLine) => Wanted,
): Part[] {
  const there = places.map(row => ({ ...row }))
  return lines.flatMap(line => {
    const { quantity: needed, codes } = wantedOf(line)
    let left = needed
    const parts: Part[] = []
    for (const row of there.filter(each => each.lot_id === line.lot_id)) {
      const here = codes.filter(code => placed.get(code) === row.location)
      const quantity = least(left, row.quantity, ...(codes.length > 0 ? [`${here.length}.000`] : []))
      if (isZero(quantity)) continue
      row.quantity = subtract(row.quantity, quantity, 3)
      left = subtract(left, quantity, 3)
      parts.push({ line, quantity, codes: here, place: row })
    }
    return isZero(left) ? parts : short(line, line.lot_no ?? '', subtract(needed, left, 3), needed)
  })
}

/**
 * The moves of a notice's goods out of the lessor's warehouse, place by place; refuses goods that are no longer there.
 */
export async function leavingMoves(
  ctx: ActionContext,
  how: Pick<Move, 'step' | 'traced'> & { readonly to?: Move['to'] },
  wantedOf: (line: StoredLine) => Wanted,
): Promise<Move[]> {
  const { tx, session, doc } = ctx
  const codes = doc.lines.flatMap(line => wantedOf(line).codes)
  const parts = partsOf(doc.lines, await balances(ctx), await placesOf(tx, session.org.id, codes), wantedOf)
  return parts.map(({ line, quantity, codes: named, place }) => ({
    line_no: line.line_no,
    to: outside(doc.counterparty_sn),
    ...(named.length > 0 ? { ...how, codes: named } : { step: how.step }),
    quantity,
    from: store(place.warehouse_id, place.location),
    owner: doc.counterparty_sn,
    quality: 'qualified',
  }))
}
