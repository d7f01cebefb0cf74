import type { AnyDocument } from '#kernel/definition/document.ts'
import { hasPrices, namesGoods } from '#kernel/definition/line-content.ts'
import { type Amounts, lineAmounts, splitTax, type TaxRate } from '#kernel/values/tax-amounts.ts'
import { withDefaults } from '#kernel/values/defaults.ts'
import { type Decimal, isZero, multiply, round, subtract } from '#kernel/values/decimal.ts'
import { BusinessError, type Problem } from '#kernel/rules/errors.ts'
import { clearTypedPrice } from '#server/documents/lines/agreed-price.ts'
import { type ItemData, itemData, type Trade } from '#server/documents/lines/item-data.ts'
import { lineNumbers } from '#server/documents/lines/line-numbers.ts'
import { packUnits } from '#server/documents/lines/units-of-measure.ts'
import { withKnownLots } from '#server/ledger/known-lots.ts'
import { keepReadings } from '#server/documents/lines/label-readings.ts'
import { emptyLine } from '#server/documents/lines/empty-line.ts'
import { noRest, withoutRest } from '#server/documents/lines/rest-amounts.ts'
import { priceAtCost } from '#server/documents/lines/cost-price.ts'
import { assignLots, splitBySerial, substitutedItems, withLotDates } from '#server/documents/allocation/assign-stock.ts'
import { normaliseCodes, packContents, quantityFromCodes } from '#server/documents/allocation/serial-codes.ts'
import type { HeaderValues } from '#server/documents/repository/save.ts'
import type { StoredLine } from '#server/documents/repository/document.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** A line as entered or taken from a source, before the known data is filled in. */
export type LineInput = Readonly<Record<string, unknown>> & {
  /** The share of the source line's amount: what is left of it for the last part, or what no price of a unit gives. */
  readonly rest_amount?: Decimal | null
  /** The same without tax; null where the line has another rate. */
  readonly rest_untaxed?: Decimal | null
}

export const tradeContext = (definition: AnyDocument, session: Session, header: HeaderValues): Trade => ({
  org: session.org.id,
  counterparty: (header.counterparty_sn as string | null) ?? null,
  direction:
    definition.compliance.party === 'customer' ? 'sell' : definition.compliance.party === 'supplier' ? 'buy' : 'none',
  day: String(header.business_date),
})

type Known = { facts: Map<string, ItemData>; packs: Awaited<ReturnType<typeof packUnits>> }

function baseOf(line: LineInput, { packs }: Known): Decimal {
  const pack = line.unit_inner_sn ? packs.get(String(line.unit_inner_sn)) : undefined
  const quantity = (line.quantity as Decimal | null) ?? '0'
  return pack ? multiply(quantity, String(pack.base_measure), 3) : round(quantity, 3)
}

function priceOf(line: LineInput, facts: ItemData | undefined, known: Known): Decimal {
  if (line.price !== null && line.price !== undefined) return round(line.price as Decimal, 4)
  const pack = line.unit_inner_sn ? known.packs.get(String(line.unit_inner_sn)) : undefined
  return facts ? multiply(facts.price, String(pack?.base_measure ?? 1), 4) : '0.0000'
}

/** Problems of a line that names goods. Where the kind allows lines without goods, those name kits or instruments. */
function goodsProblems(definition: AnyDocument, line: LineInput, at: number, known: Known): Problem[] {
  const problems: Problem[] = []
  const specification = line.specification_sn as string | null | undefined
  if (!specification) {
    if (definition.lines.specification_sn?.required)
      problems.push({ field: 'specification_sn', line: at, msg: `第${at}行：请选择产品规格` })
  } else if (!known.facts.has(specification))
    problems.push({ field: 'specification_sn', line: at, msg: `第${at}行：产品规格不存在，请重新选择` })
  const unit = line.unit_inner_sn as string | null | undefined
  if (unit && known.packs.get(unit)?.specification_id !== specification)
    problems.push({ field: 'unit_inner_sn', line: at, msg: `第${at}行：单位不属于该规格，请重新选择` })
  return problems
}

function problemsOf(definition: AnyDocument, line: LineInput, at: number, known: Known): Problem[] {
  const problems = namesGoods(definition) ? goodsProblems(definition, line, at, known) : []
  if ('quantity' in definition.lines && (line.quantity === null || line.quantity === undefined))
    problems.push({ field: 'quantity', line: at, msg: `第${at}行：请填写数量` })
  return problems
}

/** A line's amounts: as typed, as what is left of its source, or by its price. */
function moneyOf(line: LineInput, price: Decimal, quantity: Decimal, rate: TaxRate): Amounts {
  const typed = line.taxed_amount as Decimal | null | undefined
  if (typed !== null && typed !== undefined) return splitTax(round(typed, 2), rate)
  const { rest_amount: rest, rest_untaxed: untaxed } = line
  if (rest === null || rest === undefined) return lineAmounts(price, quantity, rate)
  return untaxed === null || untaxed === undefined
    ? splitTax(round(rest, 2), rate)
    : { taxed_amount: round(rest, 2), untaxed_amount: round(untaxed, 2), tax_amount: subtract(rest, untaxed, 2) }
}

