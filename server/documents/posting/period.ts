import { type Day, shiftMonths } from '#kernel/values/date.ts'
import { f } from '#kernel/definition/field.ts'
import { belongsToMonth, monthClosed } from '#kernel/rules/month.ts'
import { parseFields } from '#kernel/rules/parse-fields.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/documents/action/context.ts'
import { cachedInTx, pipelined, type Tx } from '#server/database/transaction.ts'

/** A month in the period ledger's format: 202611. */
export const periodId = (month: string): string => month.slice(0, 7).replace('-', '')

const lockOf = (org: string): string => `period/${org}`
/** Waits for concurrent postings: what is booked before a month closes belongs to it, what comes after is refused. */
export async function lockPeriods(tx: Tx, org: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${lockOf(org)}, 0))`
}

const monthOf = (id: string): string => `${id.slice(0, 4)}-${id.slice(4)}`

/** Refuses a date in a month that the organisation has closed, or in any month before one. */
export async function checkPeriodOpen(tx: Tx, org: string, day: string): Promise<void> {
  const { until, open } = await closedFrom(tx, org, day)
  if (until === null || open === null) return
  const closed = { until, open }
  throw new BusinessError('rule', monthClosed(day.slice(0, 7), closed), [
    { field: 'business_date', msg: `会计期间【${until}】已结账` },
  ])
}

type Closed = { readonly until: string | null; readonly last: string | null; readonly open: string | null }

/**
 * The first closed month that is not before the day's, the last of all closed ones and the first after it; null where
 * there is none. Read once per transaction, which keeps months from closing until it ends.
 */
const closedFrom = (tx: Tx, org: string, day: string): Promise<Closed> =>
  cachedInTx(tx, `period/${org}/${periodId(day)}`, async () => {
    const [, rows] = await pipelined([
      tx`select pg_advisory_xact_lock_shared(hashtextextended(${lockOf(org)}, 0))`,
      tx<{ first: string | null; last: string | null }[]>`
        select (min(id) filter (where id >= ${periodId(day)}))::text as first, max(id)::text as last
          from accounting_period where org_id = ${org} and state = 'closed'`,
    ])
    const { first, last } = rows[0]!
    return {
      until: first && monthOf(first),
      last: last && monthOf(last),
      open: last && shiftMonths(`${monthOf(last)}-01` as Day, 1).slice(0, 7),
    }
  })

/** The date of a reversal: its own where the call gives one, else the original's. */
export function reversalDate({ body, doc }: ActionContext): Day {
  if (body.business_date === undefined || body.business_date === null || body.business_date === '')
    return doc.business_date
  const { values, problems } = parseFields({ business_date: f.day('红冲日期') }, { business_date: body.business_date })
  if (problems.length > 0) throw new BusinessError('invalid', problems[0]!.msg, problems)
  return values.business_date as Day
}

const checked = new Set(['submit', 'review'])
/** Documents that belong to a month cannot be submitted, booked or taken back with a date in a closed month. */
export async function checkDocumentPeriod(ctx: ActionContext): Promise<void> {
  if (!isDated(ctx)) return
  await checkPeriodOpen(ctx.tx, ctx.session.org.id, dateOf(ctx))
}

/** The day to which an action on a document counts. */
export const dateOf = (ctx: ActionContext): Day =>
  ctx.spec.effect === 'reverse' ? reversalDate(ctx) : ctx.doc.business_date

/** The last month that is closed, for a document that belongs to a month; null where none is, or where it does not. */
export const lastClosed = async (ctx: ActionContext): Promise<string | null> =>
  isDated(ctx) ? (await closedFrom(ctx.tx, ctx.session.org.id, dateOf(ctx))).last : null

const isDated = ({ definition, action, spec }: ActionContext): boolean =>
  belongsToMonth(definition) && (spec.effect !== undefined || checked.has(action))

/** Prefetches what `refuseClosedDates` checks. */
export async function prefetchPeriod(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  if (isDated(ctx)) await closedFrom(tx, session.org.id, doc.business_date)
}
