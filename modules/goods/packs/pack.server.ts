import { pack } from '#modules/goods/packs/pack.doc.ts'
import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import {
  loadDocument,
  patchDocument,
  patchLines,
  replaceLines,
  type StoredDocument,
  type StoredLine,
  type TypedDocument,
} from '#server/public/documents.ts'
import { isPackCode, packOf, partCode, partNumbers } from '#kernel/codes/pack-code.ts'
import { addDays, today } from '#kernel/values/date.ts'
import {
  compare,
  type Decimal,
  divide,
  isPositive,
  multiply,
  plain,
  sum,
  timesIn,
  wholePieces,
} from '#kernel/values/decimal.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { kitRecipeOf } from '#modules/goods/packs/kits/kit-recipe.server.ts'
import { forgetKits, keepKits } from '#modules/goods/packs/kits/made-kit.server.ts'
import { composePacks } from '#modules/goods/packs/compose.ts'
import { type Loose, type LoosePieces, loosePieces, looseStock } from '#modules/goods/packs/loose-stock.server.ts'
import {
  enabledRecipeOf,
  needOf,
  partOf,
  type Recipe,
  recipeOf,
  recipesOf,
  specificationsOf,
} from '#modules/goods/packs/recipe.server.ts'
import { standingUses } from '#modules/goods/packs/standing-uses.server.ts'
import type { Tx } from '#server/public/database.ts'
import { createDraft, definitionOf } from '#server/public/drafts.ts'
import { nextPackCodes, packedPieces, serialsByCode } from '#server/public/stock.ts'
import type { Session } from '#server/public/session.ts'

type Context = ContextOf<typeof pack>
type Pack = TypedDocument<typeof pack>

/** The days of use that a store keeps in packs, beyond the shortage of its wards. */
const DAYS_KEPT = 7

/** The quantity on the document's lines of one part of the pack. */
const heldOf = (recipe: Recipe, doc: StoredDocument, part: Recipe['parts'][number]): Decimal =>
  sum(
    doc.lines.flatMap(line => (partOf(recipe, line.specification_sn) === part ? [line.base_quantity] : [])),
    3,
  )

/** The number of combined packs that the lines make: as many as the first required product allows. */
function combinedPacks(recipe: Recipe, doc: StoredDocument): number {
  const first = recipe.parts.find(part => part.required) ?? recipe.parts[0]
  return first === undefined ? 0 : (timesIn(heldOf(recipe, doc, first), first.quantity) ?? 0)
}

/** The recipe by which a document packs: a template, or a version of an operation's kit. */
const recipeOfDocument = (tx: Tx, org: string, doc: Pack): Promise<Recipe> =>
  doc.operation_kit_sn ? kitRecipeOf(tx, org, doc.operation_kit_sn) : recipeOf(tx, org, doc.pack_template_sn)

/** The figures that follow from template and lines are written to the draft as soon as it is saved. */
async function keepFigures(tx: Tx, session: Session, sn: string): Promise<void> {
  const doc = await loadDocument(tx, session.org.id, pack, sn)
  if (!doc.pack_template_sn && !doc.operation_kit_sn) return
  const recipe = await recipeOfDocument(tx, session.org.id, doc)
  const combined = combinedPacks(recipe, doc)
  const countOf = (quantity: Decimal) => (recipe.combined ? combined : (timesIn(quantity, recipe.size) ?? 0))
  const counts = new Map(doc.lines.map(line => [line.line_no, countOf(line.base_quantity)]))
  const all = [...counts.values()].reduce((total, count) => total + count, 0)
  const pack_count = recipe.combined ? combined : all
  const pack_type = recipe.combined ? 'combined' : 'single'
  await patchDocument(tx, session, doc, { pack_size: recipe.size, pack_count, pack_type }, 'derived')
  if (doc.lines.length > 0)
    await patchLines(
      tx,
      session,
      doc,
      doc.lines.map(line => ({ line_no: line.line_no, values: { line_packs: counts.get(line.line_no)! } })),
      'derived',
    )
}

const say = (line: number, field: string, msg: string) => new BusinessError('rule', msg, [{ field, line, msg }])

/**
 * A line of single packs contains whole packs of one specification; each combined pack contains the same of every line.
 */
