import { compareIds } from '#kernel/values/order.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { refuseUnfitKits } from '#modules/hospital/surgery/kits/kit-contents.server.ts'
import { refuseUnfitTools } from '#modules/hospital/surgery/tools/tools-contents.server.ts'
import { isOut } from '#modules/hospital/surgery/bookings/real-times.server.ts'
import { subjectName, takenBy } from '#modules/hospital/surgery/bookings/subject-names.server.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import type { Tx } from '#server/public/database.ts'
import type { Session } from '#server/public/session.ts'

export { kitContents, recallKits, sendKits, takeBackKits } from '#modules/hospital/surgery/kits/kit-contents.server.ts'
export {
  recallToolsKits,
  sendToolsKits,
  takeBackToolsKits,
  toolsKitContents,
} from '#modules/hospital/surgery/tools/tools-contents.server.ts'
export { appliedPath, pathLines } from '#modules/hospital/surgery/paths/path-lines.server.ts'

/** The context in which something acts for an organisation in a transaction: an action, a call, a job. */
export type TenantContext = Pick<ActionContext, 'tx' | 'session'>
export type Subject = 'kit' | 'toolsKit' | 'technician'

/**
 * A subject that is taken for a plan: `sn` is the key of the kit, set or employee, `from` and `to` instants of ISO
 * 8601.
 */
export type Booking = {
  readonly subject: Subject
  readonly sn: string
  readonly planId: string
  readonly from: string
  readonly to: string
}

/** Several bookings take their locks in one order, so that two dispatchers never wait for each other. */
const inOrder = (bookings: readonly Booking[]): Booking[] =>
  bookings.toSorted((a, b) => a.subject.localeCompare(b.subject) || compareIds(a.sn, b.sn))

/**
 * Takes kits, sets and technicians for plans; earlier bookings of the same plan are replaced. Refuses where another
 * plan has one of them at an overlapping time: the constraint of the table ensures it for calls at the same moment too.
 * Kits that are out, stopped or hold an expired piece are refused, and sets that are out, stopped or not clean.
 */
export async function book({ tx, session }: TenantContext, asked: Booking | readonly Booking[]): Promise<void> {
  const bookings = inOrder([asked].flat() as Booking[])
  if (bookings.length === 0) return
  if (bookings.some(({ from, to }) => !(Date.parse(from) < Date.parse(to))))
    throw new BusinessError('invalid', '占用的结束时间须晚于开始时间，请核对送达截止时间与预计归还时间')
  const keysOf = (subject: Subject) => bookings.filter(each => each.subject === subject)
  await refuseUnfitKits(tx, session, keysOf('kit'))
  await refuseUnfitTools(tx, session, keysOf('toolsKit'))
  const rows = tx.json(bookings.map(({ sn, planId, ...rest }) => ({ ...rest, sn, plan: planId })))
  const set = tx.unsafe('r(subject text, sn bigint, plan bigint, "from" timestamptz, "to" timestamptz)')
  await tx`
    delete from surgery_booking b using jsonb_to_recordset(${rows}) ${set}
     where b.org_id = ${session.org.id} and b.plan_id = r.plan and b.subject_kind = r.subject
       and b.subject_id = r.sn`
  const made = await tx<{ subject: Subject; sn: string }[]>`
    insert into surgery_booking (org_id, subject_kind, subject_id, plan_id, period, booked_by)
    select d.org_id, r.subject, r.sn, d.id, tstzrange(r."from", r."to"), ${session.userName}
      from document d join jsonb_to_recordset(${rows}) ${set} on r.plan = d.id
     where d.org_id = ${session.org.id}
     order by r.subject, r.sn
    on conflict do nothing
    returning subject_kind as subject, subject_id as sn`
  const missing = bookings.find(each => !made.some(row => row.subject === each.subject && row.sn === each.sn))
  if (missing) throw await conflictOf(tx, session, missing)
}

/** The error that names the plan which has the subject; a plan that is not ours counts as one that does not exist. */
async function conflictOf(tx: Tx, session: Session, { subject, sn, from, to }: Booking): Promise<BusinessError> {
  const [row] = await tx<{ name: string; plan: string }[]>`
    select ${subjectName(tx)} as name, d.sn as plan
      from surgery_booking b
      join document d on d.org_id = b.org_id and d.id = b.plan_id
     where b.org_id = ${session.org.id} and b.subject_kind = ${subject} and b.subject_id = ${sn}
       and b.period && tstzrange(${from}::timestamptz, ${to}::timestamptz)
     order by lower(b.period) limit 1`
  return row
    ? new BusinessError('blocked', takenBy[subject](row.name, row.plan))
    : new BusinessError('notFound', '跟台计划单不存在或已被删除，请刷新后重试')
}

/** Everything that was taken for a plan and is not out is free again; with `only`, that alone. */
export async function release({ tx, session }: TenantContext, planId: string, only?: Subject): Promise<void> {
  await tx`
    delete from surgery_booking b
     where b.org_id = ${session.org.id} and b.plan_id = ${planId} and not ${isOut(tx)}
       and ${only === undefined ? tx`true` : tx`b.subject_kind = ${only}`}`
}
