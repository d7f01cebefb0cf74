import { planToFill } from '#modules/trade/purchasing/planning/plan-draft.server.ts'
import type { ReportCall, ReportRules } from '#server/public/reports.ts'

/** 生成采购计划 of the goods of the ticked rows, for each store what is short of them. */
const toPlan: ReportCall = async ({ tx, session, rows }) => {
  const among = rows.map(row => ({ warehouse: String(row.warehouse_sn), specification: String(row.specification_sn) }))
  const made = await planToFill(tx, session, among)
  return {
    said: `已生成${made.length}张采购计划：${made.join('、')}`,
    ...(made.length === 1 ? { made: { kind: 'purchasePlan', sn: made[0]! } } : {}),
  }
}

export const centralInventoryRules: ReportRules = { kind: 'centralInventory', calls: { toPlan } }
