import type { FieldSpec } from '#kernel/definition/field.ts'
import { divide, isDecimal, multiply, plain } from '#kernel/values/decimal.ts'
import { type Day, MONTH, monthEnd } from '#kernel/values/date.ts'
import { narrow, withoutTextMark, writtenFigure as figure } from '#kernel/values/written-figure.ts'
import type { CellNote } from '#server/file-readers/grid.ts'
import type { SheetProblem } from '#server/records/import-failed.ts'
import type { SheetRow } from '#server/sheets/sheet.ts'

/** A day in any usual notation; of a moment, its day. */
const dayOf = (text: string): string =>
  narrow(text)
    .trim()
    .replace(/[ T]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?$/, '')
    .replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')
    .replace(
      /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?$/,
      (_, y, m, d) => `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`,
    )

/** A moment in local time: 2026-01-31 08:30, 2026/1/31 8:30:15; of a day, when it begins. */
function instantOf(text: string): string {
  const [, day, hour = '0', rest = ':00'] =
    /^(\S+)(?:[ T](\d{1,2})(:\d{2}(?::\d{2})?))?$/.exec(narrow(text).trim()) ?? []
  return day === undefined ? text : `${dayOf(day)}T${hour.padStart(2, '0')}${rest}+08:00`
}

/** A month without its day: 2027-06, 2027年6月, 202706. */
function monthOf(text: string): string | null {
  const [, year, month] = /^(\d{4})[-/.年]?(\d{2}|(?<=\D)\d)月?$/.exec(narrow(text).trim()) ?? []
  return year === undefined || month === undefined ? null : `${year}-${month.padStart(2, '0')}`
}

/** The value of a cell with a day: a month where it is shown without its day. */
function dayCell(field: FieldSpec, stored: string, { only, shown }: CellNote): CellRead {
  const text = shown ?? stored
  if (only === 'yearless') return { msg: `没有写年份（${text.slice(5, 10)}），请写明是哪一年` }
  if (only === 'year') return { msg: `只写到年（${text.slice(0, 4)}），请写明是哪一天` }
  const month = only === 'month' ? text.slice(0, 7) : monthOf(text)
  // A number loses the nought of 2027.10.
  if (/^\d{4}\.1$/.test(text)) return { msg: `“${text}”分不清是1月还是10月，请写明是哪一天` }
  if (month !== null && field.monthMeansLastDay)
    return { value: MONTH.test(month) ? monthEnd(`${month}-01` as Day) : text }
  if (month !== null) return { msg: `只写到月（${month}），请写明是哪一天` }
  if (/^\d{5}(\.\d+)?$/.test(text)) return { msg: `是数字${text}而不是日期，请设为日期格式，或填写如2026-01-31` }
  return { value: dayOf(text) }
}

/** 13%, 13 and 0.13 are the same rate; 0.13% is none of them. */
function rateOf(text: string): string {
  const rate = figure(text)
  if (rate.endsWith('%')) return isDecimal(rate.slice(0, -1)) ? plain(rate.slice(0, -1)) : rate
  return /^0\.\d{1,8}$/.test(rate) ? plain(multiply(rate, '100', 2)) : rate
}

/** A share: 3% is 0.03 on the wire. */
const shareOf = (text: string): string => {
  const share = figure(text)
  return share.endsWith('%') && isDecimal(share.slice(0, -1)) ? plain(divide(share.slice(0, -1), '100', 8)) : share
}

/** The value of a cell on the wire, not yet checked by its field, or why there is none. */
export type CellRead = { readonly value: unknown } | { readonly msg: string }

/** A text this long is prose: it names nothing. */
const PROSE = 200
/** True for a column whose cells are names, codes and numbers of things; null: one that names the goods. */
const names = (field: FieldSpec | null): boolean =>
  field === null ||
  ['ref', 'codes'].includes(field.as) ||
  (field.as === 'text' && !(typeof field.max === 'number' && field.max >= PROSE))

/** As Excel writes a number that has too many digits, into texts and CSV files. */
const ROUNDED = /^\d(\.\d+)?E\+\d{2,}$/i
const ofRounded = (text: string) => `是科学计数法（${text}），位数已丢失，请把该列设为文本格式后重新填写`

/** What parts several codes in a cell; a blank before a further group in brackets is within a code. */
const BETWEEN_CODES = /[,，;；、]|\s(?!\((?!01\))\d{2,4}\))/

/** Tabs and the blanks of pages and of Chinese text are blanks. */
const inOneSpace = (text: string): string => text.replace(/[\t\u00a0\u3000]+/g, ' ').trim()

/** A cell as text, as a person sees it, where the field names something; refused where the meaning is unclear. */
function textOf(field: FieldSpec | null, text: string, note: CellNote): { readonly text: string } | { msg: string } {
  if (note.wrong !== undefined) return { msg: note.wrong }
  if (note.lost !== undefined) return { msg: note.lost }
  if (!names(field)) return { text: inOneSpace(text) }
  if (note.inexact !== undefined) return { msg: note.inexact }
  if (ROUNDED.test(text)) return { msg: ofRounded(text) }
  return { text: withoutTextMark(inOneSpace(note.shown ?? text)) }
}

/**
 * Rows whose cells are legible, by the fields of their columns, and the problems of the others. Null is a column that
 * names the goods.
 */
export function legibleRows(
  rows: readonly SheetRow[],
  fields: ReadonlyMap<string, FieldSpec | null>,
): { readonly rows: readonly SheetRow[]; readonly problems: readonly SheetProblem[] } {
  const problems: SheetProblem[] = []
  const legible = rows.flatMap((row): SheetRow[] => {
    const before = problems.length
    const cells = [...row.cells].map(([title, raw]): [string, string] => {
      const field = fields.get(title)
      const read = field === undefined ? { text: raw } : textOf(field, raw, row.notes?.get(title) ?? {})
      if ('text' in read) return [title, read.text]
      problems.push({ row: row.number, column: title, msg: read.msg })
      return [title, raw]
    })
    return problems.length === before ? [{ ...row, cells: new Map(cells) }] : []
  })
  return { rows: legible, problems }
}

/** The value of a cell on the wire: labels of choices, 是 and 否, days and figures in any usual notation. */
export function readCell(field: FieldSpec, text: string, note: CellNote = {}): CellRead {
  if (field.as === 'instant' && note.only !== undefined) return { msg: `${PARTS[note.only]}，请写明是哪一天` }
  return field.as === 'day' ? dayCell(field, text, note) : { value: valueOf(field, text) }
}

const PARTS = { yearless: '没有写年份', month: '只写到月', year: '只写到年' } as const

/** 是 or 否, also where a workbook has a value of its own for it. */
const yesOrNo = (text: string): string => (/^true$/i.test(text) ? '是' : /^false$/i.test(text) ? '否' : text)

function valueOf(field: FieldSpec, text: string): unknown {
  switch (field.as) {
    case 'pick':
      return (
        Object.entries(field.choices ?? {}).find(([key, label]) => label === text || key === text)?.[0] ??
        Object.entries(field.choices ?? {}).find(([, label]) => label === yesOrNo(text))?.[0] ??
        text
      )
    case 'flag':
      return yesOrNo(text) === '是' ? true : yesOrNo(text) === '否' ? false : text
    case 'instant':
      return instantOf(text)
    case 'taxRate':
      return rateOf(text)
    case 'rate':
      return shareOf(text)
    case 'quantity':
    case 'price':
    case 'amount':
    case 'count':
      return figure(text)
    case 'codes':
      return text.split(BETWEEN_CODES).filter(Boolean)
    default:
      return text
  }
}
