import { BusinessError } from '#kernel/rules/errors.ts'
import { claimProposals, parProposals } from '#modules/hospital/ward/requisition/par-levels.server.ts'
import type { ReportCall, ReportRules } from '#server/public/reports.ts'

/** 登记处理: records what was done about these occurrences; a later record replaces an earlier one. */
const handle: ReportCall = async ({ tx, session, asked: { note }, rows }) => {
  await tx`
    insert into restock_handling (org_id, occurrence, note, handled_by)
    select ${session.org.id}, k, ${String(note)}, ${session.userName}
      from unnest(${rows.map(row => String(row.row_key))}::text[]) as a(k)
    on conflict (org_id, occurrence) do update
      set note = excluded.note, handled_by = excluded.handled_by, handled_at = excluded.handled_at`
  return { said: `已登记${rows.length}条异常的处理` }
}

/** 生成补货申领: requisition drafts up to the upper limits, for the goods and stores of these occurrences. */
const toClaim: ReportCall = async ({ tx, session, rows }) => {
  const stores = rows.map(row => String(row.warehouse_sn))
  const sizes = rows.map(row => String(row.specification_sn))
  const named = tx`(k.warehouse_id, k.stands_for_id) in (
    select * from unnest(${stores}::bigint[], ${sizes}::bigint[]))`
  const short = await parProposals(tx, session, { which: named, upToMaximum: true })
  if (short.length === 0) throw new BusinessError('rule', '所选产品的科室库库存与在途已达上限，无需补货申领')
  const made = await claimProposals(tx, session, short, '按补货异常生成')
  return {
    said: `已生成${made.length}张申领单：${made.join('、')}`,
    ...(made.length === 1 ? { made: { kind: 'requisition', sn: made[0]! } } : {}),
  }
}

export const restockAbnormalRules: ReportRules = { kind: 'restockAbnormal', calls: { handle, toClaim } }
