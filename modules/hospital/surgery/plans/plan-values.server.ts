import { patchDocument, type StoredDocument, textOf } from '#server/public/documents.ts'
import type { bonePlan } from '#modules/hospital/surgery/plans/bone-plan.doc.ts'
import type { surgeryPlan } from '#modules/hospital/surgery/plans/surgery-plan.doc.ts'
import type { ContextOf } from '#server/public/hooks.ts'
import { appliedPath } from '#modules/hospital/surgery/bookings/booking.server.ts'

const HOUR = 3_600_000
const SHANGHAI = 8 * HOUR
/** An action on a plan of an operation: the hospital's own, or that for a supplier of loaned goods. */
export type PlanContext = ContextOf<typeof bonePlan> | ContextOf<typeof surgeryPlan>

/** 15:00 of the day before an operation, in Shanghai. */
export function eveBefore(surgeryAt: string): string {
  const day = new Date(Date.parse(surgeryAt) + SHANGHAI)
  day.setUTCDate(day.getUTCDate() - 1)
  day.setUTCHours(15, 0, 0, 0)
  return new Date(day.getTime() - SHANGHAI).toISOString()
}

/** 送达截止时间: as long before the operation as its path says, else 15:00 of the day before; urgent ones have none. */
async function deliverBy({ tx, session, doc }: PlanContext): Promise<string | null> {
  const at = textOf(doc, 'surgery_at')
  const said = textOf(doc, 'deliver_by')
  if (said || !at || doc.surgery_type === 'emergency') return said
  const path = textOf(doc, 'path_sn')
  if (!path || session.org.type !== 'H') return eveBefore(at)
  const { lead_hours } = await appliedPath(tx, session, path)
  return new Date(Date.parse(at) - lead_hours * HOUR).toISOString()
}

/** Sets the names that others read of the operation, in place of keys, from the hospital's own records. */
export async function withCaseNames(ctx: PlanContext): Promise<StoredDocument> {
  const { tx, session, doc } = ctx
  const [row] = await tx<{ surgeon: string | null; department: string | null; technician: string | null }[]>`
    select (select name from employee where org_id = ${session.org.id} and id = ${textOf(doc, 'doctor_inner_sn')})
             as surgeon,
           (select name from department where org_id = ${session.org.id} and id = ${doc.department_inner_sn})
             as department,
           (select name from employee where org_id = ${session.org.id} and id = ${textOf(doc, 'technician_inner_sn')})
             as technician`
  const values = {
    surgeon_name: row?.surgeon ?? textOf(doc, 'surgeon_name'),
    surgery_department: row?.department ?? textOf(doc, 'surgery_department'),
    deliver_by: await deliverBy(ctx),
    ...(row?.technician ? { attendant: row.technician } : {}),
  }
  await patchDocument(tx, session, doc, values, 'withAction')
  return { ...doc, ...values }
}
