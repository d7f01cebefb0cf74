import type { AnyDocument } from '#kernel/definition/document.ts'
import { shelfLifeDay } from '#kernel/rules/shelf-life.ts'
import { type Decimal, sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { type AvailableBalance, allocate } from '#server/documents/allocation/fefo.ts'
import { availableStock } from '#server/documents/allocation/availability.ts'
import type { LineInput } from '#server/documents/lines/complete.ts'
import { noRest } from '#server/documents/lines/rest-amounts.ts'
import { serialCodes } from '#server/documents/allocation/serial-codes.ts'
import type { HeaderValues } from '#server/documents/repository/save.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import { type KnownUnit, serialsByCode } from '#server/ledger/trace.ts'

const isOther = (line: LineInput, size: string): boolean =>
  Boolean(line.specification_sn) && line.specification_sn !== size

/** Ledgers keep the specification that was booked: a line that takes from it records it, and which one it replaces. */
const sizeOf = (line: LineInput, size: string) => ({
  specification_sn: size,
  ...(isOther(line, size) ? { stands_for: line.specification_sn } : {}),
})

/** Specifications that lines were given instead of the requested ones. */
export const substitutedItems = (lines: readonly LineInput[]): [string, string][] =>
  lines.flatMap(line =>
    line.stands_for ? [[String(line.specification_sn), String(line.stands_for)] as [string, string]] : [],
  )

/**
 * Which specifications of scanned pieces were mapped to another; only read where a line has another specification
 * than its piece.
 */
async function mappedSizes(
  tx: Tx,
  lines: readonly LineInput[],
  units: ReadonlyMap<string, KnownUnit>,
): Promise<Map<string, string>> {
  const other = lines.flatMap(line =>
    serialCodes(line).flatMap(code => {
      const size = units.get(code)?.specification_id
      return size && isOther(line, size) ? [size] : []
    }),
  )
  if (other.length === 0) return new Map()
  const rows = await tx<{ id: string; mapped: string }[]>`
    select id, mapped_to_id as mapped from specification
      where id = any(${other}::bigint[]) and mapped_to_id is not null`
  return new Map(rows.map(row => [row.id, row.mapped]))
}

// A part of a line has its own amounts.
const partAmounts = { ...noRest, taxed_amount: null, tax_amount: null }
/**
 * Codes identify goods: a line of scanned codes gets its specification, lot and owner, and is split where lots
 * differ.
 */
export async function splitBySerial(tx: Tx, session: Session, lines: readonly LineInput[]): Promise<LineInput[]> {
  const codes = lines.flatMap(serialCodes)
  const units = await serialsByCode(tx, session.org.id, codes)
  const mapped = await mappedSizes(tx, lines, units)
  const spread: LineInput[] = []
  lines.forEach((line, index) => {
    const own = serialCodes(line)
    if (own.length === 0) return void spread.push(line)
    const known = own.map(code => units.get(code))
    const missing = own.find((_, at) => known[at] === undefined)
    if (missing !== undefined)
      throw new BusinessError('unitNotHere', undefined, [
        { field: 'unit_codes', line: index + 1, msg: `院内码${missing}不存在，请核对后重新扫描` },
      ])
    const groups = Map.groupBy(
      known as KnownUnit[],
      unit => `${unit.lot_id}/${unit.owner_id}/${unit.under ?? unit.place ?? ''}/${unit.quantity}`,
    )
    for (const group of groups.values()) {
      const first = group[0]!
      const stands = mapped.get(first.specification_id) ?? first.specification_id
      if (line.specification_sn && ![first.specification_id, stands].includes(String(line.specification_sn)))
        throw new BusinessError('invalid', undefined, [
          { field: 'unit_codes', line: index + 1, msg: `院内码${first.bare}不是该规格的产品` },
        ])
      const whole = groups.size === 1
      const pieces = sum(
        group.map(unit => unit.quantity),
        3,
      )
      spread.push({
        ...line,
        ...sizeOf(line, first.specification_id),
        lot_no: first.lot_no,
        lot_id: first.lot_id,
        owner_org_sn: first.owner_id,
        location: first.under ?? first.place ?? '',
        unit_codes: group.map(unit => unit.bare),
        quantity: whole ? (line.quantity ?? pieces) : pieces,
        // The quantity of scanned codes is counted in base units.
        unit_inner_sn:
          whole && (line.quantity ?? null) !== null && !isOther(line, first.specification_id)
            ? line.unit_inner_sn
            : null,
        line_no: group === groups.values().next().value ? line.line_no : null,
        ...(whole ? {} : partAmounts),
      })
    }
  })
  return spread
}

/** Issues: lots are proposed by earliest expiry, and the balance used is written on each line. */
export async function assignLots(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  header: HeaderValues,
  lines: readonly LineInput[],
  base: (line: LineInput) => Decimal,
  except: string | null,
): Promise<LineInput[]> {
  const warehouse = header.warehouse_model_inner_sn as string | null
  // The owner of the goods may be known before their location is.
  const open = lines.filter(line => line.specification_sn && (!line.owner_org_sn || (line.location ?? null) === null))
  if (!warehouse || open.length === 0) return [...lines]
  const stock = await availableStock(
    tx,
    session.org.id,
    warehouse,
    open.map(line => String(line.specification_sn)),
    except,
  )
  const ownOnly = header.regime === 'consigned'
  const demands = open.map(line => ({
    specification_id: String(line.specification_sn),
    quantity: base(line),
    lot_no: (line.lot_no as string | null) ?? null,
    owner_id: (line.owner_org_sn as string | null | undefined) ?? (ownOnly ? session.org.id : null),
    location: (line.location as string | null) ?? null,
    quality_state: (line.quality_state as string | null) ?? null,
  }))
  const portions = allocate(demands, stock, session.org.id, shelfLifeDay(header as never, definition.kind))
  const byDemand = Map.groupBy(portions, portion => portion.demand)
  return lines.flatMap(line => {
    const demand = open.indexOf(line)
    const parts = demand < 0 ? [] : (byDemand.get(demand) ?? [])
    const met = parts.filter(part => part.from)
    if (demand < 0 || met.length === 0) return [line]
    return parts.map((part, at) => fromBalance(line, part.from, part.quantity, parts.length === 1, at === 0))
  })
}

/** Outgoing goods of ours have the dates that we keep for their lot, whatever is typed. */
export async function withLotDates(tx: Tx, session: Session, lines: readonly LineInput[]): Promise<LineInput[]> {
  const lots = lines.flatMap(line => (line.lot_id ? [String(line.lot_id)] : []))
  if (lots.length === 0) return [...lines]
  const rows = await tx<{ lot_id: string; production_date: string | null; expiry_date: string | null }[]>`
    select lot_id, production_date, expiry_date from stock_lot
      where org_id = ${session.org.id} and lot_id = any(${[...new Set(lots)]}::bigint[])`
  const dates = new Map(rows.map(row => [row.lot_id, row]))
  return lines.map(line => ({
    ...line,
    production_date: dates.get(String(line.lot_id))?.production_date ?? line.production_date ?? null,
    expiry_date: dates.get(String(line.lot_id))?.expiry_date ?? line.expiry_date ?? null,
  }))
}

const fromBalance = (
  line: LineInput,
  from: AvailableBalance | null,
  quantity: Decimal,
  whole: boolean,
  first: boolean,
): LineInput => ({
  ...line,
  ...(from
    ? {
        ...sizeOf(line, from.specification_id),
        lot_no: from.lot_no,
        lot_id: from.lot_id,
        owner_org_sn: from.owner_id,
        location: from.location,
        quality_state: from.quality_state,
        production_date: from.production_date,
        expiry_date: from.expiry_date,
      }
    : {}),
  // A line split over several balances uses base units: a pack may not be divisible.
  ...(whole && !(from && isOther(line, from.specification_id))
    ? {}
    : { quantity, unit_inner_sn: null, price: line.unit_inner_sn ? null : line.price }),
  line_no: first ? line.line_no : null,
  ...(whole ? {} : partAmounts),
})
