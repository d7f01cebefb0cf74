import type { bonePlan } from '#modules/hospital/surgery/plans/bone-plan.doc.ts'
import { byName, type StoredDocument } from '#server/public/documents.ts'
import type { ActionContext, ContextOf } from '#server/public/hooks.ts'
import { dayOf } from '#kernel/values/date.ts'
import { compare } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { kitContents } from '#modules/hospital/surgery/bookings/booking.server.ts'
import { patientNames } from '#modules/hospital/surgery/plans/case-fields.ts'
import { buildDraft, definitionOf, type LineInput, saveDraft } from '#server/public/drafts.ts'
import { requirePermission, type Session } from '#server/public/session.ts'
import { hasAccount } from '#server/public/intercompany.ts'
import type { Fragment } from '#server/public/records.ts'
import { serialsByCode } from '#server/public/stock.ts'
import type { Tx } from '#server/public/database.ts'

/** The drafts that follow from a plan, a presale or a use: each is written by its own right, from its own source. */

type Header = Readonly<Record<string, unknown>>
async function draft(
  { tx, session, doc, definition }: ActionContext,
  kind: string,
  header: Header,
  lines: LineInput[] | null,
): Promise<string> {
  requirePermission(session, `${kind}.add`)
  const target = definitionOf(kind)
  const built = await buildDraft(tx, session, target, { ...header }, lines)
  return saveDraft(tx, session, target, built, 'draft', `来自${definition.title}${doc.sn.split('/')[0]}`)
}

const sourceOf = (doc: StoredDocument, source_type: number) => ({
  source_sn: doc.sn,
  source_org_sn: doc.from_org_id,
  source_type,
})

/** Goods in the numbered kits of a plan, by their places. */
export async function kitLines(tx: Tx, session: Session, codes: readonly string[]): Promise<LineInput[]> {
  if (codes.length === 0) return []
  const kits = await tx<{ id: string }[]>`
    select id from implant_kit where org_id = ${session.org.id} and code = any(${codes as string[]})`
  const contents = await kitContents(
    tx,
    session,
    kits.map(kit => kit.id),
  )
  return contents.map(row => ({
    kit_code: row.kit_code,
    hole: row.tray,
    goods_kind: 'implant',
    specification_sn: row.specification_sn,
    lot_no: row.lot_no,
    lot_id: row.lot_id,
    production_date: row.production_date,
    expiry_date: row.expiry_date,
    unit_codes: row.unit_codes,
    quantity: row.quantity,
    owner_org_sn: row.owner_org_sn,
    quality_state: row.quality_state,
    location: row.location,
  }))
}

/** 生成预销售单: the kits that were prepared, and the loose goods that the plan lists. */
export async function draftOfPresale(ctx: ContextOf<typeof bonePlan>): Promise<void> {
  const { tx, session, doc } = ctx
  const kits = await kitLines(tx, session, doc.kit_codes ?? [])
  const goods = doc.lines
    .filter(line => line.specification_sn)
    .map(line => ({
      specification_sn: line.specification_sn,
      unit_inner_sn: line.unit_inner_sn,
      quantity: line.quantity,
      goods_kind: 'implant',
    }))
  const store = await storeOf(tx, session, kits)
  await draft(
    ctx,
    'bonePresale',
    { ...sourceOf(doc, sourceTypes.BONE_PLAN), ...(store ? { warehouse_model_inner_sn: store } : {}) },
    [...kits, ...goods],
  )
}

/** The store in which the kits are, else our first central store. */
async function storeOf(tx: Tx, session: Session, kits: readonly LineInput[]): Promise<string | null> {
  const places = kits.map(line => String(line.location))
  const [row] = await tx<{ id: string }[]>`
    select w.id from warehouse w
     where w.org_id = ${session.org.id} and w.status = 'enabled'
       and (w.model = 'central' or w.id in (
         select k.warehouse_id from implant_kit k where k.org_id = ${session.org.id} and k.code = any(${places})))
     order by (w.id in (
         select k.warehouse_id from implant_kit k where k.org_id = ${session.org.id} and k.code = any(${places}))) desc,
       w.id limit 1`
  return row?.id ?? null
}