function refuseUneven(recipe: Recipe, doc: StoredDocument): void {
  const packs = recipe.combined ? combinedPacks(recipe, doc) : null
  for (const line of doc.lines) {
    if (partOf(recipe, line.specification_sn) === undefined)
      throw say(line.line_no, 'specification_sn', `第${line.line_no}行的规格型号与定数包模板不一致，请删除该行`)
    if (packs === null && timesIn(line.base_quantity, recipe.size) === null) {
      // A pack of one product contains one lot of one owner: goods of several lines cannot be combined into one.
      const isMixed = doc.lines.some(other => other !== line && timesIn(other.base_quantity, recipe.size) === null)
      const why = isMixed ? '同一定数包内批号必须一致，' : ''
      throw say(line.line_no, 'quantity', `第${line.line_no}行：${why}耗用数量须为定数${plain(recipe.size)}的整数倍`)
    }
    if (packs !== null && packs > 0 && timesIn(line.base_quantity, String(packs)) === null)
      throw say(line.line_no, 'quantity', `第${line.line_no}行：耗用数量须为组包数量${packs}的整数倍`)
  }
  if (packs === null) return
  for (const part of recipe.parts) {
    const [held, need] = [heldOf(recipe, doc, part), needOf(part, packs)]
    const isFilled = packs > 0 && compare(held, need) === 0
    if (!isFilled && (part.required || isPositive(held)))
      throw new BusinessError(
        'rule',
        `【${part.name}】每包${plain(part.quantity)}，${packs}包需要${plain(need)}，明细为${plain(held)}`,
      )
  }
}

const isCoded = (line: StoredLine): boolean => line.unit_codes.some(code => !isPackCode(code))

/** A piece can be in only one pack at a time. */
async function refusePacked(tx: Tx, org: string, doc: StoredDocument): Promise<void> {
  const codes = doc.lines.flatMap(line => (isCoded(line) ? line.unit_codes : []))
  const [packed] = codes.length === 0 ? [] : await packedPieces(tx, org, codes)
  if (!packed) return
  const line = doc.lines.find(each => each.unit_codes.includes(packed.piece_code))!
  throw say(line.line_no, 'unit_codes', `院内码${packed.piece_code}已在定数包${packed.pack_code}内，请先拆包`)
}

