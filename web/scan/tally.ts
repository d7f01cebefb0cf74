import { canonicalUdi } from '#kernel/codes/encode.ts'
import { bracketed } from '#kernel/codes/gs1-elements.ts'
import { mergeScans } from '#kernel/codes/merge-symbols.ts'
import type { ReadCode } from '#kernel/codes/parsed-code.ts'
import { today } from '#kernel/values/date.ts'
import { add, compare, type Decimal, isPositive, plain, subtract } from '#kernel/values/decimal.ts'
import { lotForm } from '#kernel/values/lot-no.ts'
import type { Scanned } from '#web/engine/parse-scan.ts'
import { factsOf, nameOf } from '#web/scan/scan-facts.ts'

/** A line to be ticked off by scanning. Quantities in base units. */
export type Expected = {
  /** Its position on the document. */
  readonly at: number
  readonly specification_sn: string
  readonly name: string
  readonly unit: string
  readonly lot_no: string | null
  readonly expiry_date: string | null
  /** Its serials; empty if not managed by serial or not known yet. */
  readonly codes: readonly string[]
  readonly quantity: Decimal
  /** Its current or planned location, if the document has one. */
  readonly location?: string | null
}

/** One scan. `read`: the server's interpretation; null while waiting; a message if unreadable. */
export type Entry = { readonly id: string; readonly code: string; readonly read: Scanned | string | null }

/** The scans of one lot of one line, or of goods on no line. */
export type ScannedRow = {
  readonly at: number | null
  readonly specification_sn: string
  readonly name: string
  readonly unit: string
  readonly lot_no: string | null
  readonly production_date: string | null
  readonly expiry_date: string | null
  readonly codes: readonly string[]
  readonly quantity: Decimal
  /** The location whose label was scanned before it. */
  readonly location?: string | null
}

export type Mark = {
  readonly id: string
  readonly tone: 'right' | 'wrong' | 'waiting'
  readonly sentence: string
  /** The code, if it names no known product. */
  readonly unknown?: string
  /** The readings of a code that may be read in several ways; it counts once a person has chosen one. */
  readonly choices?: readonly Choice[]
  /** Values to compare with the label. */
  readonly notes?: readonly string[]
}
/** A reading of the code `of`: its text, and the code that can be read only in this way. */
export type Choice = { readonly of: string; readonly code: string; readonly says: string }
export type Tally = { readonly rows: readonly ScannedRow[]; readonly marks: readonly Mark[] }

export type Rules = {
  /** Only expected goods count, and no more than expected. */
  readonly isList: boolean
  /** Goods found beyond the list count as well. */
  readonly beyond: boolean
  /** The document's warehouse, if its lines have locations: a scanned location label applies to the next goods. */
  readonly store?: string | null
  /** The document takes no recalled goods: they are not counted. Elsewhere the mark of the scan says that they are. */
  readonly refusesRecalled?: boolean
}

const PLACES = 3

type Open = { readonly read: Scanned; readonly row: number; readonly quantity: Decimal }

/** The fold state: rows, and the last scan if it had a product without a lot, or a lot without a product. */
type State = {
  rows: ScannedRow[]
  pieces: Set<string>
  open: Open | null
  half: { readonly read: Scanned; readonly code: string } | null
  place: string | null
}

const isHalf = (read: Scanned): boolean => !read.parsed.ok && read.parsed.fragment !== undefined
/** A label whose lot may be in a second symbol. */
const lacksLot = (read: Scanned): boolean =>
  read.parsed.ok && read.parsed.di !== null && read.parsed.lot === null && read.parsed.serial === null && !read.unit

const measureOf = (read: Scanned): Decimal => plain(String(read.specification?.measure ?? 1))

/**
 * The result of all scans together. Pure and recomputed from the start each time: the same scans give the same
 * tally, so removing one undoes it, and nothing is counted twice.
 */
