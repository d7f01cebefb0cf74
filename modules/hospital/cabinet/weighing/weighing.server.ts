import { type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { isLow } from '#kernel/rules/stock-limit.ts'
import { instant } from '#kernel/values/date.ts'
import {
  absolute,
  compare,
  type Decimal,
  divide,
  isNegative,
  isPositive,
  isZero,
  round,
  subtract,
} from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { receiveArrived } from '#modules/hospital/cabinet/replenishment/replenishment-receipts.server.ts'
import { onlineOf } from '#modules/hospital/cabinet/equipment/cabinet.server.ts'
import { weighing } from '#modules/hospital/cabinet/weighing/weighing.doc.ts'
import { createDraft, createSystemDraft } from '#server/public/drafts.ts'
import { loadDocument, patchLines, stateAhead } from '#server/public/documents.ts'
import type { RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Context = ContextOf<typeof weighing>

/** With fewer known pieces the unit weight is not computed. */
const LEAST_KNOWN = 10
/** A reading further from whole pieces than this does not count. */
const MOST_REMAINDER = '0.2' as Decimal

const unknown = (row: Readonly<Record<string, unknown>>) =>
  new BusinessError('rule', `托盘【${String(row.code)}】重量异常，请人工核对`)

/** Whole pieces of a weight: round((weight − tare) / piece); a weight between whole pieces is reported to a person. */
export function piecesOf(row: Readonly<Record<string, unknown>>, weight: Decimal): Decimal {
  const net = subtract(weight, row.tare_g as Decimal, 3)
  const exact = divide(net, row.piece_g as Decimal, 6)
  const pieces = round(exact, 0)
  const rest = absolute(subtract(exact, pieces, 6))
  if (isNegative(pieces) || compare(rest, MOST_REMAINDER) > 0) throw unknown(row)
  return round(pieces, 3)
}

function refuseFull(row: Readonly<RecordRow>, weight: Decimal): void {
  const net = absolute(subtract(weight, row.tare_g as Decimal, 3))
  if (compare(net, row.tolerance_g as Decimal) > 0) throw new BusinessError('rule', '托盘上仍有物品，不能解除绑定')
}

function refuseOpenDoor(row: Readonly<RecordRow>): void {
  if (row.is_door_open === true) throw new BusinessError('rule', `托盘【${String(row.code)}】柜门未关，不能称重`)
}

const bookOf = (tx: Tx, plate: string) => tx`
  (select coalesce(sum(b.quantity), 0)::numeric(18,3) from stock_balance b join lot l on l.id = b.lot_id
    where b.org_id = ${tx(`${plate}.org_id`)} and b.warehouse_id = ${tx(`${plate}.warehouse_id`)}
      and b.specification_id = ${tx(`${plate}.specification_id`)} and l.lot_no = ${tx(`${plate}.lot_no`)}
      and b.quality_state = 'qualified'
        and (${tx(`${plate}.location`)} is null or b.location = ${tx(`${plate}.location`)}))`

/**
 * 生成补货申领: below its limit a plate requests the quantity missing to its par level from its supplying warehouse, once.
 */
async function replenish(tx: Tx, session: Session, row: Readonly<RecordRow>): Promise<RecordRow> {
  if (!row.specification_sn) throw new BusinessError('rule', '托盘未绑定产品')
  const [pieces, limit, par] = [row.pieces, row.lower_limit, row.par_level] as (Decimal | null)[]
  if (!limit || !par) throw new BusinessError('rule', '请先维护下限和补货上限')
  if (pieces && !isLow(pieces, limit)) throw new BusinessError('rule', '计算数量未低于下限，不需要补货')
  const [open] = await tx<{ sn: string }[]>`
    select sn from document where org_id = ${session.org.id} and kind = 'requisition'
      and sn = ${String(row.replenish_sn ?? '')}
       and state in ('draft', 'submitted', 'rejected', 'reviewed', 'partial')`
  if (open) throw new BusinessError('rule', `该托盘已有未完成的补货申领（${open.sn}）`)
  const [store] = await tx<{ parent_id: string | null; department_id: string | null }[]>`
    select parent_id, department_id from warehouse
      where org_id = ${session.org.id} and id = ${String(row.warehouse_model_inner_sn)}`
  if (!store?.parent_id) throw new BusinessError('rule', '该仓库没有上级仓库，请在仓库建模中维护')
  const sn = await createSystemDraft(
    tx,
    session,
    'requisition',
    {
      warehouse_model_inner_sn: store.parent_id,
      to_warehouse_model_inner_sn: row.warehouse_model_inner_sn,
      department_inner_sn: store.department_id,
      remark: `托盘${String(row.code)}补货`,
    },
    [{ specification_sn: row.specification_sn, quantity: subtract(par, pieces ?? '0', 3) }],
  )
  return { replenish_sn: sn }
}

export const weighingPlateRules: RecordRules = {
  kind: 'weighingPlate',
  columns: tx => {
    const book = bookOf(tx, 't')
    const bound = tx`t.specification_id is not null and t.pieces is not null`
    return {
      department_name: tx`(select d.name from warehouse w join department d on d.org_id = w.org_id
        and d.id = w.department_id where w.org_id = t.org_id and w.id = t.warehouse_id)`,
      product_name: tx`(select p.name from specification x join product p on p.id = x.product_id
        where x.id = t.specification_id)`,
      book_quantity: book,
      difference: tx`case when ${bound} then t.pieces - ${book} end`,
      difference_state: tx`case when not (${bound}) then 'none' when t.pieces < ${book} then 'less'
        when t.pieces > ${book} then 'more' else 'same' end`,
      device_state: tx`coalesce((select ${onlineOf(tx, 'c')} from cabinet c
        where c.org_id = t.org_id and c.warehouse_id = t.warehouse_id), 'none')`,
    }
  },
  actions: {
    async bind(_tx, _session, row, _reason, answers) {
      const weight = answers.weight_g as Decimal
      const known = parseInteger(answers.known_pieces)
      if (row.specification_sn) throw new BusinessError('rule', '托盘已绑定产品，请先解除绑定')
      if (known < LEAST_KNOWN) throw new BusinessError('rule', `学习单件重量至少需要${LEAST_KNOWN}件`)
      const piece = divide(subtract(weight, row.tare_g as Decimal, 3), String(known), 3)
      if (isNegative(piece) || isZero(piece)) throw unknown(row)
      const { specification_sn, lot_no } = answers
      const read_at = instant()
      return { specification_sn, lot_no, piece_g: piece, weight_g: weight, pieces: `${known}.000`, read_at }
    },
    async unbind(_tx, _session, row, _reason, answers) {
      refuseFull(row, answers.weight_g as Decimal)
      return { specification_sn: null, lot_no: null, piece_g: null, pieces: null, weight_g: answers.weight_g }
    },
    async tare(_tx, _session, row, _reason, answers) {
      if (row.specification_sn && isPositive(String(row.pieces ?? 0)))
        throw new BusinessError('rule', '托盘上仍有物品，不能去皮')
      return { tare_g: answers.weight_g, weight_g: answers.weight_g }
    },
    async read(_tx, _session, row, _reason, answers) {
      refuseOpenDoor(row)
      if (!row.specification_sn) throw new BusinessError('rule', '托盘未绑定产品')
      const weight = answers.weight_g as Decimal
      return { weight_g: weight, pieces: piecesOf(row, weight), read_at: instant() }
    },
    replenish,
  },
}

type Plate = {
  code: string
  specification_id: string
  lot_no: string
  location: string | null
  tare_g: Decimal
  piece_g: Decimal
  weight_g: Decimal
  pieces: Decimal
  book: Decimal
  /** The weight on the previous document. */
  last_weight_g: Decimal | null
  last_pieces: Decimal | null
}

/** 按称重生成: one line for each plate of a warehouse whose pieces differ from the ledger. */
async function generate(
  tx: Tx,
  session: Session,
  body: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const store = String(body.warehouse_model_inner_sn)
  const plates = await tx<Plate[]>`
    select p.code, p.specification_id, p.lot_no, p.location, p.tare_g, p.piece_g, p.weight_g, p.pieces,
      ${bookOf(tx, 'p')} as book, b.last_weight_g, b.last_pieces from weighing_plate p
      left join lateral (
        select l.fields->>'weight_g' as last_weight_g, l.fields->>'pieces' as last_pieces from document d
          join document_line l on l.org_id = d.org_id and l.document_id = d.id
         where d.org_id = p.org_id and d.kind = 'weighing' and d.role = 'own' and d.state = 'reviewed'
           and l.fields->>'plate_no' = p.code order by d.id desc limit 1) b on true
     where p.org_id = ${session.org.id} and p.warehouse_id = ${store} and p.status = 'enabled' and not p.is_door_open
       and p.specification_id is not null and p.pieces is not null order by p.code`
  const differing = plates.filter(plate => compare(plate.pieces, plate.book) !== 0)
  if (differing.length === 0) throw new BusinessError('rule', '托盘数量与账面一致，不需要生成称重单')
  const [organisation] = await tx<{ department_id: string | null }[]>`
    select department_id from warehouse where org_id = ${session.org.id} and id = ${store}`
  const header = { warehouse_model_inner_sn: store, department_inner_sn: organisation?.department_id ?? null }
  const lines = differing.map(plate => ({
    specification_sn: plate.specification_id,
    lot_no: plate.lot_no,
    location: plate.location ?? '',
    quantity: absolute(subtract(plate.pieces, plate.book, 3)),
  }))
  const made = await createDraft(tx, session, weighing, { ...header, lines })
  // Plate readings cannot be typed in.
  const doc = await loadDocument(tx, session.org.id, weighing, made.sn)
  const said = differing.map((plate, at) => {
    const { code, tare_g, piece_g, weight_g, pieces, book, last_weight_g, last_pieces } = plate
    const direction = compare(pieces, book) < 0 ? 'less' : 'more'
    const changed_pieces = last_pieces === null ? null : subtract(pieces, last_pieces, 3)
    const before = { last_weight_g, last_pieces, changed_pieces }
    const values = { plate_no: code, tare_g, piece_g, weight_g, pieces, book_quantity: book, direction, ...before }
    return { line_no: at + 1, values }
  })
  await patchLines(tx, session, doc, said, 'withAction')
  return { ...made, line_count: lines.length }
}

/** Books missing goods as used: creates a usage document together with the review. */
async function createUse(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const missing = doc.lines.filter(line => line.direction === 'less')
  if (missing.length === 0) return
  await stateAhead(ctx, 'reviewed')
  const header = {
    source_sn: doc.sn,
    source_type: sourceTypes.WEIGHING,
    warehouse_model_inner_sn: doc.warehouse_model_inner_sn,
    department_inner_sn: doc.department_inner_sn,
    use_type: 'weighing',
  }
  const lines = missing.map(line => ({ source_line_no: line.line_no, quantity: line.quantity, lot_no: line.lot_no }))
  const sn = await createSystemDraft(tx, session, 'departmentUse', header, lines)
  await ctx.runAction('departmentUse', sn, 'submit')
  await ctx.runAction('departmentUse', sn, 'review')
}

/**
 * Receives the surplus as far as the warehouse issued it and it was not received yet; the rest stays a difference to be
 * counted.
 */
async function receiveMore({ tx, session, doc }: Context): Promise<void> {
  const more = doc.lines.filter(line => line.direction === 'more' && line.specification_sn)
  const counts = more.map(line => ({ specification_id: line.specification_sn!, quantity: line.quantity }))
  await receiveArrived(
    { tx, session, warehouse: String(doc.warehouse_model_inner_sn), documents: [] },
    { codes: [], counts },
  )
}

async function settle(ctx: Context): Promise<void> {
  await createUse(ctx)
  await receiveMore(ctx)
}

async function refuseTyped({ doc }: Context): Promise<void> {
  const typed = doc.lines.find(line => !line.plate_no)
  if (typed) throw new BusinessError('rule', `第${typed.line_no}行：请用按称重生成，称重数量不能手工录入`)
}

/** Labels for the printed sheet. */
const changes: Readonly<Record<string, string>> = { less: '减少', more: '增加' }

export const weighingRules = documentHooks(weighing, {
  printFields: async (_tx, _session, info) => ({
    lines: (info.lines as readonly Readonly<Record<string, unknown>>[]).map(line => ({
      ...line,
      change: changes[String(line.direction)] ?? '',
    })),
  }),
  validate: { submit: refuseTyped },
  afterAction: { review: settle },
  calls: { generate },
})
