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
  type NumberCode,
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

/** A sheet with the changes of the chosen template. */
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
  /** Facts and totals that its reader may not see. */
  readonly leaves?: readonly string[]
  readonly closings: readonly ClosingName[]
  readonly hasCapitals: boolean
  readonly carrier: NumberCode
  /** Values are stacked in columns. */
  readonly isStacked: boolean
  /** The template sets column widths in millimetres. */
  readonly areGiven: boolean
  readonly margins: Margins
  /** Width of the number column, in the unit of the other shares. */
  readonly numberShare: number
  readonly typeface: string | null
  /** In points; null: depends on the number of columns. */
  readonly typeSize: number | null
  /** The organisation's logo, by file name. */
  readonly logo: string | null
}

/** The printer's own font names. */
const families: Readonly<Record<string, string>> = {
  song: '"Noto Serif CJK SC", "Songti SC", SimSun, serif',
  hei: '"Noto Sans CJK SC", "PingFang SC", SimHei, sans-serif',
  kai: 'KaiTi, "Kaiti SC", STKaiti, "AR PL UKai CN", serif',
  fang: 'FangSong, STFangsong, "Fangsong SC", serif',
}
const NUMBER_SHARE = 4

const MONEY = new Set<PrintColumn['as']>(['price', 'amount'])

