import type { Subject } from '#modules/hospital/surgery/bookings/booking.server.ts'
import type { Tx } from '#server/public/database.ts'

/** The usual name of the subject of a booking `b`: the code of a kit or set, the name of a technician. */
export const subjectName = (tx: Tx) => tx`
  case b.subject_kind
    when 'kit' then (select k.code from implant_kit k where k.org_id = b.org_id and k.id = b.subject_id)
    when 'toolsKit' then (select t.code from tools_kit t where t.org_id = b.org_id and t.id = b.subject_id)
    else (select e.name from employee e where e.org_id = b.org_id and e.id = b.subject_id) end`

/** The sentence that refuses a subject which another plan has. */
export const takenBy: Readonly<Record<Subject, (name: string, plan: string) => string>> = {
  kit: (name, plan) => `套包【${name}】已被手术${plan}占用`,
  toolsKit: (name, plan) => `工具包【${name}】已被手术${plan}占用`,
  technician: (name, plan) => `跟台人员${name}在该时段已有手术：${plan}`,
}
