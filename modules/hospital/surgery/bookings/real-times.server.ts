import type { Sql } from 'postgres'
import { instant } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Subject, TenantContext } from '#modules/hospital/surgery/bookings/booking.server.ts'
import { subjectName, takenBy } from '#modules/hospital/surgery/bookings/subject-names.server.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'
import { kindShownTo, sendMessage } from '#server/public/notifications.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import type { Fragment } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'

/** Two bookings of one thing overlap: the constraint of the table says so. */
const OVERLAPS = '23P01'
/**
 * A subject that is out stays taken at least so long from now on: the job that extends its booking runs once an hour.
 */
const AHEAD = '1 hour'

/** Since when what the booking `b` takes is out under its plan; null while it is not. */
export const outSince = (tx: Tx): Fragment => tx`(
  select k.out_at from implant_kit k
   where b.subject_kind = 'kit' and k.org_id = b.org_id and k.id = b.subject_id and k.out_plan_id = b.plan_id
   union all
  select t.out_at from tools_kit t
   where b.subject_kind = 'toolsKit' and t.org_id = b.org_id and t.id = b.subject_id and t.out_plan_id = b.plan_id)`

/** True if the subject of the booking `b` is out under its plan. */
export const isOut = (tx: Tx): Fragment => tx`${outSince(tx)} is not null`

/** Writes to one booking of a thing another period; whether nobody else has the thing then. */
export async function tryPeriod(tx: Tx, work: (inner: Tx) => Promise<unknown>): Promise<boolean> {
  try {
    await tx.savepoint(inner => work(inner as Tx))
    return true
  } catch (error) {
    if ((error as { code?: string }).code === OVERLAPS) return false
    throw error
  }
}

/**
 * Takes a subject that leaves from now on, whenever it was planned to leave: lending it over another plan's booking is
 * refused by the constraint of the table, like booking it.
 */
export async function takeFromNow(
  { tx, session }: TenantContext,
  subject: Subject,
  planId: string,
  sns: readonly string[],
): Promise<void> {
  const now = instant()
  const mine = (on: Tx) => on`
    b.org_id = ${session.org.id} and b.plan_id = ${planId} and b.subject_kind = ${subject}
    and b.subject_id = any(${sns as string[]}::bigint[])`
  const isFree = await tryPeriod(
    tx,
    inner => inner`
      update surgery_booking b set period = tstzrange(least(lower(b.period), ${now}::timestamptz),
             greatest(upper(b.period), ${now}::timestamptz + ${AHEAD}::interval))
       where ${mine(inner)}`,
  )
  if (isFree) return
  const [other] = await tx<{ name: string; plan: string }[]>`
    select ${subjectName(tx)} as name, d.sn as plan from surgery_booking b
      join document d on d.org_id = b.org_id and d.id = b.plan_id
      join surgery_booking o on o.org_id = b.org_id and o.subject_kind = b.subject_kind
        and o.subject_id = b.subject_id and o.plan_id = ${planId}
     where b.org_id = ${session.org.id} and b.subject_kind = ${subject} and b.plan_id <> ${planId}
       and b.subject_id = any(${sns as string[]}::bigint[])
       and b.period && tstzrange(least(lower(o.period), ${now}::timestamptz),
             greatest(upper(o.period), ${now}::timestamptz + ${AHEAD}::interval))
     order by lower(b.period) limit 1`
  throw new BusinessError('blocked', takenBy[subject](other?.name ?? '', other?.plan ?? ''))
}

type Displaced = { readonly name: string; readonly plan: string }

/**
 * The plan under which a subject is out keeps it; other plans' bookings of it until then are given up. Whoever planned
 * them is notified, to assign another.
 */
export async function displaceOthers(
  tx: Tx,
  session: Session,
  booking: { readonly id: string; readonly plan: string },
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const org = session.org.id
  const gone = await tx<Displaced[]>`
    with mine as (
      select subject_kind, subject_id from surgery_booking where org_id = ${org} and id = ${booking.id}
    ), gone as (
      delete from surgery_booking b using mine m
       where b.org_id = ${org} and b.subject_kind = m.subject_kind and b.subject_id = m.subject_id
         and b.id <> ${booking.id} and b.period && tstzrange(${from}::timestamptz, ${to}::timestamptz)
      returning b.*)
    select ${subjectName(tx)} as name, d.sn as plan from gone b
      join document d on d.org_id = b.org_id and d.id = b.plan_id order by lower(b.period)`
  await tx`
    update surgery_booking set period = tstzrange(${from}::timestamptz, ${to}::timestamptz)
     where org_id = ${org} and id = ${booking.id}`
  for (const { name, plan } of gone)
    await sendMessage(tx, org, {
      title: '借出未归还，占用冲突',
      body: `${name}借给手术${booking.plan}后尚未归还，手术${plan}的占用已取消，请重新分派`,
      uri: 'bonePlan',
      objectId: plan,
      kind: kindShownTo(session.org.type, ['bonePlan']),
    })
}

type Late = { readonly id: string; readonly plan: string; readonly from: string; readonly to: string }

/** Bookings that have ended although their subject is still out: it stays taken until it is back. */
const lateOf = (tx: Tx, org: string) => tx<Late[]>`
  select b.id, d.sn as plan, lower(b.period) as "from", ${instant()}::timestamptz + ${AHEAD}::interval as "to"
    from surgery_booking b join document d on d.org_id = b.org_id and d.id = b.plan_id
   where b.org_id = ${org} and upper(b.period) < ${instant()}::timestamptz + ${AHEAD}::interval and ${isOut(tx)}
   order by b.id for update of b`

/** 借出超期: kits and sets that were not back in time are taken on, and later plans give them up. */
export async function keepLateLoans(app: Sql, owner: Sql): Promise<void> {
  const orgs = await owner<{ org_id: string }[]>`
    select org_id from implant_kit where out_plan_id is not null
     union
    select org_id from tools_kit where out_plan_id is not null
     order by org_id`
  for (const { org_id } of orgs) {
    const session = await systemSessionOf(owner, org_id)
    await inOrganisation(app, org_id, '0', async tx => {
      for (const { id, plan, from, to } of await lateOf(tx, org_id))
        await displaceOthers(tx, session, { id, plan }, { from, to })
    })
  }
}