/** The lines must match the template, and not exceed the stock that is not packed. */
async function refuseUnfit({ tx, session, doc }: Context): Promise<void> {
  const recipe = doc.operation_kit_sn
    ? await kitRecipeOf(tx, session.org.id, doc.operation_kit_sn)
    : await enabledRecipeOf(tx, session.org.id, doc.pack_template_sn)
  refuseUneven(recipe, doc)
  await refusePacked(tx, session.org.id, doc)
  const wanted = specificationsOf(recipe)
  const loose = await looseStock(tx, session.org.id, doc.warehouse_model_inner_sn, wanted, doc.id)
  for (const line of doc.lines) {
    if (isCoded(line)) continue
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

type Piece = {
  readonly code: string
  readonly pack_code: string
  readonly piece_code: string
  readonly lot_id: string
  readonly unit_id: string
}

/**
 * Assigns the coded pieces of a document to packs, the same number of each line to each pack. Packs that also contain
 * loose goods already have their codes; the others get theirs here.
 */
async function packPieces(tx: Tx, session: Session, doc: Pack): Promise<readonly Piece[]> {
  const coded = doc.lines.filter(isCoded)
  if (coded.length === 0) return []
  const isCombined = doc.pack_type === 'combined'
  const count = parseInteger(doc.pack_count)
  const first = partNumbers(doc.lines, count)
  const loose = doc.lines.find(line => !isCoded(line))
  const shared = isCombined ? (loose?.unit_codes.map(packOf) ?? (await nextPackCodes(tx, session, count))) : null
  const known = await serialsByCode(
    tx,
    session.org.id,
    coded.flatMap(line => line.unit_codes),
  )
  const pieces: Piece[] = []
  const named: { line_no: number; values: { pack_codes: string[] } }[] = []
  for (const line of coded) {
    const packs = shared ?? (await nextPackCodes(tx, session, parseInteger(line.line_packs)))
    const each = line.unit_codes.length / packs.length
    const begins = shared === null ? 1 : first[doc.lines.indexOf(line)]!
    for (const [at, piece_code] of line.unit_codes.entries()) {
      const pack_code = packs[Math.floor(at / each)]!
      const { lot_id, unit_id } = known.get(piece_code)!
      pieces.push({ code: partCode(pack_code, begins + (at % each)), pack_code, piece_code, lot_id, unit_id })
    }
    named.push({ line_no: line.line_no, values: { pack_codes: [...packs] } })
  }
  await patchLines(tx, session, doc, named, 'withAction')
  return pieces
}

/** The codes were assigned by the posting, after the document was read: they are on its stored lines. */
async function keepPacks({ tx, session, doc: read }: Context): Promise<void> {
  const doc = await loadDocument(tx, session.org.id, pack, read.sn)
  const kit = (doc.operation_kit_sn as string | null | undefined) ?? null
  const template = (doc.pack_template_sn as string | null | undefined) ?? null
  const pieces = await packPieces(tx, session, doc)
  await tx`
  insert into pack (org_id, code, pack_code, template_id, kit_id, document_id, lot_id, unit_id, size)
  select d.org_id, c.bare, case when ${doc.pack_type === 'combined'} then regexp_replace(c.bare, '-\\d+$', '') end,
         ${template}::bigint, ${kit}::bigint, d.id, c.lot_id, c.unit_id, u.quantity
    from document d
    join document_line l on l.org_id = d.org_id and l.document_id = d.id
    cross join unnest(l.unit_codes) x(code)
    join unit_code c on c.code = l.org_id || ':' || x.code and c.kind = 'pack'
    join unit u on u.lot_id = c.lot_id and u.id = c.unit_id
   where d.org_id = ${session.org.id} and d.id = ${doc.id}`
  if (pieces.length > 0)
    await tx`
    insert into pack (org_id, code, pack_code, piece_code, template_id, kit_id, document_id, lot_id, unit_id, size)
    select ${session.org.id}, a.code, a.pack_code, a.piece_code, ${template}::bigint, ${kit}::bigint, ${doc.id},
           a.lot_id, a.unit_id, 1
      from jsonb_to_recordset(${tx.json(pieces)}) as a(code text, pack_code text, piece_code text, lot_id bigint,
                                                       unit_id bigint)
    returning code`
  if (kit !== null) await keepKits(tx, session, doc.id)
}

/** Packs that left the store, or were opened there, cannot be unmade. */
async function refuseMoved({ tx, session, doc }: ActionContext): Promise<void> {
  const [gone] = await tx<{ code: string; status: string }[]>`
    select k.code, case when k.opened_at is null then u.status else 'opened' end as status
      from pack k join unit u on u.lot_id = k.lot_id and u.id = k.unit_id
     where k.org_id = ${session.org.id} and k.document_id = ${doc.id}
       and (k.opened_at is not null or u.status <> 'in_stock' or u.warehouse_id <> ${doc.warehouse_model_inner_sn})
     order by k.code limit 1`
  if (gone)
    throw new BusinessError(
      'blocked',
      `定数包${packOf(gone.code)}${gone.status === 'opened' ? '已拆包' : '已发放'}，不能反审核`,
    )
}

/** A combined pack can only be unmade as a whole: its parts are on several lines. */
async function refusePart({ doc, body }: Context): Promise<void> {
  if (doc.pack_type === 'combined' && body.lines !== undefined && body.lines !== null && body.lines !== '')
    throw new BusinessError('rule', '组合包的组包单请整单红冲')
}

async function forgetPacks({ tx, session, definition, doc }: ActionContext): Promise<void> {
  await forgetKits(tx, session, doc.id)
  await tx`delete from pack where org_id = ${session.org.id} and document_id = ${doc.id}`
  const lines = doc.lines.map(line => ({
    ...line,
    unit_codes: line.unit_codes.filter(code => !isPackCode(code)),
    pack_codes: [],
  }))
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
}

type Draft = { readonly sns: readonly string[]; readonly packs: number; readonly short: string | null }
type Line = Readonly<Record<string, unknown>>

/** Takes a number of pieces from a row that no earlier line has taken. */
function takePieces({ codes }: LoosePieces, taken: Set<string>, quantity: Decimal): Line {
  const unit_codes = codes.filter(code => !taken.has(code)).slice(0, wholePieces(quantity))
  for (const code of unit_codes) taken.add(code)
  return { unit_codes }
}

const lineOf = (row: Loose, quantity: Decimal): Line => ({
  specification_sn: row.specification_id,
  lot_no: row.lot_no,
  owner_org_sn: row.owner_id,
  location: row.location,
  quantity,
})

/** Whole packs of a lot, the earliest expiry first. */
function singleLines(recipe: Recipe, loose: readonly Loose[], wanted: number) {
  let open = wanted
  const lines = loose.flatMap(row => {
    const packs = Math.min(open, isPositive(row.free) ? wholePieces(divide(row.free, recipe.size, 6)) : 0)
    open -= packs
    return packs === 0 ? [] : [lineOf(row, multiply(recipe.size, String(packs), 3))]
  })
  return { batches: lines.length === 0 ? [] : [lines], packs: wanted - open, short: null }
}

/** Packs of several products: a document for each choice of lots. */
function combinedLines(recipe: Recipe, loose: readonly (Loose | LoosePieces)[], wanted: number) {
  const { batches, short } = composePacks(recipe.parts, loose, wanted)
  const taken = new Set<string>()
  return {
    batches: batches.map(({ packs, picks }) =>
      picks.map(({ row, quantity }) => {
        const all = multiply(quantity, String(packs), 3)
        return 'codes' in row ? takePieces(row, taken, all) : lineOf(row, all)
      }),
    ),
    packs: batches.reduce((all, batch) => all + batch.packs, 0),
    short: short?.name ?? null,
  }
}

/**
 * Drafts of as many packs as were requested, as far as there are loose goods for them. A kit of an operation also
 * proposes the coded pieces that expire first; the packer may scan others in their place.
 */
export async function draftsOf(
  tx: Tx,
  session: Session,
  warehouse: unknown,
  recipe: Recipe,
  wanted: number,
): Promise<Draft> {
  const isKit = recipe.of === 'operationKit'
  const specifications = specificationsOf(recipe)
  const pieces = isKit && recipe.coded ? await loosePieces(tx, session.org.id, warehouse, specifications) : []
  const loose = [...(await looseStock(tx, session.org.id, warehouse, specifications)), ...pieces]
  const made = (recipe.combined ? combinedLines : singleLines)(recipe, loose, wanted)
  const sns: string[] = []
  for (const lines of made.batches) {
    const header = { warehouse_model_inner_sn: String(warehouse), pack_template_sn: isKit ? null : recipe.id }
    const { sn } = await createDraft(tx, session, definitionOf('pack'), { ...header, lines })
    sns.push(sn)
    if (!isKit) continue
    const doc = await loadDocument(tx, session.org.id, pack, sn)
    await patchDocument(tx, session, doc, { operation_kit_sn: recipe.id }, 'withAction')
    await keepFigures(tx, session, sn)
  }
  return { sns, packs: made.packs, short: made.short }
}

/** 按模板生成. */
async function byTemplate(tx: Tx, session: Session, body: Readonly<Record<string, unknown>>) {
  const recipe = await enabledRecipeOf(tx, session.org.id, body.pack_template_sn)
  const wanted = parseInteger(body.pack_count)
  const made = await draftsOf(tx, session, body.warehouse_model_inner_sn, recipe, wanted)
  if (made.packs < wanted && recipe.coded)
    throw new BusinessError('rule', `【${recipe.name}】内有一物一码产品，请新增组包单并扫描每件的院内码`)
  if (made.packs < wanted)
    throw new BusinessError(
      'stockShort',
      `库存不足：【${recipe.name}】可组${made.packs}包，需要${wanted}包${made.short ? `，缺【${made.short}】` : ''}`,
    )
  return { sn: made.sns[0], said: `已生成组包单${made.sns.join('、')}` }
}

type Need = { readonly id: string; readonly need: number }

/**
 * 按补货需求生成: for each template the shortage of its wards below their reorder point, or the use of a week, less the packs
 * already in the store.
 */
async function suggest(tx: Tx, session: Session, body: Readonly<Record<string, unknown>>) {
  const org = session.org.id
  const warehouse = String(body.warehouse_model_inner_sn)
  const needs = await tx<Need[]>`
    with waiting as (
      select k.template_id, count(distinct coalesce(k.pack_code, k.code)) as packs from pack k
        join unit u on u.lot_id = k.lot_id and u.id = k.unit_id and u.status = 'in_stock'
          and u.warehouse_id = ${warehouse} and k.opened_at is null
       where k.org_id = ${org} group by 1
    ), used as (
      select k.template_id, count(distinct coalesce(k.pack_code, k.code)) as packs
        from pack k ${standingUses(tx, addDays(today(), -DAYS_KEPT))}
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
    select t.id, (greatest(coalesce(l.packs, 0), coalesce(u.packs, 0)) - coalesce(k.packs, 0))::int as need
      from pack_template t
      left join waiting k on k.template_id = t.id
      left join used u on u.template_id = t.id
      left join lacking l on l.template_id = t.id
     where t.org_id = ${org} and t.status = 'enabled'
       and greatest(coalesce(l.packs, 0), coalesce(u.packs, 0)) > coalesce(k.packs, 0)
     order by t.id limit 50`
  const recipes = await recipesOf(
    tx,
    org,
    needs.map(({ id }) => id),
  )
  const made: string[] = []
  for (const { id, need } of needs) {
    const recipe = recipes.find(each => each.id === id)
    if (recipe) made.push(...(await draftsOf(tx, session, warehouse, recipe, need)).sns)
  }
  if (made.length === 0)
    throw new BusinessError('rule', '没有需要补充的定数包，或散货不足一包；请核对仓库产品的上下限与库存')
  return { sn: made[0], said: `已生成组包单${made.join('、')}` }
}

export const packHooks = documentHooks(pack, {
  afterSave: keepFigures,
  validate: { submit: refuseUnfit, review: refuseUnfit, unreview: refuseMoved, redReverse: refusePart },
  afterAction: { review: keepPacks, unreview: forgetPacks },
  calls: { byTemplate, suggest },
})
