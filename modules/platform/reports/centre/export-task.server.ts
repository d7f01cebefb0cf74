import type { RecordRules } from '#server/public/records.ts'

export const exportTaskRules: RecordRules = {
  kind: 'exportTask',
  visible: (tx, session) => tx`t.user_id = ${session.userId}`,
  complete: async (_tx, _session, rows) =>
    rows.map(row => (row.error === 'interrupted' ? { ...row, error: '服务重新启动，请重新导出' } : row)),
}
