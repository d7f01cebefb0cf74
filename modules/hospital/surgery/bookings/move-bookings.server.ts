import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'
import { kindShownTo, sendMessage } from '#server/public/notifications.ts'
import { instant } from '#kernel/values/date.ts'
import type { Subject } from '#modules/hospital/surgery/bookings/booking.server.ts'
import { displaceOthers, outSince, tryPeriod } from '#modules/hospital/surgery/bookings/real-times.server.ts'
import { subjectName } from '#modules/hospital/surgery/bookings/subject-names.server.ts'

const HOUR = 3_600_000
/** The hours for which a technician attends an operation. */
const ATTENDANCE = 4
/** The hours for which lent kits and sets stay out after it, where the plan has no other time. */
const STAY = 48

/** The fields of a plan that decide when its kits, sets and technicians are taken; instants of ISO 8601. */
export type Planned = {
  readonly id: string
  readonly sn: string
  readonly surgery_at: string | null
  readonly deliver_by: string | null
  readonly return_by: string | null
}
type Held = {
  readonly id: string
  readonly subject: Subject
  readonly name: string
  readonly from: string
  readonly to: string
  /** Since when it is out under the plan. */
  readonly out_at: string | null
}

/** From when until when a plan takes them: those who attend for some hours, what is lent from its delivery on. */
export function takenFor({ surgery_at, deliver_by, return_by }: Planned): Record<Subject, Period> {
  const at = Date.parse(surgery_at!)
  const begins = Math.min(Date.parse(deliver_by ?? surgery_at!), at)
  const back = Date.parse(return_by ?? '')
  const ends = back > at ? back : at + STAY * HOUR
  const lent = { from: iso(begins), to: iso(ends) }
  return { kit: lent, toolsKit: lent, technician: { from: iso(at), to: iso(at + ATTENDANCE * HOUR) } }
}
type Period = { readonly from: string; readonly to: string }
const iso = (moment: number): string => new Date(moment).toISOString()

/**
 * The period for which a subject is really taken: one that is out is taken from when it left, at least until now,
 * whenever the operation is planned.
 */
function reallyTaken({ out_at }: Held, { from, to }: Period): Period {
  if (out_at === null) return { from, to }
  const moment = (...each: string[]) => each.map(one => Date.parse(one))
  return { from: iso(Math.min(...moment(out_at, from))), to: iso(Math.max(...moment(instant(), to))) }
}

/**
 * Moves the bookings of a plan to its new time. If another plan has a subject then, the moved plan gives it up, and the
 * dispatcher is notified to assign another; subjects that are out under the moved plan stay with it, and the other plan
 * gives them up.
 */
export async function moveBookings(tx: Tx, session: Session, plan: Planned): Promise<void> {
  if (plan.surgery_at === null) return
  const held = await tx<Held[]>`
    select b.id, b.subject_kind as subject, ${subjectName(tx)} as name, lower(b.period) as from,
           upper(b.period) as to, ${outSince(tx)} as out_at
      from surgery_booking b
     where b.org_id = ${session.org.id} and b.plan_id = ${plan.id} order by b.subject_kind, b.subject_id`
  const periods = takenFor(plan)
  const lost: string[] = []
  for (const row of held) {
    const period = reallyTaken(row, periods[row.subject])
    if (Date.parse(row.from) === Date.parse(period.from) && Date.parse(row.to) === Date.parse(period.to)) continue
    if (await isMoved(tx, session, row.id, period)) continue
    if (row.out_at !== null) {
      await displaceOthers(tx, session, { id: row.id, plan: plan.sn }, period)
      continue
    }
    await tx`delete from surgery_booking where org_id = ${session.org.id} and id = ${row.id}`
    lost.push(row.name)
  }
  if (lost.length > 0)
    await sendMessage(tx, session.org.id, {
      title: '手术改期，占用冲突',
      body: `手术${plan.sn}改期后${lost.join('、')}在新时间已被其他手术占用，请重新分派`,
      uri: 'bonePlan',
      objectId: plan.sn,
      kind: kindShownTo(session.org.type, ['bonePlan']),
    })
}

const isMoved = (tx: Tx, session: Session, id: string, { from, to }: Period): Promise<boolean> =>
  tryPeriod(
    tx,
    inner => inner`
      update surgery_booking set period = tstzrange(${from}::timestamptz, ${to}::timestamptz)
       where org_id = ${session.org.id} and id = ${id}`,
  )
