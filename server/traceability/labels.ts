import { BusinessError } from '#kernel/rules/errors.ts'
import type { Label } from '#kernel/print/label-data.ts'
import { hasPrices, labelSheetAt } from '#kernel/print/label-formats.ts'
import type { PrintTemplate } from '#kernel/print/print-definition.ts'
import { namesLots } from '#kernel/definition/line-content.ts'
import { documentOf, entities, entityOf } from '#kernel/registry.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { labelTemplates } from '#server/documents/print/templates.ts'
import { maySeePrices } from '#server/access/sensitive-fields.ts'
import { logOperation } from '#server/audit/operation-log.ts'
import { requirePermission, type Session } from '#server/access/session.ts'
import type { Fragment } from '#server/records/hooks.ts'
import { keysSeen } from '#server/records/ticked-rows.ts'
import { rulesOf } from '#server/registry/hooks.ts'
import {
  type Asker,
  askerOf,
  type Goods,
  labelOf,
  pricesIn,
  type Subject,
  unitLabels,
} from '#server/traceability/label-of.ts'
import { type LineLabels, lineLabels } from '#server/traceability/line-labels.ts'
import { goneWords, heldUnits, keysOf, MOST_LABELS } from '#server/traceability/units-on-hand.ts'
import { areaLabels, departmentLabels, placeLabels, signLabels } from '#server/traceability/place-labels.ts'
import type { Tx } from '#server/database/transaction.ts'

/** The kind whose rows are single pieces: the trace and the log use it for label jobs. */
export const labelKind = (): string => entities().find(({ labelled }) => labelled === 'piece')!.kind

const GONE = '有记录不存在或已变化，请刷新后重新勾选'

type Row = Goods & Omit<Subject, 'serial' | 'times'>

/** In the order of the keys; a missing one is refused. */
function inOrder(session: Asker, keys: readonly string[], rows: readonly Row[]): Label[] {
  const known = new Map(rows.map(row => [row.key, row]))
  if (keys.some(key => !known.has(key))) throw new BusinessError('notFound', GONE)
  return keys.map(key => labelOf(session, known.get(key)!, known.get(key)!))
}

async function lotLabels(tx: Tx, session: Asker, text: unknown): Promise<Label[]> {
  const keys = keysOf(text, /^[\d]+-[^,]{1,120}$/)
  const rows = await tx<Row[]>`
    select b.id as key, 'lot' as type, b.lot_no as code, s.udi_di as di, p.name as product_name,
      s.name as specification_name, s.unit_name, o.name as manufacturer_name, c.certificate_no as registration_no,
           b.lot_no, b.production_date, b.expiry_date, b.owner_org_id as owner_id, w.name as supplier_name,
             e.name as store_name, nullif(b.location, '') as location, t.name as department_name,
             h.his_charge_code as charge_code, p.is_high_value, p.is_cold_chain ${pricesIn(tx, session, tx`b.lot_id`)}
      from stock_on_hand b join specification s on s.id = b.specification_id join product p on p.id = s.product_id
        join organisation o on o.id = p.manufacturer_id
      left join registration_certificate c on c.id = s.registration_certificate_id
      left join hospital_product h on h.org_id = b.org_id and h.specification_id = s.id
      left join organisation w on w.id = b.owner_org_id and b.owner_org_id <> b.org_id
      left join warehouse e on e.org_id = b.org_id and e.id = b.warehouse_id
      left join department t on t.org_id = e.org_id and t.id = e.department_id
     where b.org_id = ${session.org.id} and b.id = any(${keys})
       and b.lot_id = any(${keys.map(key => key.split('-')[2] ?? '').filter(lot => /^\d{1,18}$/.test(lot))}::bigint[])
       ${session.warehouses === 'all' ? tx`` : tx`and b.warehouse_id = any(${[...session.warehouses]}::bigint[])`}`
  return inOrder(session, keys, rows)
}

async function productLabels(tx: Tx, session: Asker, text: unknown): Promise<Label[]> {
  const keys = keysOf(text, /^\d{1,18}$/)
  const rows = await tx<Row[]>`
    select b.id as key, case when k.base_measure > 1 then 'box' else 'product' end as type, b.code, b.code as di,
      p.name as product_name, s.name as specification_name,
           case when k.id is null then s.unit_name
             else k.name || '（' || k.base_measure || s.unit_name || '）' end as unit_name,
           o.name as manufacturer_name, c.certificate_no as registration_no, h.his_charge_code as charge_code,
             p.is_high_value, p.is_cold_chain ${pricesIn(tx, session, null)}
      from known_barcode b join specification s on s.id = b.specification_id join product p on p.id = s.product_id
        join organisation o on o.id = p.manufacturer_id
      left join pack_unit k on k.id = b.unit_id
      left join registration_certificate c on c.id = s.registration_certificate_id
      left join hospital_product h on h.org_id = ${session.org.id} and h.specification_id = s.id
     where b.id = any(${keys}::bigint[])`
  return inOrder(session, keys, rows)
}

