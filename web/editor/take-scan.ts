import { add } from '#kernel/decimal.ts'
import type { Scanned } from '#web/engine/scan.ts'
import type { Row } from '#web/fields/face.ts'
import type { Line, Lines } from '#web/grid/lines.ts'

const QUANTITY_PLACES = 3
const codesIn = (line: Line): readonly string[] => (Array.isArray(line.values.unit_codes) ? (line.values.unit_codes as string[]) : [])
const nameOf = (specification: Row): string => [specification.product_name, specification.name].filter(Boolean).join(' ')

/** A new line from what the code and the catalogue say. */
function lineFrom(scanned: Scanned, specification: Row, takesCodes: boolean): Row {
  return {
    specification_sn: specification.specification_sn, product_name: specification.product_name, specification_name: specification.name,
    lot_no: scanned.lot ?? scanned.serial, production_date: scanned.productionDate, expiry_date: scanned.expiryDate, unit_name: specification.unit_name,
    quantity: '1', price: specification.price, tax_rate: specification.tax_rate, unit_codes: takesCodes && scanned.serial !== null ? [scanned.text] : [],
  }
}

/** The same product and lot again is one more piece; a piece that has its own code is counted once. */
export function takeScan(lines: Lines, scanned: Scanned, takesCodes: boolean): string {
  const { specification } = scanned
  if (specification === null) throw new Error(scanned.di === null ? `没有识别出产品：${scanned.text}` : `产品库中没有 DI ${scanned.di}`)
  const all = lines.all()
  if (scanned.serial !== null && all.some(line => codesIn(line).includes(scanned.text))) throw new Error(`该件已在单中：${scanned.serial}`)
  const at = all.findIndex(line => line.values.specification_sn === specification.specification_sn && (scanned.lot === null || (line.values.lot_no ?? scanned.lot) === scanned.lot))
  const found = all[at]
  if (found === undefined) {
    lines.insert(all.length, [lineFrom(scanned, specification, takesCodes)])
    return `新增 ${nameOf(specification)}${scanned.lot ? ` 批号${scanned.lot}` : ''}`
  }
  const quantity = add(String(found.values.quantity ?? '0'), '1', QUANTITY_PLACES).replace(/\.?0+$/, '')
  lines.edit([{
    at,
    values: {
      quantity, lot_no: found.values.lot_no ?? scanned.lot, expiry_date: found.values.expiry_date ?? scanned.expiryDate,
      ...(takesCodes && scanned.serial !== null ? { unit_codes: [...codesIn(found), scanned.text] } : {}),
    },
  }])
  return `${nameOf(specification)} 数量 ${quantity}`
}
