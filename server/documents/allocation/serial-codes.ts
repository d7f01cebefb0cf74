import { today } from '#kernel/values/date.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { LineInput } from '#server/documents/lines/complete.ts'
import { partsOfPacks, refuseOpened } from '#server/ledger/combined-packs.ts'
import { canonicalCode, serialsByCode } from '#server/ledger/trace.ts'
import type { Tx } from '#server/database/transaction.ts'

/** The codes of a line's pieces. */
export const serialCodes = (line: LineInput): readonly string[] => (line.unit_codes as string[] | undefined) ?? []

/** Scans of one piece from any carrier give one code. */
const canonicalForm = (line: LineInput): LineInput => {
  const codes = serialCodes(line)
  return codes.length === 0 ? line : { ...line, unit_codes: codes.map(code => canonicalCode(code, today()).bare) }
}

/** The code of a combined pack, or of one of coded pieces, stands for all its parts. */
async function openPacks(tx: Tx, org: string, lines: LineInput[]): Promise<LineInput[]> {
  const codes = lines.flatMap(serialCodes)
  const parts = await partsOfPacks(tx, org, codes)
  await refuseOpened(
    tx,
    org,
    codes.filter(code => !parts.has(code)),
  )
  if (parts.size === 0) return lines
  return lines.map(line => {
    const codes = serialCodes(line)
    return codes.some(code => parts.has(code))
      ? { ...line, unit_codes: codes.flatMap(code => parts.get(code) ?? [code]) }
      : line
  })
}

/**
 * Lines with the codes under which the organisation knows their pieces: a self-printed label holds its code as the
 * serial of a GS1 code.
 */
export async function normaliseCodes(tx: Tx, org: string, inputs: readonly LineInput[]): Promise<LineInput[]> {
  const lines = await openPacks(tx, org, inputs.map(canonicalForm))
  const printed = lines.flatMap(serialCodes).filter(code => code.startsWith('(01)'))
  if (printed.length === 0) return lines
  const known = await serialsByCode(tx, org, printed)
  return lines.map(line => {
    const codes = serialCodes(line)
    return codes.length === 0 ? line : { ...line, unit_codes: codes.map(code => known.get(code)?.bare ?? code) }
  })
}

/** The quantity of a line that states none: its number of pieces, or the kind's default. */
export const quantityFromCodes =
  (definition: AnyDocument) =>
  (line: LineInput): LineInput => {
    const pieces = serialCodes(line).length
    const quantity = line.quantity ?? (pieces > 0 ? String(pieces) : (definition.lines.quantity?.default ?? null))
    return { ...line, quantity }
  }
