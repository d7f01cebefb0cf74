import { lineAmounts, type TaxRate } from '#kernel/values/tax-amounts.ts'
import { today } from '#kernel/values/date.ts'
import { add, compare, type Decimal, isPositive, isZero, plain, subtract } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { patchDocument, patchLines, sumLines, writeHistory } from '#server/public/documents.ts'
import type { RecordAction, RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const refuse = (field: string, msg: string): never => {
  throw new BusinessError('rule', msg, [{ field, msg }])
}

/** The advance sale with this id. */
const documentOf = (id: string) => ({ id, kind: 'advanceSale' })

type Place = { readonly document: string; readonly line: number; readonly state: string }

/** The line behind a row, with its document locked: concurrent actions on the document wait, and earlier ones count. */
async function placeOf(tx: Tx, session: Session, row: Readonly<RecordRow>): Promise<Place> {
  const [found] = await tx<{ id: string; state: string }[]>`
    select d.id, d.state from document d join advance_line a on a.org_id = d.org_id and a.document_id = d.id
     where a.org_id = ${session.org.id} and a.id = ${String(row.advance_line_sn)} for update of d`
  if (!found || !['reviewed', 'partial'].includes(found.state))
    throw new BusinessError('wrongState', '预销售单不是未结清状态，请刷新列表')
  return { document: found.id, line: parseInteger(row.line_no), state: found.state }
}

/** Writes the line's own fields, and the action into the document's history. */
async function note(
  tx: Tx,
  session: Session,
  { document, line, state }: Place,
  fields: Readonly<Record<string, unknown>>,
  said: { readonly action: string; readonly label: string; readonly text: string },
): Promise<void> {
  await patchLines(tx, session, documentOf(document), [{ line_no: line, values: fields }], 'derived')
  await writeHistory(tx, session, document, {
    action: said.action,
    label: said.label,
    from: state as never,
    to: state as never,
    reason: `第${line}行：${said.text}`,
  })
}

/** The price state of the document: that of its lines. */
async function sumUp(tx: Tx, session: Session, document: string): Promise<void> {
  const [sum] = await tx<{ price_state: string; price_confirmed_by: string | null }[]>`
    select case count(*) filter (where fields->>'line_price_state' = '2') when count(*) then '2' when 0 then '1'
      else '3'
           end as price_state, string_agg(distinct fields->>'line_confirmed_by', '、') as price_confirmed_by
      from document_line where org_id = ${session.org.id} and document_id = ${document}`
  await patchDocument(tx, session, documentOf(document), sum!, 'version')
  await sumLines(tx, session, [document], 'derived')
}

const priceConfirm: RecordAction = async (tx, session, row, _reason, answers) => {
  const place = await placeOf(tx, session, row)
  const price = (answers.price ?? row.price) as Decimal
  if (!isPositive(price)) refuse('price', '预计单价必须大于0')
  const [line] = await tx<{ quantity: Decimal; tax_rate: TaxRate }[]>`
    select quantity, tax_rate from document_line
     where org_id = ${session.org.id} and document_id = ${place.document} and line_no = ${place.line}`
  const values = { price, ...lineAmounts(price, line!.quantity, line!.tax_rate) }
  await patchLines(tx, session, documentOf(place.document), [{ line_no: place.line, values }], 'derived')
  const former = row.price as Decimal
  const text = `${plain(former)}元${compare(price, former) === 0 ? '' : `改为${plain(price)}元`}`
  const fields = { line_price_state: '2', line_confirmed_by: session.userName }
  await note(tx, session, place, fields, { action: 'priceConfirm', label: '确认价格', text })
  await sumUp(tx, session, place.document)
}

const priceUnconfirm: RecordAction = async (tx, session, row) => {
  const place = await placeOf(tx, session, row)
  const fields = { line_price_state: '1', line_confirmed_by: null }
  await note(tx, session, place, fields, { action: 'priceUnconfirm', label: '取消确认', text: '价格待确认' })
  await sumUp(tx, session, place.document)
}

const codesIn = (value: unknown): readonly string[] => (value ?? []) as readonly string[]

/**
 * Pieces by their codes, others by quantity; not more than what is neither sold, nor returned, nor already recorded.
 */
function usedNow(row: Readonly<RecordRow>, answers: Readonly<RecordRow>): { codes: readonly string[]; used: Decimal } {
  const codes = [...new Set(codesIn(answers.used_codes))]
  const ours = codesIn(row.unit_codes)
  const outsider = codes.find(code => !ours.includes(code))
  if (outsider !== undefined) refuse('used_codes', `院内码${outsider}不在本行`)
  const again = codes.find(code => codesIn(row.used_codes).includes(code))
  if (again !== undefined) refuse('used_codes', `院内码${again}已登记使用`)
  if (ours.length > 0 && codes.length === 0) refuse('used_codes', '请填写使用的院内码')
  const used = ours.length > 0 ? `${codes.length}.000` : (answers.used_quantity as Decimal | null)
  if (!used) return refuse('used_quantity', '请填写使用数量')
  return { codes, used }
}

/**
 * 登记使用: the customer used it while it was ours. Only the date is recorded; on whom it was used stays in the
 * hospital.
 */
const noteUse: RecordAction = async (tx, session, row, _reason, answers) => {
  const day = String(answers.used_on)
  if (day > today()) refuse('used_on', '使用日期不能晚于今天')
  if (day < String(row.business_date)) refuse('used_on', '使用日期不能早于发出日期')
  const { codes, used } = usedNow(row, answers)
  const total = add(row.used_quantity as Decimal, used, 3)
  const most = subtract(row.quantity as Decimal, row.returned_quantity as Decimal, 3)
  if (compare(total, most) > 0)
    refuse('used_quantity', `使用数量超过未结清数量${plain(subtract(most, row.used_quantity as Decimal, 3))}`)
  const place = await placeOf(tx, session, row)
  const fields = { used_quantity: total, used_codes: [...codesIn(row.used_codes), ...codes], used_on: day }
  const text = `${day}已使用${plain(used)}${codes.length > 0 ? `（${codes.join('、')}）` : ''}`
  await note(tx, session, place, fields, { action: 'noteUse', label: '登记使用', text })
}

const forgetUse: RecordAction = async (tx, session, row) => {
  const place = await placeOf(tx, session, row)
  const fields = { used_quantity: '0.000', used_codes: [], used_on: null }
  await note(tx, session, place, fields, { action: 'forgetUse', label: '撤销使用登记', text: '恢复为未使用' })
}

/** The reason why an action is not allowed on a line in its current state; null: it is allowed. */
function against(action: string, row: Readonly<RecordRow>): string | null {
  const isConfirmed = row.line_price_state === '2'
  const isTurned = isPositive(row.turned_quantity as Decimal)
  switch (action) {
    case 'priceConfirm':
      return isConfirmed ? '价格已确认' : isZero(row.open_quantity as Decimal) ? '该行已结清，不需确认价格' : null
    case 'priceUnconfirm':
      return isConfirmed ? (isTurned ? '已转销售，不能取消确认' : null) : '价格尚未确认'
    case 'noteUse':
      return isZero(row.open_quantity as Decimal) ? '该行已结清，没有可登记使用的货物' : null
    case 'forgetUse':
      return row.use_state === 'used' ? (isTurned ? '已转销售，不能撤销使用登记' : null) : '没有登记使用'
    default:
      return null
  }
}

export const advanceLineRules: RecordRules = {
  kind: 'advanceLine',
  table: 'advance_line',
  columns: tx => ({
    unit_name: tx`coalesce(${tx('to_unit_inner_sn.name')},
      (select s.unit_name from specification s where s.id = t.specification_id))`,
    // The cost of its lot when it left, in the unit of the line; and the current stock value of the rest.
    cost_price: tx`(select round(sum(m.value) / nullif(sum(m.quantity), 0) * (select l.base_quantity / l.quantity
      from document_line l where l.org_id = t.org_id and l.document_id = t.document_id and l.line_no = t.line_no), 4)
      from stock_move m where m.org_id = t.org_id and m.document_id = t.document_id and m.line_no = t.line_no
        and m.quantity > 0 and m.undo_of is null)`,
    open_cost: tx`(select round(coalesce(sum(b.value) / nullif(sum(b.quantity),
      0) * t.open_quantity * max(l.base_quantity / l.quantity), 0), 2) from document_line l
      join document d on d.org_id = l.org_id and d.id = l.document_id
      left join stock_balance b on b.org_id = l.org_id and b.warehouse_id = d.to_warehouse_id and b.location = d.sn
        and b.lot_id = l.lot_id
      where l.org_id = t.org_id and l.document_id = t.document_id and l.line_no = t.line_no)`,
  }),
  mayWrite(_session, action, row) {
    if (['add', 'edit', 'del'].includes(action))
      throw new BusinessError('rule', '预销售明细随预销售单产生，请在预销售单上修改')
    const why = row ? against(action, row) : null
    if (why !== null) throw new BusinessError('wrongState', why)
  },
  actions: { priceConfirm, priceUnconfirm, noteUse, forgetUse },
}
