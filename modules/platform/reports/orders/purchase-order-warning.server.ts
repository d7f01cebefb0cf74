import { notDoneTo, runOnEach } from '#server/public/actions.ts'
import type { ReportCall, ReportRules } from '#server/public/reports.ts'

/** 催货 of the orders of the ticked lines, each once: a supplier is reminded of an order at most once a day. */
const remind: ReportCall = async ({ tx, session, rows }) => {
  const orders = [...new Set(rows.map(row => String(row.document_sn)))]
  const { sns, refused } = await runOnEach(tx, session, { kind: 'purchaseOrder', action: 'remind' }, orders)
  return { said: `已催货${sns.length}张订单${notDoneTo(refused, '未催')}` }
}

/** 终止行: what is not under way of the ticked lines is not wanted any more; all ticked lines of an order, or none. */
const stopLine: ReportCall = async ({ tx, session, asked: { reason }, rows }) => {
  const lines = Map.groupBy(rows, row => String(row.document_sn))
  const asked = (sn: string) => ({ reason, stop_lines: lines.get(sn)!.map(row => String(row.line_no)) })
  const { sns, refused } = await runOnEach(tx, session, { kind: 'purchaseOrder', action: 'stopLine', asked }, [
    ...lines.keys(),
  ])
  const count = sns.reduce((sum, sn) => sum + lines.get(sn)!.length, 0)
  return { said: `已终止${count}行${notDoneTo(refused, '未终止')}` }
}

export const purchaseOrderWarningRules: ReportRules = { kind: 'purchaseOrderWarning', calls: { remind, stopLine } }
