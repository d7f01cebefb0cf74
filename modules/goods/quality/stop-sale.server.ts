import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import {
  ofKind,
  patchDocument,
  patchLines,
  stateAhead,
  type StoredDocument,
  type TypedDocument,
  type TypedLine,
} from '#server/public/documents.ts'
import { addDays, today } from '#kernel/values/date.ts'
import { type Decimal, isCount, isPositive, subtract, sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { badOf, stopSale } from '#modules/goods/quality/stop-sale.doc.ts'
import { createReturns } from '#modules/goods/quality/block-returns.server.ts'
import { noteWritten, withStock } from '#modules/goods/quality/stop-lines.server.ts'
import { stopLot } from '#modules/goods/quality/stop-lot.server.ts'
import { recalledLots } from '#modules/base/checks/recalled-lots.server.ts'
import { createSystemDraft, type LineInput } from '#server/public/drafts.ts'

type Context = ContextOf<typeof stopSale>
type StopSale = TypedDocument<typeof stopSale>
type Line = TypedLine<typeof stopSale>

/** Blocked goods must be moved to a warehouse for such goods, or stay in their own. */
async function refuseStore({ tx, session, doc }: Context): Promise<void> {
  const to = doc.to_warehouse_model_inner_sn
  if (!to) return
  const [store] = await tx<
    { model: string }[]
  >`select model from warehouse where org_id = ${session.org.id} and id = ${to}`
  if (store?.model !== 'stopSale' && doc.stop_type !== 'release')
    throw new BusinessError('rule', '停售库只能选择类型为停售库的仓库')
}

/** A release names the block it lifts, and covers only blocked goods. */
async function refuseUnsourced(ctx: Context): Promise<void> {
  await refuseStore(ctx)
  const { doc } = ctx
  const wanted = doc.stop_type === 'release' ? 'stopped' : 'qualified'
  const stray = doc.lines.find(line => doc.stop_type === 'release' && !line.source_document_id)
  if (stray) throw new BusinessError('rule', `第${stray.line_no}行：请引用停售单解除`)
  const wrong = doc.lines.find(line => (line.quality_state ?? 'qualified') !== wanted)
  if (wrong)
    throw new BusinessError(
      'rule',
      `第${wrong.line_no}行：${wanted === 'stopped' ? '只能解除停售中的货物' : '只有合格品可以停售'}`,
    )
}

/** While a recall is open, goods of its lots cannot become good again: neither by a release nor by a check result. */
async function refuseRecalled({ tx, session, doc }: Context): Promise<void> {
  if ((doc.disposal ?? 'hold') === 'hold' && doc.stop_type !== 'release') return
  const freed = ofKind(stopSale, doc).lines.filter(line => isPositive(subtract(line.base_quantity, badOf(line), 3)))
  const recalled = await recalledLots(
    tx,
    session.org.id,
    freed.map(line => line.lot_id),
  )
  if (recalled.size > 0) throw new BusinessError('rule', '召回未关闭，不能解除停售')
}

async function refuseApplicant({ session, doc }: ActionContext): Promise<void> {
  if (doc.submitted_by === session.userId) throw new BusinessError('rule', '不能复检本人提交的单据')
}

/** If only some pieces of a coded line are bad, they must be named. */
function refuseUnnamed(line: Line, bad: Decimal): void {
  const codes = (line.bad_codes as readonly string[] | undefined) ?? []
  const some = isPositive(bad) && isPositive(subtract(line.base_quantity, bad, 3))
  const stray = codes.find(code => !line.unit_codes.includes(code))
  if (stray) throw new BusinessError('unitNotHere', `院内码${stray}不在第${line.line_no}行中，请核对后重新扫描`)
  if (line.unit_codes.length > 0 && some && !isCount(bad, codes.length))
    throw new BusinessError('rule', `第${line.line_no}行：请扫描不合格的院内码`)
}

/** The check result is written to the lines: without figures, the conclusion applies to the whole line. */
async function keepFindings({ tx, session, doc, dialogValues: answers }: Context): Promise<void> {
  const conclusion = String(answers?.conclusion ?? doc.conclusion)
  const held = (answers?.disposal ?? doc.disposal) === 'hold'
  const found = ofKind(stopSale, doc).lines.map(line => {
    const all = conclusion === 'bad' ? line.base_quantity : '0.000'
    const bad = conclusion === 'mixed' ? badOf(line) : all
    refuseUnnamed(line, bad)
    const good = subtract(line.base_quantity, bad, 3)
    return {
      line_no: line.line_no,
      values: { good_quantity: good, bad_quantity: bad, closed_quantity: held ? '0.000' : good },
    }
  })
  await patchLines(tx, session, doc, found, 'withAction')
  const note = {
    good_total: sum(
      found.map(line => line.values.good_quantity),
      3,
    ),
    bad_total: sum(
      found.map(line => line.values.bad_quantity),
      3,
    ),
    checked_by: session.userName,
    check_date: String(doc.check_date ?? doc.business_date),
  }
  await patchDocument(tx, session, doc, note, 'withAction')
}

/** The organisation sets within how many days doubtful goods must be decided. */
async function setDay({ tx, session, doc }: ActionContext): Promise<void> {
  const [row] = await tx<{ days: number }[]>`
    select coalesce(max(stop_days), 7) as days from warning_setting where org_id = ${session.org.id}`
  const due = { check_due_date: addDays(today(), row!.days) }
  await patchDocument(tx, session, doc, due, 'withAction')
}

async function refuseParts({ body, doc }: Context): Promise<void> {
  if (body.lines && doc.disposal !== 'hold') throw new BusinessError('rule', '已有复检结果的停售单只能整单红冲')
}

const placeNow = (doc: StoredDocument) => doc.to_warehouse_model_inner_sn ?? doc.warehouse_model_inner_sn
const blockedLine = (doc: StopSale, line: Line, quality: string, quantity: Decimal): LineInput => {
  const codes =
    quality === 'stopped' || isCount(quantity, line.unit_codes.length)
      ? line.unit_codes
      : ((line.bad_codes as readonly string[] | undefined) ?? [])
  return {
    source_line_no: line.line_no,
    quantity,
    // The remainder is counted in base units, whatever unit the block used.
    unit_inner_sn: line.specification_sn,
    quality_state: quality,
    owner_org_sn: line.owner_org_sn,
    location: doc.to_warehouse_model_inner_sn ? '' : (line.location ?? ''),
    ...(codes.length > 0 ? { unit_codes: codes } : {}),
  }
}

/** The quantities of each line that are still blocked or unfit, as lines of the follow-up document. */
async function openLines({ tx, session, doc }: Context): Promise<LineInput[]> {
  const taken = await tx<{ line_no: number; taken: Decimal }[]>`
    select line_no, sum(taken)::numeric(18,3) as taken from line_progress
     where org_id = ${session.org.id} and document_id = ${doc.id} and line_no > 0
       and purpose in ('release', 'scrap', 'return', 'reverse') group by line_no`
  const quality = doc.disposal === 'hold' ? 'stopped' : 'unqualified'
  return doc.lines.flatMap(line => {
    const left = subtract(line.base_quantity, taken.find(row => row.line_no === line.line_no)?.taken ?? '0', 3)
    return isPositive(left) ? [blockedLine(doc, line, quality, left)] : []
  })
}

const ofStop = (doc: StoredDocument) => ({
  source_sn: doc.sn,
  source_type: sourceTypes.STOP_SALE,
  warehouse_model_inner_sn: placeNow(doc),
})

async function release(ctx: Context): Promise<void> {
  if (ctx.doc.disposal !== 'hold') throw new BusinessError('rule', '该停售单没有停售中的货物')
  const lines = await openLines(ctx)
  if (lines.length === 0) throw new BusinessError('rule', '该停售单没有停售中的货物')
  await createSystemDraft(ctx.tx, ctx.session, 'stopSale', ofStop(ctx.doc), lines)
}

async function toScrap(ctx: Context): Promise<void> {
  const lines = await openLines(ctx)
  if (lines.length === 0) throw new BusinessError('rule', '该停售单没有待处理的货物')
  const type = ctx.doc.stop_reason === 'recall' ? 'recalled' : 'unqualified'
  const header = { ...ofStop(ctx.doc), scrap_type: type, scrap_reason: `停售单${ctx.doc.sn}转报废` }
  await createSystemDraft(ctx.tx, ctx.session, 'scrap', header, lines)
}

/** Returns goods that are still blocked to their supplier; reports those that no receipt brought in. */
async function toReturn(ctx: Context): Promise<void> {
  const lines = await openLines(ctx)
  if (lines.length === 0) throw new BusinessError('rule', '该停售单没有待处理的货物')
  const created = await createReturns(ctx, lines)
  if (created === 0)
    throw new BusinessError('rule', '这些批号没有可退的采购入库单（期初、自产或已退完），请转报废，或联系供应商换货')
}

/** After the decision, goods to be destroyed or returned get their document at once. */
async function createFollowUp(ctx: Context): Promise<void> {
  const { doc } = ctx
  if (
    !['scrap', 'return'].includes(String(doc.disposal)) ||
    !ofKind(stopSale, doc).lines.some(line => isPositive(badOf(line)))
  )
    return
  // Follow-ups are made only from reviewed documents.
  if (doc.state === 'submitted') await stateAhead(ctx, 'reviewed')
  if (doc.disposal === 'scrap') await toScrap(ctx)
  // Goods without a receipt wait for a decision: the block stays open.
  else await createReturns(ctx, await openLines(ctx))
}

export const stopSaleRules = documentHooks(stopSale, {
  afterSave: noteWritten,
  prepare: { submit: withStock },
  validate: { submit: refuseUnsourced, check: refuseApplicant, review: refuseRecalled, redReverse: refuseParts },
  afterAction: { submit: setDay, check: keepFindings, review: createFollowUp, release, toScrap, toReturn },
  calls: { byLot: stopLot },
})
