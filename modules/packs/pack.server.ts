import { isPackCode } from '#kernel/codes/pack-code.ts'
import { addDays, today } from '#kernel/values/date.ts'
import { compare, type Decimal, divide, isPositive, multiply, plain, wholePieces } from '#kernel/values/decimal.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionContext, DocumentHooks } from '#server/public/hooks.ts'
import type { Tx } from '#server/public/database.ts'
import { createDraft, definitionOf } from '#server/public/drafts.ts'
import { loadDocument, patchDocument, patchLines, replaceLines } from '#server/public/documents.ts'
import type { Session } from '#server/public/session.ts'

/** Days of use that a store keeps in packs, beyond what its wards lack. */
const DAYS_KEPT = 7

type Template = {
  readonly id: string
  readonly name: string
  readonly specification_id: string
  readonly size: Decimal
  readonly status: string
}

async function templateOf(tx: Tx, org: string, id: unknown): Promise<Template> {
  const [row] = await tx<Template[]>`
    select id, name, specification_id, size, status from pack_template where org_id = ${org} and id = ${String(id)}`
  if (!row)
    throw new BusinessError('invalid', undefined, [{ field: 'pack_template_sn', msg: '定数包模板不存在，请重新选择' }])
  return row
}

/** A template by which packs may still be made. */
async function enabledTemplateOf(tx: Tx, org: string, id: unknown): Promise<Template> {
  const template = await templateOf(tx, org, id)
  if (template.status !== 'enabled') throw new BusinessError('rule', `定数包模板【${template.name}】已停用，请重新选择`)
  return template
}

/** Whole packs in a quantity, or null where it is no multiple of the size. */
function packsIn(quantity: Decimal, size: Decimal): number | null {
  const count = wholePieces(divide(quantity, size, 6))
  return compare(multiply(size, String(count), 3), quantity) === 0 ? count : null
}

/** The figures that follow from template and lines stand on the draft as soon as it is saved. */
async function keepFigures(tx: Tx, session: Session, sn: string): Promise<void> {
  const doc = await loadDocument(tx, session.org.id, definitionOf('pack'), sn)
  if (!doc.pack_template_sn) return
  const template = await templateOf(tx, session.org.id, doc.pack_template_sn)
  const counts = new Map(doc.lines.map(line => [line.line_no, packsIn(line.base_quantity, template.size) ?? 0]))
  const pack_count = [...counts.values()].reduce((all, count) => all + count, 0)
  await patchDocument(tx, session, doc, { pack_size: template.size, pack_count }, 'derived')
  if (doc.lines.length > 0)
    await patchLines(
      tx,
      session,
      doc,
      doc.lines.map(line => ({ line_no: line.line_no, values: { line_packs: counts.get(line.line_no)! } })),
      'derived',
    )
}

type Loose = {
  readonly lot_id: string
  readonly lot_no: string
  readonly owner_id: string
  readonly location: string
  readonly product_name: string
  readonly specification_name: string
  /** Base units that no document holds and no code names. */
  readonly free: Decimal
}

/**
 * Qualified goods of a specification in a store that may be packed, the earliest expiry first: without what documents
 * hold and what is coded or packed already. `except` is a document whose own reservation does not count.
 */
const looseStock = (tx: Tx, org: string, warehouse: unknown, specification: string, except: string | null = null) =>
  tx<Loose[]>`
  with held as (
    select r.lot_id, r.owner_id, r.location, sum(r.quantity) as quantity,
           sum(coalesce(r.coded_quantity, cardinality(r.unit_codes))) as coded
      from reservation r
     where r.org_id = ${org} and r.warehouse_id = ${String(warehouse)} and r.quality_state = 'qualified'
       and r.document_id is distinct from ${except}
     group by 1, 2, 3
  ), coded as (
    select u.lot_id, u.owner_id, coalesce(u.place, '') as location, sum(u.quantity) as quantity from unit u
     where u.specification_id = ${specification} and u.id > 0 and u.status = 'in_stock'
       and u.holder_org_id = ${org} and u.warehouse_id = ${String(warehouse)}
     group by 1, 2, 3
  )
  select b.lot_id, b.lot_no, b.owner_org_id as owner_id, b.location, p.name as product_name,
         s.name as specification_name,
         (b.quantity - coalesce(c.quantity, 0) - coalesce(h.quantity, 0) + coalesce(h.coded, 0))::numeric(18,3) as free
    from stock_on_hand b
    join specification s on s.id = b.specification_id
    join product p on p.id = s.product_id
    left join held h on h.lot_id = b.lot_id and h.owner_id = b.owner_org_id and h.location = b.location
    left join coded c on c.lot_id = b.lot_id and c.owner_id = b.owner_org_id and c.location = b.location
   where b.org_id = ${org} and b.warehouse_id = ${String(warehouse)} and b.specification_id = ${specification}
     and b.quality_state = 'qualified' and coalesce(b.expiry_date, 'infinity'::date) >= ${today()}
   order by b.expiry_date nulls last, b.lot_id, b.owner_org_id, b.location`

