import { today } from '#kernel/day.ts'
import type { AnyDocument } from '#kernel/document.ts'
import type { LineInput } from '#server/engine/documents/complete.ts'
import { houseCode } from '#server/ledger/trace.ts'

/** The codes of a line's pieces. */
export const codesOf = (line: LineInput): readonly string[] => (line.unit_codes as string[] | undefined) ?? []

/** Scans of one piece in any carrier are one code. */
export const inHouseForm = (line: LineInput): LineInput => {
  const codes = codesOf(line)
  return codes.length === 0 ? line : { ...line, unit_codes: codes.map(code => houseCode(code, today()).bare) }
}

/** How many a line has that says none: its pieces, or what the kind takes for granted. */
export const countCodes =
  (definition: AnyDocument) =>
  (line: LineInput): LineInput => {
    const pieces = codesOf(line).length
    const quantity = line.quantity ?? (pieces > 0 ? String(pieces) : (definition.lines.quantity?.default ?? null))
    return { ...line, quantity }
  }
