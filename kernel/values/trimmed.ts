/** The text without the characters that `fits` at its end; each is looked at once, however long the text is. */
export function withoutEnd(text: string, fits: (character: string) => boolean): string {
  let end = text.length
  while (end > 0 && fits(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** The same at its beginning. */
export function withoutStart(text: string, fits: (character: string) => boolean): string {
  let from = 0
  while (from < text.length && fits(text.charAt(from))) from += 1
  return text.slice(from)
}

/** A figure with a comma before every three of its whole digits: "-1234567.50" → "-1,234,567.50". */
export function grouped(figure: string): string {
  const [all = '', ...part] = figure.split('.')
  const sign = all.startsWith('-') ? '-' : ''
  const digits = all.slice(sign.length)
  const first = digits.length % 3
  const groups = first === 0 ? [] : [digits.slice(0, first)]
  for (let at = first; at < digits.length; at += 3) groups.push(digits.slice(at, at + 3))
  return [sign + groups.join(','), ...part].join('.')
}

/** The full-width forms of the printable characters of ASCII, as an input method writes them, in their narrow form. */
export const halfWidth = (text: string): string =>
  text.replace(/[\uff01-\uff5e]/g, wide => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