/** 生成预验收单, over the goods that the supplier announced. */
export async function draftOfPreAcceptance(ctx: ContextOf<typeof bonePlan>): Promise<void> {
  const { tx, session, doc } = ctx
  const [live] = await tx<{ sn: string }[]>`
    select sn from document where org_id = ${session.org.id} and kind = 'bonePreAcceptance' and role = 'own'
      and source_document_id = ${doc.id} and state in ('draft', 'submitted', 'rejected') order by id limit 1`
  if (live) throw new BusinessError('duplicate', `该计划已有未完成的预验收单（${live.sn}）`)
  const lines = await announcedLines(tx, session, doc.sn, doc.counterparty_sn!)
  const header = { ...sourceOf(doc, sourceTypes.BONE_PLAN), deliverer: doc.driver ?? null }
  await draft(ctx, 'bonePreAcceptance', header, lines)
}

/**
 * 记入跟台库: a supplier without an account books nothing out, so the hospital takes in what it counted: the supplier's
 * goods, in the store for loans under the number of the plan.
 */
export async function draftOfLoan(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  if (await hasAccount(tx, doc.counterparty_sn!))
    throw new BusinessError('rule', '该供应商已开通系统，货物由其骨科预销售单记入跟台库')
  const counted = await tx<LineInput[]>`
    select l.specification_id as specification_sn, l.lot_no, l.expiry_date::text, l.unit_codes, l.quantity::text,
           l.fields->>'sterilisation_lot_no' as sterilisation_lot_no
      from document a join document_line l on l.org_id = a.org_id and l.document_id = a.id
     where a.org_id = ${session.org.id} and a.kind = 'bonePreAcceptance' and a.role = 'own'
       and a.source_document_id = ${doc.id} and a.state in ('reviewed', 'partial', 'completed')
       and l.specification_id is not null and l.quantity > 0 and l.fields->>'conclusion' is distinct from 'failed'
     order by a.id, l.line_no`
  if (counted.length === 0) throw new BusinessError('rule', '请先预验收：没有已审核的预验收单，或其中没有合格的植入物')
  const [taken] = await tx<{ sn: string }[]>`
    select d.sn from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
      join warehouse w on w.org_id = d.org_id and w.id = d.warehouse_id and w.model = 'loan'
     where d.org_id = ${session.org.id} and d.kind = 'purchaseGrn' and d.role = 'own' and l.location = ${doc.sn}
       and d.state not in ('cancelled', 'deleted', 'reversed') limit 1`
  if (taken) throw new BusinessError('duplicate', `该计划的货物已记入跟台库（${taken.sn}）`)
  const header = {
    counterparty_sn: doc.counterparty_sn,
    warehouse_model_inner_sn: await loanStoreOf(tx, session.org.id),
    regime: 'consigned',
  }
  await draft(
    ctx,
    'purchaseGrn',
    header,
    counted.map(line => ({ ...line, location: doc.sn })),
  )
}

/** The hospital's store for what is lent for operations. */
async function loanStoreOf(tx: Tx, org: string): Promise<string | null> {
  const [store] = await tx<{ id: string }[]>`
    select id from warehouse where org_id = ${org} and model = 'loan' order by id limit 1`
  return store?.id ?? null
}

type Announced = {
  kit_code: string | null
  goods_kind: string | null
  specification_sn: string
  lot_no: string | null
  lot_id: string | null
  expiry_date: string | null
  unit_codes: string[]
  sterilisation_lot_no: string | null
  listed_quantity: string
}

/** The goods that a supplier announced for a plan and nobody has received: his waiting presales, line by line. */
export async function announcedLines(tx: Tx, session: Session, planSn: string, supplier: string): Promise<LineInput[]> {
  const rows = await tx<Announced[]>`
    select l.fields->>'kit_code' as kit_code, l.fields->>'goods_kind' as goods_kind, l.specification_id
             as specification_sn, l.lot_no, l.lot_id, l.expiry_date, l.unit_codes,
           l.fields->>'sterilisation_lot_no' as sterilisation_lot_no, l.base_quantity::text as listed_quantity
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${session.org.id} and d.kind = 'bonePresale' and d.role = 'counterparty'
       and d.from_org_id = ${supplier} and d.state in ('submitted', 'reviewed', 'partial')
       and d.fields->>'plan_sn' = ${planSn}
     order by d.id, l.line_no`
  return rows.map(row => ({ ...row, goods_kind: row.goods_kind ?? 'implant', quantity: '0' }))
}

