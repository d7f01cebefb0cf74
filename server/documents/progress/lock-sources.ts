import type { SourceRule } from '#kernel/definition/document-links.ts'
import { isPositive } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { SourceExceeded } from '#server/documents/progress/limits.ts'
import { correctionKinds } from '#server/documents/progress/corrections.ts'
import type { ProgressEntry } from '#server/documents/progress/progress.ts'
import type { Tx } from '#server/database/transaction.ts'

/**
 * States from which documents may be made: always open ones; completed ones too, for what their main purpose does
 * not count.
 */
export const sourceStates = (take: Pick<SourceRule, 'states'>): readonly string[] =>
  take.states ?? ['reviewed', 'partial', 'completed']

/**
 * Locks the source documents in id order before counting on them: concurrent taking back is waited for, and a
 * document no longer in effect gives nothing.
 */
export async function lockSources(tx: Tx, org: string, advances: readonly ProgressEntry[]): Promise<void> {
  const ids = [...new Set(advances.map(item => item.document_id))]
  const rows = await tx<{ id: string; sn: string; state: string; pending: string | null }[]>`
    select id, sn, state, (
      select c.sn from document_line l join document c on c.org_id = l.org_id and c.id = l.document_id
        and c.role = 'own' and c.kind = any(${correctionKinds()}) and c.state = 'partial'
       where l.org_id = document.org_id and l.source_document_id = document.id limit 1) as pending
      from document where org_id = ${org} and id = any(${ids}::bigint[]) order by id for update`
  for (const item of advances) {
    const row = rows.find(candidate => candidate.id === item.document_id)
    if (!row || !item.states || !isPositive(item.quantity)) continue
    if (row.pending)
      throw new BusinessError(
        'blocked',
        `来源单${row.sn}有待对方确认的变更（${row.pending}），请等对方确认或撤回变更后再操作`,
      )
    if (item.states.includes(row.state)) continue
    if (row.state === 'completed') throw new SourceExceeded(`来源单${row.sn}已全部执行，没有剩余可引用`, [], '0')
    throw new BusinessError('wrongState', `来源单${row.sn}当前状态不能引用，请确认已审核且未终止`)
  }
}
