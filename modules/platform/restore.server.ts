import { Refusal } from '#kernel/refusal.ts'
import { entityOf } from '#modules/registry.ts'
import { comeBack } from '#server/engine/records/recycle.ts'
import type { RecordRules } from '#server/engine/records/rules.ts'

export const dataRestoreRules: RecordRules = {
  kind: 'dataRestore',
  readFlag: 'page:/ptm/restoreData',
  visible: (tx, session) => (session.org.type === 'P' ? tx`t.deleted_at > now() - interval '365 days'` : tx`false`),
  mayWrite(_session, action, row) {
    if (['add', 'edit', 'del'].includes(action)) throw new Refusal('rule', '恢复记录由系统写入，只能恢复')
    if (row?.state === 'restored') throw new Refusal('wrongState', '该数据已恢复')
  },
  actions: {
    async restore(tx, session, row, reason) {
      const [kept] = await tx<
        {
          kind: string
          object_id: string
          operation: string
          content: Record<string, unknown>
          children: Record<string, unknown[]>
        }[]
      >`
        select kind, object_id, operation, content, children from recycle_bin where id = ${String(row.data_restore_sn)} for update`
      const definition = entityOf(kept?.kind ?? '')
      if (!kept || !definition) throw new Refusal('notFound', '没有可恢复的数据')
      await comeBack(tx, definition, kept)
      return { state: 'restored', reason, restored_by: session.userName, restored_at: new Date().toISOString() }
    },
  },
}