/** One specification, whole packs, and no more than lies loose. */
async function refuseUnfit({ tx, session, doc }: ActionContext): Promise<void> {
  const template = await enabledTemplateOf(tx, session.org.id, doc.pack_template_sn)
  for (const line of doc.lines) {
    const say = (field: string, msg: string) =>
      new BusinessError('rule', msg, [{ field, line: line.line_no, msg: `第${line.line_no}行：${msg}` }])
    if (line.specification_sn !== template.specification_id)
      throw say('specification_sn', `第${line.line_no}行的规格型号与定数包模板不一致，请删除该行`)
    if (packsIn(line.base_quantity, template.size) === null)
      throw say('quantity', `第${line.line_no}行：耗用数量须为定数${plain(template.size)}的整数倍`)
  }
  const loose = await looseStock(tx, session.org.id, doc.warehouse_model_inner_sn, template.specification_id, doc.id)
  for (const line of doc.lines) {
    const here = loose.find(
      row => row.lot_id === line.lot_id && row.owner_id === line.owner_org_sn && row.location === (line.location ?? ''),
    )
    const free = here && isPositive(here.free) ? here.free : ('0' as Decimal)
    if (compare(line.base_quantity, free) <= 0) continue
    const msg =
      `库存不足：${line.product_name ?? ''} ${line.specification_name ?? ''} 批号${line.lot_no || '无批号'} ` +
      `可用${plain(free)}，需要${plain(line.base_quantity)}`
    throw new BusinessError('stockShort', msg, [{ field: 'quantity', line: line.line_no, msg }])
  }
}

/** The codes were given when it was posted, after the document was read: they stand on its stored lines. */
const keepPacks = async ({ tx, session, doc }: ActionContext) =>
  void (await tx`
  insert into pack (org_id, code, template_id, document_id, lot_id, unit_id, size)
  select d.org_id, c.bare, ${String(doc.pack_template_sn)}, d.id, c.lot_id, c.unit_id, ${String(doc.pack_size)}
    from document d
    join document_line l on l.org_id = d.org_id and l.document_id = d.id
    cross join unnest(l.unit_codes) x(code)
    join unit_code c on c.code = l.org_id || ':' || x.code
   where d.org_id = ${session.org.id} and d.id = ${doc.id}`)

/** Packs that left the store, or were opened there, cannot be unmade. */
async function refuseMoved({ tx, session, doc }: ActionContext): Promise<void> {
  const [gone] = await tx<{ code: string; status: string }[]>`
    select k.code, u.status from pack k join unit u on u.lot_id = k.lot_id and u.id = k.unit_id
     where k.org_id = ${session.org.id} and k.document_id = ${doc.id}
       and (u.status <> 'in_stock' or u.warehouse_id <> ${doc.warehouse_model_inner_sn})
     order by k.code limit 1`
  if (gone)
    throw new BusinessError(
      'blocked',
      `定数包${gone.code}${gone.status === 'opened' ? '已拆包' : '已发放'}，不能反审核`,
    )
}

async function forgetPacks({ tx, session, definition, doc }: ActionContext): Promise<void> {
  await tx`delete from pack where org_id = ${session.org.id} and document_id = ${doc.id}`
  const lines = doc.lines.map(line => ({ ...line, unit_codes: line.unit_codes.filter(code => !isPackCode(code)) }))
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
}

type Draft = { readonly sn: string; readonly packs: number }

