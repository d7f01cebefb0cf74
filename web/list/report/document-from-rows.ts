import type { SourceRule } from '#kernel/definition/document-links.ts'
import type { CreatesDocument } from '#kernel/definition/report.ts'
import { isZero } from '#kernel/values/decimal.ts'

type Row = Readonly<Record<string, unknown>>
type Begun = { readonly body: Row } | { readonly why: string }

/**
 * The request that creates a document from chosen report rows: each row becomes a line that takes what is left of
 * its source line. Otherwise the reason why they cannot be on one document.
 */
export function documentOfRows(target: CreatesDocument, takes: readonly SourceRule[], rows: readonly Row[]): Begun {
  const [first] = rows
  if (first === undefined) return { why: '请先勾选表格中的复选框，再进行该操作。' }
  const done = rows.find(row => isZero(String(row[target.remainingColumn] ?? 0)))
  if (done) return { why: `${String(done.source_sn)}的所选明细没有剩余，请取消勾选` }
  if (rows.some(row => row.counterparty_sn !== first.counterparty_sn)) return { why: target.mixedPartnersMessage }
  if (rows.some(row => row.source_kind !== first.source_kind)) return { why: '请选择同一类单据的明细' }
  if (!takes.some(take => take.from === first.source_kind)) return { why: '所选明细不能生成单据，请重新选择' }
  const lines = rows.map(({ source_sn, source_org_sn, source_line_no }) => ({
    source_sn,
    ...(source_org_sn ? { source_org_sn } : {}),
    source_line_no,
  }))
  return { body: { counterparty_sn: first.counterparty_sn, lines } }
}
