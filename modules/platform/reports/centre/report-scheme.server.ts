import { conditionsOf } from '#modules/platform/reports/centre/filter-text.ts'
import { today } from '#kernel/values/date.ts'
import { nextDue, type Schedule } from '#kernel/values/schedule.ts'
import { reportOf } from '#kernel/registry.ts'
import type { RecordRules } from '#server/public/records.ts'
import { askedBy, exportReport } from '#server/public/reports.ts'

/** A scheme belongs to one user, for a report they may run, with conditions the report has. */
export const reportSchemeRules: RecordRules = {
  kind: 'reportScheme',
  visible: (tx, session) => tx`t.user_id = ${session.userId}`,
  columns: tx => ({ report_title: tx`t.report`, conditions: tx`t.query` }),
  complete: async (_tx, _session, rows) =>
    rows.map(row => {
      const definition = reportOf(String(row.report))
      return definition === undefined
        ? row
        : { ...row, report_title: definition.title, conditions: conditionsOf(definition, row.query as string | null) }
    }),
  async check(tx, session, { id, after }) {
    const definition = reportOf(String(after.report))
    if (!definition) return [{ field: 'report', msg: '没有这个报表，请在报表页点“保存查询方案”' }]
    exportReport(session, definition, askedBy(after.query as string | null))
    const [duplicate] = await tx`
      select 1 from report_scheme where org_id = ${session.org.id} and user_id = ${session.userId}
        and name = ${String(after.name)} and id is distinct from ${id}::bigint`
    if (duplicate) return [{ field: 'name', msg: `方案名称【${String(after.name)}】已存在` }]
    after.due_on = after.schedule === null ? null : nextDue(after.schedule as Schedule, today())
    return []
  },
  alsoWrites: async (_tx, session, { before }) => (before === null ? { user_id: session.userId } : {}),
}
