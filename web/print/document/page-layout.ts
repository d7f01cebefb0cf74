import { add, type Decimal } from '#kernel/values/decimal.ts'
import {
  arranged,
  closingsOf,
  headOf,
  marginsOf,
  namedColumns,
  NUMBER_WIDTH,
  roomForColumns,
} from '#kernel/print/print-layout.ts'
import {
  type RunningExport,
  type ClosingName,
  type HeadFact,
  type Margins,
  formats,
  type PageFormat,
  type PrintColumn,
  type PrintCopy,
  type PrintSheet,
  type PrintTemplate,
  typeSizes,
  wordsOf,
} from '#kernel/print/print-definition.ts'
import type { Row } from '#web/fields/field-renderer.ts'

/** A sheet with what the chosen template changes of it. */
export type Layout = {
  readonly paper: PageFormat
  readonly lines: number
  readonly title: string | null
  readonly columns: readonly PrintColumn[]
  readonly signatures: readonly string[]
  readonly note: string | null
  readonly sortBy?: string | undefined
  readonly lastFirst?: boolean
  readonly head: readonly HeadFact[]
  readonly closings: readonly ClosingName[]
  readonly hasCapitals: boolean
  readonly carrier: RunningExport
  /** Columns stand one under another. */
  readonly isStacked: boolean
  /** The template gives columns in millimetres. */
  readonly areGiven: boolean
  readonly margins: Margins
  /** How wide the column of numbers is, in the measure of the other shares. */
  readonly numberShare: number
  readonly typeface: string | null
  /** In points; null: as the number of columns wants it. */
  readonly typeSize: number | null
  /** The picture of the house, by its name in the store. */
  readonly logo: string | null
}

/** What a printing machine's own fonts are called. */
const families: Readonly<Record<string, string>> = {
  song: '"Noto Serif CJK SC", "Songti SC", SimSun, serif',
  hei: '"Noto Sans CJK SC", "PingFang SC", SimHei, sans-serif',
  kai: 'KaiTi, "Kaiti SC", STKaiti, "AR PL UKai CN", serif',
  fang: 'FangSong, STFangsong, "Fangsong SC", serif',
}
const NUMBER_SHARE = 4

const MONEY = new Set<PrintColumn['as']>(['price', 'amount'])

/** `knowsPrices`: without it nothing of money is printed. `kind`: whose paper it is. */
export function layoutOf(
  sheet: PrintSheet,
  template: PrintTemplate | null,
  knowsPrices: boolean,
  copy: PrintCopy | null = null,
  kind = '',
): Layout {
  if (copy !== null) return layoutOfCopy(sheet, copy)
  const offered = sheet.papers.find(({ paper: doc }) => doc === template?.paper) ?? sheet.papers[0]!
  const named = namedColumns(template?.column_layout)
  const margins = marginsOf(sheet, template)
  const signatures = wordsOf(template?.signatures ?? null)
  const leaves = sheet.indoors?.kinds.includes(kind) ? sheet.indoors.leaves : []
  const areGiven = named.some(({ width }) => width !== null)
  const isStacked = sheet.stacks?.includes(offered.paper) === true
  return {
    paper: offered.paper,
    lines: template?.lines_per_page ?? offered.lines,
    title: template?.title ?? null,
    columns: arranged(sheet.columns, named, roomForColumns(offered.paper, margins)).filter(
      ({ name, as }) => !leaves.includes(name) && (knowsPrices || !MONEY.has(as)),
    ),
    signatures: signatures.length > 0 ? signatures : sheet.signatures,
    note: template?.note ?? null,
    sortBy: sheet.sortBy,
    lastFirst: sheet.lastFirst === true,
    head: headOf(sheet, template?.head_layout),
    closings: closingsOf(sheet, template?.total_items),
    hasCapitals: template?.has_capitals !== false,
    carrier: template?.carrier ?? sheet.carrier,
    isStacked,
    areGiven,
    margins,
    numberShare: areGiven || isStacked ? NUMBER_WIDTH : NUMBER_SHARE,
    typeface: families[template?.typeface ?? ''] ?? null,
    typeSize: template?.type_size ? typeSizes[template.type_size].points : null,
    logo: template?.logo?.[0] ?? null,
  }
}

/** A copy is as its sheet says it; templates are for the paper itself. */
const layoutOfCopy = (sheet: PrintSheet, copy: PrintCopy): Layout => ({
  ...layoutOf(sheet, null, false),
  isStacked: sheet.stacks?.includes(copy.paper) === true,
  paper: copy.paper,
  lines: sheet.papers.find(({ paper: doc }) => doc === copy.paper)?.lines ?? sheet.papers[0]!.lines,
  title: `${sheet.title}（${copy.label}）`,
  columns: copy.columns,
  sortBy: copy.sortBy,
})

