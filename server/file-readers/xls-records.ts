import { CFB } from '@e965/xlsx'

/** A workbook of Excel 2 to 2003 as a row of records: a number, a length, and as many bytes. */
type Found = { readonly type: number; readonly at: number; readonly data: Buffer }

const [BOF, EOF, SHEET] = [0x09, 0x0a, 0x85] as const
/** A formula of Excel 2 and 5 to 2003, of 3, and of 4. */
const FORMULA_5 = 0x0006
const FORMULA = new Set([FORMULA_5, 0x0206, 0x0406])
/** The kind of a result that is an empty text. */
const EMPTY_TEXT = 3
/** The formula is calculated when a program opens the file: until then its result is that which was not calculated. */
const TO_CALCULATE = 3
/** Operators that give numbers: + - * / ^, plus, minus and percent; and SUM where it is the whole formula. */
const NUMERIC = new Set([0x03, 0x04, 0x05, 0x06, 0x07, 0x12, 0x13, 0x14])
const [ATTRIBUTE, IS_SUM] = [0x19, 0x10] as const
/** COUNT, SUM, AVERAGE, MIN, MAX, ROUND, by their numbers, behind a token of a function. */
const FUNCTIONS = new Set([0, 4, 5, 6, 7, 27])
const FUNCTION_TOKENS = new Set([0x21, 0x41, 0x61, 0x22, 0x42, 0x62])

function* recordsOf(stream: Buffer): Generator<Found> {
  for (let at = 0; at + 4 <= stream.length; ) {
    const end = at + 4 + stream.readUInt16LE(at + 2)
    if (end > stream.length) return
    yield { type: stream.readUInt16LE(at), at, data: stream.subarray(at + 4, end) }
    at = end
  }
}

/** The records of a file: a stream of a compound file from Excel 5 on, before that the file itself. Null: neither. */
function streamOf(file: Uint8Array): { readonly stream: Buffer; readonly isBefore97: boolean } | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  if (bytes[0] === BOF) return { stream: bytes, isBefore97: true }
  try {
    const compound = CFB.read(bytes, { type: 'buffer' }) as unknown
    for (const name of ['/Workbook', '/Book']) {
      const found = CFB.find(compound, name) as { readonly content?: Uint8Array } | null
      if (found?.content?.length) return { stream: Buffer.from(found.content), isBefore97: name === '/Book' }
    }
  } catch {
    // The reader of the cells says that the file is broken.
  }
  return null
}

/** True if the tokens of a formula end with an operation that gives a number: an empty text is no result of it. */
function givesNumber(tokens: Buffer): boolean {
  const last = tokens.at(-1) ?? 0
  if (NUMERIC.has(last)) return true
  if (tokens.at(-4) === ATTRIBUTE && tokens.at(-3) === IS_SUM) return true
  const isFixed = FUNCTION_TOKENS.has(tokens.at(-3) ?? 0)
  const isVariable = FUNCTION_TOKENS.has(tokens.at(-4) ?? 0)
  return (isFixed || isVariable) && tokens.length > 3 && FUNCTIONS.has(tokens.readUInt16LE(tokens.length - 2) & 0x7fff)
}

/** True if a formula has no result: nought that is still to be calculated, or an empty text where numbers are. */
function isOpen(type: number, data: Buffer, isExcel2: boolean): boolean {
  const at = isExcel2 ? 7 : 6
  if (data.length < at + 9) return false
  if (data.readUInt16LE(at + 6) !== 0xffff) return data.readDoubleLE(at) === 0 && (data[at + 8]! & TO_CALCULATE) !== 0
  // Before Excel 5 the tokens stand elsewhere, and no program that is in use writes it without results.
  if (isExcel2 || type !== FORMULA_5 || data.length < 22) return false
  return data[at] === EMPTY_TEXT && givesNumber(data.subarray(22, 22 + data.readUInt16LE(20)))
}

/** Reads further facts of an .xls: its version, and of each sheet the places of formulas without a result. */
export type XlsFacts = {
  /** Its texts are bytes of a code page: those of Excel 97 and later are Unicode. */
  readonly isBefore97: boolean
  readonly open: ReadonlyMap<number, readonly (readonly [row: number, column: number])[]>
}

/** Reads the records of an .xls once; sheets count as the file lists them. */
export function xlsFacts(file: Uint8Array): XlsFacts {
  const found = streamOf(file)
  const open = new Map<number, [row: number, column: number][]>()
  if (found === null) return { isBefore97: false, open }
  const { stream, isBefore97 } = found
  const isExcel2 = stream.readUInt16LE(0) === BOF
  const sheets = new Map<number, number>()
  let [sheet, depth] = [0, 0]
  for (const { type, at, data } of recordsOf(stream)) {
    if ((type & 0xff) === BOF && depth++ === 0) sheet = sheets.get(at) ?? 0
    if (type === EOF) depth -= 1
    if (type === SHEET && data.length >= 4) sheets.set(data.readUInt32LE(0), sheets.size)
    if (!FORMULA.has(type) || depth !== 1 || data.length < 4 || !isOpen(type, data, isExcel2)) continue
    const places = open.get(sheet) ?? []
    open.set(sheet, places)
    places.push([data.readUInt16LE(0), data.readUInt16LE(2)])
  }
  return { isBefore97, open }
}
