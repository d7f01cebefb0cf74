import { type Decimal, isPositive, subtract } from '#kernel/decimal.ts'
import { Refusal } from '#kernel/refusal.ts'
import { sourceTypes } from '#kernel/source-type.ts'
import { badOf } from '#modules/quality/stop-sale.doc.ts'
import type { Acting, DocumentRules } from '#server/engine/documents/acting.ts'
import type { LineInput } from '#server/engine/documents/complete.ts'
import { lay } from '#server/engine/documents/lay.ts'
import type { StoredDoc, StoredLine } from '#server/engine/documents/stored.ts'
import type { Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'

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
  for (const line of doc.lines) {
    const all = conclusion === 'bad' ? line.base_quantity : '0.000'
    const bad = conclusion === 'mixed' ? badOf(line) : all
    refuseUnnamed(line, bad)
    const good = subtract(line.base_quantity, bad, 3)
    const found = { good_quantity: good, bad_quantity: bad, closed_quantity: held ? '0.000' : good }
    await tx`
      update document_line set fields = fields || ${tx.json(found)}
       where org_id = ${session.org.id} and document_id = ${doc.id} and line_no = ${line.line_no}`
  }
  const note = { checked_by: session.userName, check_date: String(doc.check_date ?? doc.business_date) }
  await tx`
    update document set fields = fields || ${tx.json(note)}
     where org_id = ${session.org.id} and id = ${doc.id}`
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
     where org_id = ${session.org.id} and document_id = ${doc.id} and line_no > 0 and purpose in ('release', 'scrap', 'reverse') group by line_no`
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

/** The decision stands: what is to be destroyed gets its paper at once. */
async function layScrap(acting: Acting): Promise<void> {
  const { tx, session, doc } = acting
  if (doc.disposal !== 'scrap' || !doc.lines.some(line => isPositive(badOf(line)))) return
  // Follow-ups are made from reviewed papers alone.
  await tx`update document set state = 'reviewed' where org_id = ${session.org.id} and id = ${doc.id} and state = 'submitted'`
  await toScrap(acting)
}

type Lying = { warehouse_id: string; location: string; owner_id: string; free: Decimal; codes: string[] | null }

/** 按批次全部停售: one draft a store with every free piece of the lot; what is on its way or used is told as a hint for a recall. */
async function byLot(
  tx: Tx,
  session: Session,
  body: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const { specification_sn, lot_no, stop_reason, notice_no } = body as Readonly<Record<string, string>>
  const org = session.org.id
  const rows = await tx<Lying[]>`
    select b.warehouse_id, b.location, b.owner_id,
           (b.quantity - coalesce((select sum(r.quantity) from reservation r where r.org_id = b.org_id and r.warehouse_id = b.warehouse_id and r.location = b.location
              and r.lot_id = b.lot_id and r.owner_id = b.owner_id and r.quality_state = b.quality_state), 0))::numeric(18,3) as free,
           (select array_agg(c.bare order by c.bare) from unit u join lateral (select min(x.bare) as bare from unit_code x where x.lot_id = u.lot_id and x.unit_id = u.id and x.ended is null) c on true
             where u.lot_id = b.lot_id and u.holder_org_id = b.org_id and u.warehouse_id = b.warehouse_id and u.owner_id = b.owner_id and coalesce(u.place, '') = b.location and u.status = 'in_stock'
               and not exists (select 1 from reservation r where r.org_id = b.org_id and r.lot_id = b.lot_id and c.bare = any(r.unit_codes))) as codes
      from stock_balance b join lot l on l.id = b.lot_id join warehouse w on w.org_id = b.org_id and w.id = b.warehouse_id
     where b.org_id = ${org} and b.specification_id = ${specification_sn ?? null} and l.lot_no = ${lot_no ?? null} and b.quality_state = 'qualified' and w.model not in ('transit', 'consumed')
       ${session.warehouses === 'all' ? tx`` : tx`and b.warehouse_id = any(${[...session.warehouses]}::bigint[])`}
     order by b.warehouse_id, b.location`
  const open = rows.filter(row => isPositive(row.free))
  if (open.length === 0) throw new Refusal('rule', `批号${String(lot_no)}没有可停售的库存`)
  const papers: string[] = []
  for (const [warehouse, lying] of Map.groupBy(open, row => row.warehouse_id))
    papers.push(
      await lay(
        tx,
        session,
        'stopSale',
        {
          warehouse_model_inner_sn: warehouse,
          stop_reason,
          notice_no: notice_no ?? null,
          description: `批号${String(lot_no)}全部停售`,
        },
        lying.map(row => ({
          specification_sn: specification_sn!,
          lot_no: lot_no!,
          owner_org_sn: row.owner_id,
          location: row.location,
          quality_state: 'qualified',
          quantity: row.codes ? String(row.codes.length) : row.free,
          ...(row.codes ? { unit_codes: row.codes } : {}),
        })),
      ),
    )
  const [away] = await tx<{ in_transit: string; used: string }[]>`
    select count(*) filter (where u.status = 'in_transit' and u.holder_org_id = ${org})::text as in_transit, count(*) filter (where u.use_org_id = ${org})::text as used
      from unit u join lot l on l.id = u.lot_id where l.specification_id = ${specification_sn ?? null} and l.lot_no = ${lot_no ?? null}`
  return { sn: papers[0], papers, ...away }
}

export const stopSaleRules: DocumentRules = {
  kind: 'stopSale',
  before: { submit: refuseUnsourced, check: refuseApplicant, redReverse: refuseParts },
  after: { check: keepFindings, review: layScrap, release, toScrap },
  calls: { byLot },
}
