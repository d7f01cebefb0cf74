import { lotForm } from '#kernel/values/lot-no.ts'
import type { Scanned } from '#web/engine/parse-scan.ts'
import type { Row } from '#web/fields/field-renderer.ts'

export const nameOf = (specification: Row): string =>
  [specification.product_name, specification.specification_name].filter(Boolean).join(' ')

/** Lot, dates and serial: as printed in the code, otherwise as the organisation knows them. */
export function factsOf({ parsed, unit, lot }: Scanned) {
  const printed = parsed.ok ? parsed : null
  return {
    lotNo: printed?.lot ? lotForm(printed.lot) : (lot?.lot_no ?? (printed?.serial ? lotForm(printed.serial) : null)),
    production: printed?.productionDate ?? lot?.production_date ?? null,
    expiry: printed?.expiryDate ?? lot?.expiry_date ?? null,
    // A code with a serial is a single piece, known here or not.
    piece: unit?.code ?? (printed !== null && printed.serial !== null ? printed.text : null),
  }
}
