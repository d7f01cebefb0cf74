import { inexact } from '#kernel/values/inexact.ts'
import {
  type ClosingName,
  closings,
  type HeadFact,
  type Margins,
  type PageFormat,
  formats,
  type PrintColumn,
  type PrintSheet,
  type PrintTemplate,
  usualMargins,
  wordsOf,
} from '#kernel/print/print-definition.ts'

/** A column named in a template; its width in millimetres, or null where it takes what is left. */
export type NamedColumn = { readonly label: string; readonly width: number | null; readonly side?: Side | null }

/** The alignment of a column. */
export const sides = { 左: 'left', 中: 'center', 右: 'right' } as const
export type Side = keyof typeof sides

/** The width of the line number column, in millimetres. */
export const NUMBER_WIDTH = 8
/** The minimum readable column width. */
export const LEAST_WIDTH = 5

/** The columns named in a template, in its order. */
export const namedColumns = (text: string | null | undefined): readonly NamedColumn[] =>
  wordsOf(text ?? null).map(word => {
    const [, label = word, width, side] = /^(.*?\S)(?:\s+(\d{1,3}))?(?:\s+(左|中|右))?$/.exec(word) ?? []
    return { label, width: width === undefined ? null : inexact(width), ...(side ? { side: side as Side } : {}) }
  })

/** The inverse of `namedColumns`. */
export const columnsInWords = (columns: readonly NamedColumn[]): string =>
  columns.map(({ label, width, side }) => [label, width, side].filter(word => word ?? false).join(' ')).join('、')

type Edges = Pick<PrintTemplate, 'margin_top' | 'margin_right' | 'margin_bottom' | 'margin_left'>

/** The margins of a sheet under a template. */
export function marginsOf(sheet: Pick<PrintSheet, 'margins'>, template: Edges | null): Margins {
  const own = sheet.margins ?? usualMargins
  return {
    top: template?.margin_top ?? own.top,
    right: template?.margin_right ?? own.right,
    bottom: template?.margin_bottom ?? own.bottom,
    left: template?.margin_left ?? own.left,
  }
}

/** The columns of a sheet where no template specifies them. */
export const usualColumns = ({ columns }: Pick<PrintSheet, 'columns'>): readonly PrintColumn[] =>
  columns.filter(({ onRequest }) => onRequest !== true)

/** The total width available for columns. */
export const roomForColumns = (format: PageFormat, { left, right }: Margins): number =>
  formats[format].width - left - right - NUMBER_WIDTH

/**
 * The columns named in a template, in its order and widths: those without a width share what is left in the sheet's
 * proportions. Where no column has a width, the sheet's proportions apply.
 */
export function arranged(
  columns: readonly PrintColumn[],
  named: readonly NamedColumn[],
  room: number,
): readonly PrintColumn[] {
  if (named.length === 0) return usualColumns({ columns })
  const known = named.flatMap(({ label, width, side }) => {
    const found = columns.find(each => each.label === label)
    return found === undefined ? [] : [{ column: side ? { ...found, side: sides[side] } : found, width }]
  })
  if (known.every(({ width }) => width === null)) return known.map(({ column }) => column)
  const loose = known.filter(({ width }) => width === null)
  const given = known.reduce((sum, { width }) => sum + (width ?? 0), 0)
  const shares = loose.reduce((sum, { column }) => sum + column.share, 0)
  return known.map(({ column, width }) => ({
    ...column,
    share: width ?? (column.share / shares) * Math.max(room - given, loose.length * LEAST_WIDTH),
  }))
}

/** The problem of the columns named in a template, as a message for its author. */
export function columnProblem(sheet: PrintSheet, template: Edges & { paper?: PageFormat | null }, text: string) {
  const named = namedColumns(text)
  const labels = sheet.columns.map(({ label }) => label)
  const unknown = named.find(({ label }) => !labels.includes(label))
  if (unknown) return `没有【${unknown.label}】这一列，可选：${labels.join('、')}`
  const twice = named.find(({ label }, at) => named.findIndex(each => each.label === label) !== at)
  if (twice) return `【${twice.label}】重复`
  const missing = sheet.columns.find(
    ({ name, label }) => sheet.fixed?.columns.includes(name) && !named.some(each => each.label === label),
  )
  if (missing) return `${sheet.fixed!.because}：${missing.label}`
  const narrow = named.find(({ width }) => width !== null && width < LEAST_WIDTH)
  if (narrow) return `【${narrow.label}】的列宽不能小于${LEAST_WIDTH}毫米`
  const room = roomForColumns(template.paper ?? sheet.papers[0]!.paper, marginsOf(sheet, template))
  const asked = named.reduce((sum, { width }) => sum + (width ?? LEAST_WIDTH), 0)
  return named.some(({ width }) => width !== null) && asked > room
    ? `列宽合计超出纸张可打印宽度：合计${asked}毫米，可用${room}毫米（未写宽度的列至少留${LEAST_WIDTH}毫米）`
    : null
}

