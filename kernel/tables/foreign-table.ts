/**
 * Tables that other programs write, whose headings nobody knows beforehand: what is wanted of them, where it is found,
 * and what a person said of it where it was not.
 */

/** A column that is wanted of a foreign table. */
export type WantedColumn = {
  readonly label: string
  readonly hint?: string
  /** A cell of it. */
  readonly example: string
  readonly required?: true
  /** So many columns together may be it: day and time, or one of each probe. One where it is not said. */
  readonly most?: number
  /** Its places among titles that nobody mapped; none: it is not there. */
  readonly find: (titles: readonly string[]) => readonly number[]
  /** The unit of its figures: the user who maps it chooses one, unless the column `unless` has it. */
  readonly unit?: {
    readonly label: string
    readonly choices: Readonly<Record<string, string>>
    readonly unless?: string
  }
}

export type ForeignTable<Name extends string = string> = {
  /** Unique among foreign tables; the mappings of an organisation are kept under it. */
  readonly kind: string
  /** The name of such a file, in Chinese. */
  readonly title: string
  /** The advice where to get it: `请使用…`. */
  readonly origin: string
  readonly columns: Readonly<Record<Name, WantedColumn>>
  /** Headings are within the first rows, up to this number. */
  readonly deepest: number
  /** Letters of the longest cell that may be a heading by itself. */
  readonly longest: number
  /** A heading without what changes from file to file. */
  readonly titleOf?: (heading: string) => string
  /** Files that people take for this one, by their titles. */
  readonly resembles?: readonly { readonly title: string; readonly is: (titles: readonly string[]) => boolean }[]
}

/**
 * A user's mapping of files with these headings: the heading of each wanted column, and units. A file without headings
 * has the places of its columns instead (`placesOf`).
 */
export type ColumnMapping = {
  readonly headings: readonly string[]
  readonly picks: Readonly<Record<string, readonly string[]>>
  readonly units: Readonly<Record<string, string>>
}

export type Rows = readonly (readonly string[])[]

/** The places of the wanted columns in a file. */
export type FoundColumns<Name extends string = string> = {
  /** The row of headings; `NO_HEADINGS` where the first row is data. */
  readonly row: number
  readonly titles: readonly string[]
  readonly at: Readonly<Record<Name, readonly number[]>>
  readonly units: Readonly<Record<string, string>>
  /** The place in the list of the mapping that says it; null: found by the titles. */
  readonly mapping: number | null
}

/** Columns of a foreign table that are looked at. */
export const MOST_HEADINGS = 100
const LONGEST_HEADING = 200
/** The row of headings of a file that has none. */
export const NO_HEADINGS = -1

export const defineForeignTable = <Name extends string>(table: ForeignTable<Name>): ForeignTable<Name> => table

/**
 * The headings of a row as people choose among them: each once, `温度 (2)` for the second of a name, `第3列` where a
 * column has none.
 */
export function headingsOf(table: ForeignTable, cells: readonly string[]): readonly string[] {
  const seen = new Map<string, number>()
  return cells.slice(0, MOST_HEADINGS).map((cell, at) => {
    const title = (table.titleOf?.(cell) ?? cell).replace(/\s+/g, ' ').trim().slice(0, LONGEST_HEADING)
    const name = title === '' ? placeName(at) : title
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  })
}

const placeName = (at: number): string => `第${at + 1}列`

/** The columns of a file without headings, by their places: as many as its widest row has. */
export function placesOf(rows: Rows): readonly string[] {
  const widths = rows.map(cells => cells.findLastIndex(cell => cell.trim() !== '') + 1)
  const width = Math.min(MOST_HEADINGS, Math.max(0, ...widths))
  return Array.from({ length: width }, (_each, at) => placeName(at))
}

/** True if a mapping names columns by their places. */
export const isByPlace = ({ headings }: Pick<ColumnMapping, 'headings'>): boolean =>
  headings.length > 0 && headings.every((heading, at) => heading === placeName(at))

/** Headings as they are compared: a set, in which case, width and blanks make no difference. */
export const headingsKey = (headings: readonly string[]): string =>
  JSON.stringify(headings.map(each => each.normalize('NFKC').replaceAll(/\s/g, '').toLowerCase()).toSorted())

