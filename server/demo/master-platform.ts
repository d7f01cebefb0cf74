import type { TransactionSql } from 'postgres'
import type { Houses } from '#server/demo/master-houses.ts'
import { insertRows } from '#server/demo/rows.ts'

/** What the platform and each organisation have set before anybody trades: so that no page of theirs opens empty. */
export async function loadSettings(tx: TransactionSql, houses: Houses): Promise<void> {
  const traders = [...houses.organisations].filter(([code]) => !code.startsWith('P'))
  await insertRows(
    tx,
    'audit_setting',
    traders.map(([, org_id]) => ({
      org_id,
      document_kind: 'otherGrn',
      allow_self: true,
      remind_hours: 24,
      remark: '其他入库：一级审核，允许本人审核',
    })),
  )
}
