import {
  type Line,
  type Reading,
  refuseLine,
  sourcesOf,
  type StockCorrection,
  writeLines,
} from '#modules/goods/corrections/values.server.ts'
import type { StoredDocument, StoredLine } from '#server/public/documents.ts'
import {
  add,
  compare,
  type Decimal,
  isNegative,
  isPositive,
  isZero,
  least,
  negate,
  plain,
  share,
  subtract,
  sum,
} from '#kernel/values/decimal.ts'
import type { QualityState } from '#kernel/ledger/posting.ts'
import { isConsigned, isOtherLot, type StockPart } from '#modules/goods/corrections/correction-posting.ts'
import { ofSale } from '#modules/goods/corrections/sold-lots.server.ts'
import { createLots, lotsOfLines } from '#server/public/actions.ts'
import { keepLotDates, serialsByCode } from '#server/public/stock.ts'

type Balance = {
  readonly warehouse_id: string
  readonly location: string
  readonly lot_id: string
  readonly owner_id: string
  readonly quality_state: QualityState
  readonly free: Decimal
  readonly quantity: Decimal
  readonly value: Decimal
}
const lotsOf = (doc: StoredDocument) => [...new Set(doc.lines.flatMap(line => (line.lot_id ? [line.lot_id] : [])))]

/**
 * Stock of these lots in the organisation, locked in key order; stock that other documents reserved is not available.
 */
async function balancesOf({ tx, session, doc }: Reading): Promise<Balance[]> {
  const rows = await tx<Omit<Balance, 'free'>[]>`
    select b.warehouse_id, b.location, b.lot_id, b.owner_id, b.quality_state, b.quantity, b.value from stock_balance b
      join warehouse w on w.org_id = b.org_id and w.id = b.warehouse_id and w.model <> 'consumed'
     where b.org_id = ${session.org.id} and b.lot_id = any(${lotsOf(doc)}::bigint[])
     order by b.warehouse_id, b.location, b.specification_id, b.lot_id, b.owner_id, b.quality_state for update of b`
  const reserved = await tx<{ key: string; quantity: Decimal }[]>`
    select concat_ws('/', warehouse_id, location, lot_id, owner_id, quality_state) as key,
      sum(quantity)::numeric(18,3) as quantity from reservation
     where org_id = ${session.org.id} and document_id <> ${doc.id} and lot_id = any(${lotsOf(doc)}::bigint[])
       group by 1`
  const promised = new Map(reserved.map(row => [row.key, row.quantity]))
  return rows.map(row => {
    const key = [row.warehouse_id, row.location, row.lot_id, row.owner_id, row.quality_state].join('/')
    return { ...row, free: subtract(row.quantity, promised.get(key) ?? '0', 3) }
  })
}

/**
 * Takes a quantity of a line from balances, in order; each balance is used only once for all lines. `named`: the goods
 * stay where they are and only their dates change, for the whole lot: stock reserved by others counts too, and there is
 * no shortage.
 */
function taken(line: StoredLine, from: Balance[], wanted: Decimal, named: boolean): StockPart[] {
  const parts: StockPart[] = []
  let left = wanted
  from.forEach((balance, at) => {
    const quantity = least(named ? balance.quantity : balance.free, left)
    if (!isPositive(quantity)) return
    parts.push({
      warehouse: balance.warehouse_id,
      location: balance.location,
      quality: balance.quality_state,
      quantity,
    })
    left = subtract(left, quantity, 3)
    from[at] = { ...balance, free: subtract(balance.free, quantity, 3) }
  })
  const have = subtract(wanted, left, 3)
  if (isPositive(left) && !named)
    throw refuseLine(
      line,
      `批号${line.lot_no ?? '无批号'}在该仓库可用${plain(have)}，不足${plain(wanted)}，已出库的货物请在后续单据上更正`,
    )
  return parts
}

/** Pieces by location. A piece has no quality of its own: it has that of the goods it is stored with. */
async function placesOfCodes(ctx: Reading, balances: readonly Balance[]): Promise<Map<number, StockPart[]>> {
  const { tx, session, doc } = ctx
  const units = await serialsByCode(
    tx,
    session.org.id,
    doc.lines.flatMap(line => line.unit_codes),
  )
  return new Map(
    doc.lines.map(line => {
      // Dates of pieces that are gone are corrected as well, without moving anything.
      const here = line.unit_codes.filter(code => {
        const unit = units.get(code)
        return unit?.status === 'in_stock' && unit.warehouse_id === doc.warehouse_model_inner_sn
      })
      const groups = Map.groupBy(here, code => units.get(code)?.place ?? '')
      const parts = [...groups].map(([location, codes]): StockPart => {
        const quality = balances.find(
          row =>
            row.lot_id === line.lot_id &&
            row.location === location &&
            row.warehouse_id === doc.warehouse_model_inner_sn,
        )?.quality_state
        return {
          warehouse: doc.warehouse_model_inner_sn!,
          location,
          quality: quality ?? 'qualified',
          quantity: `${codes.length}.000`,
          codes,
        }
      })
      return [line.line_no, parts]
    }),
  )
}

