import { addDays, dayOf, daysBetween, today, LOG_DAYS } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { changeText, keysIn } from '#modules/platform/logs/readable-changes.server.ts'
import { hidePrices, type Session } from '#server/public/session.ts'
import {
  type Condition,
  displayNames,
  type Fragment,
  type RecordRow,
  type RecordRules,
} from '#server/public/records.ts'
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

type Values = Readonly<Record<string, unknown>>
const KEY = /^\d{1,18}$/

/** The logged values of a row, without prices and costs for users who may not see them. */
function loggedValues(session: Session, kind: string, text: unknown): Values | null {
  if (typeof text !== 'string') return null
  return hidePrices(session, kind, JSON.parse(text) as Values)
}

/** Rows of the log in the words of the pages: fields by their labels, records by their names, without keys. */
async function inWords(tx: Tx, session: Session, rows: readonly RecordRow[]): Promise<RecordRow[]> {
  const read = rows.map(row => ({
    row,
    kind: String(row.subject),
    before: loggedValues(session, String(row.subject), row.before),
    after: loggedValues(session, String(row.subject), row.after),
  }))
  const keys = keysIn(
    read.flatMap(({ kind, before, after }) => [before, after].flatMap(values => (values ? [[kind, values]] : []))),
  )
  for (const { row, kind } of read)
    if (row.object_name === null && KEY.test(String(row.object_key)))
      keys.set(kind, (keys.get(kind) ?? new Set()).add(String(row.object_key)))
  const named = await displayNames(tx, session, keys)
  return read.map(({ row, kind, before, after }) => ({
    ...row,
    object_name: row.object_name ?? named(kind, String(row.object_key)),
    before: before && (changeText(kind, before, named) || null),
    after: after && (changeText(kind, after, named) || null),
  }))
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
  complete: inWords,
}
