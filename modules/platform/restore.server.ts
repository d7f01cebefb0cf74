import type { Sql } from 'postgres'
import { Refusal } from '#kernel/refusal.ts'
import { entityOf } from '#modules/registry.ts'
import { comeBack } from '#server/engine/records/recycle.ts'
import { liftCopies, type Merge, unmerge } from '#server/engine/merging.ts'
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
      if (kept.operation === 'merge') await unmerge(tx, kept.content as unknown as Merge)
      else await comeBack(tx, definition, kept)
      return { state: 'restored', reason, restored_by: session.userName, restored_at: new Date().toISOString() }
    },
  },
  async afterwards(sql, _session, action, row) {
    if (action === 'restore' && row.operation === 'merge') await liftRestored(sql)
  },
}

/** What a merge laid at its target goes once the merge is taken back; a broken process leaves it to the next hour. */
export async function liftRestored(sql: Sql): Promise<number> {
  const waiting = await sql<{ id: string; content: Merge }[]>`
    select id, content from recycle_bin where operation = 'merge' and state = 'restored' and not children ? 'lifted' order by id limit 20`
  for (const { id, content } of waiting) {
    await liftCopies(sql, content)
    await sql`update recycle_bin set children = children || '{"lifted":[]}' where id = ${id}`
  }
  return waiting.length
}
