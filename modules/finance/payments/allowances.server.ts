import { compare, type Decimal, plain, sum } from '#kernel/values/decimal.ts'
import { allowanceOf } from '#modules/finance/payments/allowances.ts'
import type { Tx } from '#server/public/database.ts'
import { loadDocument, patchDocument } from '#server/public/documents.ts'
import { definitionOf } from '#server/public/drafts.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import type { Session } from '#server/public/session.ts'

const wholeOf = (lines: readonly object[]): Decimal => sum(lines.map(allowanceOf), 2)

/** 折让合计 is computed from the lines. */
export const keepAllowance =
  (kind: 'payment' | 'receipt') =>
  async (tx: Tx, session: Session, sn: string): Promise<void> => {
    const doc = await loadDocument(tx, session.org.id, definitionOf(kind), sn)
    await patchDocument(tx, session, doc, { allowance_amount: wholeOf(doc.lines) }, 'derived')
  }

/** An allowance above the organisation's limit needs two people. */
export function largeAllowance({ doc, settings }: ActionContext): string | null {
  const [whole, limit] = [wholeOf(doc.lines), settings.allowance_limit as Decimal]
  return compare(whole, limit) > 0 ? `折让合计${plain(whole)}元超过折让限额${plain(limit)}元` : null
}