/** A draft of as many packs as were asked for, whole packs of a lot, the earliest expiry first. */
async function draftOf(
  tx: Tx,
  session: Session,
  warehouse: unknown,
  template: Template,
  wanted: number,
): Promise<Draft | null> {
  const loose = await looseStock(tx, session.org.id, warehouse, template.specification_id)
  let open = wanted
  const lines = loose.flatMap(row => {
    const packs = Math.min(open, isPositive(row.free) ? wholePieces(divide(row.free, template.size, 6)) : 0)
    if (packs === 0) return []
    open -= packs
    return [
      {
        specification_sn: template.specification_id,
        lot_no: row.lot_no,
        owner_org_sn: row.owner_id,
        location: row.location,
        quantity: multiply(template.size, String(packs), 3),
      },
    ]
  })
  if (lines.length === 0) return null
  const made = await createDraft(tx, session, definitionOf('pack'), {
    warehouse_model_inner_sn: String(warehouse),
    pack_template_sn: template.id,
    lines,
  })
  return { sn: made.sn, packs: wanted - open }
}

/** 按模板生成. */
async function byTemplate(tx: Tx, session: Session, body: Readonly<Record<string, unknown>>) {
  const template = await enabledTemplateOf(tx, session.org.id, body.pack_template_sn)
  const wanted = parseInteger(body.pack_count)
  const made = await draftOf(tx, session, body.warehouse_model_inner_sn, template, wanted)
  if (made === null || made.packs < wanted)
    throw new BusinessError('stockShort', `库存不足：【${template.name}】可组${made?.packs ?? 0}包，需要${wanted}包`)
  return { sn: made.sn }
}

/**
 * 按补货需求生成: for each template what its wards lack below their reorder point, or what was used of it in a week, less
 * the packs that wait in the store.
 */
async function suggest(tx: Tx, session: Session, body: Readonly<Record<string, unknown>>) {
  const org = session.org.id
  const warehouse = String(body.warehouse_model_inner_sn)
  const needs = await tx<(Template & { readonly need: number })[]>`
    with waiting as (
      select k.template_id, count(*) as packs from pack k
        join unit u on u.lot_id = k.lot_id and u.id = k.unit_id and u.status = 'in_stock'
          and u.warehouse_id = ${warehouse}
       where k.org_id = ${org} group by 1
    ), used as (
      select k.template_id, count(*) as packs from pack k
        join trace_event e on e.lot_id = k.lot_id and e.unit_id = k.unit_id and e.step = 'use'
          and e.at >= ${addDays(today(), -DAYS_KEPT)}::date
       where k.org_id = ${org} group by 1
    ), lacking as (
      select t.id as template_id, sum(ceil((p.max_quantity - coalesce(b.quantity, 0)) / t.size)) as packs
        from pack_template t
        join warehouse_product p on p.org_id = t.org_id and p.specification_id = t.specification_id
          and p.status = 'enabled' and p.max_quantity > 0
        join warehouse w on w.org_id = p.org_id and w.id = p.warehouse_id and w.model = 'ward'
          and w.status = 'enabled' and (t.department_id is null or w.department_id = t.department_id)
        left join lateral (select sum(x.quantity) as quantity from stock_balance x
          where x.org_id = p.org_id and x.warehouse_id = p.warehouse_id and x.specification_id = p.specification_id
            and x.quality_state = 'qualified') b on true
       where t.org_id = ${org} and coalesce(b.quantity, 0) <= greatest(p.reorder_point, p.min_quantity)
       group by 1
    )
    select t.id, t.name, t.specification_id, t.size, t.status,
           (greatest(coalesce(l.packs, 0), coalesce(u.packs, 0)) - coalesce(k.packs, 0))::int as need
      from pack_template t
      left join waiting k on k.template_id = t.id
      left join used u on u.template_id = t.id
      left join lacking l on l.template_id = t.id
     where t.org_id = ${org} and t.status = 'enabled'
       and greatest(coalesce(l.packs, 0), coalesce(u.packs, 0)) > coalesce(k.packs, 0)
     order by t.id limit 50`
  const made: string[] = []
  for (const need of needs) {
    const draft = await draftOf(tx, session, warehouse, need, need.need)
    if (draft) made.push(draft.sn)
  }
  if (made.length === 0)
    throw new BusinessError('rule', '没有需要补充的定数包，或散货不足一包；请核对仓库产品的上下限与库存')
  return { sn: made[0], said: `已生成组包单${made.join('、')}` }
}

export const packHooks: DocumentHooks = {
  kind: 'pack',
  afterSave: keepFigures,
  validate: { submit: refuseUnfit, review: refuseUnfit, unreview: refuseMoved },
  afterAction: { review: keepPacks, unreview: forgetPacks },
  calls: { byTemplate, suggest },
}
