import type { AnyDocument } from '#kernel/document.ts'
import { isPositive } from '#kernel/decimal.ts'
import { type Problem, Refusal } from '#kernel/refusal.ts'
import { parseInteger } from '#kernel/integer.ts'
import { type Body, readBody } from '#server/engine/documents/body.ts'
import { composeDraft } from '#server/engine/documents/draft.ts'
import { presentLines } from '#server/engine/documents/info.ts'
import { hidePrices } from '#server/engine/prices.ts'
import { refuseOutside } from '#server/engine/scope.ts'
import { may, type Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'

export type Proposed = { readonly lines: readonly Record<string, unknown>[]; readonly problems: readonly Problem[] }

/** Kinds whose lots the house can choose: goods that leave by lot. */
export const proposes = ({ goods, lines }: AnyDocument): boolean => goods === 'out' && 'lot_no' in lines

/**
 * Lots for goods that leave, as a paper would get them when it is saved: first expiry first, split where one lot is not enough,
 * named lots left alone. Nothing is written or reserved; lines that stock does not cover say so.
 */
export async function proposeLots(tx: Tx, session: Session, definition: AnyDocument, body: Body): Promise<Proposed> {
  if (!['add', 'edit'].some(flag => may(session, `${definition.kind}.${flag}`))) throw new Refusal('forbidden')
  const { header, lines } = readBody(definition, body)
  if (lines === null || lines.length === 0) throw new Refusal('invalid', '请至少添加一行明细')
  if (!header.warehouse_model_inner_sn && !header.source_sn)
    throw new Refusal('invalid', undefined, [{ field: 'warehouse_model_inner_sn', msg: '请先选择仓库，再分配批号' }])
  const draft = await composeDraft(tx, session, definition, header, lines)
  refuseOutside(session, draft.header)
  const numbered = new Set(lines.flatMap(line => (typeof line.line_no === 'number' ? [line.line_no] : [])))
  const shown = await presentLines(tx, session, definition, null, draft.lines)
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
