import { SSF } from '@e965/xlsx'
import { inexact } from '#kernel/values/inexact.ts'
import type { CellNote } from '#server/file-readers/grid.ts'

/** More digits than a workbook keeps. */
const TOO_MANY = 1e15

/** 9999-12-31, the last day that a workbook has. */
const LAST_DAY = 2_958_465.999_99

/** A moment as it is typed; a day without a time, and a time without a day. Empty for a number that is no day. */
function momentText(days: number, isFrom1904: boolean): string {
  if (days < 0 || days > LAST_DAY) return ''
  const text = SSF.format('yyyy-mm-dd hh:mm:ss', days, { date1904: isFrom1904 })
  const [day = '', time = ''] = text.split(' ')
  return days < 1 ? time : time === '00:00:00' ? day : text
}

/** Without texts in quotes, escaped characters and conditions in brackets. */
const bare = (format: string): string =>
  format
    .split('"')
    .filter((_, at) => at % 2 === 0)
    .join('')
    .replace(/\\.|\[[^[\]]*\]/g, '')
    .toLowerCase()

/** What the 15 digits that a workbook keeps say of a number; further ones were not entered by a user. */
const kept = (value: number): number => inexact(value.toPrecision(15))

/** Half of the last place of a price: a smaller difference comes from the computation of a formula. */
const NOTICED = 0.000_05
/** True if a program wrote more digits of a number than a workbook keeps, and the others make another figure. */
const losesDigits = (value: number): boolean => Math.abs(value - kept(value)) >= NOTICED

/** Letters, digits and the marks of models; digits in groups are no part of a name, unless zeros stand before them. */
const NAME = /^[\p{L}\d-]*(?:\.[\p{L}\d-]+)*$/u
const isName = (shown: string): boolean => NAME.test(shown) || (/^0[\d ,]*$/.test(shown) && /\d$/.test(shown))
const AS_TEXT = '请把该列设为文本格式后重新填写'

/**
 * What a person sees of a number: the text of it, where its digits are still that number (00000123 of 123, 3.0 of 3,
 * LOT007 of 7), or that they are another one. `digits`: the text without what the format adds.
 */
export function shownNote(number: string | number, shown: string, digits: string): CellNote | undefined {
  const value = inexact(number)
  const figure = digits.replace(/[^\d.]/g, '')
  if (value < 0) return undefined
  if (figure === '' || inexact(figure) !== kept(value) || shown.includes('/'))
    return { inexact: `显示为“${shown.slice(0, 40)}”，实际是${kept(value)}，${AS_TEXT}` }
  return shown !== String(kept(value)) && isName(shown) ? { shown } : undefined
}

function formatNote(value: number, format: string): CellNote | undefined {
  const code = bare(format)
  // Figures of science, and those that Excel shortens to the width of the column, are the number that was entered.
  if (/e[+-]|@/.test(code) || (code === 'general' && code.length === format.length)) return undefined
  try {
    const note = shownNote(value, SSF.format(format, value).trim(), SSF.format(code.replace('general', '0'), value))
    return note?.inexact !== undefined && code.includes('general') ? undefined : note
  } catch {
    return undefined
  }
}

/** A share as a person sees it: 13% of 0.13. */
export const percentText = (value: string | number): string => `${kept(inexact(value) * 100)}%`

/** A number of which digits are lost, as Excel shows it, so that nobody takes its last ones for true. */
export const roundedText = (text: string): string => (/^\d{16,}$/.test(text) ? inexact(text).toExponential() : text)

/** Excel takes no longer one: it is not worked out for each cell. */
const LONGEST_FORMAT = 255

/** The text of a figure in a cell of the given format: as it was typed, with what else is to be known of it. */
export function numberCell(
  value: number,
  format: string,
  isFrom1904: boolean,
): { readonly text: string; readonly note?: CellNote } {
  if (format.length > LONGEST_FORMAT) return numberCell(value, 'General', isFrom1904)
  if (SSF.is_date(format)) {
    const text = momentText(value, isFrom1904)
    if (text === '') return { text: String(value), note: { wrong: `是无效的日期（${value}），请改正后再导入` } }
    return { text, note: dayNote(text, format) }
  }
  if (bare(format).includes('%')) return { text: percentText(value) }
  const text = String(kept(value))
  if (Math.abs(value) >= TOO_MANY || losesDigits(value))
    return { text, note: { lost: `超过15位的数字，末位可能已被改为0，${AS_TEXT}` } }
  const note = formatNote(value, format)
  return note === undefined ? { text } : { text, note }
}

/** The same of a figure as XML writes it; any other text as it is. */
export function figureCell(written: string, format: string, isFrom1904: boolean): ReturnType<typeof numberCell> {
  const figure = inexact(written)
  return written === '' || !Number.isFinite(figure) ? { text: written } : numberCell(figure, format, isFrom1904)
}

/** The parts of a day that its format shows, where it shows not all of them; years are of our era, or of another. */
function shortOf(format: string): CellNote['only'] {
  const code = bare(format).replace('general', '')
  if (!/[yeb]/.test(code)) return /[dm]/.test(code) ? 'yearless' : undefined
  if (!code.includes('y') || /[dhg]/.test(code)) return undefined
  return code.includes('m') ? 'month' : 'year'
}

/** How Excel in Chinese shows the formats that it names by number alone. */
const [MONTH_OF_YEAR, DAY_OF_MONTH, DAY_OF_YEAR] = ['yyyy"年"m"月"', 'm"月"d"日"', 'yyyy"年"m"月"d"日"']
export const chineseFormats: Readonly<Record<number, string>> = {
  27: MONTH_OF_YEAR,
  28: DAY_OF_MONTH,
  29: DAY_OF_MONTH,
  30: 'm-d-yy',
  31: DAY_OF_YEAR,
  36: MONTH_OF_YEAR,
  50: MONTH_OF_YEAR,
  51: DAY_OF_MONTH,
  52: MONTH_OF_YEAR,
  53: DAY_OF_MONTH,
  54: DAY_OF_MONTH,
  57: MONTH_OF_YEAR,
  58: DAY_OF_MONTH,
}

/** A yes or a no as Excel shows it. */
export const flagText = (isTrue: boolean): string => (isTrue ? 'TRUE' : 'FALSE')

/** A day is the name of nothing; one of which less than a day is shown (`only`) is that month or year. */
export function dayNote(text: string, format: string, only = shortOf(format)): CellNote {
  const note = { inexact: `是日期格式（${text}），${AS_TEXT}` }
  return only === undefined ? note : { ...note, only }
}

/** Why nothing can be taken from a formula without its result. */
export const NO_RESULT = '是公式，文件里没有它的结果，请用 Excel 打开保存一次，或粘贴为数值后再导入'

/** A cell whose formula failed: #N/A, #REF!. */
export const errorNote = (error: string): CellNote => ({ wrong: `是错误值${error}，请改正公式或填写数值后再导入` })