export function tallied(expected: readonly Expected[], entries: readonly Entry[], rules: Rules): Tally {
  const state: State = { rows: [], pieces: new Set(), open: null, half: null, place: null }
  const marks = entries.map((entry): Mark => {
    if (entry.read === null) return { id: entry.id, tone: 'waiting', sentence: `待识别：${shortOf(entry.code)}` }
    if (typeof entry.read === 'string') return { id: entry.id, tone: 'wrong', sentence: entry.read }
    const answer = count(state, expected, entry.read, entry.code, rules)
    return { id: entry.id, ...answer }
  })
  return { rows: state.rows.filter(row => isPositive(row.quantity)), marks }
}

const shortOf = (code: string): string => (code.length > 40 ? `${code.slice(0, 40)}…` : code)
const wrong = (sentence: string) => ({ tone: 'wrong', sentence }) as const
const right = (sentence: string) => ({ tone: 'right', sentence }) as const

/** A location label: everything scanned from here on is there. */
function goTo(state: State, { code, warehouse_sns }: NonNullable<Scanned['place']>, { store }: Rules) {
  if (store === undefined) return wrong(`本单不按货位记录：${code}`)
  if (store !== null && !warehouse_sns.includes(store)) return wrong(`货位${code}不在本单的仓库`)
  state.place = code
  state.open = state.half = null
  return right(`当前货位：${code}`)
}

/** What a code says, or the readings of one whose separators are lost: those that the list expects, else all. */
function oneReading(expected: readonly Expected[], read: Scanned): Scanned | ReadCode[] {
  const { parsed, specification } = read
  const all = parsed.ok && specification ? (parsed.candidates ?? []) : []
  const listed = expected.filter(line => line.specification_sn === specification?.specification_sn)
  const fitting = all.filter(({ di, lot, serial }) => {
    const piece = di !== null && serial !== null ? canonicalUdi(di, serial) : null
    return listed.some(({ lot_no, codes }) =>
      codes.length > 0 && piece !== null ? codes.includes(piece) : lot !== null && lotForm(lot) === lot_no,
    )
  })
  const left = fitting.length > 0 ? fitting : all
  return left.length > 1 ? [...left] : left[0] === undefined ? read : { ...read, parsed: left[0] }
}

const sayingOf = ({ elements }: ReadCode): string =>
  elements
    .filter(({ ai }) => ai !== '01')
    .map(({ label, value }) => `${label}${value}`)
    .join('　')

const toChoose = (of: string, readings: readonly ReadCode[], codeOf = ({ text }: ReadCode) => text) => ({
  ...wrong('条码缺少分隔符，请对照标签选择；都不符时请按标签手工录入'),
  choices: readings.map((each): Choice => ({ of, code: codeOf(each), says: sayingOf(each) })),
})

/** What a merged label says beyond the symbol of its goods: the second symbol, which can be read in no other way. */
const secondOf =
  ({ parsed }: Scanned) =>
  ({ elements }: ReadCode): string =>
    bracketed(elements.filter(({ ai }) => !parsed.ok || !parsed.elements.some(known => known.ai === ai)))

function count(state: State, expected: readonly Expected[], given: Scanned, code: string, rules: Rules) {
  const read = oneReading(expected, given)
  if (Array.isArray(read)) return toChoose(code, read)
  if (read.place && !read.specification) return goTo(state, read.place, rules)
  const merged = withOther(state, read, code)
  if (merged === 'half') return right('已读到批号效期，请扫同一标签上的产品条码')
  if (merged !== null && 'msg' in merged) return wrong(merged.msg)
  const whole = merged === null ? read : oneReading(expected, merged.read)
  if (Array.isArray(whole)) return toChoose(merged!.second, whole, secondOf(merged!.goods))
  if (!whole.specification) {
    const { parsed } = whole
    return {
      ...wrong(
        parsed.ok
          ? parsed.di === null
            ? `未识别的条码：${shortOf(code)}`
            : `产品库中没有 DI ${parsed.di}`
          : parsed.message,
      ),
      unknown: code,
    }
  }
  const { piece } = factsOf(whole)
  if (piece !== null && state.pieces.has(piece)) return wrong(`该条码已扫描：${shortOf(piece)}`)
  const held = heldOf(whole)
  if (rules.refusesRecalled && held.recalled !== null) return wrong(`${held.recalled}，未计入本单`)
  // The product was already counted when the label's first symbol was read: only its lot is added now.
  if (merged?.instead) takeBack(state, merged.instead)
  const answer = place(state, expected, whole, rules)
  if ('row' in answer) {
    if (piece !== null) state.pieces.add(piece)
    state.open = lacksLot(whole) ? { read: whole, row: answer.row, quantity: measureOf(whole) } : null
    const warnings = whole.parsed.ok ? whole.parsed.warnings : []
    const notes = [...(held.recalled === null ? [] : [held.recalled]), ...held.says, ...warnings]
    return {
      ...right(merged ? `两个条码已合并：${answer.sentence}` : answer.sentence),
      ...(notes.length > 0 ? { notes } : {}),
    }
  }
  if (merged?.instead) putBack(state, merged.instead)
  return wrong(answer.msg)
}

