import { lotForm } from '#kernel/values/lot-no.ts'
import type { Scanned } from '#web/engine/parse-scan.ts'
import type { Row } from '#web/fields/field-renderer.ts'

export const nameOf = (specification: Row): string =>
  [specification.product_name, specification.specification_name].filter(Boolean).join(' ')

/** The numbers that the lot may have in the records: as printed in the code, otherwise as the organisation knows it. */
function lotsOf({ parsed, lot, lot_nos }: Scanned): readonly string[] {
  const printed = parsed.ok ? parsed : null
  if (lot && !printed?.lot) return [lot.lot_no]
  const number = printed?.lot ?? printed?.serial
  return number ? (lot_nos ?? [lotForm(number)]) : []
}

/** Lot, dates and serial: as printed in the code, otherwise as the organisation knows them. */
export function factsOf(scanned: Scanned) {
  const { parsed, unit, lot } = scanned
  const printed = parsed.ok ? parsed : null
  const lots = lotsOf(scanned)
  return {
    lotNo: lots[0] ?? null,
    /** True if goods of this lot are meant: goods of any lot are if the code names no lot, and none is known for it. */
    isLot: (lotNo: string | null): boolean => lotNo === null || lots.length === 0 || lots.includes(lotNo),
    production: printed?.productionDate ?? lot?.production_date ?? null,
    expiry: printed?.expiryDate ?? lot?.expiry_date ?? null,
    // A code with a serial is a single piece, known here or not.
    piece: unit?.code ?? (printed !== null && printed.serial !== null ? printed.text : null),
  }
}
