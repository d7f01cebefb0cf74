import {
  type Context,
  type Reading,
  refuseLine,
  sourceLineOf,
  type StockCorrection,
  withValues,
} from '#modules/goods/corrections/values.server.ts'
import { patchDocument, type StoredDocument, type StoredLine, transition } from '#server/public/documents.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { compare, type Decimal, isPositive } from '#kernel/values/decimal.ts'
import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { isAnswering, isOfSale, isOtherLot, isPending } from '#modules/goods/corrections/correction-posting.ts'
import { withPlaces } from '#modules/goods/corrections/places.server.ts'
import { enqueueMessage, hasAccount } from '#server/public/intercompany.ts'
import { checkPeriodOpen, postDocument, postingContext, release, reserve } from '#server/public/actions.ts'
import { definitionOf } from '#server/public/drafts.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const ofOther = (doc: StoredDocument, line: StoredLine): boolean => (line.owner_org_sn ?? doc.org_sn) !== doc.org_sn

/**
 * True if the counterparty booked the same goods or money and has to agree: goods that it delivered to us, or that we
 * delivered to it.
 */
export async function needsAgreement({ tx, doc }: Reading, sources: readonly StoredDocument[]): Promise<boolean> {
  if (isAnswering(doc) || doc.counterparty_sn === null) return false
  const isShared = sources.some(source => {
    if (source.kind === 'saleOdo') return doc.change_type === 'price' || doc.lines.some(isOtherLot)
    if (source.kind !== 'purchaseGrn') return false
    return doc.lines.some(
      line =>
        sourceLineOf(sources, line)?.delivery_document_id &&
        (doc.change_type === 'price' || (doc.change_type === 'lot' && isOtherLot(line) && ofOther(doc, line))),
    )
  })
  return isShared && hasAccount(tx, doc.counterparty_sn)
}

type Counted = {
  readonly document_id: string
  readonly line_no: number
  readonly purpose: string
  readonly taken: Decimal
}

/**
 * A correction needs goods that arrived in full and stayed: parts in transit or returned have documents of their
 * own.
 */
export async function refuseUnsettled(
  { tx, session, doc }: Reading,
  sources: readonly StoredDocument[],
): Promise<void> {
  const org = session.org.id
  const [counted, delivered] = [
    await tx<Counted[]>`
      select document_id, line_no, purpose, taken from line_progress
       where org_id = ${org} and document_id = any(${sources.map(source => source.id)}::bigint[]) and line_no > 0
         and purpose in ('receive', 'return') and taken > 0`,
    await tx<{ document_id: string; line_no: number; quantity: Decimal }[]>`
      select document_id, line_no, base_quantity as quantity from document_line
       where org_id = ${org}
         and document_id =
           any(${sources.flatMap(source => source.lines.flatMap(line => line.delivery_document_id ?? []))}::bigint[])`,
  ]
  for (const line of doc.lines) {
    const source = sourceLineOf(sources, line)
    const document = sources.find(each => each.id === line.source_document_id)
    if (!source || !document) continue
    const done = (purpose: string) =>
      counted.find(row => row.document_id === document.id && row.line_no === source.line_no && row.purpose === purpose)
        ?.taken ?? '0'
    if (isPositive(done('return'))) throw refuseLine(line, '该行已有退货，不能变更，请对剩余货物退货后重新发货')
    if (document.kind === 'saleOdo' && compare(done('receive'), source.base_quantity) !== 0)
      throw refuseLine(line, '客户尚未收完货，请在客户收货后变更，或反审核出库单后改正')
    if (document.kind === 'saleOdo' && doc.change_type === 'lot' && ofOther(doc, source))
      throw refuseLine(line, '寄售在我方的货物已转为我方销售，批号请用销售退货后重新出库更正')
    const whole = delivered.find(
      row => row.document_id === source.delivery_document_id && row.line_no === source.delivery_line_no,
    )
    if (doc.change_type === 'price' && whole && compare(whole.quantity, source.base_quantity) !== 0)
      throw refuseLine(line, '该发货行分次入库或有拒收，请由供应商在销售出库单上发起变更')
  }
}