const namesOf = <Name extends string>(table: ForeignTable<Name>) =>
  Object.entries<WantedColumn>(table.columns) as [Name, WantedColumn][]
const places = <Name extends string>(
  table: ForeignTable<Name>,
  of: (name: Name, column: WantedColumn) => readonly number[],
) =>
  Object.fromEntries(namesOf(table).map(([name, column]) => [name, of(name, column)])) as unknown as Readonly<
    Record<Name, readonly number[]>
  >

/** Required columns that are not among those found, by their labels. */
const missing = (table: ForeignTable, at: Readonly<Record<string, readonly number[]>>): readonly string[] =>
  namesOf(table).flatMap(([name, { label, required }]) => (required && (at[name] ?? []).length === 0 ? [label] : []))

function byTitles<Name extends string>(table: ForeignTable<Name>, row: number, cells: readonly string[]) {
  const titles = cells.map(cell => (cell.length <= table.longest ? (table.titleOf?.(cell) ?? cell).trim() : ''))
  // Somebody has to say that it is none of those.
  if ((table.resembles ?? []).some(({ is }) => is(titles))) return null
  const at = places(table, (_name, column) => column.find(titles).slice(0, column.most ?? 1))
  // A title that names two of them (批量转账状态及金额) is a heading of neither.
  const required = namesOf(table).flatMap(([name, column]) => (column.required ? at[name].slice(0, 1) : []))
  const isClear = new Set(required).size === required.length && missing(table, at).length === 0
  return isClear ? { row, titles, at, units: {}, mapping: null } : null
}

function byMapping<Name extends string>(
  table: ForeignTable<Name>,
  row: number,
  cells: readonly string[],
  mappings: ReadonlyMap<string, number>,
  given: readonly ColumnMapping[],
): FoundColumns<Name> | null {
  const headings = headingsOf(table, cells)
  const mapping = mappings.get(headingsKey(headings))
  if (mapping === undefined || isByPlace(given[mapping]!)) return null
  return asMapped(table, row, headings, given, mapping)
}

/** The first row in which each required column has what its example has: figures, where it has figures. */
const isDataRow = (table: ForeignTable, cells: readonly string[], found: FoundColumns): boolean =>
  namesOf(table).every(
    ([name, { required, example }]) =>
      !required || !/\d/.test(example) || (found.at[name] ?? []).every(at => /\d/.test(cells[at] ?? '')),
  )

/** A file without headings, as somebody mapped files with as many columns; one whose rows have no such data is not. */
function byPlaces<Name extends string>(
  table: ForeignTable<Name>,
  top: Rows,
  mappings: ReadonlyMap<string, number>,
  given: readonly ColumnMapping[],
): FoundColumns<Name> | null {
  const places = placesOf(top)
  const mapping = mappings.get(headingsKey(places))
  if (mapping === undefined || !isByPlace(given[mapping]!)) return null
  const found = asMapped(table, NO_HEADINGS, places, given, mapping)
  const full = top.find(cells => placesOf([cells]).length === places.length)
  return full !== undefined && isDataRow(table, full, found) ? found : null
}

function asMapped<Name extends string>(
  table: ForeignTable<Name>,
  row: number,
  headings: readonly string[],
  given: readonly ColumnMapping[],
  mapping: number,
): FoundColumns<Name> {
  const { picks, units } = given[mapping]!
  const byHeading = new Map(headings.map((heading, at) => [headingsKey([heading]), at]))
  const at = places(table, name => (picks[name] ?? []).flatMap(pick => byHeading.get(headingsKey([pick])) ?? []))
  return { row, titles: headings, at, units, mapping }
}

/**
 * Finds the wanted columns: by the first mapping of these headings, else by titles, else by the places of a file
 * without headings. Null: they are unknown.
 */
export function findColumns<Name extends string>(
  table: ForeignTable<Name>,
  rows: Rows,
  mappings: readonly ColumnMapping[] = [],
): FoundColumns<Name> | null {
  const known = new Map(mappings.map(({ headings }, at) => [headingsKey(headings), at] as const).toReversed())
  const top = rows.slice(0, table.deepest)
  for (const [row, cells] of known.size === 0 ? [] : top.entries()) {
    const found = byMapping(table, row, cells, known, mappings)
    if (found) return found
  }
  for (const [row, cells] of top.entries()) {
    const found = byTitles(table, row, cells)
    if (found) return found
  }
  return byPlaces(table, top, known, mappings)
}

