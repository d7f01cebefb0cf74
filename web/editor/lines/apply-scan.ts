import { add, plain } from '#kernel/values/decimal.ts'
import type { Scanned } from '#web/engine/parse-scan.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import type { Line, Lines } from '#web/grid/lines.ts'
import { factsOf, nameOf } from '#web/scan/scan-facts.ts'

const QUANTITY_PLACES = 3
const codesIn = (line: Line): readonly string[] =>
  Array.isArray(line.values.unit_codes) ? (line.values.unit_codes as string[]) : []

/** The same product and lot again adds one, a pack what it holds; a serial is counted once. Returns a text. */
export function takeScan(lines: Lines, scanned: Scanned, takesCodes: boolean): string {
  const { parsed, specification } = scanned
  if (specification === null)
    throw new Error(
      parsed.ok
        ? parsed.di === null
          ? `没有识别出产品：${parsed.text}`
          : `产品库中没有 DI ${parsed.di}`
        : parsed.message,
    )
  const { lotNo, isLot, production, expiry, piece } = factsOf(scanned)
  const pieces = scanned.unit?.quantity ?? '1'
  const all = lines.all()
  if (piece !== null && all.some(line => codesIn(line).includes(piece))) throw new Error(`该件已在单中：${piece}`)
  const codes = (before: readonly string[]): Row =>
    takesCodes && piece !== null ? { unit_codes: [...before, piece] } : {}
  const at = all.findIndex(
    ({ values }) =>
      values.specification_sn === specification.specification_sn &&
      isLot((values.lot_no as string | null | undefined) ?? null) &&
      (values.unit_inner_sn ?? null) === (specification.unit_inner_sn ?? null),
  )
  const found = all[at]
  if (found === undefined) {
    const { specification_sn, product_name, specification_name, unit_inner_sn = null } = specification
    lines.insert(all.length, [
      {
        specification_sn,
        product_name,
        specification_name,
        unit_inner_sn,
        unit_name: specification.pack_name ?? specification.unit_name,
        lot_no: lotNo,
        production_date: production,
        expiry_date: expiry,
        quantity: pieces,
        price: specification.price,
        tax_rate: specification.tax_rate,
        ...codes([]),
      },
    ])
    return `新增 ${nameOf(specification)}${lotNo === null ? '' : ` 批号${lotNo}`}`
  }
  const quantity = plain(add(String(found.values.quantity ?? '0'), pieces, QUANTITY_PLACES))
  lines.edit([
    {
      at,
      values: {
        quantity,
        lot_no: found.values.lot_no ?? lotNo,
        expiry_date: found.values.expiry_date ?? expiry,
        ...codes(codesIn(found)),
      },
    },
  ])
  return `${nameOf(specification)} 数量 ${quantity}`
}