/** `knowsPrices`: without it no money is printed. `kind`: the kind of the document. */
export function layoutOf(
  sheet: PrintSheet,
  template: PrintTemplate | null,
  knowsPrices: boolean,
  copy: PrintCopy | null = null,
  kind = '',
): Layout {
  if (copy !== null) return layoutOfCopy(sheet, copy)
  const offered = sheet.papers.find(({ paper }) => paper === template?.paper) ?? sheet.papers[0]!
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

/** A copy is as its sheet defines it; templates are for the document itself. */
const layoutOfCopy = (sheet: PrintSheet, copy: PrintCopy): Layout => ({
  ...layoutOf(sheet, null, false),
  isStacked: sheet.stacks?.includes(copy.paper) === true,
  paper: copy.paper,
  lines: sheet.papers.find(({ paper }) => paper === copy.paper)?.lines ?? sheet.papers[0]!.lines,
  title: `${sheet.title}（${copy.label}）`,
  columns: copy.columns,
  head: sheet.header.filter(([, name]) => copy.leaves?.includes(name) !== true),
  leaves: copy.leaves ?? [],
  sortBy: copy.sortBy,
})

/**
 * Heights as rendered by the browser, in one unit: a page's space for rows, each row, and what the last page needs
 * besides.
 */
export type Heights = { readonly room: number; readonly rows: readonly number[]; readonly closing: number }

/**
 * Splits lines into pages: as many as fit, up to the maximum; totals and signatures come below the last line, which
 * moves to a new page with them if there is no space. Lines of a group stay together if they fit on one page. A
 * document without lines still has one page.
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
  // No signature page without goods: the last line moves with the totals if another stays.
  const last = pages.at(-1)!
  if (filled + closing > room && last.length > 0) pages.push(last.length > 1 ? last.splice(-1) : [])
  return pages
}

/** The number of lines of the group that starts here; 0: none starts here. */
function groupAt<Line>(lines: readonly Line[], at: number, groupOf: (line: Line) => unknown): number {
  const group = groupOf(lines[at]!)
  if (group === null || group === undefined || (at > 0 && groupOf(lines[at - 1]!) === group)) return 0
  const rest = lines.slice(at).findIndex(line => groupOf(line) !== group)
  return rest === -1 ? lines.length - at : rest
}

/**
 * A part of a flowing text: its height, whether it stays with the next, and whether it needs the table titles above
 * it.
 */
export type Block = { readonly height: number; readonly keeps?: boolean; readonly inTable?: boolean }

/**
 * Splits a flowing text into pages: as many parts as fit, never a heading alone at the bottom; a page starting
 * inside the table repeats its titles. A part higher than a page gets its own.
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
    // A group higher than a page is split at the page end.
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

/** The height of everything that must stay with a part, followed transitively. */
function keptWith(blocks: readonly Block[], at: number, heightAt: (at: number, first: boolean) => number): number {
  let height = 0
  for (let next = at; blocks[next]?.keeps && next + 1 < blocks.length; next++) height += heightAt(next + 1, false)
  return height
}

/** Lines in the order of the sheet; equal ones keep the order of the document. */
export function inOrder(lines: readonly Row[], sortBy: string | undefined, lastFirst = false): readonly Row[] {
  if (sortBy === undefined) return lines
  const compared = (a: Row, b: Row) =>
    String(a[sortBy] ?? '').localeCompare(String(b[sortBy] ?? ''), 'zh', { numeric: lastFirst })
  return lines.toSorted((a, b) => (lastFirst ? compared(b, a) : compared(a, b)))
}

/** The columns with a value in at least one line, where empty columns may be omitted. */
export const saidColumns = (columns: readonly PrintColumn[], lines: readonly Row[]): readonly PrintColumn[] =>
  columns.filter(({ optional, name }) => optional !== true || lines.some(line => (line[name] ?? '') !== ''))

/** The sum of a column over some lines. */
export const sumOf = (lines: readonly Row[], name: string, places: number): Decimal =>
  lines.reduce<Decimal>((sum, line) => add(sum, String(line[name] ?? '0'), places), '0')

/** Merges lines that are equal in everything printed except the summed figures, in order of first appearance. */
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
/** The seal, on a document in effect. */
export const sealOf = ({ seal }: PrintSheet, { state }: Row): string | null =>
  seal === undefined || unsealed.has(state) ? null : seal

/** A trial print is marked as such. */
export const TRIAL = '试打印'

/** The watermark of a document that is not (or no longer) valid. */
export function watermarkOf({ state, red_of_sn }: Row, marks: PrintSheet['marks'] = {}): string | null {
  const own = marks[String(state)]
  if (own !== undefined) return own
  if (state === 'draft' || state === 'rejected') return '草稿'
  if (state === 'submitted') return '未审核'
  if (state === 'cancelled') return '已作废'
  return state === 'reversed' && !red_of_sn ? '已红冲' : null
}

export const sizeOf = (paper: PageFormat) => formats[paper]

/** Margin, font and size of a page, as its element needs them. */
export const pageStyle = ({
  paper,
  margins,
  typeface,
  typeSize,
}: Pick<Layout, 'paper' | 'margins' | 'typeface' | 'typeSize'>) => ({
  page: paper,
  padding: `${margins.top}mm ${margins.right}mm ${margins.bottom}mm ${margins.left}mm`,
  ...(typeface === null ? {} : { fontFamily: typeface }),
  ...(typeSize === null ? {} : { fontSize: `${typeSize}pt` }),
})

/** A document's title: from its template, the printed name, the name once in effect, or its kind; a red one says so. */
export function titleOf(sheet: PrintSheet, ofTemplate: string | null, info: Row): string {
  const result = sealOf({ ...sheet, seal: sheet.result ?? '' }, info) || null
  // A printed name can differ from the document's: an enquiry with opened answers is a comparison.
  const own = info.sheet_title ? String(info.sheet_title) : null
  const plain = ofTemplate ?? own ?? result ?? sheet.kinds[String(info.kind ?? '')] ?? String(info.title)
  if (!info.red || plain.startsWith('红冲')) return plain
  return ofTemplate === null ? (sheet.redTitle ?? `红冲${plain}`) : `红冲${plain}`
}

/** The signature labels: two inspectors where the goods require it, and the seal only on documents in effect. */
export function signaturesOf(sheet: PrintSheet, names: readonly string[], info: Row): readonly string[] {
  const { doubled } = sheet
  const lines = (info.lines ?? []) as readonly Row[]
  const isDouble = doubled !== undefined && lines.some(line => line.needs_two === true)
  const all = names.flatMap(name =>
    isDouble && name === doubled.after && !names.includes(doubled.also) ? [name, doubled.also] : [name],
  )
  return sealOf(sheet, info) === null ? all.map(name => name.replace(`(${sheet.seal ?? ''}位置)`, '')) : all
}

/**
 * Minimum and maximum height of an empty row: lower cannot be written into, higher is no longer a row. In browser
 * units.
 */
const LEAST_BLANK = 15
const MOST_BLANK = 30

/** Empty rows below the last line that fill the page: as many as the page has lines, as high as space allows. */
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
