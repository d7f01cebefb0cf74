import { add, isPositive, plain } from '#kernel/decimal.ts'
import type { DocumentRules } from '#server/engine/documents/acting.ts'

type Line = Readonly<Record<string, unknown>>

/** Opened and expired goods are marked 转报废 and summed apart; whether the packing is whole is written by hand until it was examined. */
export const grantReturnSheet: NonNullable<DocumentRules['print']> = async (_tx, _session, info) => {
  const lines = (info.lines as readonly Line[]).map(line => {
    const expired = typeof line.expiry_date === 'string' && line.expiry_date < String(info.business_date)
    const bad = String(line.unqualified_quantity ?? '0')
    const scrapped = expired ? String(line.quantity) : bad
    return {
      ...line,
      scrapped,
      intact: info.inspected ? (isPositive(bad) ? '否' : '是') : '',
      remark: [isPositive(scrapped) ? `转报废${plain(scrapped)}` : '', line.remark].filter(Boolean).join('；'),
    }
  })
  const toScrap = lines.reduce((sum, line) => add(sum, line.scrapped, 3), '0.000')
  return { lines, to_scrap: isPositive(toScrap) ? plain(toScrap) : null }
}