/** 登记手术使用: the record of the operation with its patient, to be scanned in the theatre. */
export async function draftOfUse(ctx: ContextOf<typeof bonePlan>): Promise<void> {
  const { tx, session, doc } = ctx
  const store = await loanStoreOf(tx, session.org.id)
  const [plan] = await tx<{ no: string | null }[]>`
    select fields->>'his_surgery_no' as no from document
     where org_id = ${session.org.id} and id = ${doc.source_document_id} and kind = 'surgeryPlan'`
  const patient = Object.fromEntries(patientNames.map(name => [name, byName(doc)[name] ?? null]))
  await draft(
    ctx,
    'surgeryUse',
    {
      ...patient,
      surgery_no: plan?.no ?? null,
      surgery_plan_sn: doc.source_sn,
      surgery_name: doc.procedure_name,
      theatre: doc.theatre,
      department_inner_sn: doc.department_inner_sn,
      doctor_inner_sn: doc.doctor_inner_sn,
      implant_site: doc.site,
      attendant: doc.attendant,
      attendant_org_sn: doc.counterparty_sn,
      warehouse_model_inner_sn: store,
      ...(doc.surgery_at ? { business_date: dayOf(new Date(String(doc.surgery_at))) } : {}),
    },
    [],
  )
}

type Unsold = { line_no: number; left: string; unit_codes: readonly string[] }
type OpenUse = { sn: string; from_org_id: string; day: string; lines: readonly Unsold[] }

/**
 * Uses that a hospital recorded of our loaned goods for a plan, with what of them is not sold yet. A maker reads the
 * goods that others lent as well: they are not his to sell.
 */
const usesToSell = (tx: Tx, session: Session, planSn: string, hospital: string) => tx<OpenUse[]>`
  select d.sn, d.from_org_id, d.business_date::text as day,
         jsonb_agg(jsonb_build_object('line_no', l.line_no, 'unit_codes', l.unit_codes, 'left',
           (l.base_quantity - coalesce(g.taken, 0))::numeric(18,3)::text) order by l.line_no) as lines
    from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id and l.base_quantity > 0
    left join line_progress g on g.org_id = l.org_id and g.document_id = l.document_id and g.line_no = l.line_no
      and g.purpose = 'turn'
   where d.org_id = ${session.org.id} and d.kind = 'surgeryUse' and d.role = 'counterparty'
     and d.from_org_id = ${hospital} and d.state in ('reviewed', 'partial', 'completed')
     and l.owner_org_id = d.org_id and l.fields->>'stock_source' = 'loan'
     and exists (select 1 from document_line p where p.org_id = d.org_id and p.document_id = d.id
       and p.owner_org_id = d.org_id and p.fields->>'plan_sn' = ${planSn})
     and coalesce(g.taken, 0) < l.base_quantity
     and not exists (select 1 from document s where s.org_id = d.org_id and s.kind = 'boneSale'
       and s.source_document_id = d.id and s.state in ('draft', 'submitted', 'rejected'))
   group by d.id, d.sn, d.from_org_id, d.business_date order by d.id`

/**
 * Refuses with the reason why there is nothing to sell: goods that the hospital settles by the month are owed by its
 * settlement.
 */
async function refuseNothingToSell(tx: Tx, session: Session, planSn: string, hospital: string): Promise<never> {
  const [monthly] = await tx`
    select 1 from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${session.org.id} and d.kind = 'surgeryUse' and d.role = 'counterparty'
       and d.from_org_id = ${hospital} and d.state in ('reviewed', 'partial', 'completed')
       and l.fields->>'plan_sn' = ${planSn} and l.fields->>'stock_source' = 'monthly' limit 1`
  const msg = monthly
    ? '该医院按月结算跟台货物，不用生成销售单，请等待医院的结算单'
    : '医院尚未登记使用，或已全部生成销售单'
  throw new BusinessError('rule', msg)
}

