import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { entities, entityOf } from '#kernel/registry.ts'
import { comeBack, type RecordRow, type RecordRules } from '#server/public/records.ts'
import { liftCopies, type Merge, unmerge } from '#modules/trade/partners/organisations/merge-into.server.ts'
import type { Tx } from '#server/public/database.ts'

type Kept = {
  readonly kind: string
  readonly object_id: string
  readonly row: Record<string, unknown>
  readonly content: Merge | null
  readonly children: Record<string, Record<string, unknown>[]>
}
const MOST_NAMED = 10

/** The rows that are restored with this one, by kind and name. */
function relatedOf(row: Readonly<RecordRow>, { children, content }: Kept): string | null {
  if (row.operation === 'merge' && content)
    return `用户${content.users.length}个、交易关系${content.relations.length}条，以及并入的证照与产品目录`
  const parts = Object.entries(children).flatMap(([table, rows]) => {
    const definition = entities().find(one => one.table === table)
    if (!definition || rows.length === 0) return []
    const names = rows.slice(0, MOST_NAMED).map(one => String(one[definition.display] ?? ''))
    return [`${definition.title}${rows.length}条：${names.join('、')}${rows.length > MOST_NAMED ? '等' : ''}`]
  })
  return parts.length > 0 ? parts.join('；') : null
}

/** Restores the row and rolls back at once, to report any obstacle. */
async function conflictOf(tx: Tx, row: Readonly<RecordRow>, kept: Kept): Promise<string | null> {
  const definition = entityOf(kept.kind)
  if (row.state !== 'waiting' || row.operation !== 'delete' || !definition) return null
  const undo = new Error('only asked')
  try {
    await tx.savepoint(async inner => {
      await comeBack(inner, definition, {
        object_id: kept.object_id,
        operation: 'delete',
        content: kept.row,
        children: kept.children,
      })
      throw undo
    })
  } catch (error) {
    if (error === undo) return null
    if (error instanceof BusinessError) return error.message
    throw error
  }
  return null
}

export const dataRestoreRules: RecordRules = {
  kind: 'dataRestore',
  readFlag: 'page:/ptm/restoreData',
  visible: (tx, session) => (session.org.type === 'P' ? tx`t.deleted_at > now() - interval '365 days'` : tx`false`),
  columns: tx => ({
    conflict: tx`null::text`,
    related: tx`jsonb_build_object('children', t.children, 'content',
      case when t.operation = 'merge' then t.content end, 'kind', t.kind, 'row', t.content, 'object_id',
      t.object_id)::text`,
  }),
  async complete(tx, _session, rows) {
    const notified = []
    for (const row of rows) {
      const kept = JSON.parse(String(row.related)) as Kept
      notified.push({ ...row, related: relatedOf(row, kept), conflict: await conflictOf(tx, row, kept) })
    }
    return notified
  },
  mayWrite(_session, action, row) {
    if (['add', 'edit', 'del'].includes(action)) throw new BusinessError('rule', '恢复记录由系统写入，只能恢复')
    if (row?.state === 'restored') throw new BusinessError('wrongState', '该数据已恢复')
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
        select kind, object_id, operation, content, children from recycle_bin where id = ${String(row.data_restore_sn)}
          for update`
      const definition = entityOf(kept?.kind ?? '')
      if (!kept || !definition) throw new BusinessError('notFound', '没有可恢复的数据')
      if (kept.operation === 'merge') await unmerge(tx, kept.content as unknown as Merge)
      else await comeBack(tx, definition, kept)
      return { state: 'restored', reason, restored_by: session.userName, restored_at: new Date().toISOString() }
    },
  },
  async afterwards(sql, _session, action, row) {
    if (action === 'restore' && row.operation === 'merge') await liftRestored(sql)
  },
}

/**
 * Removes what a merge created at its target once the merge is undone; if the process is interrupted, the next hourly
 * run does it.
 */
export async function liftRestored(sql: Sql): Promise<number> {
  const waiting = await sql<{ id: string; content: Merge }[]>`
    select id, content from recycle_bin where operation = 'merge' and state = 'restored' and not children ? 'lifted'
      order by id limit 20`
  for (const { id, content } of waiting) {
    await liftCopies(sql, content)
    await sql`update recycle_bin set children = children || '{"lifted":[]}' where id = ${id}`
  }
  return waiting.length
}
