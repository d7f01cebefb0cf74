import { byName, loadDocument, type TypedDocument, type TypedLine } from '#server/public/documents.ts'
import { type ActionContext, atReviewOnly, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { stockTakeSheet } from '#modules/goods/counts/stock-take-sheet.server.ts'
import { instant } from '#kernel/values/date.ts'
import { compare, type Decimal, divide, isZero, subtract } from '#kernel/values/decimal.ts'
import { BusinessError, type Problem } from '#kernel/rules/errors.ts'
import {
  booksOf,
  countedCodes,
  expectedCodes,
  figure,
  figuresOf,
  isPacked,
  rewrite,
  settled,
  uncounted,
} from '#modules/goods/counts/counted.server.ts'
import { foundLines, isFound, isSaidByHand, refuseDuplicates } from '#modules/goods/counts/found-lines.server.ts'
import { scan } from '#modules/goods/counts/scanned.server.ts'
import { stockTake } from '#modules/goods/counts/stock-take.doc.ts'
import type { Fragment } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Context = ContextOf<typeof stockTake>
type StockTake = TypedDocument<typeof stockTake>
type Line = TypedLine<typeof stockTake>

const scopeFields = [
  'warehouse_model_inner_sn',
  'take_type',
  'take_method',
  'scope_area',
  'scope_shelf',
  'scope_location',
  'scope_class_sn',
  'scope_owner_sn',
  'scope_product_sn',
  'moved_since',
  'is_locked',
] as const

type Scope = 'scope_area' | 'scope_shelf' | 'scope_location' | 'scope_class_sn' | 'scope_owner_sn' | 'scope_product_sn'
const text = (doc: StockTake, name: Scope): string | null => doc[name] || null

/** The scope of a count: the locations whose codes begin so, or the one location. */
const placesOf = (doc: StockTake): string => {
  const [area, shelf] = [text(doc, 'scope_area'), text(doc, 'scope_shelf')]
  return text(doc, 'scope_location') ?? (shelf ? `${shelf}-` : area ? `${area}-` : '')
}

/**
 * An area contains its shelves and a shelf its locations: counts overlap where one's locations are within the
 * other's.
 */
const samePlaces = (tx: Tx, doc: StockTake): Fragment => {
  const theirs = tx`coalesce(nullif(d.fields->>'scope_location', ''), nullif(d.fields->>'scope_shelf', '') || '-',
    nullif(d.fields->>'scope_area', '') || '-', '')`
  return tx`(starts_with(${theirs}, ${placesOf(doc)}) or starts_with(${placesOf(doc)}, ${theirs}))`
}

/** A class with all classes below it. */
const branchOf = (tx: Tx, org: string, root: Fragment): Fragment => tx`
  with recursive branch as (
    select c.id from custom_type c where c.org_id = ${org} and c.id = ${root}
    union select c.id from branch b join custom_type c on c.org_id = ${org} and c.parent_id = b.id)
  select id from branch`

const sameClasses = (tx: Tx, org: string, doc: StockTake): Fragment => {
  const mine = text(doc, 'scope_class_sn')
  const theirs = tx`(d.fields->>'scope_class_sn')::bigint`
  return mine === null
    ? tx`true`
    : tx`(${theirs} is null or ${theirs} in (${branchOf(tx, org, tx`${mine}::bigint`)})
      or ${mine}::bigint in (${branchOf(tx, org, theirs)}))`
}

/** Only one unfinished count for the same goods of a warehouse: two would book the same difference twice. */
async function refuseOverlap({ tx, session, doc }: Context): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`count/${session.org.id}/${doc.warehouse_model_inner_sn}`},
    0))`
  if (doc.count_state && doc.count_state !== '1') throw new BusinessError('wrongState', '盘点已开始')
  const same = (name: 'scope_owner_sn' | 'scope_product_sn') => {
    const mine = doc[name] ?? null
    return tx`(${mine}::text is null or d.fields->>${name} is null or d.fields->>${name} = ${mine})`
  }
  const [other] = await tx<{ sn: string; name: string }[]>`
    select d.sn, w.name from document d join warehouse w on w.org_id = d.org_id and w.id = d.warehouse_id
     where d.org_id = ${session.org.id} and d.kind = 'stockTake' and d.role = 'own' and d.id <> ${doc.id}
       and d.warehouse_id = ${doc.warehouse_model_inner_sn}
       and d.state in ('draft', 'submitted', 'rejected', 'reviewed', 'partial')
         and d.fields->>'count_state' in ('2', '3')
       and ${samePlaces(tx, doc)} and ${sameClasses(tx, session.org.id, doc)} and ${same('scope_owner_sn')}
         and ${same('scope_product_sn')} order by d.id limit 1`
  if (other) throw new BusinessError('rule', `仓库【${other.name}】存在未完成的盘点单${other.sn}`)
  if (!doc.warehouse_model_inner_sn) throw new BusinessError('rule', '请选择仓库')
  if (doc.take_type === 'moving' && !doc.moved_since) throw new BusinessError('rule', '动态盘请填写变动起始日')
}

async function mayStart(ctx: Context): Promise<void> {
  if (ctx.doc.take_type === 'cycle' && !ctx.doc.count_plan_sn)
    throw new BusinessError('rule', '循环盘由盘点计划生成，请在库存查询的“盘点计划”中维护，或改用抽盘')
  await refuseOverlap(ctx)
  await askAboutNothing(ctx)
}

type Balance = {
  location: string
  specification_id: string
  lot_id: string
  lot_no: string
  production_date: string | null
  expiry_date: string | null
  owner_id: string
  quality_state: string
  quantity: Decimal
  value: Decimal
}

/** The goods that the plan of a cycle count found due, or that the count was requested for. */
const cycleGoods = (doc: StockTake): string[] => [...((byName(doc).cycle_goods as readonly string[] | undefined) ?? [])]

/** The ledger balances in the scope of the count. */
function balancesIn({ tx, session, doc }: Context) {
  const { scope_location, scope_class_sn, scope_owner_sn, scope_product_sn, moved_since } = doc
  return tx<Balance[]>`
    select b.location, b.specification_id, b.lot_id, t.lot_no, k.production_date, k.expiry_date, b.owner_id,
      b.quality_state, b.quantity, b.value
      from stock_balance b join lot t on t.id = b.lot_id join specification s on s.id = b.specification_id
        join product p on p.id = s.product_id
      left join stock_lot k on k.org_id = b.org_id and k.lot_id = b.lot_id
     where b.org_id = ${session.org.id} and b.warehouse_id = ${doc.warehouse_model_inner_sn}
       ${scope_location ? tx`and b.location = ${scope_location}` : tx`and starts_with(b.location, ${placesOf(doc)})`}
       ${
         scope_class_sn
           ? tx`and b.specification_id in (select y.specification_id from typed_product y
             where y.org_id = b.org_id and y.valid_to is null
                  and y.custom_type_id in (${branchOf(tx, session.org.id, tx`${scope_class_sn}::bigint`)}))`
           : tx``
       }
       ${
         doc.take_type === 'cycle' || cycleGoods(doc).length > 0
           ? tx`and b.specification_id = any(${cycleGoods(doc)}::bigint[])`
           : tx``
       }
       ${scope_owner_sn ? tx`and b.owner_id = ${scope_owner_sn}` : tx``}
       ${scope_product_sn ? tx`and s.product_id = ${scope_product_sn}` : tx``}
       ${
         doc.take_type === 'moving'
           ? tx`and exists (select 1 from stock_move m where m.org_id = b.org_id and m.lot_id = b.lot_id
             and m.warehouse_id = b.warehouse_id and m.location = b.location
             and m.business_date >= ${moved_since ?? null})`
           : tx``
       }
     order by b.location, p.name, s.name, k.expiry_date nulls last, t.lot_no, b.quality_state`
}

/** 开始盘点: the ledger is frozen line by line; a locked count stops all movements. */
async function start(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const org = session.org.id
  const [balances, books] = [await balancesIn(ctx), await booksOf(tx, org, doc.warehouse_model_inner_sn)]
  const unnumbered = balances.flatMap(row => {
    const line = {
      specification_sn: row.specification_id,
      lot_no: row.lot_no,
      lot_id: row.lot_id,
      production_date: row.production_date,
      expiry_date: row.expiry_date,
      owner_org_sn: row.owner_id,
      location: row.location,
      quality_state: row.quality_state,
      ...uncounted,
      price: divide(row.value, row.quantity, 4),
      book_quantity: row.quantity,
    } as unknown as Line
    const packs = books.packs(line)
    const loose = {
      ...line,
      book_quantity: subtract(row.quantity, packs.quantity, 3),
      expected_codes: books.codes(line),
    }
    if (packs.codes.length === 0) return [loose]
    const packed = { ...line, book_quantity: packs.quantity, expected_codes: packs.codes }
    return isZero(loose.book_quantity) ? [packed] : [loose, packed]
  })
  const lines = unnumbered.map((line, at) => ({ ...line, line_no: doc.last_line_no + at + 1 }))
  await rewrite(tx, session, doc, lines, {
    frozen_at: instant(),
    book_lines: lines.length,
    counted_lines: 0,
  })
  if (doc.is_locked === true)
    await tx`
      insert into store_lock (org_id, warehouse_id, document_id) select d.org_id, d.warehouse_id, d.id from document d
       where d.org_id = ${org} and d.id = ${doc.id} on conflict do nothing`
}

/**
 * Nothing in the ledger: the count continues if a user confirms that goods may be there, and finds get lines of
 * their own.
 */
async function askAboutNothing(ctx: Context): Promise<void> {
  const { tx } = ctx
  const [any] = await tx`select 1 where exists (${balancesIn(ctx)})`
  if (!any) ctx.warnings.push({ rule: 'emptyCount', msg: '所选范围账面没有库存，只能录入盘盈，是否仍要开始盘点？' })
}

const refused = (line: Line, sentence: string): BusinessError => {
  const msg = `第${line.line_no}行：${sentence}`
  return new BusinessError('rule', msg, [{ line: line.line_no, msg }])
}

/** A quantity typed by hand: pieces with codes are scanned, only zero may be typed for them. */
function refuseTyped(line: Line, value: Decimal): void {
  if ((expectedCodes(line).length > 0 || countedCodes(line).length > 0) && !isZero(value))
    throw refused(line, isPacked(line) ? '定数包请扫码盘点' : '一物一码产品请扫码盘点')
}

const changed = (before: Decimal | null, after: Decimal | null): boolean =>
  after !== null && (before === null || compare(before, after) !== 0)

/** A line as entered by a user: counted now by that user, or recounted by another. */
function countedBy(line: Line, old: Line | undefined, doc: StockTake, session: Session): Line | null {
  const first = figure(line, 'first_quantity')
  const second = figure(line, 'recount_quantity')
  const wasFirst = old ? figure(old, 'first_quantity') : null
  const wasSecond = old ? figure(old, 'recount_quantity') : null
  const at = instant()
  if (changed(wasFirst, first)) {
    if (doc.count_state === '3') throw refused(line, '已进入复盘，初盘数量不能修改')
    refuseTyped(line, first!)
    return { ...line, counted_how: 'typed', counted_by: session.userName, counted_at: at }
  }
  if (!changed(wasSecond, second)) return null
  if (doc.count_state !== '3') throw refused(line, '请先点击复盘，再录入复盘数量')
  if (line.counted_by === session.userName) throw refused(line, '复盘人不能为初盘人本人')
  refuseTyped(line, second!)
  return { ...line, counted_how: 'typed', recounted_by: session.userName, counted_at: at }
}

/** Everything a user enters on a line of the ledger. */
const written = ({ first_quantity, recount_quantity, line_reason, remark }: Line) => ({
  first_quantity,
  recount_quantity,
  line_reason,
  remark,
})

/** The user's description of goods that were found but are not in the ledger. */
const described = ({ specification_sn, lot_no, expiry_date, owner_org_sn, quality_state, location }: Line) => ({
  specification_sn,
  lot_no,
  expiry_date,
  owner_org_sn,
  quality_state,
  location,
})

/** After an edit: the scope is fixed once counting began, and every changed quantity is a count of this moment. */
async function edited(tx: Tx, session: Session, before: StockTake): Promise<void> {
  const org = session.org.id
  const doc = await loadDocument(tx, org, stockTake, before.sn)
  if (before.count_state === '1' || !before.count_state) {
    if (doc.lines.length > 0) throw new BusinessError('rule', '请先开始盘点，账面明细由系统带出')
    return
  }
  if (scopeFields.some(name => String(before[name] ?? '') !== String(doc[name] ?? '')))
    throw new BusinessError('rule', '盘点已开始，不能修改盘点范围')
  const gone = before.lines.find(old => !isFound(old) && !doc.lines.some(line => line.line_no === old.line_no))
  if (gone) throw new BusinessError('rule', `第${gone.line_no}行：盘点已开始，不能删除账面行`)
  const books = await booksOf(tx, org, doc.warehouse_model_inner_sn)
  const standing = new Map(before.lines.map(line => [line.line_no, line]))
  const wholes = doc.lines.map(line => {
    const old = standing.get(line.line_no)
    if (!old) return line
    return { ...old, ...written(line), ...(isSaidByHand(old) ? described(line) : {}) }
  })
  const saidByHand = wholes.filter(line => !standing.has(line.line_no) || isSaidByHand(line))
  const found = await foundLines(tx, org, saidByHand)
  const lines: Line[] = []
  const wrong: Problem[] = []
  for (const line of wholes) {
    const old = standing.get(line.line_no)
    const whole = found.get(line.line_no) ?? line
    try {
      const counted = countedBy(whole, old, doc, session)
      lines.push(counted || found.has(line.line_no) ? settled(counted ?? whole, books) : whole)
    } catch (error) {
      if (!(error instanceof BusinessError)) throw error
      wrong.push(...error.problems)
    }
  }
  if (wrong.length > 0) throw new BusinessError('rule', wrong[0]!.msg, wrong)
  refuseDuplicates(lines)
  await rewrite(tx, session, doc, lines, {})
}

/** Lines that the ledger may fill: not counted yet, and without pieces that are scanned. */
const isFillable = (line: Line): boolean =>
  figure(line, 'counted_quantity') === null && expectedCodes(line).length === 0

/** 按账面填充 uses the ledger quantity for lines that nobody counted, so the user is asked first. */
async function askAboutFilling({ doc, warnings }: Context): Promise<void> {
  const open = doc.lines.filter(isFillable).length
  if (open === 0) throw new BusinessError('rule', '没有可按账面填充的行：未盘的一物一码产品请扫码盘点')
  const msg = `将${open}行未盘的货物按账面数量填入实盘，并标记为“未扫码，按账面”，是否继续？`
  warnings.push({ rule: 'fillBook', msg })
}

async function fillBook({ tx, session, doc }: Context): Promise<void> {
  const org = session.org.id
  const books = await booksOf(tx, org, doc.warehouse_model_inner_sn)
  const lines = doc.lines.map(line => {
    if (!isFillable(line)) return line
    const filled = {
      first_quantity: books.quantity(line),
      counted_how: 'book' as const,
      counted_by: session.userName,
      counted_at: instant(),
    }
    return settled({ ...line, ...filled }, books)
  })
  await rewrite(tx, session, doc, lines, { counted_lines: lines.filter(line => line.counted_quantity).length })
}

async function refuseAgreeing({ doc }: Context): Promise<void> {
  // A blind count is counted a second time whatever the first result was: a refusal would reveal that it agrees.
  if (doc.take_method !== 'blind' && doc.lines.every(line => line.direction === 'none'))
    throw new BusinessError('rule', '没有差异，不需要复盘')
}

/** The totals of the count are written to its header once it is submitted. */
async function summarise({ tx, session, doc }: Context): Promise<void> {
  await rewrite(tx, session, doc, doc.lines, figuresOf(doc.lines))
}

/**
 * 结束盘点: differences that were not booked are dropped; waiting finds and losses become void, and the store may be
 * counted again.
 */
async function end({ tx, session, doc, runAction, definition }: ActionContext): Promise<void> {
  const kinds = (definition.sourcing.followUps ?? []).map(make => make.kind)
  const waiting = await tx<{ kind: string; sn: string }[]>`
    select distinct d.kind, d.sn from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${session.org.id} and d.kind = any(${kinds}) and d.role = 'own'
       and d.state in ('draft', 'submitted', 'rejected') and l.source_document_id = ${doc.id} order by d.sn`
  for (const { kind, sn } of waiting) await runAction(kind, sn, 'cancel')
}

async function refuseCounter({ session, doc }: Context): Promise<void> {
  const mine = doc.lines.some(line => [line.counted_by, line.recounted_by].includes(session.userName))
  if (mine) throw new BusinessError('rule', '审核人不能为盘点人本人')
}

export const stockTakeRules = documentHooks(stockTake, {
  printFields: stockTakeSheet,
  afterEdit: edited,
  validate: {
    start: mayStart,
    fillBook: askAboutFilling,
    recount: refuseAgreeing,
    review: atReviewOnly(refuseCounter),
  },
  afterAction: { start, fillBook, submit: summarise, end },
  calls: { scan },
})
