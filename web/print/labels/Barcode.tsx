import { useMemo } from 'react'
import { type Correction, drawCode, isLinear } from '#web/print/labels/draw-barcode.ts'
import { LEAST_MODULE_MM } from '#web/print/labels/label-limits.ts'

type Props = {
  /** A bwip-js symbology: `code128`, `gs1-128`, `gs1datamatrix`, `qrcode`. */
  readonly as: string
  readonly text: string
  /** Millimetres; the width follows from the content unless it is given: bars of the least width that is read. */
  readonly height: number
  readonly width?: number | undefined
  readonly correction?: Correction
  readonly className?: string
}

/** A machine-readable code, drawn as lines and not as dots, so that any printer draws it sharp. What cannot be drawn is said. */
export function Carrier({ as, text, height, width, correction = 'M', className }: Props) {
  const drawn = useMemo(() => drawCode(as, text, correction), [as, text, correction])
  if ('message' in drawn) return <span role="alert">条码内容有误：{drawn.message}</span>
  // Bars are as wide as a scanner needs them; a square follows its height.
  const wide = width ?? (isLinear(as) ? drawn.modules * LEAST_MODULE_MM.linear : undefined)
  return (
    <img
      className={className}
      style={{ height: `${height}mm`, ...(wide === undefined ? {} : { width: `${wide}mm` }) }}
      alt={text}
      src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawn.svg)}`}
    />
  )
}