/** Label data of a specification, by its device identifier, else by its code. */
const ofSizes = (tx: Tx, asker: Asker, key: Fragment, from: Fragment) => tx<Row[]>`
  select ${key} as key, 'product' as type, coalesce(s.udi_di, s.code) as code, s.udi_di as di, p.name as product_name,
    s.name as specification_name, s.unit_name, o.name as manufacturer_name,
         c.certificate_no as registration_no, h.his_charge_code as charge_code, p.is_high_value,
           p.is_cold_chain ${pricesIn(tx, asker, null)}
    from ${from} join product p on p.id = s.product_id join organisation o on o.id = p.manufacturer_id
    left join registration_certificate c on c.id = s.registration_certificate_id`

/** Labels of goods in the caller's own catalogue. */
async function catalogueLabels(tx: Tx, session: Asker, text: unknown): Promise<Label[]> {
  const keys = keysOf(text, /^\d{1,18}$/)
  const from = tx`
    hospital_product h join specification s on h.org_id = ${session.org.id} and h.id = any(${keys}::bigint[])
      and s.id = h.specification_id`
  return inOrder(session, keys, await ofSizes(tx, session, tx`h.id`, from))
}

/** A label for every specification of the products on offer. */
async function sizeLabels(tx: Tx, session: Asker, text: unknown, kind: string): Promise<Label[]> {
  const keys = keysOf(text, /^\d{1,18}$/)
  const seen = rulesOf(kind).visible?.(tx, session, { scope: 'released' }) ?? tx`true`
  const from = tx`
    (select * from specification
      where product_id in (select t.id from product t where t.id = any(${keys}::bigint[]) and ${seen})
      and status = 'released' and mapped_to_id is null) s
     left join hospital_product h on h.org_id = ${session.org.id} and h.specification_id = s.id`
  const rows = (await ofSizes(tx, session, tx`s.id`, from)).toSorted((a, b) => (a.code < b.code ? -1 : 1))
  if (rows.length === 0) throw new BusinessError('notFound', '所选产品没有已发布的规格，请刷新后重新勾选')
  return inOrder(
    session,
    rows.map(row => row.key),
    rows,
  )
}

const readers = {
  piece: (tx: Tx, session: Asker, keys: unknown) => unitLabels(tx, session, keys, false),
  pack: (tx: Tx, session: Asker, keys: unknown) => unitLabels(tx, session, keys, true),
  lot: lotLabels,
  product: productLabels,
  place: placeLabels,
  area: areaLabels,
  department: departmentLabels,
  catalogue: catalogueLabels,
  sizes: sizeLabels,
  sign: signLabels,
} as const

/**
 * The units that rows of a kind print the labels of: their keys, where their rules name no others. A row that its
 * caller does not see answers like one that is not there.
 */
async function unitsAsked(tx: Tx, session: Session, kind: string, keys: unknown): Promise<unknown> {
  const asked = keysOf(keys, /^[\d][^,]{0,120}$/)
  const seen = await keysSeen(tx, session, entityOf(kind)!, asked)
  if (asked.some(key => !seen.has(key))) throw new BusinessError('notFound', GONE)
  const units = await rulesOf(kind).unitsOf?.(tx, session, keysOf(keys, /^\d{1,18}$/))
  return units?.join(',') ?? keys
}

type Kind = { readonly kind: string; readonly labelled: keyof typeof readers | 'lines' }

/** The requested kind, if this session may print its labels. */
function kindAsked(session: Session, of: unknown): Kind {
  const kind = typeof of === 'string' && of !== '' ? of : labelKind()
  const document = documentOf(kind)
  const labelled = document && namesLots(document) ? 'lines' : entityOf(kind)?.labelled
  if (!labelled) throw new BusinessError('invalid', '这类记录没有标签')
  requirePermission(session, `${kind}.print`)
  return { kind, labelled }
}

