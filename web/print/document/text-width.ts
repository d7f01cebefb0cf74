/** Type of a dense sheet in millimetres, and how much smaller stands what stands under another. */
export const DENSE_MM = 2.7
export const SECOND = 0.86

const LATIN_EM = 0.58
/** Smaller than this nobody reads it; it goes on in another line. */
const LEAST_SCALE = 0.72

/** How wide words are, in widths of a Chinese character. */
export const widthInEm = (text: string): number =>
  [...text].reduce((sum, letter) => sum + (letter.charCodeAt(0) < 0x2e80 ? LATIN_EM : 1), 0)

/** By how much type is made smaller so that words fit into so many lines. */
export function fitted(text: string, widthMm: number, typeMm: number, lines: number): number {
  // A line that breaks between words does not use all of its width.
  const room = lines === 1 ? widthMm : (widthMm - typeMm) * lines
  const needed = widthInEm(text) * typeMm
  return needed <= room ? 1 : Math.max(LEAST_SCALE, Math.floor((room / needed) * 100) / 100)
}
