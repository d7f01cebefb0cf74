import type { arrivalOrder } from '#modules/trade/purchasing/receiving/arrival-order.doc.ts'
import type { ContextOf } from '#server/public/hooks.ts'
import {
  patchDocument,
  replaceLines,
  type StoredLine,
  totalsOfLines,
  type TypedDocument,
  type TypedLine,
} from '#server/public/documents.ts'
import { clock, daysBetween } from '#kernel/values/date.ts'
import { type Decimal, isPositive, sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { createQualityLines, namedLines } from '#modules/trade/purchasing/receiving/quality-lines.server.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'
import { employeeOf } from '#server/public/organisations.ts'

type Context = ContextOf<typeof arrivalOrder>
type ArrivalOrder = TypedDocument<typeof arrivalOrder>
type Line = TypedLine<typeof arrivalOrder>

type Decision = 'pending' | 'hold' | 'pass' | 'refuse'

const refusedOf = (line: Line): Decimal => (line.refused_quantity as Decimal | null | undefined) ?? '0'

const refusedIn = (lines: readonly Line[]): Decimal => sum(lines.map(refusedOf), 3)

/** The lines named in a dialog of this document. */
export const named = (doc: ArrivalOrder, open: readonly Line[], nothing: string) =>
  namedLines(doc.lines, { said: doc.quality_lines, field: 'quality_lines' }, open, nothing)

/** The decision of the document as a whole, derived from the decisions on its lines. */
function decisionOf(lines: readonly Line[]): Decision | null {
  const flagged = lines.filter(line => line.line_abnormal)
  const of = (decision: Decision) => flagged.some(line => line.line_decision === decision)
  if (flagged.length === 0) return null
  return of('pending') ? 'pending' : of('hold') ? 'hold' : of('pass') ? 'pass' : 'refuse'
}

/** Writes the lines, and the fields that the document and the next dialog derive from them. */
async function write({ tx, session, definition, doc }: Context, lines: readonly Line[]): Promise<ArrivalOrder> {
  const values = { quality_decision: decisionOf(lines), quality_lines: null, refused_total: refusedIn(lines) }
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  await createQualityLines(tx, session.org.id, doc.id)
  const { total_quantity, untaxed_amount, tax_amount, taxed_amount } = totalsOfLines(lines)
  const totals = { total_quantity, untaxed_amount, tax_amount, taxed_amount }
  await patchDocument(tx, session, doc, { ...values, ...totals }, 'withAction')
  return { ...doc, ...values, lines }
}

/** 转质量处理: abnormal lines wait for quality. */
export async function flagLines(ctx: Context): Promise<void> {
  const { doc } = ctx
  const arrived = doc.lines.filter(line => isPositive(line.quantity))
  const meant = named(doc, arrived, '没有到货数量，不能转质量处理')
  await write(
    ctx,
    doc.lines.map(line =>
      meant.has(line.line_no)
        ? {
            ...line,
            line_abnormal: doc.abnormal_type,
            line_decision: 'pending',
            line_note: doc.abnormal_note ?? null,
            line_opinion: null,
          }
        : line,
    ),
  )
}

/** Moves the quantity of a line from arrived to refused. */
const sentAway = (line: Line, why: string): Line => ({
  ...line,
  refused_quantity: sum([refusedOf(line), line.quantity], 3),
  refuse_reason: why,
  quantity: '0.000',
  base_quantity: '0.000',
  untaxed_amount: '0.00',
  tax_amount: '0.00',
  taxed_amount: '0.00',
  unit_codes: [],
})

/** The decider: the one named in the dialog, otherwise the current user. */
async function deciderOf({ tx, session, doc }: Context): Promise<string> {
  if (!doc.quality_handler_inner_sn) return session.userName
  const [row] = await tx<{ name: string }[]>`
    select name from employee where org_id = ${session.org.id} and id = ${String(doc.quality_handler_inner_sn)}`
  return row?.name ?? session.userName
}

/** 放行, 拒收, 待查: of the waiting lines, each decided separately. */
export const decideLines =
  (decision: Exclude<Decision, 'pending'>) =>
  async (ctx: Context): Promise<void> => {
    const { doc } = ctx
    const waiting = doc.lines.filter(line => line.line_decision === 'pending' || line.line_decision === 'hold')
    const meant = named(doc, waiting, '没有待处理的质量异常')
    const opinion = String(doc.quality_opinion ?? '')
    const by = { line_decided_by: await deciderOf(ctx), line_decided_at: (clock.at ?? new Date()).toISOString() }
    await write(
      ctx,
      doc.lines.map(line => {
        if (!meant.has(line.line_no)) return line
        const decided = { ...line, line_decision: decision, line_opinion: opinion, ...by }
        return decision === 'refuse' ? sentAway(decided, opinion) : decided
      }),
    )
  }

/** 撤销处理: released or held lines wait again; refused ones have been moved and are corrected by the clerk. */
export async function undecide(ctx: Context): Promise<void> {
  const { doc } = ctx
  const decided = doc.lines.filter(line => line.line_decision === 'pass' || line.line_decision === 'hold')
  const meant = named(doc, decided, '没有可撤销的处理，已拒收的请驳回后由收货员修改')
  await write(
    ctx,
    doc.lines.map(line =>
      meant.has(line.line_no)
        ? { ...line, line_decision: 'pending', line_decided_by: null, line_decided_at: null }
        : line,
    ),
  )
}

/** The user who received the goods may not decide on their faults. */
export async function refuseOwnDecision({ tx, session, doc }: Context): Promise<void> {
  const decider = doc.quality_handler_inner_sn ?? (await employeeOf(tx, session))
  if (decider && decider === doc.handler_inner_sn)
    throw new BusinessError('forbidden', '收货员不能处理本人收货的质量异常')
}

/** Goods in the last third of their shelf life. */
const isNearExpiry = (line: StoredLine, day: string): boolean =>
  line.expiry_date !== null &&
  line.production_date !== null &&
  daysBetween(day, line.expiry_date) * 3 < daysBetween(line.production_date, line.expiry_date)

/**
 * Flags set automatically at submission: cold-chain goods, goods close to expiry, and the lines that an abnormality
 * concerns.
 */
export async function withFlags(ctx: Context): Promise<ArrivalOrder> {
  const { tx, session, definition, doc } = ctx
  const facts = await specificationFacts(
    tx,
    doc.lines.map(line => line.specification_sn!),
    { org: session.org.id, counterparty: doc.counterparty_sn, direction: 'buy', day: doc.business_date },
  )
  const came = doc.lines.filter(line => isPositive(line.quantity)).map(line => line.specification_sn!)
  const [cold] = await tx`
    select 1 from specification s join product p on p.id = s.product_id
     where p.is_cold_chain
       and s.id = any(${came}::bigint[]) limit 1`
  const isFlagged = doc.is_abnormal === true && !doc.lines.some(line => line.line_abnormal)
  const lines = doc.lines.map(line => ({
    ...line,
    is_near_expiry: facts.has(line.specification_sn ?? '') && isNearExpiry(line, doc.business_date),
    ...(isFlagged && isPositive(line.quantity)
      ? { line_abnormal: doc.abnormal_type ?? ('mismatch' as const), line_decision: 'pending' as const }
      : {}),
  }))
  const values = {
    is_cold_chain: doc.is_cold_chain === true || cold !== undefined,
    quality_decision: decisionOf(lines),
    refused_total: refusedIn(lines as readonly Line[]),
  }
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  if (lines.some(line => line.line_abnormal)) await createQualityLines(tx, session.org.id, doc.id)
  await patchDocument(tx, session, doc, values, 'withAction')
  return { ...doc, ...values, lines }
}