/** A cell that names something: it has letters, and is no moment, number or state of a row. */
const isName = (cell: string): boolean => /\p{L}/u.test(cell) && !/\d{2}/.test(cell) && cell.trim().length <= 40

/**
 * The row that is most like headings: the one with the most names, with at least two of them above cells that are no
 * names; of equal ones the upper. `NO_HEADINGS` where there are data and no names above them.
 */
export function likelyHeadings(table: ForeignTable, rows: Rows): number {
  const top = rows.slice(0, table.deepest)
  const isData = (cell: string | undefined) => cell !== undefined && cell.trim() !== '' && !isName(cell)
  const namesOver = (cells: readonly string[], below: readonly string[] = []) =>
    cells.filter((cell, at) => isName(cell) && isData(below[at])).length
  const above = top.map((cells, row) => namesOver(cells, rows[row + 1]) > 1)
  const hasData = top.some(cells => cells.filter(isData).length > 1)
  if (hasData && !above.includes(true)) return NO_HEADINGS
  const names = top.map((cells, row) => (hasData && !above[row] ? 0 : cells.filter(isName).length))
  return Math.max(0, names.indexOf(Math.max(0, ...names)))
}

/** The columns that the titles of a row suggest, as far as they are clear. */
export const suggestedPicks = (table: ForeignTable, headings: readonly string[]): ColumnMapping['picks'] =>
  Object.fromEntries(
    namesOf(table).map(([name, column]) => [
      name,
      column
        .find(headings)
        .slice(0, column.most ?? 1)
        .map(at => headings[at]!),
    ]),
  )

/** A question to a person: which columns of a file are the wanted ones. */
export type AskedColumns = {
  readonly kind: string
  readonly title: string
  readonly file: string
  readonly wanted: readonly (Pick<WantedColumn, 'label' | 'hint' | 'example' | 'unit'> & {
    readonly name: string
    readonly required: boolean
    readonly most: number
  })[]
  /** The first rows of the file. */
  readonly rows: Rows
  /** Each of these rows as headings. */
  readonly headings: readonly (readonly string[])[]
  /** Its columns by their places, where it has no headings. */
  readonly places: readonly string[]
  /** The row that is most like headings (`NO_HEADINGS` where no row is), and the columns that its titles suggest. */
  readonly row: number
  readonly picks: ColumnMapping['picks']
  /** The first rows as they will be read with what was chosen; null: nothing was chosen yet. */
  readonly preview: ReadPreview | null
}

/** The beginning of a file as it was read: rows for people, what is said of all of it, or why it cannot be read. */
export type ReadPreview = {
  readonly headings: readonly string[]
  readonly rows: Rows
  readonly said: string
  readonly refused: string | null
}

/** The wanted columns, as the dialog asks for them. */
export const wantedOf = (table: ForeignTable): AskedColumns['wanted'] =>
  namesOf(table).map(([name, { label, hint, example, unit, required, most }]) => ({
    name,
    label,
    example,
    ...(hint === undefined ? {} : { hint }),
    ...(unit === undefined ? {} : { unit }),
    required: required === true,
    most: most ?? 1,
  }))

/** Why a mapping cannot be used, in words; null: it can. The dialog in the browser shows the same words. */
export function wrongMapping(wanted: AskedColumns['wanted'], { headings, picks, units }: ColumnMapping): string | null {
  const stray = Object.keys({ ...picks, ...units }).find(name => !wanted.some(each => each.name === name))
  if (stray !== undefined) return `没有“${stray.slice(0, 40)}”这一列`
  for (const { name, label, required, most, unit } of wanted) {
    const picked = picks[name] ?? []
    if (required && picked.length === 0) return `请选择${label}所在的列`
    if (picked.length > most) return `${label}最多选择${most}列`
    const gone = picked.find(heading => !headings.includes(heading))
    if (gone !== undefined) return `文件中没有【${gone.slice(0, 40)}】列，请重新选择${label}`
    if (unit === undefined || picked.length === 0) continue
    const isSaid = unit.unless !== undefined && (picks[unit.unless] ?? []).length > 0
    if (units[name] === undefined ? !isSaid : !Object.hasOwn(unit.choices, units[name])) return `请选择${unit.label}`
  }
  return null
}