/** A column as drawn: with the one stacked under it. */
export type DrawnColumn = PrintColumn & { readonly second?: PrintColumn }

/**
 * On paper sizes that stack columns, the columns placed under another printed one; shares are those of such paper
 * unless given in millimetres.
 */
export function stackedColumns(columns: readonly PrintColumn[], areGiven: boolean): readonly DrawnColumn[] {
  const names = new Set(columns.map(({ name }) => name))
  const isUnder = ({ under }: PrintColumn) => under !== undefined && names.has(under)
  return columns
    .filter(column => !isUnder(column))
    .map(column => {
      const second = columns.find(each => each.under === column.name)
      return {
        ...column,
        // A stacked column gives its space to the column above.
        share: areGiven ? column.share + (second?.share ?? 0) : (column.narrow ?? column.share),
        ...(second ? { second } : {}),
      }
    })
}

/** The head facts named in a template, in its order; else all. */
export function headOf({ header }: Pick<PrintSheet, 'header'>, text: string | null | undefined): readonly HeadFact[] {
  const named = wordsOf(text ?? null)
  return named.length === 0 ? header : named.flatMap(label => header.filter(fact => fact[0] === label))
}

/** The label of a sum on a sheet. */
export const closingCalled = ({ amountCalled }: Pick<PrintSheet, 'amountCalled'>, name: ClosingName): string =>
  name === 'amount' && amountCalled !== undefined ? amountCalled : closings[name]

const usualClosings: readonly ClosingName[] = ['page', 'quantity', 'untaxed', 'tax', 'amount']
/** The sums printed under the table: as the template names them, else as the sheet does. */
export function closingsOf(
  sheet: Pick<PrintSheet, 'closings' | 'amountCalled'>,
  text: string | null | undefined,
): readonly ClosingName[] {
  const named = wordsOf(text ?? null)
  const own = sheet.closings ?? usualClosings
  return named.length === 0 ? own : named.flatMap(label => own.filter(name => closingCalled(sheet, name) === label))
}

/** The problem of the words that a template chooses from those of the sheet. */
function chosenProblem(
  sheet: PrintSheet,
  what: string,
  text: string,
  offered: readonly string[],
  fixed: readonly string[],
) {
  const named = wordsOf(text)
  const unknown = named.find(word => !offered.includes(word))
  if (unknown) return `没有【${unknown}】这一项${what}，可选：${offered.join('、')}`
  const twice = named.find((word, at) => named.indexOf(word) !== at)
  if (twice) return `【${twice}】重复`
  const missing = fixed.find(word => !named.includes(word))
  return missing ? `${sheet.fixed!.because}：${missing}` : null
}

/** The problem of the head facts named in a template. */
export const headProblem = (sheet: PrintSheet, text: string): string | null =>
  chosenProblem(
    sheet,
    '页眉',
    text,
    sheet.header.map(([label]) => label),
    sheet.header.filter(([, name]) => sheet.fixed?.header.includes(name)).map(([label]) => label),
  )

/** The problem of the sums named in a template. */
export const closingProblem = (sheet: PrintSheet, text: string): string | null =>
  chosenProblem(
    sheet,
    '合计',
    text,
    closingsOf(sheet, null).map(name => closingCalled(sheet, name)),
    [],
  )

/** The problem of the signatures named in a template: any are allowed, but those that the law requires stay. */
export function signatureProblem(sheet: PrintSheet, text: string): string | null {
  const named = wordsOf(text)
  return chosenProblem(sheet, '签字', text, named, sheet.fixed?.signatures ?? [])
}
