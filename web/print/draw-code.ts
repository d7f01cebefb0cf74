import { toSVG } from 'bwip-js/browser'

const flat = new Set(['code128', 'gs1-128'])

/** A code as SVG, or why it cannot be drawn. `as` is a bwip-js symbology; GS1 texts have their identifiers in brackets. */
export function drawCode(as: string, text: string): string | { message: string } {
  try {
    // Bars are as high as the picture is asked to be; the quiet zone belongs to the code.
    return toSVG({ bcid: as, text, ...(flat.has(as) ? { height: 10 } : {}), paddingwidth: 4, paddingheight: 1 })
  } catch (thrown) {
    return { message: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}
