import { today } from '#kernel/values/date.ts'
import type { Fragment, RecordRules } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

/** Days before its end from which a file is warned of. */
const AHEAD = 30

/** A later file of the same kind stands in place of `t`: of training and certificates, one about the same. */
const isReplaced = (tx: Tx): Fragment => tx`exists (
  select 1 from staff_file n
   where n.org_id = t.org_id and n.employee_id = t.employee_id and n.file_kind = t.file_kind and n.id <> t.id
     and (n.file_kind = 'health' or n.subject = t.subject) and n.result = 'passed' and n.done_on >= t.done_on
     and (n.valid_to is null or n.valid_to > t.valid_to))`

export const staffFileRules: RecordRules = {
  kind: 'staffFile',
  columns: tx => ({
    days_left: tx`t.valid_to - ${today()}::date`,
    standing: tx`case when ${isReplaced(tx)} then 'replaced' when t.valid_to < ${today()}::date then 'expired'
      when t.valid_to <= ${today()}::date + ${AHEAD}::int then 'soon' else 'valid' end`,
  }),
  /** A health check holds for a year at most. */
  async check(tx, _session, { after }) {
    if (String(after.done_on) > today()) return [{ field: 'done_on', msg: '日期不能晚于今天' }]
    if (after.file_kind !== 'health') return []
    const [row] = await tx<{ most: string }[]>`
      select (${String(after.done_on)}::date + interval '1 year')::date::text as most`
    after.valid_to ??= row!.most
    if (String(after.valid_to) > row!.most)
      return [{ field: 'valid_to', msg: `健康检查每年至少一次，有效期至不能晚于${row!.most}` }]
    return []
  },
  alsoWrites: async (_tx, session) => ({ filed_by: session.userName }),
}
