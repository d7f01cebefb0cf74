import type { Label } from '#kernel/label.ts'
import { type Correction, drawCode, isLinear } from '#web/print/draw-code.ts'
import { type LabelCode, type LabelSize, LEAST_MODULE_MM, MOST_MODULE_MM } from '#web/print/labels.ts'

/** A code as it goes on a label: width and height in millimetres; or the sentence for why it does not fit. */
export type Fitted =
  | { readonly as: string; readonly text: string; readonly width: number; readonly height: number }
  | { readonly problem: string }

/** Free edge of a label. */
const EDGE = 1.2
const WIDE_SHARE = 0.3
/** Beside the text a square code takes at most this much of the width; a QR code needs more dots for the same. */
const SQUARE_SHARE = { qrcode: 0.55, datamatrix: 0.42 } as const

/** Symbols that hold numbers of goods and nothing else. */
const ofGoods = /^(gs1|ean)/

const square = (as: string, text: string, size: LabelSize, correction: Correction): Fitted => {
  const drawn = drawCode(as, text, correction)
  if ('message' in drawn) return { problem: `条码内容有误：${drawn.message}` }
  const side = Math.min(
    size.height - 2 * EDGE,
    size.width * (as === 'qrcode' ? SQUARE_SHARE.qrcode : SQUARE_SHARE.datamatrix),
  )
  return as === 'qrcode' && side / drawn.modules < LEAST_MODULE_MM.qr
    ? { problem: '二维码内容过长，请更换更大标签' }
    : { as, text, width: side, height: side }
}

/**
 * The code of a label: goods without a UDI-DI bear the code of the house, whatever was chosen; bars that would be too narrow
 * for the label become a DataMatrix.
 */
export function fitCode(label: Label, chosen: LabelCode, size: LabelSize, correction: Correction): Fitted {
  const wanted = chosen.holds === 'code' ? null : (label[chosen.holds] ?? null)
  const text = wanted ?? label.code
  const as = wanted === null && ofGoods.test(chosen.as) ? 'code128' : chosen.as
  if (!isLinear(as)) return square(as, text, size, correction)
  const drawn = drawCode(as, text)
  if ('message' in drawn) return { problem: `条码内容有误：${drawn.message}` }
  const module = (size.width - 2 * EDGE) / drawn.modules
  if (module < LEAST_MODULE_MM.linear) return square(as === 'gs1-128' ? 'gs1datamatrix' : 'datamatrix', text, size, 'M')
  return { as, text, width: Math.min(module, MOST_MODULE_MM) * drawn.modules, height: size.height * WIDE_SHARE }
}
