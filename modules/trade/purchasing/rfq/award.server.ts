import {
  byName,
  patchDocument,
  patchLines,
  type StoredLine,
  sumLines,
  transition,
  type TypedDocument,
  type TypedLine,
} from '#server/public/documents.ts'
import type { enquiry } from '#modules/trade/purchasing/rfq/enquiry.doc.ts'
import type { ContextOf } from '#server/public/hooks.ts'
import { compare, type Decimal, isPositive, multiply, plain, round, subtract, sum } from '#kernel/values/decimal.ts'
import { lineAmounts, type TaxRate } from '#kernel/values/tax-amounts.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import {
  type Offer,
  offerFor,
  offersOf,
  refuseSealed,
} from '#modules/trade/purchasing/rfq/received-quotations.server.ts'
import { enqueueMessage } from '#server/public/intercompany.ts'
import { namedRows, negated, progressEntries, recordProgress } from '#server/public/actions.ts'
import { measureOfLine } from '#kernel/rules/line-measure.ts'

type Context = ContextOf<typeof enquiry>
type Enquiry = TypedDocument<typeof enquiry>
type Line = TypedLine<typeof enquiry>

/** Base units per unit of the line. */

/** One line, or a part of it, awarded to one supplier. */
type Award = { readonly line_no: number; readonly supplier_sn: string; readonly quantity: Decimal }
const ENOUGH_ANSWERS = 3
const MOST_AWARDS = 5000

type AskedAward = {
  readonly line_no: number
  readonly supplier_sn?: string | null
  readonly quantity?: Decimal | null
}

/** The awards in the request or, if there are none, the lowest permitted price of every line. */
async function requestedAwards(ctx: Context, offers: readonly Offer[]): Promise<Award[]> {
  const { doc } = ctx
  const asked = await namedRows<AskedAward>(ctx, 'awards')
  if (asked === null) return doc.lines.flatMap(line => cheapest(line, offers))
  if (asked.length > MOST_AWARDS) throw new BusinessError('invalid', `一次最多定标${MOST_AWARDS}行`)
  return asked.map(({ line_no, supplier_sn, quantity }) => {
    const line = doc.lines.find(each => each.line_no === line_no)
    if (!line) throw new BusinessError('invalid', `没有第${line_no}行，请刷新后重试`)
    const given = quantity ?? line.quantity
    if (!isPositive(given)) throw new BusinessError('invalid', `第${line_no}行：中标数量必须大于0`)
    return { line_no, supplier_sn: supplier_sn ?? '', quantity: given }
  })
}

const overLimit = (line: Line, price: Decimal): boolean =>
  Boolean(line.limit_price) &&
  isPositive(line.limit_price as Decimal) &&
  compare(price, line.limit_price as Decimal) > 0

function cheapest(line: Line, offers: readonly Offer[]): Award[] {
  const permitted = offers
    .flatMap(offer => {
      const row = offerFor(offer, line)
      return row && !overLimit(line, row.price) ? [{ offer, price: row.price }] : []
    })
    .toSorted((a, b) => compare(a.price, b.price))
  const [best] = permitted
  return best ? [{ line_no: line.line_no, supplier_sn: best.offer.supplier, quantity: line.quantity }] : []
}

/** Each award names a valid answer within our limit, and no line awards more than was requested. */
function decide(doc: Enquiry, offers: readonly Offer[], awards: readonly Award[]): void {
  if (awards.length === 0) throw new BusinessError('rule', '没有可定标的报价：请终止询价，或调整最高限价后重新询价')
  for (const award of awards) {
    const line = doc.lines.find(each => each.line_no === award.line_no)!
    const offer = offers.find(each => each.supplier === award.supplier_sn)
    const row = offer && offerFor(offer, line)
    if (!row) throw new BusinessError('rule', `第${line.line_no}行：所选供应商没有报价，请重新选择`)
    if (overLimit(line, row.price)) throw new BusinessError('rule', `第${line.line_no}行：报价高于最高限价，不能定标`)
  }
  for (const [no, parts] of Map.groupBy(awards, award => award.line_no)) {
    const line = doc.lines.find(each => each.line_no === no)!
    const given = sum(
      parts.map(part => part.quantity),
      3,
    )
    if (compare(given, line.quantity) > 0)
      throw new BusinessError('rule', `第${no}行：中标数量合计${plain(given)}超过询价数量${plain(line.quantity)}`)
    if (new Set(parts.map(part => part.supplier_sn)).size < parts.length)
      throw new BusinessError('rule', `第${no}行：同一供应商只能选择一次`)
  }
}

const chosen = new WeakMap<object, { awards: readonly Award[]; offers: readonly Offer[] }>()

