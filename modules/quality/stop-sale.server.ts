import { addDays, today } from '#kernel/day.ts'
import { type Decimal, isPositive, subtract, sum } from '#kernel/decimal.ts'
import { Refusal } from '#kernel/refusal.ts'
import { sourceTypes } from '#kernel/source-type.ts'
import { badOf } from '#modules/quality/stop-sale.doc.ts'
import { layReturns } from '#modules/quality/block-returns.server.ts'
import { noteWritten, withStock } from '#modules/quality/stop-lines.server.ts'
import { stopLot } from '#modules/quality/stop-lot.server.ts'
import { recalledLots } from '#modules/recalled.server.ts'
import type { Acting, DocumentRules } from '#server/public/hooks.ts'
import { lay, type LineInput } from '#server/public/drafts.ts'
import type { StoredDoc, StoredLine } from '#server/public/documents.ts'

/** Goods that are stopped lie in a store for such goods, or where they lay. */
async function refuseStore({ tx, session, doc }: Acting): Promise<void> {
  const to = doc.to_warehouse_model_inner_sn
  if (!to) return
  const [store] = await tx<
    { model: string }[]
  >`select model from warehouse where org_id = ${session.org.id} and id = ${to}`
  if (store?.model !== 'stopSale' && doc.stop_type !== 'release')
    throw new Refusal('rule', '停售库只能选择类型为停售库的仓库')
}

/** A release names what it lifts, and takes stopped goods alone. */
async function refuseUnsourced(acting: Acting): Promise<void> {
  await refuseStore(acting)
  const { doc } = acting
  const wanted = doc.stop_type === 'release' ? 'stopped' : 'qualified'
  const stray = doc.lines.find(line => doc.stop_type === 'release' && !line.source_document_id)
  if (stray) throw new Refusal('rule', `第${stray.line_no}行：请引用停售单解除`)
  const wrong = doc.lines.find(line => (line.quality_state ?? 'qualified') !== wanted)
  if (wrong)
    throw new Refusal(
      'rule',
      `第${wrong.line_no}行：${wanted === 'stopped' ? '只能解除停售中的货物' : '只有合格品可以停售'}`,
    )
}

/** While a recall is open nothing of its lots becomes good again: neither by a release nor by what a check found. */
async function refuseRecalled({ tx, session, doc }: Acting): Promise<void> {
  if ((doc.disposal ?? 'hold') === 'hold' && doc.stop_type !== 'release') return
  const freed = doc.lines.filter(line => isPositive(subtract(line.base_quantity, badOf(line), 3)))
  const recalled = await recalledLots(
    tx,
    session.org.id,
    freed.map(line => line.lot_id),
  )
  if (recalled.size > 0) throw new Refusal('rule', '召回未关闭，不能解除停售')
}

async function refuseApplicant({ session, doc }: Acting): Promise<void> {
  if (doc.submitted_by === session.userId) throw new Refusal('rule', '不能复检本人提交的单据')
}

/** Which pieces of a coded line are bad must be said where it is some of them. */
function refuseUnnamed(line: StoredLine, bad: Decimal): void {
  const codes = (line.bad_codes as readonly string[] | undefined) ?? []
  const some = isPositive(bad) && isPositive(subtract(line.base_quantity, bad, 3))
  const stray = codes.find(code => !line.unit_codes.includes(code))
  if (stray) throw new Refusal('unitNotHere', `院内码${stray}不在第${line.line_no}行中，请核对后重新扫描`)
  if (line.unit_codes.length > 0 && some && codes.length !== Number(bad))
    throw new Refusal('rule', `第${line.line_no}行：请扫描不合格的院内码`)
}

/** What the check found stands on the lines: where nobody wrote figures, the conclusion says it of the whole line. */
async function keepFindings({ tx, session, doc, answers }: Acting): Promise<void> {
  const conclusion = String(answers?.conclusion ?? doc.conclusion)
  const held = (answers?.disposal ?? doc.disposal) === 'hold'
  const found = doc.lines.map(line => {
    const all = conclusion === 'bad' ? line.base_quantity : '0.000'
    const bad = conclusion === 'mixed' ? badOf(line) : all
    refuseUnnamed(line, bad)
    const good = subtract(line.base_quantity, bad, 3)
    return {
      line_no: line.line_no,
      fields: { good_quantity: good, bad_quantity: bad, closed_quantity: held ? '0.000' : good },
    }
  })
  await tx`
    update document_line l set fields = l.fields || k.fields from jsonb_to_recordset(${tx.json(found)}) as k(line_no int, fields jsonb)
     where l.org_id = ${session.org.id} and l.document_id = ${doc.id} and l.line_no = k.line_no`
  const note = {
    good_total: sum(
      found.map(line => line.fields.good_quantity),
      3,
    ),
    bad_total: sum(
      found.map(line => line.fields.bad_quantity),
      3,
    ),
    checked_by: session.userName,
    check_date: String(doc.check_date ?? doc.business_date),
  }
  await tx`
    update document set fields = fields || ${tx.json(note)}
     where org_id = ${session.org.id} and id = ${doc.id}`
}

