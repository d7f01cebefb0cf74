import type { Day } from '#kernel/values/date.ts'
import { f } from '#kernel/definition/field.ts'
import { belongsToMonth } from '#kernel/rules/month.ts'
import { parseFields } from '#kernel/values/parse-fields.ts'
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
  const last = await closedFrom(tx, org, day)
  if (last === null) return
  const [month, until] = [day.slice(0, 7), monthOf(last)]
  const msg =
    month === until
      ? `会计期间【${month}】已结账：该期间已月结，不能再发生业务`
      : `会计期间【${until}】已结账：更早的期间【${month}】也不能再发生业务`
  throw new BusinessError('rule', msg, [{ field: 'business_date', msg: `会计期间【${until}】已结账` }])
}

/**
 * The first closed month that is not before the day's; null where there is none. Read once per transaction, which
 * keeps months from closing until it ends.
 */
const closedFrom = (tx: Tx, org: string, day: string): Promise<string | null> =>
  cachedInTx(tx, `period/${org}/${periodId(day)}`, async () => {
    const [, rows] = await pipelined([
      tx`select pg_advisory_xact_lock_shared(hashtextextended(${lockOf(org)}, 0))`,
      tx<{ id: string }[]>`
        select id::text as id from accounting_period
         where org_id = ${org} and id >= ${periodId(day)} and state = 'closed' order by accounting_period.id limit 1`,
    ])
    return rows[0]?.id ?? null
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
  const { tx, session, spec, doc } = ctx
  await checkPeriodOpen(tx, session.org.id, spec.effect === 'reverse' ? reversalDate(ctx) : doc.business_date)
}

const isDated = ({ definition, action, spec }: ActionContext): boolean =>
  belongsToMonth(definition) && (spec.effect !== undefined || checked.has(action))

/** Prefetches what `refuseClosedDates` checks. */
export async function prefetchPeriod(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  if (isDated(ctx)) await closedFrom(tx, session.org.id, doc.business_date)
}