type Held = { readonly recalled: string | null; readonly says: readonly string[] }

/** What the organisation must know of the lot before its goods move: it is recalled, stopped, frozen or expired. */
function heldOf(read: Scanned): Held {
  const { lotNo, isLot, expiry } = factsOf(read)
  const lots = (read.held_lots ?? []).filter(
    ({ specification_sn, lot_no }) => specification_sn === read.specification?.specification_sn && isLot(lot_no),
  )
  const recall = read.recall?.recall_sn ?? lots.flatMap(({ recall_sn }) => recall_sn ?? [])[0] ?? null
  const freezes = (read.freezes ?? []).map(({ reason }) => reason)
  const expired = expiry !== null && expiry < today() ? expiry : lots.flatMap(({ expired_on }) => expired_on ?? [])[0]
  const lot = `批号${lotNo ?? ''}`
  return {
    recalled: recall === null ? null : `${lot}已召回（${recall}）`,
    says: [
      ...(lots.some(({ stopped }) => stopped) ? [`${lot}已停售`] : []),
      ...new Set([...freezes, ...lots.flatMap(each => each.freezes)].map(reason => `${lot}已冻结：${reason}`)),
      ...(expired === undefined ? [] : [`${lot}已过期（${expired}）`]),
    ],
  }
}

/** The goods of one symbol with the lot of the other. */
const withLot = (goods: Scanned, other: Scanned, parsed: Scanned['parsed']): Scanned => ({
  ...goods,
  parsed,
  lot: null,
  lot_nos: parsed.ok && parsed.candidates !== undefined ? null : (other.lot_nos ?? null),
  recall: other.recall ?? goods.recall ?? null,
  freezes: other.freezes ?? [],
  held_lots: other.held_lots ?? [],
})

type Merged = {
  readonly read: Scanned
  /** The row that the first symbol was counted as. */
  readonly instead: Open | null
  readonly goods: Scanned
  /** The code of the symbol with the lot. */
  readonly second: string
}

/** The two symbols of one label, in either order. */
function withOther(state: State, read: Scanned, code: string): null | 'half' | { readonly msg: string } | Merged {
  const { half, open } = state
  const merge = (goods: Scanned, other: Scanned, instead: Open | null, second: string) => {
    const parsed = mergeScans(goods.parsed, other.parsed)
    return parsed.ok ? { read: withLot(goods, other, parsed), instead, goods, second } : { msg: parsed.message }
  }
  if (isHalf(read)) {
    if (open !== null) return merge(open.read, read, open, code)
    state.half = { read, code }
    return 'half'
  }
  state.half = null
  if (half !== null && lacksLot(read)) return merge(read, half.read, null, half.code)
  if (open !== null && read.parsed.ok && read.parsed.kind === 'inhouse' && !read.unit) {
    // "10…" without a prefix: after a product code it is the second half of the label.
    const merged = merge(open.read, read, open, code)
    if (!('msg' in merged)) return merged
  }
  return null
}

const changeRow = (state: State, at: number, by: Decimal, sign: 1 | -1): void => {
  const row = state.rows[at]
  if (row)
    state.rows[at] = {
      ...row,
      quantity: sign === 1 ? add(row.quantity, by, PLACES) : subtract(row.quantity, by, PLACES),
    }
}
const takeBack = (state: State, open: Open): void => changeRow(state, open.row, open.quantity, -1)
const putBack = (state: State, open: Open): void => changeRow(state, open.row, open.quantity, 1)

