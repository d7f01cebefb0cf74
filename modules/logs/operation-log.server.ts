import { f, type Fields } from '#kernel/definition/field.ts'
import { states } from '#kernel/definition/document-state.ts'
import { addDays, dayOf, daysBetween, today, LOG_DAYS } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { documentOf, entityOf } from '#kernel/registry.ts'
import { pricedNames, maySeePrices, type Session, withoutPrices } from '#server/public/session.ts'
import type { Condition, Fragment, RecordRules } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

const MOST_EXPORTED = 50_000

/** The first day requested; without one, the last 92 days before the end. */
function firstDay(conditions: readonly Condition[]): string {
  const day = (is: string) => conditions.find(one => one.name === 'at' && one.is === is)?.value as string | undefined
  const on = day('equal')
  if (on) return on
  const to = day('to') ?? today()
  const from = day('from')
  if (from === undefined) return addDays(to as never, 1 - LOG_DAYS)
  if (daysBetween(from as never, to as never) >= LOG_DAYS)
    throw new BusinessError('invalid', `查询时间范围不能超过${LOG_DAYS}天`, [
      { field: 'begin_at', msg: `查询时间范围不能超过${LOG_DAYS}天` },
    ])
  return from
}

/** Words in the log that are not a field of any definition. */
const ownWords = {
  state: f.pick('状态', { ...states, deleted: '已删除' }),
  reason: f.text('原因'),
  conditions: f.text('查询条件'),
  rows: f.count('行数'),
  lines: f.text('明细'),
}

/** The logged values of a row, one field per line, with the labels of its definition. */
function readable(session: Session, subject: string, text: unknown): string | null {
  if (typeof text !== 'string') return null
  const names: Fields = {
    ...ownWords,
    ...entityOf(subject)?.fields,
    ...documentOf(subject)?.lines,
    ...documentOf(subject)?.header,
  }
  const all = JSON.parse(text) as Record<string, unknown>
  const kept = maySeePrices(session) ? all : (withoutPrices(all, pricedNames('')) as Record<string, unknown>)
  return Object.entries(kept)
    .filter(([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => {
      const field = names[name]
      const shown =
        field?.choices?.[String(value)] ?? (typeof value === 'object' ? JSON.stringify(value) : String(value))
      return `${field?.label ?? name}：${shown}`
    })
    .join('\n')
}

/** Changes of an approval setting: the setting itself, and the levels under it. */
const ofSetting = (tx: Tx, setting: string): Fragment => tx`
  and (t.subject = 'auditSetting' and t.object_key = ${setting}
    or t.subject = 'auditLevel' and coalesce(t.after, t.before)::jsonb ->> 'audit_setting_sn' = ${setting})`

export const operationLogRules: RecordRules = {
  kind: 'operationLog',
  readFlag: ['page:/commonView/logView', 'page:/ptm/logController'],
  mostExported: MOST_EXPORTED,
  prepare: async (_tx, _session, { conditions }) => ({ since: firstDay(conditions) }),
  visible: (tx, _session, parameters) =>
    parameters.one
      ? tx`true`
      : tx`t.at >=
        ${`${String(parameters.since ?? addDays(dayOf(new Date()), 1 - LOG_DAYS))}T00:00:00+08:00`}::timestamptz
           ${parameters.after_sn ? tx`and t.id < ${String(parameters.after_sn)}` : tx``}
           ${parameters.audit_setting_sn ? ofSetting(tx, String(parameters.audit_setting_sn)) : tx``}`,
  columns: (tx, session) => ({
    department_name: tx`(select d.name from app_user u join employee e on e.org_id = ${session.org.id}
      and e.id = u.employee_id join department d on d.org_id = e.org_id and d.id = e.department_id
      where u.id = t.user_id)`,
  }),
  complete: async (_tx, session, rows) =>
    rows.map(row => ({
      ...row,
      before: readable(session, String(row.subject), row.before),
      after: readable(session, String(row.subject), row.after),
    })),
}
