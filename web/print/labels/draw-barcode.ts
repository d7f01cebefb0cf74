import { parseInteger } from '#kernel/values/integer.ts'
import { toSVG } from 'bwip-js/browser'

const flat = new Set(['code128', 'gs1-128', 'ean13'])
/**
 * Quiet zone in modules: ten for bars, eleven for a trade item, four for QR, two (more than required) for
 * DataMatrix.
 */
const quiet = (as: string): number => (as === 'ean13' ? 11 : flat.has(as) ? 10 : as === 'qrcode' ? 4 : 2)

/** bwip-js renders the dots of a square code two units wide. */
const unitsOf = (as: string): number => (flat.has(as) ? 1 : 2)

export const isLinear = (as: string): boolean => flat.has(as)

/** `modules`: the width in its smallest elements, including the quiet zone. */
export type Drawn = { readonly svg: string; readonly modules: number }
export type Correction = 'L' | 'M' | 'Q' | 'H'

/**
 * A code as SVG, or why it cannot be rendered. `as` is a bwip-js symbology; GS1 texts have their identifiers in
 * brackets.
 */
export function drawCode(as: string, text: string, correction: Correction = 'M'): Drawn | { message: string } {
  try {
    const svg = toSVG({
      bcid: as,
      text,
      scale: 1,
      // Bar height is set by the picture; the quiet zone is part of the code.
      ...(flat.has(as) ? { height: 10 } : {}),
      ...(as === 'qrcode' ? { eclevel: correction } : {}),
      paddingwidth: quiet(as) * unitsOf(as),
      paddingheight: flat.has(as) ? 0 : quiet(as) * unitsOf(as),
    })
    const modules = parseInteger(/viewBox="0 0 (\d+)/.exec(svg)?.[1]) / unitsOf(as)
    // Bars can be stretched either way without changing their content.
    return { svg: flat.has(as) ? svg.replace('<svg ', '<svg preserveAspectRatio="none" ') : svg, modules }
  } catch (thrown) {
    return { message: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}