/** Heights as the browser draws them, in one unit: what a page has for its rows, each row, and what the last page needs besides. */
export type Heights = { readonly room: number; readonly rows: readonly number[]; readonly closing: number }

/**
 * Which lines stand on which page: as many as fit, at most so many; totals and signatures stand below the last of them, which begins a
 * page with them when there is no room. Lines of a group stay together where they fit on one page. A paper without lines still has its page.
 */
export function pagesOf<Line>(
  lines: readonly Line[],
  most: number,
  { room, rows, closing }: Heights,
  groupOf: (line: Line) => unknown = () => null,
  newPages = false,
): readonly (readonly Line[])[] {
  const pages: Line[][] = [[]]
  let filled = 0
  lines.forEach((line, at) => {
    const height = rows[at] ?? 0
    const page = pages.at(-1)!
    const group = groupAt(lines, at, groupOf)
    const groupHeight = group === 0 ? 0 : rows.slice(at, at + group).reduce((sum, each) => sum + each, 0)
    const fitsOnOne = group <= most && groupHeight <= room
    const parted = group > 0 && (newPages || (fitsOnOne && (page.length + group > most || filled + groupHeight > room)))
    if (page.length > 0 && (parted || page.length >= most || filled + height > room)) {
      pages.push([line])
      filled = height
    } else {
      page.push(line)
      filled += height
    }
  })
  // Nobody signs a page without goods: the last line goes with the totals where another stays.
  const last = pages.at(-1)!
  if (filled + closing > room && last.length > 0) pages.push(last.length > 1 ? last.splice(-1) : [])
  return pages
}

/** How many lines the group has that begins here; 0: none begins here. */
function groupAt<Line>(lines: readonly Line[], at: number, groupOf: (line: Line) => unknown): number {
  const group = groupOf(lines[at]!)
  if (group === null || group === undefined || (at > 0 && groupOf(lines[at - 1]!) === group)) return 0
  const rest = lines.slice(at).findIndex(line => groupOf(line) !== group)
  return rest === -1 ? lines.length - at : rest
}

/** A part of a text that flows over pages: how high it is, whether it stays with what follows, and whether it needs the titles of the table above it. */
export type Block = { readonly height: number; readonly keeps?: boolean; readonly inTable?: boolean }

/**
 * Which parts stand on which page of a text that flows: as many as fit, a heading never alone at the foot; where a page begins inside
 * the table its titles are repeated. What is higher than a page stands on one of its own.
 */
export function flow(blocks: readonly Block[], room: number, titles: number): readonly (readonly number[])[] {
  const pages: number[][] = [[]]
  let filled = 0
  const heightAt = (at: number, first: boolean) =>
    blocks[at]!.height + (blocks[at]!.inTable && (first || !blocks[at - 1]?.inTable) ? titles : 0)
  blocks.forEach((block, at) => {
    const page = pages.at(-1)!
    const here = heightAt(at, page.length === 0)
    const kept = keptWith(blocks, at, heightAt)
    // What hangs together and is higher than a page is parted where the page ends.
    if (page.length > 0 && filled + here + (here + kept > room ? 0 : kept) > room) {
      pages.push([at])
      filled = heightAt(at, true)
    } else {
      page.push(at)
      filled += here
    }
  })
  return pages
}

/** How high that is which stays with a part: what follows it, and what that stays with in turn. */
function keptWith(blocks: readonly Block[], at: number, heightAt: (at: number, first: boolean) => number): number {
  let height = 0
  for (let next = at; blocks[next]?.keeps && next + 1 < blocks.length; next++) height += heightAt(next + 1, false)
  return height
}

/** Lines in the order in which the sheet wants them; those that agree keep the order of the paper. */
export function inOrder(lines: readonly Row[], sortBy: string | undefined, lastFirst = false): readonly Row[] {
  if (sortBy === undefined) return lines
  const compared = (a: Row, b: Row) =>
    String(a[sortBy] ?? '').localeCompare(String(b[sortBy] ?? ''), 'zh', { numeric: lastFirst })
  return lines.toSorted((a, b) => (lastFirst ? compared(b, a) : compared(a, b)))
}

/** The columns of which some line of the paper says something, where a column may be left out. */
export const saidColumns = (columns: readonly PrintColumn[], lines: readonly Row[]): readonly PrintColumn[] =>
  columns.filter(({ optional, name }) => optional !== true || lines.some(line => (line[name] ?? '') !== ''))

