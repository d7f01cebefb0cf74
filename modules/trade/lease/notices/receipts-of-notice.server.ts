import type { leaseNoticeIn } from '#modules/trade/lease/notices/lease-notice-in.doc.ts'
import {
  patchDocument,
  type StoredDocument,
  type StoredLine,
  transition,
  type TypedDocument,
  type TypedLine,
} from '#server/public/documents.ts'
import { kindsOf } from '#kernel/measure/feeding.ts'
import { compare, type Decimal, isPositive, least, subtract, sum } from '#kernel/values/decimal.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { codesOf, without } from '#modules/trade/lease/notices/coded-goods.server.ts'
import { figure, inBaseUnits, perBaseUnit } from '#modules/trade/lease/notices/notice-checks.server.ts'
import { createSystemDraft } from '#server/public/drafts.ts'
import { sendMessage } from '#server/public/notifications.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type LeaseNoticeIn = TypedDocument<typeof leaseNoticeIn>
type Line = TypedLine<typeof leaseNoticeIn>

/** A line of the notice, and its quantity on a receipt. */
type Taken = { readonly line: StoredLine; readonly quantity: Decimal; readonly codes: readonly string[] }

/** Drafts the receipt of a purchase, which books the debt: the goods themselves are at the lessor. */
export async function draftReceipt(tx: Tx, session: Session, doc: LeaseNoticeIn, lines: readonly Line[]) {
  if (doc.source_sn) await dropWaitingDraft(tx, session, doc)
  const taken = lines.map(line => ({
    line,
    quantity: figure(line, 'booked_now'),
    codes: codesOf(line, 'codes_now'),
  }))
  const receipt = await receiptOver(tx, session, doc, taken)
  await noteReceipts(tx, session, doc, [doc.receipt_sn, receipt])
  await sendMessage(tx, session.org.id, {
    title: '出租方已入库，请审核采购入库单',
    body: `入库通知${doc.sn}已入库，已生成采购入库单${receipt}`,
    uri: 'purchaseGrn',
    objectId: receipt,
    kind: 'purchaseGrn',
  })
}

const noteReceipts = (tx: Tx, session: Session, doc: StoredDocument, sns: readonly unknown[]) =>
  patchDocument(tx, session, doc, { receipt_sn: sns.filter(Boolean).join('、').slice(0, 100) || null }, 'derived')

/** A draft receipt over these quantities of the notice; its number. */
function receiptOver(tx: Tx, session: Session, doc: LeaseNoticeIn, taken: readonly Taken[]): Promise<string> {
  const header = {
    counterparty_sn: doc.counterparty_sn,
    warehouse_model_inner_sn: doc.warehouse_model_inner_sn,
    lease_notice_sn: doc.sn,
    delivery_note_no: doc.delivery_note_no ?? null,
  }
  const source = doc.source_sn
    ? { source_type: sourceTypes.ODO, source_sn: doc.source_sn, source_org_sn: doc.source_org_sn }
    : {}
  const lines = taken.map(({ line, quantity, codes }) => ({
    quantity,
    ...(codes.length > 0 ? { unit_codes: codes } : {}),
    ...(compare(quantity, line.base_quantity) < 0 ? { reject_reason: '出租方实收数量' } : {}),
    ...(line.source_sn
      ? {
          source_sn: line.source_sn,
          source_org_sn: line.source_org_sn,
          source_line_no: line.source_line_no,
          ...inBaseUnits(line),
        }
      : {
          specification_sn: line.specification_sn,
          lot_no: line.lot_no,
          production_date: line.production_date,
          expiry_date: line.expiry_date,
          price: perBaseUnit(line),
          tax_rate: line.tax_rate,
        }),
  }))
  return createSystemDraft(tx, session, 'purchaseGrn', { ...header, ...source }, lines)
}

/** Voids the drafts that the supplier's delivery created: the receipt over the notice replaces them. */
async function dropWaitingDraft(tx: Tx, session: Session, doc: StoredDocument): Promise<void> {
  const waiting = await tx<{ id: string; kind: string }[]>`
    select d.id, d.kind from document d
     where d.org_id = ${session.org.id} and d.kind = any(${kindsOf('delivered', 'arrived')}) and d.role = 'own'
       and d.state = 'draft' and not d.touched and d.created_by = 0 and d.source_sn = ${doc.source_sn}
       and d.source_org_id = ${doc.source_org_sn} and not d.fields ? 'lease_notice_sn'`
  for (const draft of waiting) await voidDraft(tx, session, draft, `货物已由出租方按入库通知${doc.sn}入库`)
}

