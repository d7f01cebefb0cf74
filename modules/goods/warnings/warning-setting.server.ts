import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import type { RecordRules } from '#server/public/records.ts'

export const warningSettingRules: RecordRules = {
  kind: 'warningSetting',
  columns: (tx, session) => ({
    expiry_now: tx`warning_days(${session.org.id}, 'expiry_warning_days')`,
    licence_now: tx`warning_days(${session.org.id}, 'licence_warning_days')`,
    idle_now: tx`warning_days(${session.org.id}, 'idle_warning_days')`,
  }),
  // There is no text search.
  search: tx => tx`false`,
  mayWrite(_session, action) {
    if (['add', 'del'].includes(action)) throw new BusinessError('rule', '预警设置每个机构一份，请直接修改')
  },
  async check(_tx, _session, { after }) {
    const urgent = parseInteger(after.urgent_days)
    const ahead = ['expiry_days', 'licence_days', 'certificate_days']
      .map(name => after[name])
      .filter(value => value !== null && value !== undefined)
    return ahead.some(value => parseInteger(value) < urgent)
      ? [{ field: 'urgent_days', msg: '紧急天数不能大于提前预警的天数' }]
      : []
  },
  // After a change of the days, warnings are recounted at once.
  saved: (tx, session) =>
    tx`update warning_count set moved_at = null where org_id = ${session.org.id}` as unknown as Promise<void>,
}
