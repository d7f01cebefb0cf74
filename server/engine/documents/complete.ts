import type { AnyDocument } from '#kernel/document.ts'
import { lineAmounts, splitTax, type TaxRate } from '#kernel/amounts.ts'
import { type Decimal, isZero, multiply, round, subtract } from '#kernel/decimal.ts'
import { type Problem, Refusal } from '#kernel/refusal.ts'
import { atAgreedPrice } from '#server/engine/documents/agreed-lines.ts'
import { type Available, allocate } from '#server/engine/documents/allocate.ts'
import { availableStock } from '#server/engine/documents/available.ts'
import { packUnits, type SpecificationFacts, specificationFacts, type Trade } from '#server/engine/documents/facts.ts'
import { rowLine } from '#server/engine/documents/row-line.ts'
import { priceAtCost } from '#server/engine/documents/costs.ts'
import { codesOf, countCodes, inHouseForm } from '#server/engine/documents/line-codes.ts'
import type { HeaderValues } from '#server/engine/documents/write.ts'
import type { StoredLine } from '#server/engine/documents/stored.ts'
import type { Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'
import { type KnownUnit, unitsByCode } from '#server/ledger/trace.ts'

/** A line as it was written or taken from a source, before the house fills in what it knows. */
export type LineInput = Readonly<Record<string, unknown>> & {
  /** What is left of the source line's amount when this line takes the last of it. */
  readonly rest_amount?: Decimal | null
}

export const tradeOf = (definition: AnyDocument, session: Session, header: HeaderValues): Trade => ({
  org: session.org.id,
  counterparty: (header.counterparty_sn as string | null) ?? null,
  direction: definition.gate === 'customer' ? 'sell' : definition.gate === 'supplier' ? 'buy' : 'none',
  day: String(header.business_date),
})

// A part of a line has amounts of its own.
const partAmounts = { rest_amount: null, taxed_amount: null, tax_amount: null }
/** Codes say what they are: a line of scanned codes gets its specification, lot and owner, and is split where lots differ. */
async function spreadCodes(tx: Tx, session: Session, lines: readonly LineInput[]): Promise<LineInput[]> {
  const codes = lines.flatMap(codesOf)
  const units = await unitsByCode(tx, session.org.id, codes)
  const spread: LineInput[] = []
  lines.forEach((line, index) => {
    const own = codesOf(line)
    if (own.length === 0) return void spread.push(line)
    const known = own.map(code => units.get(code))
    const missing = own.find((_, at) => known[at] === undefined)
    if (missing !== undefined)
      throw new Refusal('unitNotHere', undefined, [
        { field: 'unit_codes', line: index + 1, msg: `院内码${missing}不存在，请核对后重新扫描` },
      ])
    const groups = Map.groupBy(
      known as KnownUnit[],
      unit => `${unit.lot_id}/${unit.owner_id}/${unit.under ?? unit.place ?? ''}`,
    )
    for (const group of groups.values()) {
      const first = group[0]!
      if (line.specification_sn && line.specification_sn !== first.specification_id)
        throw new Refusal('invalid', undefined, [
          { field: 'unit_codes', line: index + 1, msg: `院内码${first.bare}不是该规格的产品` },
        ])
      const whole = groups.size === 1
      spread.push({
        ...line,
        specification_sn: first.specification_id,
        lot_no: first.lot_no,
        lot_id: first.lot_id,
        owner_org_sn: first.owner_id,
        location: first.under ?? first.place ?? '',
        unit_codes: group.map(unit => unit.bare),
        quantity: whole ? (line.quantity ?? String(group.length)) : String(group.length),
        unit_inner_sn: whole ? line.unit_inner_sn : null,
        line_no: group === groups.values().next().value ? line.line_no : null,
        ...(whole ? { rest_amount: line.rest_amount ?? null } : partAmounts),
      })
    }
  })
  return spread
}

/** Issues: lots are proposed by earliest expiry and the balance each line takes from is written on it. */
async function propose(
  tx: Tx,
  session: Session,
  header: HeaderValues,
  lines: readonly LineInput[],
  base: (line: LineInput) => Decimal,
  except: string | null,
): Promise<LineInput[]> {
  const warehouse = header.warehouse_model_inner_sn as string | null
  // Whose goods they are may be known before it is known where they lie.
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
  const wishes = open.map(line => ({
    specification_id: String(line.specification_sn),
    quantity: base(line),
    lot_no: (line.lot_no as string | null) ?? null,
    owner_id: (line.owner_org_sn as string | null | undefined) ?? (ownOnly ? session.org.id : null),
    location: (line.location as string | null) ?? null,
    quality_state: (line.quality_state as string | null) ?? null,
  }))
  const portions = allocate(wishes, stock, session.org.id, String(header.business_date))
  const byWish = Map.groupBy(portions, portion => portion.wish)
  return lines.flatMap(line => {
    const wish = open.indexOf(line)
    const parts = wish < 0 ? [] : (byWish.get(wish) ?? [])
    const met = parts.filter(part => part.from)
    if (wish < 0 || met.length === 0) return [line]
    return parts.map((part, at) => fromBalance(line, part.from, part.quantity, parts.length === 1, at === 0))
  })
}

/** Goods of ours leave with the dates that we keep of their lot. */
async function withDates(tx: Tx, session: Session, lines: readonly LineInput[]): Promise<LineInput[]> {
  const lots = lines.flatMap(line => (line.lot_id && !line.expiry_date ? [String(line.lot_id)] : []))
  if (lots.length === 0) return [...lines]
  const rows = await tx<{ lot_id: string; production_date: string | null; expiry_date: string | null }[]>`
    select lot_id, production_date, expiry_date from stock_lot where org_id = ${session.org.id} and lot_id = any(${[...new Set(lots)]}::bigint[])`
  const dates = new Map(rows.map(row => [row.lot_id, row]))
  return lines.map(line => ({
    ...line,
    production_date: line.production_date ?? dates.get(String(line.lot_id))?.production_date ?? null,
    expiry_date: line.expiry_date ?? dates.get(String(line.lot_id))?.expiry_date ?? null,
  }))
}

const fromBalance = (
  line: LineInput,
  from: Available | null,
  quantity: Decimal,
  whole: boolean,
  first: boolean,
): LineInput => ({
  ...line,
  ...(from
    ? {
        lot_no: from.lot_no,
        lot_id: from.lot_id,
        owner_org_sn: from.owner_id,
        location: from.location,
        quality_state: from.quality_state,
        production_date: from.production_date,
        expiry_date: from.expiry_date,
      }
    : {}),
  // A line spread over several balances counts in base units: a pack may not divide.
  ...(whole ? {} : { quantity, unit_inner_sn: null, price: line.unit_inner_sn ? null : line.price }),
  line_no: first ? line.line_no : null,
  ...(whole ? { rest_amount: line.rest_amount ?? null } : partAmounts),
})

type Known = { facts: Map<string, SpecificationFacts>; packs: Awaited<ReturnType<typeof packUnits>> }

function baseOf(line: LineInput, { packs }: Known): Decimal {
  const pack = line.unit_inner_sn ? packs.get(String(line.unit_inner_sn)) : undefined
  const quantity = (line.quantity as Decimal | null) ?? '0'
  return pack ? multiply(quantity, String(pack.base_measure), 3) : round(quantity, 3)
}

function priceOf(line: LineInput, facts: SpecificationFacts | undefined, known: Known): Decimal {
  if (line.price !== null && line.price !== undefined) return round(line.price as Decimal, 4)
  const pack = line.unit_inner_sn ? known.packs.get(String(line.unit_inner_sn)) : undefined
  return facts ? multiply(facts.price, String(pack?.base_measure ?? 1), 4) : '0.0000'
}

function problemsOf(line: LineInput, at: number, known: Known): Problem[] {
  const problems: Problem[] = []
  const specification = line.specification_sn as string | null | undefined
  if (!specification) problems.push({ field: 'specification_sn', line: at, msg: `第${at}行：请选择产品规格` })
  else if (!known.facts.has(specification))
    problems.push({ field: 'specification_sn', line: at, msg: `第${at}行：产品规格不存在，请重新选择` })
  const unit = line.unit_inner_sn as string | null | undefined
  if (unit && known.packs.get(unit)?.specification_id !== specification)
    problems.push({ field: 'unit_inner_sn', line: at, msg: `第${at}行：单位不属于该规格，请重新选择` })
  if (line.quantity === null || line.quantity === undefined)
    problems.push({ field: 'quantity', line: at, msg: `第${at}行：请填写数量` })
  return problems
}

function finish(line: LineInput, at: number, numbers: () => number, known: Known): StoredLine {
  const facts = known.facts.get(String(line.specification_sn))
  const rate = (line.tax_rate ?? facts?.tax_rate ?? 0) as TaxRate
  const price = priceOf(line, facts, known)
  const quantity = round(line.quantity as Decimal, 3)
  const given = line.rest_amount ?? (line.taxed_amount as Decimal | null | undefined)
  const amounts =
    given !== null && given !== undefined && !isZero(quantity)
      ? splitTax(round(given, 2), rate)
      : lineAmounts(price, quantity, rate)
  const own = { ...line }
  delete (own as Record<string, unknown>).rest_amount
  return {
    ...own,
    ...amounts,
    ...(line.tax_amount !== null && line.tax_amount !== undefined
      ? {
          tax_amount: round(line.tax_amount as Decimal, 2),
          untaxed_amount: subtract(amounts.taxed_amount, line.tax_amount as Decimal, 2),
        }
      : {}),
    line_no: typeof line.line_no === 'number' ? line.line_no : numbers(),
    specification_sn: line.specification_sn ?? null,
    product_name: facts?.product_name ?? null,
    specification_name: facts?.name ?? null,
    lot_no: line.lot_no ?? null,
    lot_id: line.lot_id ?? null,
    production_date: line.production_date ?? null,
    expiry_date: line.expiry_date ?? null,
    unit_codes: line.unit_codes ?? [],
    // The base unit is the specification's own: its id names no pack.
    unit_inner_sn: line.unit_inner_sn === line.specification_sn ? null : (line.unit_inner_sn ?? null),
    quantity,
    base_quantity: baseOf(line, known),
    price,
    tax_rate: rate,
    owner_org_sn: line.owner_org_sn ?? null,
    quality_state: line.quality_state ?? null,
    location: line.location ?? null,
    source_sn: line.source_sn ?? null,
    source_org_sn: line.source_org_sn ?? null,
    source_document_id: line.source_document_id ?? null,
    source_line_no: line.source_line_no ?? null,
    order_document_id: line.order_document_id ?? null,
    order_line_no: line.order_line_no ?? null,
    delivery_document_id: line.delivery_document_id ?? null,
    delivery_line_no: line.delivery_line_no ?? null,
    remark: line.remark ?? null,
  } as unknown as StoredLine
}

/** Lines that count money alone: an amount, no goods. */
function moneyLine(line: LineInput, at: number, numbers: () => number): StoredLine {
  const amount = (line.taxed_amount ?? line.rest_amount ?? null) as Decimal | null
  if (amount === null)
    throw new Refusal('invalid', undefined, [{ field: 'taxed_amount', line: at, msg: `第${at}行：请填写金额` }])
  const rate = (line.tax_rate ?? 0) as TaxRate
  const own = { ...line }
  delete (own as Record<string, unknown>).rest_amount
  return {
    ...own,
    line_no: typeof line.line_no === 'number' ? line.line_no : numbers(),
    quantity: '0.000',
    base_quantity: '0.000',
    price: '0.0000',
    tax_rate: rate,
    ...splitTax(round(amount, 2), rate),
    unit_codes: [],
  } as unknown as StoredLine
}

/** Fills in what the house knows: codes, lots, units, prices, amounts. Statements are constant whatever the number of lines. */
export async function completeLines(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  header: HeaderValues,
  inputs: readonly LineInput[],
  last: number,
  except: string | null = null,
): Promise<StoredLine[]> {
  let next = inputs.reduce((most, line) => Math.max(most, typeof line.line_no === 'number' ? line.line_no : 0), last)
  const numbers = () => ++next
  if (definition.measure === 'row') return inputs.map(line => rowLine(line, numbers))
  if (definition.measure === 'amount') return inputs.map((line, at) => moneyLine(line, at + 1, numbers))
  let lines =
    definition.goods === 'out'
      ? await spreadCodes(tx, session, inputs.map(inHouseForm))
      : inputs.map(inHouseForm).map(countCodes(definition)).map(atAgreedPrice(definition, session))
  const [facts, packs] = await Promise.all([
    specificationFacts(
      tx,
      lines.flatMap(line => (line.specification_sn ? [String(line.specification_sn)] : [])),
      tradeOf(definition, session, header),
    ),
    packUnits(
      tx,
      lines.flatMap(line => (line.unit_inner_sn ? [String(line.unit_inner_sn)] : [])),
    ),
  ])
  const known: Known = { facts, packs }
  const problems = lines.flatMap((line, at) => problemsOf(line, at + 1, known))
  if (problems.length > 0) throw new Refusal('invalid', undefined, problems)
  if (definition.goods === 'out')
    lines = await withDates(tx, session, await propose(tx, session, header, lines, line => baseOf(line, known), except))
  if (definition.costed === 'later')
    lines = lines.map(line => ({ ...line, price: '0', taxed_amount: null, tax_amount: null, rest_amount: null }))
  else if (definition.costed) {
    const measure = (line: LineInput) => packs.get(String(line.unit_inner_sn))?.base_measure ?? 1
    lines = await priceAtCost(tx, session, definition, header, lines, measure)
  }
  return lines.map((line, at) => finish(line, at, numbers, known))
}