type Placed = { readonly row: number; readonly sentence: string } | { readonly msg: string }

function place(state: State, expected: readonly Expected[], read: Scanned, rules: Rules): Placed {
  const facts = factsOf(read)
  const specification = String(read.specification?.specification_sn)
  const quantity = measureOf(read)
  const alike = expected.filter(line => line.specification_sn === specification)
  const fitting = alike.filter(
    line =>
      facts.isLot(line.lot_no) &&
      (!rules.isList || facts.piece === null || line.codes.length === 0 || line.codes.includes(facts.piece)),
  )
  if (!rules.isList && facts.piece !== null && expected.some(each => each.codes.includes(facts.piece!)))
    return { msg: `该条码已扫描：${shortOf(facts.piece)}` }
  if (rules.isList && fitting.length === 0 && !rules.beyond)
    return {
      msg:
        alike.length === 0
          ? `该条码不在本次清单内：${nameOf(read.specification ?? {})}`
          : facts.piece !== null && alike.some(line => line.codes.length > 0)
            ? `院内码${facts.piece}不在本次清单内`
            : `批号${facts.lotNo ?? ''}不在本次清单内`,
    }
  const scannedOf = (at: number) =>
    state.rows.filter(row => row.at === at).reduce<Decimal>((sum, row) => add(sum, row.quantity, PLACES), '0')
  const here = state.place === null ? fitting : nearest(fitting, state.place, rules)
  const room = (line: Expected) => compare(add(scannedOf(line.at), quantity, PLACES), line.quantity) <= 0
  const line = here.find(room) ?? (rules.isList && !rules.beyond ? undefined : here[0])
  if (rules.isList && !rules.beyond && line === undefined) {
    const full = fitting[0]!
    return { msg: `${full.name}应扫${plain(full.quantity)}${full.unit}，已达应收数量，多出部分请另行登记` }
  }
  const at = line?.at ?? null
  const lot = line?.lot_no ?? facts.lotNo
  const row = rowFor(state, { at, specification, lot, location: state.place }, read, line)
  changeRow(state, row, quantity, 1)
  if (facts.piece !== null) {
    const before = state.rows[row]!
    state.rows[row] = { ...before, codes: [...before.codes, facts.piece] }
  }
  const now = state.rows[row]!
  const of = rules.isList && line && isPositive(line.quantity) ? `/${plain(line.quantity)}` : ''
  const counted = plain(line ? scannedOf(line.at) : now.quantity)
  return { row, sentence: `${now.name}${lot === null ? '' : ` 批号${lot}`}　${counted}${of}${now.unit}` }
}

/** Lines of the location first; without a list, goods at another location are a separate line. */
function nearest(lines: readonly Expected[], place: string, rules: Rules): readonly Expected[] {
  const there = lines.filter(line => line.location === place)
  if (!rules.isList) return there
  return [...there, ...lines.filter(line => line.location !== place)]
}

/** The row for a lot of a line, created on first use. */
function rowFor(
  state: State,
  {
    at,
    specification,
    lot,
    location,
  }: { at: number | null; specification: string; lot: string | null; location: string | null },
  read: Scanned,
  line: Expected | undefined,
): number {
  const found = state.rows.findIndex(
    row =>
      row.at === at &&
      row.specification_sn === specification &&
      row.lot_no === lot &&
      (row.location ?? null) === location,
  )
  if (found !== -1) return found
  const facts = factsOf(read)
  state.rows.push({
    at,
    specification_sn: specification,
    name: line?.name ?? nameOf(read.specification ?? {}),
    unit: line?.unit ?? String(read.specification?.unit_name ?? ''),
    lot_no: lot,
    production_date: facts.production,
    expiry_date: facts.expiry ?? line?.expiry_date ?? null,
    codes: [],
    quantity: '0',
    ...(location === null ? {} : { location }),
  })
  return state.rows.length - 1
}