/** Voids a draft that nobody has edited. */
const voidDraft = (tx: Tx, session: Session, draft: Pick<StoredDocument, 'id' | 'kind'>, reason: string) =>
  transition(tx, session, draft, { action: 'cancel', label: '作废', from: ['draft'], to: 'cancelled', reason })

type Receipt = {
  readonly id: string
  readonly sn: string
  readonly is_waiting: boolean
  readonly is_red: boolean
  readonly goods: readonly {
    readonly size: string
    readonly lot: string
    readonly quantity: Decimal
    readonly codes: readonly string[]
  }[]
}

/** Valid receipts over a notice, with the goods of each; `is_waiting`: nobody has edited it. */
const receiptsOf = (tx: Tx, org: string, notice: string) => tx<Receipt[]>`
  select d.id, d.sn, d.state = 'draft' and not d.touched and d.created_by = 0 as is_waiting,
         d.red_of_id is not null as is_red,
         (select json_agg(json_build_object('size', l.specification_id::text, 'lot', coalesce(l.lot_no, ''),
                                            'quantity', l.base_quantity::text, 'codes', l.unit_codes))
            from document_line l where l.org_id = d.org_id and l.document_id = d.id) as goods
    from document d
   where d.org_id = ${org} and d.kind = 'purchaseGrn' and d.role = 'own' and d.state not in ('cancelled', 'deleted')
     and d.fields->>'lease_notice_sn' = ${notice}
   order by d.id`

/**
 * The rest of each line that the receipts people worked on do not cover, and the receipts that cover more than the
 * line.
 */
function uncovered(notice: StoredDocument, kept: readonly Receipt[]) {
  const named = (isRed: boolean) =>
    kept.filter(receipt => receipt.is_red === isRed).flatMap(receipt => (receipt.goods ?? []).flatMap(row => row.codes))
  const covered = without(named(false), named(true))
  const over = new Map<string, Decimal>()
  for (const { size, lot, quantity } of kept.flatMap(receipt => receipt.goods ?? []))
    over.set(`${size}/${lot}`, sum([over.get(`${size}/${lot}`) ?? '0', quantity], 3))
  const rest = notice.lines.flatMap(line => {
    const key = `${line.specification_sn}/${line.lot_no ?? ''}`
    const stands = subtract(figure(line, 'booked_quantity'), figure(line, 'reversed_quantity'), 3)
    const taken = least(stands, over.get(key) ?? '0')
    over.set(key, subtract(over.get(key) ?? '0', taken, 3))
    const quantity = subtract(stands, taken, 3)
    const codes = without(codesOf(line, 'booked_codes'), codesOf(line, 'reversed_codes'), covered)
    return isPositive(quantity) ? [{ line, quantity, codes }] : []
  })
  const isOver = ({ size, lot }: Receipt['goods'][number]) => isPositive(over.get(`${size}/${lot}`) ?? '0')
  return { rest, tooMuch: kept.filter(receipt => !receipt.is_red && receipt.goods?.some(isOver)) }
}

/**
 * Corrects receipts after goods of a notice left again by a red one: a receipt that nobody edited is replaced by one
 * over the rest; the others are left to people. Returns the result in words.
 */
export async function receiptsAfterRed(
  tx: Tx,
  session: Session,
  notice: LeaseNoticeIn,
  red: string,
): Promise<{ readonly sentence: string; readonly sn: string | null }> {
  const all = await receiptsOf(tx, session.org.id, notice.sn)
  const waiting = all.filter(receipt => receipt.is_waiting)
  for (const { id } of waiting)
    await voidDraft(tx, session, { id, kind: 'purchaseGrn' }, `货物已按红冲入库通知${red}退出`)
  const { rest, tooMuch } = uncovered(
    notice,
    all.filter(receipt => !receipt.is_waiting),
  )
  const again = rest.length > 0 && waiting.length > 0 ? await receiptOver(tx, session, notice, rest) : null
  const standing = all.filter(receipt => !receipt.is_waiting && !receipt.is_red).map(receipt => receipt.sn)
  await noteReceipts(tx, session, notice, [...standing, again])
  const gone = waiting.map(receipt => receipt.sn).join('、')
  const sentences = [
    ...(gone === '' ? [] : [`采购入库单${gone}已作废${again === null ? '' : `，改为${again}`}`]),
    ...(tooMuch.length === 0
      ? []
      : [`采购入库单${tooMuch.map(receipt => receipt.sn).join('、')}仍按原数量，请修改、红冲或办理采购退货`]),
  ]
  return { sentence: sentences.map(each => `；${each}`).join(''), sn: again ?? tooMuch[0]?.sn ?? null }
}