function finish(line: LineInput, at: number, numbers: () => number, known: Known): StoredLine {
  const facts = known.facts.get(String(line.specification_sn))
  const rate = (line.tax_rate ?? facts?.tax_rate ?? 0) as TaxRate
  const price = priceOf(line, facts, known)
  const quantity = round((line.quantity as Decimal | null | undefined) ?? '0', 3)
  const amounts = isZero(quantity) ? lineAmounts(price, quantity, rate) : moneyOf(line, price, quantity, rate)
  const own = withoutRest(line)
  delete own.stands_for
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
    // The base unit is the specification's own: its id is not a pack.
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

/** A line of a kind without prices: what its source or its item costs is not its business. */
const withoutPrice = (line: LineInput): LineInput => ({
  ...line,
  price: '0',
  tax_rate: 0,
  taxed_amount: null,
  tax_amount: null,
  ...noRest,
})

/** Lines that count only money: an amount, no goods. */
function moneyLine(line: LineInput, at: number, numbers: () => number): StoredLine {
  const amount = (line.taxed_amount ?? line.rest_amount ?? null) as Decimal | null
  if (amount === null)
    throw new BusinessError('invalid', undefined, [{ field: 'taxed_amount', line: at, msg: `第${at}行：请填写金额` }])
  const rate = (line.tax_rate ?? 0) as TaxRate
  return {
    ...withoutRest(line),
    line_no: typeof line.line_no === 'number' ? line.line_no : numbers(),
    quantity: '0.000',
    base_quantity: '0.000',
    price: '0.0000',
    tax_rate: rate,
    ...splitTax(round(amount, 2), rate),
    unit_codes: [],
  } as unknown as StoredLine
}

/**
 * Fills in the known data: defaults of fields, codes, lots, units, prices, amounts. The number of statements does not
 * depend on the number of lines.
 */
export async function completeLines(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  header: HeaderValues,
  entered: readonly LineInput[],
  last: number,
  except: string | null = null,
): Promise<StoredLine[]> {
  const inputs = await withKnownLots(
    tx,
    entered.map((line): LineInput => withDefaults(definition.lines, line)),
  )
  let next = inputs.reduce((most, line) => Math.max(most, typeof line.line_no === 'number' ? line.line_no : 0), last)
  const numbers = () => ++next
  if (definition.lineRules.basis === 'row') return inputs.map(line => emptyLine(line, numbers))
  if (definition.lineRules.basis === 'amount') {
    const named = lineNumbers(inputs, last)
    return inputs.map((line, at) => moneyLine(line, named[at]!, numbers))
  }
  const written = hasPrices(definition) ? inputs : inputs.map(withoutPrice)
  if (definition.posting.stockDirection === 'in') await keepReadings(tx, session.org.id, written)
  const codes = definition.posting.stockDirection === 'in' ? 'new' : 'known'
  const read = namesGoods(definition) ? await normaliseCodes(tx, session.org.id, written, codes) : written
  let lines =
    definition.posting.stockDirection === 'out'
      ? await splitBySerial(tx, session, read)
      : read
          .map(quantityFromCodes(definition, await packContents(tx, session.org.id, read)))
          .map(clearTypedPrice(definition, session))
  const [facts, packs] = await Promise.all([
    itemData(
      tx,
      lines.flatMap(line => (line.specification_sn ? [String(line.specification_sn)] : [])),
      tradeContext(definition, session, header),
    ),
    packUnits(
      tx,
      lines.flatMap(line => (line.unit_inner_sn ? [String(line.unit_inner_sn)] : [])),
    ),
  ])
  const known: Known = { facts, packs }
  const numbered = lineNumbers(lines, last)
  const problems = lines.flatMap((line, at) => problemsOf(definition, line, numbered[at]!, known))
  if (problems.length > 0) throw new BusinessError('invalid', undefined, problems)
  if (definition.posting.stockDirection === 'out')
    lines = await withLotDates(
      tx,
      session,
      await assignLots(tx, session, definition, header, lines, line => baseOf(line, known), except),
    )
  // Goods stored under a specification that is mapped to the requested one are named and priced like it.
  for (const [size, instead] of substitutedItems(lines))
    if (!facts.has(size) && facts.has(instead)) facts.set(size, facts.get(instead)!)
  if (definition.pricing.costing === 'later')
    lines = lines.map(line => ({ ...line, price: '0', taxed_amount: null, tax_amount: null, ...noRest }))
  else if (definition.pricing.costing && definition.pricing.costing !== 'own') {
    const measure = (line: LineInput) => packs.get(String(line.unit_inner_sn))?.base_measure ?? 1
    lines = await priceAtCost(tx, session, definition, header, lines, measure)
  }
  return lines.map((line, at) => finish(line, at, numbers, known))
}
