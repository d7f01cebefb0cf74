import type { AnyDocument } from '#kernel/definition/document.ts'
import { isPositive } from '#kernel/values/decimal.ts'
import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { type DocumentInput, parseInput } from '#server/documents/draft/input.ts'
import { buildDraft } from '#server/documents/draft/draft.ts'
import { lineDetails } from '#server/documents/list/detail.ts'
import { hidePrices } from '#server/access/sensitive-fields.ts'
import { checkScope } from '#server/access/data-scope.ts'
import { may, type Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

export type Proposed = { readonly lines: readonly Record<string, unknown>[]; readonly problems: readonly Problem[] }

/** Kinds whose lots the system can propose: goods that leave by lot. */
export const canProposeLots = ({ posting: { stockDirection: goods }, lines }: AnyDocument): boolean =>
  goods === 'out' && 'lot_no' in lines

/**
 * Lots for outgoing goods, as a document would get them when saved: first expiry first, split where one lot is not
 * enough, named lots left alone. Nothing is written or reserved; lines not covered by stock are marked.
 */
export async function proposeLots(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  body: DocumentInput,
): Promise<Proposed> {
  if (!['add', 'edit'].some(flag => may(session, `${definition.kind}.${flag}`))) throw new BusinessError('forbidden')
  const { header, lines } = parseInput(definition, body)
  if (lines === null || lines.length === 0) throw new BusinessError('invalid', '请至少添加一行明细')
  if (!header.warehouse_model_inner_sn && !header.source_sn)
    throw new BusinessError('invalid', undefined, [
      { field: 'warehouse_model_inner_sn', msg: '请先选择仓库，再分配批号' },
    ])
  const draft = await buildDraft(tx, session, definition, header, lines)
  checkScope(session, definition, draft.header, draft.lines)
  const numbered = new Set(lines.flatMap(line => (typeof line.line_no === 'number' ? [line.line_no] : [])))
  const shown = await lineDetails(tx, session, definition, null, draft.lines)
  const proposed = shown.map(line =>
    numbered.has(parseInteger(line.line_no)) ? line : { ...line, line_no: undefined },
  )
  const problems = draft.lines.flatMap((line, at): Problem[] =>
    line.lot_id === null && isPositive(line.quantity)
      ? [
          {
            field: 'lot_no',
            line: at + 1,
            msg: line.lot_no ? `批号${line.lot_no}可用库存不足` : '可用库存不足，没有可分配的批号',
          },
        ]
      : [],
  )
  return hidePrices(session, definition.kind, { lines: proposed, problems })
}
