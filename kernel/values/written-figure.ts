import { halfWidth } from '#kernel/values/trimmed.ts'

/** Narrow letters, digits and signs, and the minus sign of typography as that of keyboards. */
export const narrow = (text: string): string => halfWidth(text).replace(/[\u2212\u2010-\u2013]/g, '-')

/**
 * A figure as users, spreadsheets and banks write it, in plain digits: without currency signs and what parts
 * thousands. A comma or a blank that parts no thousands stays, so that the figure is refused by whoever reads it on:
 * 1,5 is no 15, and 0,500 no 500.
 */
export function writtenFigure(text: string): string {
  const bare = narrow(text)
    .replace(/[\s\u200b\ufeff]/g, ' ')
    .replace(/[¥￥]/g, '')
    .replaceAll(' %', '%')
    .trim()
  return /^-?[1-9]\d{0,2}(?:(?:,\d{3})+|(?: \d{3})+)(?:\.\d*)?%?$/.test(bare) ? bare.replace(/[, ]/g, '') : bare
}

/** A number without the apostrophe before it, by which a program kept it a text: '00123. */
export const withoutTextMark = (text: string): string =>
  /^'[\w+.-]+$/.test(text) && /\d/.test(text) ? text.slice(1) : text