/** The sum of a column over some lines. */
export const sumOf = (lines: readonly Row[], name: string, places: number): Decimal =>
  lines.reduce<Decimal>((sum, line) => add(sum, String(line[name] ?? '0'), places), '0')

/** Lines that agree in all that is printed of them but their figures to be summed, as one; in the order in which they come first. */
export function mergedLines(columns: readonly PrintColumn[], lines: readonly Row[]): readonly Row[] {
  const summed = columns.filter(({ as }) => as === 'quantity' || as === 'amount')
  const rest = columns.filter(column => !summed.includes(column))
  const alike = Map.groupBy(lines, line => JSON.stringify(rest.map(({ name }) => line[name] ?? null)))
  return [...alike.values()].map(group => ({
    ...group[0],
    ...Object.fromEntries(summed.map(({ name, as }) => [name, sumOf(group, name, as === 'amount' ? 2 : 3)])),
  }))
}

const unsealed: ReadonlySet<unknown> = new Set(['draft', 'submitted', 'rejected', 'cancelled'])
/** The place of the seal, on a paper that is in force. */
export const sealOf = ({ seal }: PrintSheet, { state }: Row): string | null =>
  seal === undefined || unsealed.has(state) ? null : seal

/** What is not a paper but a look at one says so. */
export const TRIAL = '试打印'

/** What is printed across a paper that is not what it looks like. */
export function watermarkOf({ state, red_of_sn }: Row, marks: PrintSheet['marks'] = {}): string | null {
  const own = marks[String(state)]
  if (own !== undefined) return own
  if (state === 'draft' || state === 'rejected') return '草稿'
  if (state === 'submitted') return '未审核'
  if (state === 'cancelled') return '已作废'
  return state === 'reversed' && !red_of_sn ? '已红冲' : null
}

export const sizeOf = (doc: PageFormat) => formats[doc]

/** Edge, typeface and size of a page, as its element wants them. */
export const pageStyle = ({
  paper: doc,
  margins,
  typeface,
  typeSize,
}: Pick<Layout, 'paper' | 'margins' | 'typeface' | 'typeSize'>) => ({
  page: doc,
  padding: `${margins.top}mm ${margins.right}mm ${margins.bottom}mm ${margins.left}mm`,
  ...(typeface === null ? {} : { fontFamily: typeface }),
  ...(typeSize === null ? {} : { fontSize: `${typeSize}pt` }),
})

/** What a paper is called: as its template says, as the house prints it, as it is once in force, as its kind; a red one says so. */
export function titleOf(sheet: PrintSheet, ofTemplate: string | null, info: Row): string {
  const result = sealOf({ ...sheet, seal: sheet.result ?? '' }, info) || null
  // What the house prints may have another name than the paper: an enquiry whose answers are open is a comparison.
  const own = info.sheet_title ? String(info.sheet_title) : null
  const plain = ofTemplate ?? own ?? result ?? sheet.kinds[String(info.kind ?? '')] ?? String(info.title)
  if (!info.red || plain.startsWith('红冲')) return plain
  return ofTemplate === null ? (sheet.redTitle ?? `红冲${plain}`) : `红冲${plain}`
}

/** The names of those who sign: two inspectors where the goods want it, and the place of the seal only on what is in force. */
export function signaturesOf(sheet: PrintSheet, names: readonly string[], info: Row): readonly string[] {
  const { doubled } = sheet
  const lines = (info.lines ?? []) as readonly Row[]
  const isDouble = doubled !== undefined && lines.some(line => line.needs_two === true)
  const all = names.flatMap(name =>
    isDouble && name === doubled.after && !names.includes(doubled.also) ? [name, doubled.also] : [name],
  )
  return sealOf(sheet, info) === null ? all.map(name => name.replace(`(${sheet.seal ?? ''}位置)`, '')) : all
}

/** A row lower than this cannot be written into; higher than this it is no row. In the browser's measure. */
const LEAST_BLANK = 15
const MOST_BLANK = 30

/** Rows without goods below the last line of a paper, so that it is full: as many as the page has lines, as high as there is room. */
export function blanksFor(
  onLast: number,
  most: number,
  lines: readonly unknown[],
  { room, rows, closing }: Heights,
): { readonly count: number; readonly height: number } | null {
  if (onLast === 0 && lines.length > 0) return null
  const filled = rows.slice(lines.length - onLast).reduce((sum, each) => sum + each, 0)
  const left = room - filled - closing
  const count = Math.min(most - onLast, Math.floor(left / LEAST_BLANK))
  return count <= 0 ? null : { count, height: Math.min(MOST_BLANK, Math.floor(left / count)) }
}
