import type { AnyDocument } from '#kernel/document.ts'
import { type Decimal, isCount, isNegative, negate, share, sum } from '#kernel/decimal.ts'
import { takeBackAnswer } from '#server/engine/documents/answer-back.ts'
import { composeDraft, storeDraft } from '#server/engine/documents/draft.ts'
import type { ProgressMessage } from '#server/engine/documents/hand-over.ts'
import { writeHistory } from '#server/engine/documents/history.ts'
import { loadDocument } from '#server/engine/documents/load.ts'
import { bookOf, post } from '#server/engine/documents/post.ts'
import { advance, advancesOf, reversedAdvances, takeFrom } from '#server/engine/documents/progress.ts'
import { refusing } from '#server/engine/documents/refuse.ts'
import { definitionOf } from '#server/engine/documents/source-lines.ts'
import type { StoredDoc, StoredLine } from '#server/engine/documents/stored.ts'
import { leaveMessage } from '#server/engine/messages.ts'
import { kindShownTo } from '#server/engine/realtime/audience.ts'
import type { Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'

/** The other side took from our paper (or gave back): our progress, and what we book for it. */
export async function receiveProgress(
  tx: Tx,
  session: Session,
  from: { org: string; name: string },
  message: ProgressMessage,
): Promise<void> {
  const definition = definitionOf(message.kind)
  const doc = await loadDocument(tx, session.org.id, definition, message.sn, { lock: true })
  await advance(
    tx,
    session,
    message.lines.map(line => ({
      document_id: doc.id,
      line_no: line.line_no,
      purpose: message.purpose,
      quantity: line.quantity,
      measure: 'quantity' as const,
    })),
  )
  const books = definition.answers?.[message.purpose]
  const back = message.lines.some(line => isNegative(line.quantity))
  const answered = answeredLines(doc, message, back)
  if (books) {
    const posting = books({ ...doc, lines: answered } as never, bookOf(session))
    if (back) await takeBackAnswer(tx, session, doc, posting, answered)
    else await post(tx, session, { ...definition, goods: 'none' }, { ...doc, lines: answered }, posting)
  }
  if (refusing.includes(message.purpose)) await goOnWithout(tx, session, definition, doc, message, answered)
  await writeHistory(tx, { ...session, userName: from.name }, doc.id, {
    action: message.purpose,
    label: `${from.name}${back ? '撤回' : message.stopped ? '未收的货物退回' : (labels[message.purpose] ?? '回执')}`,
    from: doc.state,
    to: doc.state,
  })
}

/** Our lines with what was received of them; a line may have been received in several lines of theirs. */
const answeredLines = (doc: StoredDoc, message: ProgressMessage, back: boolean): StoredLine[] =>
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
}

/** What the other side sent away was not done: what our lines took is free again, and the goods wait here to be taken home. */
async function goOnWithout(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  doc: StoredDoc,
  { purpose, stopped }: ProgressMessage,
  lines: readonly StoredLine[],
): Promise<void> {
  const back = reversedAdvances(await advancesOf(tx, session.org.id, definition, { ...doc, lines }, 'review'))
  await advance(
    tx,
    session,
    back.map(item => ({ ...item, told: true })),
  )
  const lays = definition.answerLays?.[purpose]
  if (!lays) return
  const target = definitionOf(lays.kind)
  const take = takeFrom(target, definition.kind)
  if (!take) throw new Error(`${lays.kind} cannot be made from ${definition.kind}`)
  const header = { ...lays.header, ...(stopped ? lays.stopped : {}), source_sn: doc.sn, source_type: take.sourceType }
  const draft = await composeDraft(
    tx,
    session,
    target,
    header,
    lines.map(line => homecoming(line, doc.lines.find(own => own.line_no === line.line_no)!)),
  )
  const sn = await storeDraft(tx, session, target, draft, 'draft')
  await leaveMessage(tx, session.org.id, {
    title: `${stopped ? '终止' : (labels[purpose] ?? '退回')}的货物待收回`,
    body: `${definition.title}${doc.sn}，已生成${target.title}${sn}`,
    uri: target.kind,
    objectId: sn,
    kind: kindShownTo(session.org.type, [target.kind]),
    stores: [draft.header.warehouse_model_inner_sn as string | null],
    extra: { kind: target.kind },
  })
}

/** Counted in base units: a part of a pack may come home, at its share of the money. */
const homecoming = (part: StoredLine, line: StoredLine) => ({
  source_line_no: part.line_no,
  quantity: part.base_quantity,
  unit_inner_sn: part.specification_sn,
  price: share(line.price, line.quantity, line.base_quantity, 4),
  taxed_amount: part.taxed_amount,
  unit_codes: isCount(part.base_quantity, part.unit_codes.length) ? part.unit_codes : [],
})
