import { type Decimal, isNegative, isZero, negate, share, subtract, sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { arrivalPurpose, undoAutoReceipt, wasAutoReceived } from '#server/documents/intercompany/offline-partner.ts'
import { documentOf } from '#kernel/registry.ts'
import type { State } from '#kernel/definition/document-state.ts'
import { falseFirst } from '#kernel/values/order.ts'
import { checkNotCorrected } from '#server/documents/progress/corrections.ts'
import { namedRows } from '#server/documents/action/action-fields.ts'
import type { ActionContext } from '#server/documents/action/context.ts'
import { writeHistory } from '#server/documents/repository/history.ts'
import { sendCopies, sendProgress } from '#server/documents/intercompany/outbox.ts'
import { cancelUntouchedFollowUps } from '#server/documents/action/create-follow-ups.ts'
import {
  existingReversals,
  type Part,
  remainingLines,
  reversalLines,
  reversalParts,
  type Asked,
  reversedOnly,
} from '#server/documents/lines/reversal-lines.ts'
import { withoutClosed } from '#server/documents/intercompany/refused-goods.ts'
import { checkUnserialisedStock } from '#server/documents/posting/serialised-stock.ts'
import { keepsCopies, sendWithdrawal } from '#server/documents/intercompany/reviewed-copies.ts'
import { isUsageReport, sendReportReversal } from '#server/documents/intercompany/usage-reports.ts'
import { nextNumber } from '#server/documents/repository/numbering.ts'
import { reversalDate } from '#server/documents/posting/period.ts'
import { cameIntoForce } from '#server/documents/effective.ts'
import { withTolerance } from '#server/documents/progress/tolerance.ts'
import { progressEntries, recordProgress } from '#server/documents/progress/progress.ts'
import { explainShortage } from '#server/documents/posting/unpost.ts'
import type { StoredDocument, StoredLine } from '#server/documents/repository/document.ts'
import { insertDocument } from '#server/documents/repository/save.ts'
import { type AccountRow, netEntries, postAccounts } from '#server/ledger/accounts.ts'
import { type ConsignedRow, netConsignment, postConsignment } from '#server/ledger/consignment.ts'
import { netMoves, postStock, type StockRow } from '#server/ledger/stock.ts'
import { undoTrace } from '#server/ledger/undo-trace.ts'

/**
 * 红冲: a reversal document with negative quantities and its own sn, possible on later days and in part. It writes the
 * exact opposite of the share it reverses; the original becomes 已红冲 when nothing of it is left.
 */
export async function reverseDocument(ctx: ActionContext): Promise<{ state: State; red_sn: string }> {
  const { tx, session, doc, definition } = ctx
  const org = session.org.id
  if (doc.red_of_id) throw new BusinessError('wrongState', '红冲单不能再红冲')
  await checkNotCorrected(ctx)
  const counted = await tx<{ line_no: number; purpose: string; taken: Decimal }[]>`
    select line_no, purpose, taken from line_progress where org_id = ${org} and document_id = ${doc.id} and line_no > 0`
  const progress = withoutClosed(definition, doc, counted)
  const alone = await wasAutoReceived(ctx)
  const past: readonly string[] = [
    ...(definition.lifecycle.reversibleAfter ?? []),
    ...(alone ? [arrivalPurpose(ctx)!] : []),
  ]
  const back = progress.filter(row => row.purpose === 'reverse' || row.purpose === 'return')
  const used = progress.find(row => !back.includes(row) && !past.includes(row.purpose) && !isZero(row.taken))
  if (used) throw new BusinessError('blocked', await followedSentence(ctx))
  const taken = new Map<number, Decimal>()
  for (const row of back) taken.set(row.line_no, subtract(taken.get(row.line_no) ?? '0.000', negate(row.taken), 3))
  const earlier = await existingReversals(tx, org, doc.id)
  const parts = reversalParts(ctx, await namedRows<Asked>(ctx, 'lines'), taken, earlier.lines)
  if (parts.length === 0) throw new BusinessError('wrongState', '该单据已全部红冲或退货，没有可红冲的数量')
  const sn = await nextNumber(tx, org, definition)
  const red = await writeRed(ctx, sn, parts)
  await postOpposite(ctx, red, sn, parts, earlier.ids)
  await recordProgress(
    tx,
    session,
    parts.map(part => ({
      document_id: doc.id,
      line_no: part.line.line_no,
      purpose: 'reverse' as const,
      quantity: definition.lineRules.basis === 'amount' ? part.line.taxed_amount : part.quantity,
      measure: definition.lineRules.basis === 'amount' ? ('amount' as const) : ('quantity' as const),
    })),
  )
  await giveBack(ctx, parts)
  if (alone)
    await undoAutoReceipt(
      ctx,
      parts.map(part => ({ line_no: part.line.line_no, base_quantity: part.quantity })),
    )
  await writeHistory(tx, session, red, {
    action: 'redReverse',
    label: '红冲',
    from: null,
    to: 'reviewed',
    reason: ctx.reason,
  })
  for (const part of parts) taken.set(part.line.line_no, sum([taken.get(part.line.line_no) ?? '0', part.quantity], 3))
  const left = remainingLines(doc.lines, [...earlier.lines, ...reversalLines(definition, parts)], taken)
  const rest = definition.lineRules.basis !== 'amount' && left.length > 0
  if (!rest) await cancelUntouchedFollowUps(ctx)
  if (isUsageReport(definition))
    await sendReportReversal(tx, session, doc, {
      id: red,
      sn,
      day: reversalDate(ctx),
      lines: reversalLines(definition, parts),
    })
  else await sendRest(ctx, rest ? left : [])
  return { state: rest ? (doc.state as State) : 'reversed', red_sn: sn }
}

/** Those who have a copy get what is left of it; a copy that stayed with them through the reversal goes whole. */
async function sendRest({ tx, session, doc, definition, spec }: ActionContext, left: readonly StoredLine[]) {
  if (keepsCopies(definition)) {
    if (left.length === 0) return sendWithdrawal(tx, session, doc, spec.label)
    throw new BusinessError('rule', `${definition.title}只能整单红冲，请不选明细红冲后，按实际数量重新开单`)
  }
  if (left.length > 0 && definition.intercompany.copies)
    await sendCopies(tx, session, definition, { ...doc, lines: [...left] }, 'review')
}

/** The reversal document, reviewed by the user who reverses, and its register rows. Returns its id. */
async function writeRed(ctx: ActionContext, sn: string, parts: readonly Part[]): Promise<string> {
  const { tx, session, doc, definition } = ctx
  const org = session.org.id
  const lines = reversalLines(definition, parts)
  const red = await insertDocument(
    tx,
    org,
    definition,
    { sn, state: 'reviewed', createdBy: session.userId, redOf: doc.id, sourceDocument: doc.source_document_id },
    { ...doc, business_date: reversalDate(ctx), remark: ctx.reason },
    lines,
  )
  await tx`update document set reviewed_by = ${session.userId}, reviewed_at = posting_now(),
    submitted_by = ${session.userId}, submitted_at = posting_now() where org_id = ${org} and id = ${red}`
  await cameIntoForce(tx, session, definition, { ...doc, id: red, lines: lines as StoredDocument['lines'] })
  return red
}

async function followedSentence(ctx: ActionContext): Promise<string> {
  const rows = await ctx.tx<{ sn: string; kind: string }[]>`
    select distinct d.sn, d.kind from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${ctx.session.org.id} and l.source_document_id = ${ctx.doc.id} and d.role = 'own'
       and d.state not in ('cancelled', 'deleted', 'draft', 'reversed') and d.red_of_id is null order by d.sn limit 5`
  const { blockedMessage: taken } = ctx.spec
  if (taken) return `${taken}${rows.length > 0 ? `（${rows.map(row => row.sn).join('、')}）` : ''}`
  if (rows.some(row => documentOf(row.kind)?.externalType?.endsWith('INVOICE')))
    return `明细已开票（${rows.map(row => row.sn).join('、')}），请先红冲发票`
  return `该${ctx.definition.title}已有后续业务${rows.length > 0 ? `（${rows.map(row => row.sn).join('、')}）` : ''}，不能红冲`
}

async function postOpposite(
  ctx: ActionContext,
  red: string,
  sn: string,
  parts: readonly Part[],
  earlier: readonly string[],
): Promise<void> {
  const { tx, session, doc, definition } = ctx
  if (!definition.posting.postings) return
  const org = session.org.id
  const posted = { org, document: red, day: reversalDate(ctx) }
  const moves = opposite<StockRow>(parts, await standingOf(doc.id, earlier, id => netMoves(tx, org, id)))
  const consigned = opposite<ConsignedRow>(parts, await standingOf(doc.id, earlier, id => netConsignment(tx, org, id)))
  const entries = opposite(
    parts,
    await standingOf(doc.id, earlier, async id => (await netEntries(tx, org, id)).map(asRow)),
  )
  await explainShortage(ctx, () =>
    postStock(
      tx,
      posted,
      moves.sort((a, b) => a.line_no - b.line_no || falseFirst(isNegative(b.quantity), isNegative(a.quantity))),
    ),
  )
  await postConsignment(tx, posted, consigned)
  await postAccounts(
    tx,
    posted,
    entries.map(({ quantity: _quantity, value, ...entry }) => ({ ...entry, amount: value! })),
  )
  const codes = parts.flatMap(part => part.codes)
  const units =
    codes.length === 0
      ? undefined
      : new Set(
          (
            await tx<
              { lot_id: string; unit_id: string }[]
            >`select lot_id, unit_id from unit_code where bare = any(${codes as string[]})`
          ).map(row => `${row.lot_id}/${row.unit_id}`),
        )
  const lots = [...new Set(parts.flatMap(part => (part.line.lot_id ? [part.line.lot_id] : [])))]
  await undoTrace(
    tx,
    { org, kind: doc.kind, sn, actor: session.userName },
    lots,
    {
      lines: parts.map(part => part.line.line_no),
      ...(units ? { units } : {}),
      lotQuantity: new Map(parts.map(part => [part.line.line_no, part.quantity])),
    },
    { sn: doc.sn, document: doc.id },
  )
  await checkUnserialisedStock(tx, org, lots)
}

type Row = { readonly line_no: number; readonly quantity: Decimal; readonly value: Decimal | null }
type Standing<R> = { readonly first: readonly R[]; readonly all: readonly R[] }

const asRow = ({ amount, ...entry }: AccountRow) => ({ ...entry, quantity: '0.000' as Decimal, value: amount })

/** The rows that the document posted, and what remains of them after earlier reversals. */
async function standingOf<R extends Row>(
  doc: string,
  earlier: readonly string[],
  read: (id: string) => Promise<R[]>,
): Promise<Standing<R>> {
  const first = await read(doc)
  const all = [first]
  for (const id of earlier) all.push(await read(id))
  const keyOf = ({ quantity: _quantity, value: _value, ...key }: R) => JSON.stringify({ ...key, step: null })
  const merged = [...Map.groupBy(all.flat(), keyOf).values()].map(rows => ({
    ...rows[0]!,
    quantity: sum(
      rows.map(row => row.quantity),
      3,
    ),
    value: sum(
      rows.map(row => row.value ?? '0'),
      2,
    ),
  }))
  return { first, all: merged }
}

/** The opposite of each part's share; the last part takes everything that remains. */
function opposite<R extends Row>(parts: readonly Part[], standing: Standing<R>): R[] {
  return parts.flatMap(part => {
    const last = part.last && reversedOnly(part)
    const rows = (last ? standing.all : standing.first).filter(row => row.line_no === part.line.line_no)
    const scale = (value: Decimal, to: number) =>
      negate(last ? value : share(value, part.quantity, part.line.base_quantity, to))
    return rows.map(row => ({
      ...row,
      quantity: scale(row.quantity, 3),
      value: row.value === null ? null : scale(row.value, 2),
    }))
  })
}

/** Releases to the sources what the reversed part had taken. */
async function giveBack(ctx: ActionContext, parts: readonly Part[]): Promise<void> {
  const { tx, session, doc, definition } = ctx
  const red = { ...doc, lines: reversalLines(definition, parts) }
  const advances = await withTolerance(ctx, await progressEntries(tx, session.org.id, definition, red, 'review'))
  await recordProgress(tx, session, advances)
  await sendProgress(tx, session, red, advances)
}
