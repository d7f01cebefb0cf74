import { byName, patchDocument, type StoredDocument, type StoredLine } from '#server/public/documents.ts'
import { compare, isZero, plain, subtract, sum, wholePieces } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { codesOf, pieces, scannedCodes, without } from '#modules/trade/lease/notices/coded-goods.server.ts'
import { balances, short } from '#modules/trade/lease/notices/held-goods.server.ts'
import { figure, figuresOf, letArea, patchedLines } from '#modules/trade/lease/notices/notice-checks.server.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { serialsByCode } from '#server/public/stock.ts'

type Scanned = ReadonlyMap<number, readonly string[]>

/**
 * Scanned pieces by the line that they are picked for; each must be in the lessor's warehouse, belong to the tenant,
 * and be picked only once.
 */
async function scannedForPicking(ctx: ActionContext): Promise<Scanned> {
  const { tx, session, doc, dialogValues = {} } = ctx
  const codes = scannedCodes(dialogValues.picked_codes)
  if (codes.length === 0) return new Map()
  const [known, { warehouse_id }] = [await serialsByCode(tx, session.org.id, codes), await letArea(ctx)]
  const taken = new Set(doc.lines.flatMap(line => codesOf(line, 'picked')))
  const byLine = new Map<number, string[]>()
  for (const code of codes) {
    const unit = known.get(code)
    if (taken.has(code)) throw new BusinessError('rule', `院内码${code}已拣货`)
    if (unit?.status !== 'in_stock' || unit.warehouse_id !== warehouse_id || unit.owner_id !== doc.counterparty_sn)
      throw new BusinessError('unitNotHere', `院内码${code}不在该承租方的库存中，请核对后重新扫描`)
    const line = doc.lines.find(each => {
      const isNamed = each.unit_codes.length === 0 || each.unit_codes.includes(code)
      const all = codesOf(each, 'picked').length + (byLine.get(each.line_no)?.length ?? 0)
      return (
        byName(each).is_coded === true &&
        each.lot_id === unit.lot_id &&
        isNamed &&
        all < wholePieces(each.base_quantity)
      )
    })
    if (!line) throw new BusinessError('rule', `院内码${code}不在出库通知中或已拣够，请核对后重新扫描`)
    byLine.set(line.line_no, [...(byLine.get(line.line_no) ?? []), code])
  }
  return byLine
}

function pickedByCode(line: StoredLine, said: ReturnType<typeof figuresOf>, scanned: Scanned) {
  if (said?.some(each => each.line_no === line.line_no)) {
    const msg = `第${line.line_no}行为一物一码产品，请扫码拣货`
    throw new BusinessError('rule', msg, [{ line: line.line_no, field: 'unit_codes', msg }])
  }
  const codes = scanned.get(line.line_no) ?? []
  const all = [...codesOf(line, 'picked'), ...codes]
  return codes.length === 0 ? [] : [{ line_no: line.line_no, values: { picked: all, picked_quantity: pieces(all) } }]
}

const nothingPicked = (doc: StoredDocument): string =>
  doc.lines.some(
    line => byName(line).is_coded === true && compare(figure(line, 'picked_quantity'), line.base_quantity) < 0,
  )
    ? '一物一码的产品请扫码拣货'
    : '货物已全部拣货'

/** 拣货: picks of each line the typed or scanned quantity, or all that is left; it must be in the lessor's stock. */
export async function picked(ctx: ActionContext): Promise<StoredDocument> {
  const { tx, session, doc, dialogValues = {} } = ctx
  const said = figuresOf(doc, dialogValues.picked_lines)
  const there = await balances(ctx)
  const scanned = await scannedForPicking(ctx)
  const patches = doc.lines.flatMap(line => {
    if (byName(line).is_coded === true) return pickedByCode(line, said, scanned)
    const rest = subtract(line.base_quantity, figure(line, 'picked_quantity'), 3)
    const asked = said === null ? rest : (said.find(each => each.line_no === line.line_no)?.figures[0] ?? '0')
    if (isZero(asked)) return []
    if (compare(asked, rest) > 0)
      throw new BusinessError('rule', `第${line.line_no}行：拣货数量超过通知数量${plain(line.base_quantity)}`)
    const available = sum(
      there.filter(row => row.lot_id === line.lot_id).map(row => row.quantity),
      3,
    )
    const waiting = subtract(figure(line, 'picked_quantity'), figure(line, 'shipped_quantity'), 3)
    if (compare(sum([asked, waiting], 3), available) > 0) return short(line, line.lot_no ?? '', available)
    return [{ line_no: line.line_no, values: { picked_quantity: sum([figure(line, 'picked_quantity'), asked], 3) } }]
  })
  if (patches.length === 0) throw new BusinessError('rule', nothingPicked(doc))
  const lines = await patchedLines(ctx, patches)
  const isWhole = lines.every(line => compare(figure(line, 'picked_quantity'), line.base_quantity) >= 0)
  const values = {
    notice_state: isWhole ? 'checking' : 'picking',
    picked_by: session.userName,
    picker_user: session.userId,
  }
  await patchDocument(tx, session, doc, values, 'withAction')
  return { ...doc, ...values, lines } as StoredDocument
}

const isPicked = (doc: StoredDocument): boolean =>
  doc.lines.some(line => compare(figure(line, 'picked_quantity'), figure(line, 'shipped_quantity')) > 0)

/** Refuses the check unless exactly the picked pieces are scanned. */
function refuseOtherThanPicked(doc: StoredDocument, scanned: readonly string[]): void {
  const due = doc.lines.flatMap(line => without(codesOf(line, 'picked'), codesOf(line, 'shipped')))
  const [missing, other] = [without(due, scanned), without(scanned, due)]
  if (missing.length + other.length === 0) return
  const said = [
    ...(missing.length > 0 ? [`缺少${missing.slice(0, 5).join('、')}${missing.length > 5 ? '等' : ''}`] : []),
    ...(other.length > 0 ? [`多出${other.slice(0, 5).join('、')}${other.length > 5 ? '等' : ''}`] : []),
  ]
  throw new BusinessError('rule', `复核扫码与拣货不一致：${said.join('；')}`)
}

/** Another person than the picker checks the goods before they leave. */
export async function checked({ tx, session, doc, dialogValues = {} }: ActionContext): Promise<StoredDocument> {
  if (!isPicked(doc)) throw new BusinessError('rule', '还没有拣货，不能复核')
  const [row] = await tx<{ picker: string | null }[]>`
    select fields->>'picker_user' as picker from document where org_id = ${session.org.id} and id = ${doc.id}`
  if (row?.picker === session.userId) throw new BusinessError('rule', '拣货人不能复核本人拣货的单据')
  refuseOtherThanPicked(doc, scannedCodes(dialogValues.checked_codes))
  const values = { notice_state: 'checked', checked_by: session.userName }
  await patchDocument(tx, session, doc, values, 'withAction')
  return { ...doc, ...values } as StoredDocument
}
