import { BusinessError } from '#kernel/rules/errors.ts'
import { leavingLines, refuseUnfit } from '#server/public/actions.ts'
import { mayBeExpired } from '#server/public/documents.ts'
import type { ActionCheck } from '#server/public/hooks.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * Recalled lots, by id, with the recall's number: those under an open recall, and those for which the organisation
 * still owes an answer.
 */
export async function recalledLots(
  tx: Tx,
  org: string,
  lots: readonly (string | null | undefined)[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(lots.filter(lot => lot !== null && lot !== undefined))]
  if (ids.length === 0) return new Map()
  const rows = await tx<{ lot_id: string; recall_sn: string }[]>`
    select lot_id, recall_sn from recall_feedback where org_id = ${org} and lot_id = any(${ids}::bigint[])
      and state in ('waiting', 'answered')
     union all
    select lot_id, recall_sn from lot_recall where lot_id = any(${ids}::bigint[])`
  return new Map(rows.map(row => [row.lot_id, row.recall_sn]))
}

type Line = { readonly line_no: number; readonly lot_id?: string | null; readonly lot_no: string | null }

/** Recalled goods may not be sold, issued or used; they may only be returned or destroyed, or stay where they are. */
async function refuseRecalled(tx: Tx, org: string, lines: readonly Line[], action = '出库'): Promise<void> {
  const recalled = await recalledLots(
    tx,
    org,
    lines.map(line => line.lot_id),
  )
  const problems = lines
    .filter(line => recalled.has(line.lot_id ?? ''))
    .map(line => ({ field: 'lot_no', line: line.line_no, msg: `批号${line.lot_no ?? ''}已召回，不能${action}` }))
  if (problems.length > 0) throw new BusinessError('rule', problems[0]!.msg, problems)
}

const verbs = { in: '入库', out: '出库', named: '收货', none: '操作' } as const

/**
 * Recalled goods cannot be received, except by documents that may move expired goods. Goods that leave a store are
 * checked by `unfitCheck`.
 */
export const recallCheck: ActionCheck = {
  async check({ tx, session, doc, definition }) {
    const { stockDirection } = definition.posting
    const comes = stockDirection === 'in' || definition.compliance.allowsExpired === false
    if (comes && !mayBeExpired(definition, doc))
      await refuseRecalled(tx, session.org.id, doc.lines, verbs[stockDirection])
  },
}

/**
 * Goods that may not leave a store are refused at submit already; at the review the posting refuses them, from the
 * stock that it moves. For a kind that posts nothing, the review checks the goods that its next document will take out.
 */
export const unfitCheck: ActionCheck = {
  async check({ tx, session, doc, definition, action }) {
    if (definition.posting.stockDirection !== 'out' || (action === 'review' && definition.posting.postings)) return
    await refuseUnfit(tx, session.org.id, definition, doc, leavingLines(doc))
  },
}