/** 生成销售单: one for each record of use of the plan; of a hospital without an account, from the presale itself. */
export async function draftsOfSale(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  const isPlan = doc.kind === 'bonePlan'
  if (!isPlan && doc.to_warehouse_model_inner_sn) {
    await draft(ctx, 'boneSale', sourceOf(doc, sourceTypes.BONE_PRESALE), null)
    return
  }
  const planSn = isPlan ? doc.sn.split('/')[0]! : String(byName(doc).plan_sn)
  const hospital = isPlan && doc.role === 'counterparty' ? doc.from_org_id : doc.counterparty_sn!
  const uses = await usesToSell(tx, session, planSn, hospital)
  if (uses.length === 0) await refuseNothingToSell(tx, session, planSn, hospital)
  for (const use of uses)
    await draft(
      ctx,
      'boneSale',
      {
        source_sn: use.sn,
        source_org_sn: use.from_org_id,
        source_type: sourceTypes.ORTHOPAEDIC,
        business_date: use.day,
        plan_sn: planSn,
      },
      use.lines.map(({ line_no, left, unit_codes }) => ({
        source_line_no: line_no,
        quantity: left,
        // For a line that was sold in part a user enters which pieces are left.
        ...(compare(left, String(unit_codes.length)) === 0 ? { unit_codes } : {}),
      })),
    )
}

type Out = {
  sn: string
  from_org_id: string
  store: string
  line_no: number
  kit_code: string | null
  left: string
  unit_codes: string[]
}

/** The quantity of presales that is still out: the rest of each line, by the codes that were not used. */
async function stillOut(tx: Tx, session: Session, presales: Fragment): Promise<Map<string, Out[]>> {
  const rows = await tx<Out[]>`
    select d.sn, d.from_org_id, d.warehouse_id::text as store, l.line_no, l.unit_codes,
           l.fields->>'kit_code' as kit_code,
           (l.base_quantity - coalesce(sum(g.taken), 0))::numeric(18,3)::text as left
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
      left join line_progress g on g.org_id = l.org_id and g.document_id = l.document_id and g.line_no = l.line_no
        and g.purpose in ('use', 'return')
     where d.org_id = ${session.org.id} and d.kind = 'bonePresale' and d.role = 'own'
       and d.state in ('reviewed', 'partial') and ${presales}
     group by d.id, d.sn, d.from_org_id, d.warehouse_id, l.line_no, l.unit_codes, l.fields, l.base_quantity
    having l.base_quantity > coalesce(sum(g.taken), 0) order by d.id, l.line_no`
  const units = await serialsByCode(
    tx,
    session.org.id,
    rows.flatMap(row => row.unit_codes),
  )
  const here = (code: string) => units.get(code)?.status === 'in_stock'
  return Map.groupBy(
    rows.map(row => ({ ...row, unit_codes: row.unit_codes.filter(here) })),
    row => row.sn,
  )
}

/** 生成退回单: one for each presale of which something is out. */
export async function draftOfBack(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  const which = doc.kind === 'bonePresale' ? tx`d.id = ${doc.id}` : tx`d.source_document_id = ${doc.id}`
  const out = await stillOut(tx, session, which)
  if (out.size === 0) throw new BusinessError('rule', '没有未退回的货物')
  for (const [sn, lines] of out)
    await draft(
      ctx,
      'boneBack',
      {
        source_sn: sn,
        source_org_sn: lines[0]!.from_org_id,
        source_type: sourceTypes.BONE_PRESALE,
        warehouse_model_inner_sn: lines[0]!.store,
      },
      lines.map(line => ({
        source_line_no: line.line_no,
        quantity: line.left,
        unit_codes: line.unit_codes,
        return_kind: 'returned',
        // A piece of a kit goes back into its kit.
        ...(line.kit_code ? { location: line.kit_code } : {}),
      })),
    )
}
