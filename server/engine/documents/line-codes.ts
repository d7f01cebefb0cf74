import { today } from '#kernel/day.ts'
import type { AnyDocument } from '#kernel/document.ts'
import type { LineInput } from '#server/engine/documents/complete.ts'
import { houseCode, unitsByCode } from '#server/ledger/trace.ts'
import type { Tx } from '#server/engine/transaction.ts'

/** The codes of a line's pieces. */
export const codesOf = (line: LineInput): readonly string[] => (line.unit_codes as string[] | undefined) ?? []

/** Scans of one piece in any carrier are one code. */
const inHouseForm = (line: LineInput): LineInput => {
  const codes = codesOf(line)
  return codes.length === 0 ? line : { ...line, unit_codes: codes.map(code => houseCode(code, today()).bare) }
}

/** Lines with the codes by which the house knows their pieces: a label that it printed says its code as the serial of a GS1 code. */
export async function inHouseForms(tx: Tx, org: string, inputs: readonly LineInput[]): Promise<LineInput[]> {
  const lines = inputs.map(inHouseForm)
  const printed = lines.flatMap(codesOf).filter(code => code.startsWith('(01)'))
  if (printed.length === 0) return lines
  const known = await unitsByCode(tx, org, printed)
  return lines.map(line => {
    const codes = codesOf(line)
    return codes.length === 0 ? line : { ...line, unit_codes: codes.map(code => known.get(code)?.bare ?? code) }
  })
}

/** How many a line has that says none: its pieces, or what the kind takes for granted. */
export const countCodes =
  (definition: AnyDocument) =>
  (line: LineInput): LineInput => {
    const pieces = codesOf(line).length
    const quantity = line.quantity ?? (pieces > 0 ? String(pieces) : (definition.lines.quantity?.default ?? null))
    return { ...line, quantity }
  }
