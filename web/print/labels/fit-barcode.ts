import type { Label } from '#kernel/print/label-data.ts'
import { type Correction, drawCode, isLinear } from '#web/print/labels/draw-barcode.ts'
import type { LabelCode, LabelSize as Listed } from '#kernel/print/label-formats.ts'
import { LEAST_MODULE_MM, MOST_MODULE_MM } from '#web/print/labels/label-limits.ts'

type LabelSize = Pick<Listed, 'width' | 'height'>

/** A code fitted to a label: width and height in millimetres; or the message why it does not fit. */
export type Fitted =
  | { readonly as: string; readonly text: string; readonly width: number; readonly height: number }
  | { readonly problem: string }

/** Margin of a label, and gap between code and text. */
const EDGE = 1.2
const GAP = 1.2
const WIDE_SHARE = 0.3
/**
 * Beside the text a square code takes at most this share of the width; a QR code needs more dots for the same
 * content.
 */
const SQUARE_SHARE = { usual: 0.42, most: 0.56 } as const

/** Symbologies only for product numbers. */
const ofGoods = /^(gs1|ean)/

/**
 * A QR code has its own quiet zone, wider than the label's margin. It is as large as the text beside it allows,
 * larger only if its dots would be too small; larger dots than the label needs would only take space from the text.
 */
const square = (as: string, text: string, size: LabelSize, correction: Correction): Fitted => {
  const drawn = drawCode(as, text, correction)
  if ('message' in drawn) return { problem: `条码内容有误：${drawn.message}` }
  const isQr = as === 'qrcode'
  const height = isQr ? size.height : size.height - 2 * EDGE
  const least = isQr ? LEAST_MODULE_MM.qr * drawn.modules : 0
  const most = MOST_MODULE_MM * Math.max(1, size.width / 50) * drawn.modules
  const side = Math.max(Math.min(height, size.width * SQUARE_SHARE.usual, most), least)
  return isQr && side > Math.min(height, size.width * SQUARE_SHARE.most)
    ? { problem: '二维码内容过长，请更换更大标签' }
    : { as, text, width: side, height: side }
}

/** The space the code leaves for text: below bars, beside a square. */
export function textRoom(fitted: Fitted, { width, height }: LabelSize): { width: number; height: number } {
  const whole = { width: width - 2 * EDGE, height: height - 2 * EDGE }
  if ('problem' in fitted) return { ...whole, width: whole.width / 2 }
  if (isLinear(fitted.as)) return { ...whole, height: whole.height - fitted.height - GAP }
  return { ...whole, width: fitted.as === 'qrcode' ? width - fitted.width - EDGE : whole.width - fitted.width - GAP }
}

/**
 * The code of a label: goods without a UDI-DI get the organisation's own code, whatever was chosen; bars too narrow
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
