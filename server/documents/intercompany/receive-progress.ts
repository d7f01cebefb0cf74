import { codedQuantity } from '#kernel/codes/pack-code.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { type Decimal, compare, isNegative, isZero, negate, share, sum } from '#kernel/values/decimal.ts'
import { reverseResponsePosting } from '#server/documents/intercompany/undo-response-posting.ts'
import { buildDraft, saveDraft } from '#server/documents/draft/draft.ts'
import type { ProgressMessage } from '#server/documents/intercompany/outbox.ts'
import { writeHistory } from '#server/documents/repository/history.ts'
import { loadDocument } from '#server/documents/repository/load.ts'
import { postingContext, postDocument } from '#server/documents/posting/post.ts'
import { recordProgress, progressEntries, negated, sourceRuleFor } from '#server/documents/progress/progress.ts'
import { refusalPurposes } from '#server/documents/intercompany/refused-goods.ts'
import { beyondReturns, type Standing, standingReturns } from '#server/documents/intercompany/standing-returns.ts'
import { definitionOf } from '#server/documents/sources/open-source.ts'
import type { StoredDocument, StoredLine } from '#server/documents/repository/document.ts'
import { sendMessage } from '#server/messages/messages.ts'
import { kindShownTo } from '#server/realtime/audience.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** The other side took from our document (or gave back): updates our progress, and books its consequences. */
export async function receiveProgress(
  tx: Tx,
  session: Session,
  from: { org: string; name: string },
  message: ProgressMessage,
): Promise<void> {
  const definition = definitionOf(message.kind)
  const doc = await loadDocument(tx, session.org.id, definition, message.sn, { lock: true })
  const measure = definition.lineRules.basis === 'amount' ? 'amount' : 'quantity'
  await recordProgress(
    tx,
    session,
    message.lines.map(line => ({
      document_id: doc.id,
      line_no: line.line_no,
      purpose: message.purpose,
      quantity: line.quantity,
      measure,
      evenStopped: true,
    })),
  )
  const books = definition.intercompany.onProgress?.[message.purpose]
  const back = message.lines.some(line => isNegative(line.quantity))
  // Money has no goods whose share could be booked.
  const answered = measure === 'amount' ? [] : answeredLines(doc, message, back)
  if (books) {
    const posting = books({ ...doc, lines: answered } as never, postingContext(session))
    if (back) await reverseResponsePosting(tx, session, definition, doc, posting, answered)
    else
      await postDocument(
        tx,
        session,
        { ...definition, posting: { ...definition.posting, stockDirection: 'none' } },
        { ...doc, lines: answered },
        posting,
      )
  }
  if (refusalPurposes.includes(message.purpose)) await goOnWithout(tx, session, definition, doc, message, answered)
  await writeHistory(tx, { ...session, userName: from.name }, doc.id, {
    action: message.purpose,
    label: `${from.name}${back ? '撤回' : message.stopped ? '未收的货物退回' : (labels[message.purpose] ?? '回执')}`,
    from: doc.state,
    to: doc.state,
  })
}

/** Our lines with the received quantity; a line may have been received in several of their lines. */
const answeredLines = (doc: StoredDocument, message: ProgressMessage, back: boolean): StoredLine[] =>
  doc.lines.flatMap(line => {
    const parts = message.lines.filter(item => item.line_no === line.line_no)
    if (parts.length === 0) return []
    const quantity = sum(
      parts.map(part => (back ? negate(part.quantity) : part.quantity)),
      3,
    )
    const codes = [...new Set(parts.flatMap(part => part.unit_codes))]
    const part = (amount: Decimal) => share(amount, quantity, line.base_quantity, 2)
    const amounts = {
      taxed_amount: part(line.taxed_amount),
      untaxed_amount: part(line.untaxed_amount),
      tax_amount: part(line.tax_amount),
    }
    return [{ ...line, ...amounts, base_quantity: quantity, unit_codes: codes.length > 0 ? codes : line.unit_codes }]
  })

const labels: Readonly<Record<string, string>> = {
  confirm: '已确认',
  arrive: '已到货',
  refuse: '拒收',
  reject: '验收不合格，退回',
  receive: '已收货',
  give_back: '已收回',
  settle: '已结算',
  invoice: '已收票',
  pay: '已收款',
}

/**
 * The other side refused a part, so it was not executed: the part is free again on the sources of our lines, and a
 * draft to take the goods back waits here.
 */
async function goOnWithout(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  doc: StoredDocument,
  { purpose, stopped }: ProgressMessage,
  lines: readonly StoredLine[],
): Promise<void> {
  const back = negated(await progressEntries(tx, session.org.id, definition, { ...doc, lines }, 'review'))
  await recordProgress(
    tx,
    session,
    back.map(item => ({ ...item, notified: true })),
  )
  const creates = definition.intercompany.onProgressCreates?.[purpose]
  if (!creates) return
  const target = definitionOf(creates.kind)
  const take = sourceRuleFor(target, definition.kind)
  if (!take) throw new Error(`${creates.kind} cannot be made from ${definition.kind}`)
  const standing = stopped
    ? new Map<number, Standing>()
    : await standingReturns(tx, session.org.id, doc.id, { kind: creates.kind, header: creates.header ?? {} })
  const open = lines.flatMap(line => withoutReturned(line, standing.get(line.line_no)))
  if (open.length === 0) return
  const header = {
    ...creates.header,
    ...(stopped ? creates.stopped : {}),
    source_sn: doc.sn,
    source_type: take.sourceType,
  }
  const draft = await buildDraft(
    tx,
    session,
    target,
    header,
    open.map(line => homecoming(line, doc.lines.find(own => own.line_no === line.line_no)!)),
  )
  const sn = await saveDraft(tx, session, target, draft, 'draft')
  await sendMessage(tx, session.org.id, {
    title: `${stopped ? '终止' : (labels[purpose] ?? '退回')}的货物待收回`,
    body: `${definition.title}${doc.sn}，已生成${target.title}${sn}`,
    uri: target.kind,
    objectId: sn,
    kind: kindShownTo(session.org.type, [target.kind]),
    stores: [draft.header.warehouse_model_inner_sn as string | null],
    extra: { kind: target.kind },
  })
}

/** A refused line less what a return takes back already, with its share of the money. */
function withoutReturned(line: StoredLine, standing: Standing | undefined): StoredLine[] {
  if (standing === undefined) return [line]
  const left = beyondReturns(line.base_quantity, standing.refused, standing)
  if (compare(left, line.base_quantity) === 0) return [line]
  const part = (amount: Decimal) => share(amount, left, line.base_quantity, 2)
  return isZero(left)
    ? []
    : [
        {
          ...line,
          base_quantity: left,
          taxed_amount: part(line.taxed_amount),
          untaxed_amount: part(line.untaxed_amount),
          tax_amount: part(line.tax_amount),
        },
      ]
}

/** Counted in base units: part of a pack may be returned, with its share of the money. */
const homecoming = (part: StoredLine, line: StoredLine) => ({
  source_line_no: part.line_no,
  quantity: part.base_quantity,
  unit_inner_sn: part.specification_sn,
  price: share(line.price, line.quantity, line.base_quantity, 4),
  taxed_amount: part.taxed_amount,
  unit_codes: compare(part.base_quantity, codedQuantity(part)) === 0 ? part.unit_codes : [],
})