/** Refuses to correct a document that waits for the counterparty's answer to another correction. */
export async function refuseWaiting({ tx, session, doc }: Reading): Promise<void> {
  const [waiting] = await tx<{ sn: string }[]>`
    select d.sn from document d
     where d.org_id = ${session.org.id} and d.kind = 'stockCorrection' and d.role = 'own' and d.id <> ${doc.id}
       and (d.state = 'partial' or d.state = 'submitted' and d.fields->>'answers_sn' is not null)
       and exists (select 1 from document_line l where l.org_id = d.org_id and l.document_id = d.id
         and l.source_document_id = any(${doc.lines.flatMap(line => line.source_document_id ?? [])}::bigint[]))
     limit 1`
  if (waiting) throw new BusinessError('blocked', `原单有待双方确认的变更（${waiting.sn}），请先处理`)
}

/**
 * Sends the request to the counterparty without booking it: goods that are to change are held until it has answered.
 */
export async function hold({ tx, session, doc }: Context): Promise<'partial'> {
  await patchDocument(tx, session, doc, { answer_state: '1' }, 'withAction')
  const held = doc.lines.flatMap(line =>
    (line.stored ?? []).map(part => ({
      ...line,
      lot_id: isOfSale(doc) ? line.new_lot_id! : line.lot_id,
      owner_org_sn: line.owner_org_sn ?? session.org.id,
      location: part.location,
      quality_state: part.quality,
      base_quantity: part.quantity,
      unit_codes: part.codes ?? [],
    })),
  )
  if (doc.change_type === 'lot' && held.length > 0)
    await reserve(tx, session, { ...doc, lines: held.map((line, at) => ({ ...line, line_no: at + 1 })) })
  return 'partial'
}

/** Our half is booked: the counterparty is notified and books its own. */
export async function notifyAgreed({ tx, session, doc, reason }: Context, agreed: boolean): Promise<void> {
  await enqueueMessage(tx, session, doc.counterparty_sn!, doc.id, {
    message: 'act',
    kind: doc.kind,
    sn: String(doc.answers_sn),
    action: agreed ? 'agreed' : 'declined',
    label: agreed ? '对方已同意变更' : '对方不同意变更',
    reason,
    actor: session.userName,
    sets: { answer_state: agreed ? '2' : '3' },
    to: agreed ? 'reviewed' : 'rejected',
  })
  const [copy] = await tx<{ id: string }[]>`
    select id from document
     where org_id = ${session.org.id} and kind = ${doc.kind} and role = 'counterparty'
       and from_org_id = ${doc.counterparty_sn} and sn = ${String(doc.answers_sn)} and state = 'reviewed'`
  if (!copy) return
  const to = agreed ? 'completed' : 'rejected'
  const step = { action: agreed ? 'agreed' : 'declined', label: agreed ? '已同意变更' : '不同意变更', reason }
  await transition(tx, session, { id: copy.id, kind: doc.kind }, { ...step, from: ['reviewed'], to })
}

/** The posting date: the document's own, or today if its month was closed while it waited. */
async function dated(tx: Tx, session: Session, doc: StockCorrection): Promise<StockCorrection> {
  try {
    await checkPeriodOpen(tx, session.org.id, doc.business_date)
    return doc
  } catch (error) {
    if (!(error instanceof BusinessError)) throw error
    await patchDocument(tx, session, doc, { business_date: today() }, 'withAction')
    return { ...doc, business_date: today() }
  }
}

/** The counterparty agreed and has booked its half: ours follows, from the goods held for it. */
export const bookAgreed =
  (names: (reading: Reading) => Promise<void>) =>
  async (tx: Tx, session: Session, waiting: StockCorrection): Promise<void> => {
    await release(tx, session, waiting.id)
    const definition = definitionOf(waiting.kind)
    const doc = await dated(tx, session, { ...waiting, answer_state: '2' })
    const valued = await withValues({ tx, session, definition, doc })
    const placed = await withPlaces({ tx, session, definition, doc: valued })
    await postDocument(tx, session, definition, placed, definition.posting.postings!(placed, postingContext(session)))
    await names({ tx, session, definition, doc: placed })
  }

/** The counterparty does not agree: nothing was booked, and held goods are released. */
export const letGo = async (tx: Tx, session: Session, doc: StoredDocument): Promise<void> =>
  release(tx, session, doc.id)

/** Withdrawn before the counterparty answered. */
export async function unsend({ tx, session, doc }: ActionContext): Promise<boolean> {
  if (!isPending(doc)) return false
  await release(tx, session, doc.id)
  await patchDocument(tx, session, doc, { answer_state: '0' }, 'withAction')
  return true
}