/**
 * The effect of a price difference on the goods still here: each balance carries its share, and no balance is ever
 * worth less than zero. The rest left with what was issued meanwhile.
 */
export function revalued(
  difference: Decimal,
  pieces: Decimal,
  balances: readonly { readonly quantity: Decimal; readonly value: Decimal }[],
): Decimal[] {
  const all = sum(
    balances.map(row => row.quantity),
    3,
  )
  const here = least(all, pieces)
  const whole = isZero(pieces) ? '0.00' : share(difference, here, pieces, 2)
  let [left, value] = [here, whole]
  return balances.map(row => {
    const part = least(row.quantity, left)
    if (!isPositive(part)) return '0.00'
    const mine = compare(part, left) === 0 ? value : share(whole, part, here, 2)
    left = subtract(left, part, 3)
    value = subtract(value, mine, 2)
    return isNegative(add(row.value, mine, 2)) ? negate(row.value) : mine
  })
}

function priced(ctx: Reading, line: Line, balances: Balance[]): Line {
  const { session } = ctx
  const difference = session.org.type === 'H' ? line.taxed_amount : line.untaxed_amount
  const mine = balances.filter(row => row.lot_id === line.lot_id && row.owner_id === session.org.id)
  const values = revalued(difference, line.base_quantity, mine)
  const parts = mine.map(
    (row, at): StockPart => ({
      warehouse: row.warehouse_id,
      location: row.location,
      quality: row.quality_state,
      quantity: '0.000',
      value: values[at]!,
    }),
  )
  for (const [at, row] of mine.entries())
    balances[balances.indexOf(row)] = { ...row, value: add(row.value, values[at]!, 2) }
  const stock = sum(values, 2)
  return {
    ...line,
    stored: parts.filter(part => !isZero(part.value!)),
    stock_amount: stock,
    issued_amount: subtract(difference, stock, 2),
  }
}

/** The lots that goods are moved to are created first, with the dates stated for them. */
async function withNewLots({ tx, session }: Reading, lines: readonly Line[], dated = true): Promise<Line[]> {
  const wanted = lines.filter(isOtherLot).map(line => ({
    specification_sn: line.specification_sn,
    lot_no: String(line.new_lot_no),
    production_date: line.new_production_date ?? line.production_date,
    expiry_date: line.new_expiry_date ?? line.expiry_date,
  }))
  if (wanted.length === 0) return [...lines]
  await createLots(tx, wanted)
  const lotOf = await lotsOfLines(tx, wanted)
  const idOf = (specification_sn: string | null, lot_no: string) => lotOf({ specification_sn, lot_no })!.id
  // A lot in stock has its dates there.
  if (dated)
    await keepLotDates(
      tx,
      session.org.id,
      wanted.map(line => ({
        ...line,
        specification_id: line.specification_sn!,
        lot_id: idOf(line.specification_sn, line.lot_no),
      })),
    )
  return lines.map(line =>
    isOtherLot(line) ? { ...line, new_lot_id: idOf(line.specification_sn, String(line.new_lot_no)) } : line,
  )
}

/** The document as booked: every line has the places of its goods, and the part of a new price that they carry. */
export async function withPlaces(ctx: Reading): Promise<StockCorrection> {
  const { doc } = ctx
  const isSale = (await sourcesOf(ctx)).some(source => source.kind === 'saleOdo')
  if (isSale && doc.change_type === 'lot') return writeLines(ctx, await ofSale(ctx, withNewLots))
  if (isSale || (doc.change_type === 'owner' && !isConsigned(doc))) return doc
  const balances = await balancesOf(ctx)
  if (doc.change_type === 'price')
    return writeLines(
      ctx,
      doc.lines.map(line => priced(ctx, line, balances)),
    )
  const coded = await placesOfCodes(ctx, balances)
  const lines = await withNewLots(ctx, doc.lines)
  return writeLines(
    ctx,
    lines.map(line => {
      if (line.unit_codes.length > 0) return { ...line, stored: coded.get(line.line_no)! }
      const owner = line.owner_org_sn ?? ctx.session.org.id
      const isMine = (row: Balance) =>
        row.lot_id === line.lot_id && row.owner_id === owner && row.warehouse_id === doc.warehouse_model_inner_sn
      const from = balances.filter(isMine)
      const stored = taken(line, from, line.base_quantity, doc.change_type === 'lot' && !isOtherLot(line))
      balances.splice(0, balances.length, ...balances.filter(row => !isMine(row)), ...from)
      return { ...line, stored }
    }),
  )
}
