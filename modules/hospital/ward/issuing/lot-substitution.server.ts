import { byName, patchDocument, replaceLines, type TypedDocument } from '#server/public/documents.ts'
import type { dispatch } from '#modules/hospital/ward/issuing/dispatch.doc.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import type { grantOdo } from '#modules/hospital/ward/issuing/grant-odo.doc.ts'
import { isPastUse } from '#kernel/rules/shelf-life.ts'
import { compare, isPositive, plain } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { availableStock } from '#server/public/stock.ts'
import { lotsOfLines, release, reserve } from '#server/public/actions.ts'

type Context = ActionContext<TypedDocument<typeof grantOdo> | TypedDocument<typeof dispatch>>
type Line = Context['doc']['lines'][number]

const refusal = (field: string, msg: string): BusinessError => new BusinessError('rule', msg, [{ field, msg }])

/** The line named in the dialog, of which nothing was picked yet. */
function namedLine({ doc }: Context): Line {
  const line = doc.lines.find(each => each.line_no === parseInteger(doc.swap_line_no))
  if (!line) throw refusal('swap_line_no', `没有第${String(doc.swap_line_no ?? '')}行，请核对行号`)
  if (isPositive(String(line.picked_quantity ?? 0)) && byName(doc).picking_state !== '1')
    throw refusal('swap_line_no', `第${line.line_no}行已拣货，不能换批次，请先把已拣数量改为0`)
  return line
}

/** For coded goods the replacement pieces; each is in this warehouse, and there are as many as on the line. */
async function piecesInstead(
  { tx, session, doc }: Context,
  line: Line,
): Promise<{ codes: string[]; lot: string | null }> {
  const codes = (doc.swap_codes as string[] | null) ?? []
  if (line.unit_codes.length === 0) return { codes: [], lot: null }
  if (codes.length !== line.unit_codes.length)
    throw refusal('swap_codes', `第${line.line_no}行为一物一码货物，请扫描要换的${line.unit_codes.length}个院内码`)
  const found = await tx<{ code: string; lot_no: string }[]>`
    select c.bare as code, t.lot_no from unit_code c join unit u on u.lot_id = c.lot_id and u.id = c.unit_id
      join lot t on t.id = u.lot_id
     where c.bare = any(${codes}) and c.ended is null and u.holder_org_id = ${session.org.id}
       and u.warehouse_id = ${doc.warehouse_model_inner_sn}
       and u.status = 'in_stock' and t.specification_id = ${line.specification_sn}`
  const outsider = codes.find(code => !found.some(row => row.code === code))
  if (outsider) throw refusal('swap_codes', `院内码${outsider}不是本行规格在该仓库的在库货物`)
  const lots = new Set(found.map(row => row.lot_no))
  if (lots.size > 1) throw refusal('swap_codes', '所扫院内码属于不同批号，请分行发放')
  return { codes, lot: [...lots][0]! }
}

/** A picking list follows first-to-expire: a replacement lot must not expire later. */
export async function noLaterLot(ctx: Context): Promise<void> {
  await otherLot(ctx, (line, expiry) => {
    if ((expiry ?? '9999') <= (line.expiry_date ?? '9999')) return
    throw refusal('swap_lot_no', `请优先拣选近效期批次${line.lot_no ?? ''}；没有找到时请登记缺货`)
  })
}

/**
 * 换批次: the counter takes another lot than was reserved, with a reason. It must be the same goods in the same
 * warehouse, qualified and available; the reservation moves to it.
 */
export async function otherLot(
  ctx: Context,
  fits: (line: Line, expiry: string | null) => void = () => {},
): Promise<void> {
  const { tx, session, definition, doc } = ctx
  const line = namedLine(ctx)
  const { codes, lot } = await piecesInstead(ctx, line)
  const typed = { specification_sn: line.specification_sn, lot_no: String(doc.swap_lot_no ?? '') }
  const wanted = lot ?? (await lotsOfLines(tx, [typed]))(typed)?.lot_no ?? typed.lot_no
  if (wanted === '') throw refusal('swap_lot_no', '请填写要换的批号')
  if (wanted === line.lot_no && codes.every(code => line.unit_codes.includes(code)))
    throw refusal('swap_lot_no', `第${line.line_no}行已是批号${wanted}`)
  const stock = await availableStock(
    tx,
    session.org.id,
    doc.warehouse_model_inner_sn!,
    [line.specification_sn!],
    doc.id,
  )
  const balance = stock.find(
    each =>
      each.lot_no === wanted &&
      each.quality_state === 'qualified' &&
      each.is_held !== true &&
      compare(each.available, line.base_quantity) >= 0 &&
      !isPastUse(each, doc),
  )
  if (!balance)
    throw refusal('swap_lot_no', `批号${wanted}在该仓库没有足够的可用合格库存，需要${plain(line.base_quantity)}`)
  fits(line, balance.expiry_date)
  const instead = {
    ...line,
    specification_sn: balance.specification_id,
    lot_id: balance.lot_id,
    lot_no: balance.lot_no,
    production_date: balance.production_date,
    expiry_date: balance.expiry_date,
    owner_org_sn: balance.owner_id,
    location: balance.location,
    unit_codes: codes,
    picked_quantity: null,
    picked_codes: null,
    remark: `原批号${line.lot_no ?? ''}，换批次：${String(doc.swap_reason)}`.slice(0, 200),
  } as Line
  const lines = doc.lines.map(each => (each === line ? instead : each))
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  const asked = { swap_line_no: null, swap_lot_no: null, swap_codes: null, swap_reason: null }
  await patchDocument(tx, session, doc, asked, 'withAction')
  await release(tx, session, doc.id)
  await reserve(tx, session, { ...doc, lines })
}