/** The labels asked for, and the keys of the pieces among them. */
async function read(
  tx: Tx,
  session: Session,
  asker: Asker,
  { kind, labelled }: Kind,
  { units, each }: Readonly<Record<string, unknown>>,
): Promise<LineLabels> {
  if (labelled === 'lines') return lineLabels(tx, asker, kind, units, each)
  const keys = await unitsAsked(tx, session, kind, units)
  const isPiece = labelled === 'piece' || labelled === 'pack'
  return { labels: await readers[labelled](tx, asker, keys, kind), pieces: isPiece ? String(keys) : null }
}

/**
 * The full content of the labels of some rows: single pieces, lots in stock, product codes, and of the lines of
 * documents (`units`: their numbers; `each`: one label a line, or one for each counted unit); with the available
 * templates and the one used: the chosen one, else the default. Prices only where it names them. `address`: ours,
 * for links.
 */
export async function labelsOf(
  tx: Tx,
  session: Session,
  query: Readonly<Record<string, unknown>>,
  address: string,
): Promise<{ labels: Label[]; templates: readonly PrintTemplate[]; used: string | null }> {
  const { of, sheet, template } = query
  const asked = kindAsked(session, of)
  const templates = labelSheetAt(sheet) ? await labelTemplates(tx, session, String(sheet)) : []
  const used = templates.find(each => (template ? each.print_template_sn === template : each.is_default))
  const asker = await askerOf(tx, session, address, hasPrices(used) && maySeePrices(session))
  const { labels } = await read(tx, session, asker, asked, query)
  return { labels, templates, used: used?.print_template_sn ?? null }
}

/**
 * Counts labels as printed. A piece's label can be reprinted only with a reason and the right to, and never for a
 * piece that is gone; labels of lots and products as often as there are packages.
 */
export async function countLabels(
  tx: Tx,
  session: Session,
  body: Readonly<Record<string, unknown>>,
): Promise<{ printed: number }> {
  const asked = kindAsked(session, body.of)
  const copies = parseInteger(body.copies ?? 1)
  if (!Number.isInteger(copies) || copies < 1) throw new BusinessError('invalid', '份数须为大于0的整数')
  const why = typeof body.reason === 'string' && body.reason.trim() !== '' ? body.reason.trim().slice(0, 200) : null
  const { labels, pieces } = await read(tx, session, await askerOf(tx, session, ''), asked, body)
  if (labels.length * copies > MOST_LABELS) throw new BusinessError('invalid', `一次最多打印${MOST_LABELS}张标签`)
  const again = pieces !== null && labels.some(label => label.times > 0)
  if (pieces !== null) await countPieces(tx, session, { ...body, units: pieces }, why, asked.labelled === 'pack')
  const first = labels[0]!.code
  const count = labels.length * copies
  await logOperation(tx, session, {
    subject: asked.kind,
    action: 'print',
    actionName: again ? '补打' : '打印',
    kind: 'print',
    name: labels.length === 1 ? first : `${first}等${labels.length}张`,
    after: { layout: body.layout, copies, reason: why },
    summary: `打印${count}张标签${why === null ? '' : `：${why}`}`.slice(0, 300),
  })
  return { printed: count }
}

async function countPieces(
  tx: Tx,
  session: Session,
  { units: text, layout }: Readonly<Record<string, unknown>>,
  why: string | null,
  asPacks: boolean,
): Promise<void> {
  const units = await heldUnits(tx, session, text, undefined, asPacks)
  const left = units.find(unit => unit.times > 0 && goneWords[unit.status] !== undefined)
  if (left) throw new BusinessError('rule', `该标签已${goneWords[left.status]}，不能补打（${left.code}）`)
  if (units.some(unit => unit.times > 0)) {
    requirePermission(session, `${labelKind()}.reprint`)
    if (why === null)
      throw new BusinessError('invalid', '标签已打印，请填写补打原因', [{ field: 'reason', msg: '请填写补打原因' }])
  }
  await tx`
    insert into label_print (org_id, lot_id, unit_id, seq, layout, printed_by, reason, pack_code)
    select ${session.org.id}, lot, unit, coalesce((select max(g.seq) from label_print g
             where g.org_id = ${session.org.id} and g.lot_id = n.lot and g.unit_id = n.unit), 0) + 1,
           ${String(layout ?? '').slice(0, 60)}, ${session.userName}, ${why}, pack
      from unnest(${units.map(unit => unit.lot_id)}::bigint[], ${units.map(unit => unit.unit_sn)}::bigint[],
        ${units.map(unit => unit.printed_as)}::text[]) n(lot, unit, pack)
    returning seq`
}