/** The house says within how many days doubtful goods are judged. */
async function setDay({ tx, session, doc }: Acting): Promise<void> {
  const [row] = await tx<{ days: number }[]>`
    select coalesce(max(stop_days), 7) as days from warning_setting where org_id = ${session.org.id}`
  const due = { check_due_date: addDays(today(), row!.days) }
  await tx`update document set fields = fields || ${tx.json(due)} where org_id = ${session.org.id} and id = ${doc.id}`
}

async function refuseParts({ body, doc }: Acting): Promise<void> {
  if (body.lines && doc.disposal !== 'hold') throw new Refusal('rule', '已有复检结果的停售单只能整单红冲')
}

const placeNow = (doc: StoredDoc) => doc.to_warehouse_model_inner_sn ?? doc.warehouse_model_inner_sn
const lyingLine = (doc: StoredDoc, line: StoredLine, quality: string, quantity: Decimal): LineInput => {
  const codes =
    quality === 'stopped' || Number(quantity) === line.unit_codes.length
      ? line.unit_codes
      : ((line.bad_codes as readonly string[] | undefined) ?? [])
  return {
    source_line_no: line.line_no,
    quantity,
    // What is left is counted in base units, whatever the block was written in.
    unit_inner_sn: line.specification_sn,
    quality_state: quality,
    owner_org_sn: line.owner_org_sn,
    location: doc.to_warehouse_model_inner_sn ? '' : (line.location ?? ''),
    ...(codes.length > 0 ? { unit_codes: codes } : {}),
  }
}

/** What of each line is still blocked or unfit, as lines of the paper that deals with it. */
async function openLines({ tx, session, doc }: Acting): Promise<LineInput[]> {
  const taken = await tx<{ line_no: number; taken: Decimal }[]>`
    select line_no, sum(taken)::numeric(18,3) as taken from line_progress
     where org_id = ${session.org.id} and document_id = ${doc.id} and line_no > 0 and purpose in ('release', 'scrap', 'return', 'reverse') group by line_no`
  const quality = doc.disposal === 'hold' ? 'stopped' : 'unqualified'
  return doc.lines.flatMap(line => {
    const left = subtract(line.base_quantity, taken.find(row => row.line_no === line.line_no)?.taken ?? '0', 3)
    return isPositive(left) ? [lyingLine(doc, line, quality, left)] : []
  })
}

const ofStop = (doc: StoredDoc) => ({
  source_sn: doc.sn,
  source_type: sourceTypes.STOP_SALE,
  warehouse_model_inner_sn: placeNow(doc),
})

async function release(acting: Acting): Promise<void> {
  if (acting.doc.disposal !== 'hold') throw new Refusal('rule', '该停售单没有停售中的货物')
  const lines = await openLines(acting)
  if (lines.length === 0) throw new Refusal('rule', '该停售单没有停售中的货物')
  await lay(acting.tx, acting.session, 'stopSale', ofStop(acting.doc), lines)
}

async function toScrap(acting: Acting): Promise<void> {
  const lines = await openLines(acting)
  if (lines.length === 0) throw new Refusal('rule', '该停售单没有待处理的货物')
  const type = acting.doc.stop_reason === 'recall' ? 'recalled' : 'unqualified'
  const header = { ...ofStop(acting.doc), scrap_type: type, scrap_reason: `停售单${acting.doc.sn}转报废` }
  await lay(acting.tx, acting.session, 'scrap', header, lines)
}

/** What of it is still blocked goes back to whom it came from; what no receipt brought in is told. */
async function toReturn(acting: Acting): Promise<void> {
  const lines = await openLines(acting)
  if (lines.length === 0) throw new Refusal('rule', '该停售单没有待处理的货物')
  const laid = await layReturns(acting, lines)
  if (laid === 0)
    throw new Refusal('rule', '这些批号没有可退的采购入库单（期初、自产或已退完），请转报废，或联系供应商换货')
}

/** The decision stands: what is to be destroyed or to go back gets its paper at once. */
async function layFollowUp(acting: Acting): Promise<void> {
  const { tx, session, doc } = acting
  if (!['scrap', 'return'].includes(String(doc.disposal)) || !doc.lines.some(line => isPositive(badOf(line)))) return
  // Follow-ups are made from reviewed papers alone.
  await tx`update document set state = 'reviewed' where org_id = ${session.org.id} and id = ${doc.id} and state = 'submitted'`
  if (doc.disposal === 'scrap') await toScrap(acting)
  // Goods of which no receipt tells wait for somebody to decide: the block stands open.
  else await layReturns(acting, await openLines(acting))
}

export const stopSaleRules: DocumentRules = {
  kind: 'stopSale',
  written: noteWritten,
  prepare: { submit: withStock },
  before: { submit: refuseUnsourced, check: refuseApplicant, review: refuseRecalled, redReverse: refuseParts },
  after: { submit: setDay, check: keepFindings, review: layFollowUp, release, toScrap, toReturn },
  calls: { byLot: stopLot },
}
