/** Font size of a dense sheet in millimetres, and the scale of values below another. */
export const DENSE_MM = 2.7
export const SECOND = 0.86

const LATIN_EM = 0.58
/** Smaller is not readable; the text wraps instead. */
const LEAST_SCALE = 0.72

/** Text width, in widths of a Chinese character. */
export const widthInEm = (text: string): number =>
  [...text].reduce((sum, letter) => sum + (letter.charCodeAt(0) < 0x2e80 ? LATIN_EM : 1), 0)

/** The font scale at which the text fits into the given number of lines. */
export function fitted(text: string, widthMm: number, typeMm: number, lines: number): number {
  // A line that breaks between words does not use its full width.
  const room = lines === 1 ? widthMm : (widthMm - typeMm) * lines
  const needed = widthInEm(text) * typeMm
  return needed <= room ? 1 : Math.max(LEAST_SCALE, Math.floor((room / needed) * 100) / 100)
}
