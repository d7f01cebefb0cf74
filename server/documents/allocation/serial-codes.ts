import { canonicalCode, canonicalOf } from '#kernel/codes/canonical-code.ts'
import { asPackCode, isPackCode } from '#kernel/codes/pack-code.ts'
import { parseCode } from '#kernel/codes/parse-code.ts'
import { type Decimal, sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { today } from '#kernel/values/date.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { LineInput } from '#server/documents/lines/complete.ts'
import { storedCodes } from '#server/ledger/named-codes.ts'
import { partsOfPacks, refuseOpened } from '#server/ledger/combined-packs.ts'
import { serialsByCode } from '#server/ledger/trace.ts'
import { parseWithKnown } from '#server/traceability/parse-with-known.ts'
import type { Tx } from '#server/database/transaction.ts'

/** The codes of a line's pieces. */
export const serialCodes = (line: LineInput): readonly string[] => (line.unit_codes as string[] | undefined) ?? []

/** Scans of one piece from any carrier give one code. */
const canonicalForm = (line: LineInput): LineInput => {
  const codes = serialCodes(line)
  return codes.length === 0 ? line : { ...line, unit_codes: codes.map(code => canonicalCode(code, today()).bare) }
}

/**
 * Refuses codes without separators that may be read in several ways: the user chooses the piece when the code is
 * scanned. A code that was decided earlier, or that known lots and serials decide, keeps its reading.
 */
async function decided(tx: Tx, org: string, lines: readonly LineInput[]): Promise<LineInput[]> {
  const isOpen = (code: string) => {
    const read = code.startsWith('(') ? null : parseCode(code, { today: today() })
    return read?.ok === true && read.candidates !== undefined
  }
  const open = lines.flatMap(serialCodes).filter(isOpen)
  if (open.length === 0) return [...lines]
  const kept = await serialsByCode(tx, org, open)
  const meant = new Map<string, string>()
  for (const [at, line] of lines.entries())
    for (const code of serialCodes(line).filter(one => open.includes(one) && !kept.has(one))) {
      const read = await parseWithKnown(tx, code)
      if (read.ok && read.candidates === undefined) meant.set(code, canonicalOf(code, read).bare)
      else {
        const msg = `第${at + 1}行：条码“${code}”缺少分隔符，有多种拆分方式，请在扫码台扫描后选择，或按标签分别填写批号和序列号`
        throw new BusinessError('invalid', undefined, [{ field: 'unit_codes', line: at + 1, msg }])
      }
    }
  return lines.map(line => {
    const codes = serialCodes(line)
    return codes.length === 0 ? line : { ...line, unit_codes: codes.map(code => meant.get(code) ?? code) }
  })
}

/** Replaces the code of a combined pack, or of one of coded pieces, by all its parts. */
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

/** Lines with the codes under which their pieces are kept. */
async function withStored(tx: Tx, org: string, lines: readonly LineInput[]): Promise<LineInput[]> {
  const stored = await storedCodes(tx, org, lines.flatMap(serialCodes))
  let at = 0
  return lines.map(line => {
    const { length } = serialCodes(line)
    return length === 0 ? line : { ...line, unit_codes: stored.slice(at, (at += length)) }
  })
}

/**
 * Lines with the codes under which the organisation knows their pieces: a self-printed label holds its code as the
 * serial of a GS1 code. `new`: goods that come in may bring codes that nobody knows yet, and bear the serial of others.
 */
export async function normaliseCodes(
  tx: Tx,
  org: string,
  inputs: readonly LineInput[],
  codes: 'new' | 'known',
): Promise<LineInput[]> {
  const named = codes === 'new' ? inputs.map(canonicalForm) : await withStored(tx, org, inputs)
  const lines = await openPacks(tx, org, await decided(tx, org, named))
  const printed = lines.flatMap(serialCodes).filter(code => code.startsWith('(01)'))
  if (printed.length === 0) return lines
  const known = await serialsByCode(tx, org, printed)
  return lines.map(line => {
    const codes = serialCodes(line)
    return codes.length === 0 ? line : { ...line, unit_codes: codes.map(code => known.get(code)?.bare ?? code) }
  })
}

/** The contents of packs in base units, by the codes of the packs. */
export type PackContents = ReadonlyMap<string, Decimal>

/** The contents of the packs that are named by lines without a quantity. */
export async function packContents(tx: Tx, org: string, lines: readonly LineInput[]): Promise<PackContents> {
  const bare = lines.filter(line => (line.quantity ?? null) === null)
  const codes = bare.flatMap(serialCodes).map(asPackCode).filter(isPackCode)
  const units = await serialsByCode(tx, org, codes)
  return new Map([...units].map(([code, { quantity }]) => [code, quantity]))
}

/** The base units of codes: the content of a pack, and one for any other piece. */
export const heldBy = (codes: readonly string[], packs: PackContents): Decimal =>
  sum(
    codes.map(code => packs.get(asPackCode(code)) ?? '1'),
    3,
  )

/** The quantity of a line without one: that of its codes, or the kind's default. */
export const quantityFromCodes =
  (definition: AnyDocument, packs: PackContents) =>
  (line: LineInput): LineInput => {
    const codes = serialCodes(line)
    if ((line.quantity ?? null) !== null || codes.length === 0)
      return { ...line, quantity: line.quantity ?? definition.lines.quantity?.default ?? null }
    return { ...line, quantity: heldBy(codes, packs), unit_inner_sn: null }
  }
