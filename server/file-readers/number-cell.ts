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
const showsNoDay = (format: string): boolean => {
  const code = bare(format)
  return code.includes('m') && code.includes('y') && !code.includes('d') && !code.includes('h')
}

/** The text that a format makes of a number, where its digits still are that number: 00000123 of 123, LOT007 of 7. */
function shownAs(value: number, format: string, text: string): string | undefined {
  let shown = ''
  try {
    shown = SSF.format(format, value).trim()
  } catch {
    return undefined
  }
  const digits = shown.replace(/\D/g, '')
  const isPlain = Number.isInteger(value) && value >= 0 && /^[0-9A-Za-z-]*$/.test(shown)
  return isPlain && shown !== text && digits !== '' && inexact(digits) === value ? shown : undefined
}

/** The text of a figure in a cell of the given format: as it was typed, with what else is to be known of it. */
export function numberCell(
  value: number,
  format: string,
  isFrom1904: boolean,
): { readonly text: string; readonly note?: CellNote } {
  if (SSF.is_date(format)) {
    const text = momentText(value, isFrom1904)
    if (text === '') return { text: String(value), note: { wrong: `是无效的日期（${value}），请改正后再导入` } }
    return { text, note: dayNote(text, format) }
  }
  // Digits beyond the 15th were not entered by a user.
  const text = String(inexact(value.toPrecision(15)))
  if (Math.abs(value) >= TOO_MANY)
    return { text, note: { inexact: '超过15位的数字，末位可能已被改为0，请把该列设为文本格式后重新填写' } }
  const shown = shownAs(value, format, text)
  return shown === undefined ? { text } : { text, note: { shown } }
}

/** The same of a figure as XML writes it; any other text as it is. */
export function figureCell(written: string, format: string, isFrom1904: boolean): ReturnType<typeof numberCell> {
  const figure = inexact(written)
  return written === '' || !Number.isFinite(figure) ? { text: written } : numberCell(figure, format, isFrom1904)
}

/** A day is the name of nothing; one that is shown without its day is a month. */
export function dayNote(text: string, format: string): CellNote {
  const note = { inexact: `是日期格式（${text}），请把该列设为文本格式后重新填写` }
  return showsNoDay(format) ? { ...note, isMonth: true } : note
}

/** Why nothing can be taken from a formula without its result. */
export const NO_RESULT = '是公式，文件里没有它的结果，请用 Excel 打开保存一次，或粘贴为数值后再导入'

/** A cell whose formula failed: #N/A, #REF!. */
export const errorNote = (error: string): CellNote => ({ wrong: `是错误值${error}，请改正公式或填写数值后再导入` })
