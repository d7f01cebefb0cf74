import type { Reading } from '#kernel/wall/wall-definition.ts'
import { inventoryDetail } from '#modules/platform/reports/stock/inventory-detail.report.ts'
import { issuedLines } from '#modules/platform/reports/moves/issued-lines.report.ts'
import { receivedLines } from '#modules/platform/reports/moves/received-lines.report.ts'
import { usageDetails } from '#modules/platform/reports/use/usage-details.report.ts'

/** Money and pieces: the first orders and is drawn, the second replaces it where money is not shown. */
export const moneyAndPieces = ['amount', 'quantity'] as const

/** 采购入库净额: bought goods that came in and consigned ones that were settled, less what went back. */
export const receipts = { of: receivedLines, sums: moneyAndPieces } as const
/** Grants of stores to departments, less returns. */
export const grants = { of: issuedLines, where: { issue_type: 'grantOdo' }, sums: moneyAndPieces } as const
/** Uses, less those that were taken back. */
export const uses = { of: usageDetails, sums: moneyAndPieces } as const
/** The current stock, own and consigned goods apart. */
export const stock = {
  of: inventoryDetail,
  span: 'now',
  sums: ['amount', 'quantity'],
  counts: { specification_sn: 'specification_sn' },
} as const satisfies Reading
