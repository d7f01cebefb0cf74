import { readFileSync } from 'node:fs'
import path from 'node:path'
import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { RecordRow, RecordRules } from '#server/public/records.ts'
import { scopeSql, type Session } from '#server/public/session.ts'

/** Read by the ranking as well, so that both mean the same. */
const responsible = readFileSync(path.join(import.meta.dirname, 'parts/responsible.sql'), 'utf8')

const settled = (session: Session, row: Readonly<RecordRow>, state: 'handled' | 'ignored', note: unknown) => {
  if (row.state === 'closed') throw new BusinessError('wrongState', '预警的原因已消除，不需要处理')
  return {
    state,
    settled_severity: row.severity,
    handled_by: session.userName,
    handled_at: new Date().toISOString(),
    note: note ?? null,
  }
}

export const warningRules: RecordRules = {
  kind: 'warning',
  // Warnings of stores and departments are visible to users who see these; those of licences of partners and products
  // to all.
  visible: (tx, session) =>
    scopeSql(tx, session, { stores: [tx`t.warehouse_id`], department: tx`t.department_id`, people: [] }),
  columns: tx => ({
    days_left: tx`t.expiry_date - ${today()}::date`,
    responsible: tx`${tx.unsafe(responsible)}`,
  }),
  mayWrite(_session, action) {
    if (['add', 'edit', 'del'].includes(action))
      throw new BusinessError('rule', '预警由系统按库存与证照计算，不能手工修改')
  },
  actions: {
    handle: async (_tx, session, row, _reason, { note }) => settled(session, row, 'handled', note),
    ignore: async (_tx, session, row, reason) => settled(session, row, 'ignored', reason),
  },
}
