import type { Day } from '#kernel/day.ts'
import { f } from '#kernel/field.ts'
import { parseFields } from '#kernel/parse.ts'
import { Refusal } from '#kernel/refusal.ts'
import type { Acting } from '#server/engine/documents/acting.ts'
import { onceIn, together, type Tx } from '#server/engine/transaction.ts'

/** A month as the ledger of periods knows it: 202611. */
export const periodId = (month: string): string => month.slice(0, 7).replace('-', '')

const lockOf = (org: string): string => `period/${org}`
/** Whoever books at this moment is waited for: what is booked before a month closes is in it, what comes after is refused. */
export async function lockPeriods(tx: Tx, org: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${lockOf(org)}, 0))`
}

/** Refuses what is dated into a month that the organisation has closed. */
export async function refuseClosedPeriod(tx: Tx, org: string, day: string): Promise<void> {
  if (!(await isClosed(tx, org, day))) return
  const month = day.slice(0, 7)
  throw new Refusal('rule', `会计期间【${month}】已结账：该期间已月结，不能再发生业务`, [
    { field: 'business_date', msg: `会计期间【${month}】已结账` },
  ])
}

/** Asked once a transaction, which keeps the month from closing until it ends. */
const isClosed = (tx: Tx, org: string, day: string): Promise<boolean> =>
  onceIn(tx, `period/${org}/${periodId(day)}`, async () => {
    const [, rows] = await together([
      tx`select pg_advisory_xact_lock_shared(hashtextextended(${lockOf(org)}, 0))`,
      tx`select 1 from accounting_period where org_id = ${org} and id = ${periodId(day)} and state = 'closed'`,
    ])
    return rows.length > 0
  })

/** The day of a red paper: its own where the call names one, else the original's. */
export function redDay({ body, doc }: Acting): Day {
  if (body.business_date === undefined || body.business_date === null || body.business_date === '')
    return doc.business_date
  const { values, problems } = parseFields({ business_date: f.day('红冲日期') }, { business_date: body.business_date })
  if (problems.length > 0) throw new Refusal('invalid', problems[0]!.msg, problems)
  return values.business_date as Day
}

const judged = new Set(['submit', 'review'])
/** Papers that book are neither handed in, booked nor taken back with a date inside a closed month. */
export async function refuseClosedDates(acting: Acting): Promise<void> {
  if (!isDated(acting)) return
  const { tx, session, spec, doc } = acting
  await refuseClosedPeriod(tx, session.org.id, spec.effect === 'mirror' ? redDay(acting) : doc.business_date)
}

const isDated = ({ definition, action, spec }: Acting): boolean =>
  definition.posts !== undefined && (spec.effect !== undefined || judged.has(action))

/** Asks ahead what `refuseClosedDates` will judge by. */
export async function askClosedDates(acting: Acting): Promise<void> {
  const { tx, session, doc } = acting
  if (isDated(acting)) await isClosed(tx, session.org.id, doc.business_date)
}