/** 定标: the choice is checked and written to the lines. */
export async function chosenAwards(ctx: Context): Promise<Enquiry> {
  const { tx, session, doc } = ctx
  const offers = await offersOf(tx, session.org.id, doc)
  refuseSealed(doc, offers)
  const awards = await requestedAwards(ctx, offers)
  decide(doc, offers, awards)
  if (offers.length < ENOUGH_ANSWERS && !doc.award_reason) {
    const msg = `报价供应商不足${ENOUGH_ANSWERS}家，请填写原因`
    throw new BusinessError('rule', msg, [{ field: 'award_reason', msg }])
  }
  const priced = awards.map(award => {
    const line = doc.lines.find(each => each.line_no === award.line_no)!
    return { ...award, price: offerFor(offers.find(each => each.supplier === award.supplier_sn)!, line)!.price }
  })
  const lines = doc.lines.map(line => {
    const parts = priced.filter(award => award.line_no === line.line_no)
    const [first] = parts.toSorted((a, b) => compare(b.quantity, a.quantity))
    if (!first) return line
    const quantity = sum(
      parts.map(part => part.quantity),
      3,
    )
    return {
      ...line,
      winner_sn: first.supplier_sn,
      awarded_price: first.price,
      awarded_quantity: quantity,
    } as Line
  })
  const amount = sum(
    priced.map(({ price, quantity }) => round(multiply(price, quantity, 4), 2)),
    2,
  )
  const next = { ...doc, lines, awarded_amount: amount }
  chosen.set(next, { awards, offers })
  return next
}

/**
 * Writes the award to the enquiry and the copies; each supplier sees only its own result, and plans get back the
 * quantities not awarded.
 */
export async function writeAwards(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const { awards, offers } = chosen.get(doc)!
  const won = doc.lines.map(line => ({
    line_no: line.line_no,
    values: {
      winner_sn: line.winner_sn ?? null,
      awarded_price: line.awarded_price ?? null,
      awarded_quantity: line.awarded_quantity ?? null,
    },
  }))
  await patchLines(tx, session, doc, won, 'withAction')
  await patchDocument(tx, session, doc, { awarded_amount: doc.awarded_amount as string }, 'withAction')
  for (const offer of offers) await notifyResult(ctx, offer, awards)
  await giveBackRest(ctx)
}

async function notifyResult({ tx, session, doc }: Context, offer: Offer, awards: readonly Award[]): Promise<void> {
  const lines = offer.copy.lines.map(line => {
    const won = awards.find(
      award => award.supplier_sn === offer.supplier && award.line_no === byName(line).asked_line_no,
    )
    const quantity = won?.quantity ?? '0'
    return { line, quantity, fields: { awarded_quantity: round(quantity, 3), awarded_price: won ? line.price : null } }
  })
  const wins = lines.filter(({ quantity }) => isPositive(quantity)).length
  const award_state = wins === 0 ? 'lost' : wins < lines.length ? 'partly' : 'won'
  const label = { won: '中标', partly: '部分中标', lost: '未中标' }[award_state]
  await enqueueMessage(tx, session, offer.supplier, doc.id, {
    message: 'act',
    kind: 'quotation',
    sn: offer.copy.sn,
    action: 'award',
    label,
    reason: null,
    actor: session.userName,
    sets: { award_state },
    lines: lines.map(({ line, fields }) => ({ line_no: line.line_no, fields })),
    to: 'reviewed',
  })
  // Our copy becomes the source of orders: the offered goods, in the awarded quantity.
  const terms = lines.map(({ line, quantity, fields }) => ({
    line_no: line.line_no,
    values: { ...fields, ...figures(line, quantity) },
  }))
  await patchLines(tx, session, offer.copy, terms, 'withAction')
  await patchDocument(tx, session, offer.copy, { award_state }, 'withAction')
  await sumLines(tx, session, [offer.copy.id], 'withAction')
  await transition(tx, session, offer.copy, { action: 'award', label, from: [offer.copy.state], to: 'reviewed' })
}

function figures(line: StoredLine, quantity: Decimal) {
  const measure = measureOfLine(line)
  return {
    quantity,
    base_quantity: multiply(quantity, measure, 3),
    ...lineAmounts(line.price, quantity, line.tax_rate as TaxRate),
    specification_sn: byName(line).offered_specification_sn ?? line.specification_sn,
  }
}

/** Frees the quantities that were not awarded, so that they may be planned, ordered and enquired again. */
async function giveBackRest({ tx, session, doc, definition }: Context): Promise<void> {
  const lines = doc.lines.map(line => {
    const won = multiply((line.awarded_quantity as Decimal | null | undefined) ?? '0', measureOfLine(line), 3)
    return { ...line, base_quantity: subtract(line.base_quantity, won, 3) }
  })
  const rest = lines.filter(line => isPositive(line.base_quantity))
  await recordProgress(
    tx,
    session,
    negated(await progressEntries(tx, session.org.id, definition, { lines: rest }, 'submit')),
  )
}
