import { useMemo } from 'react'
import { type Correction, drawCode, isLinear } from '#web/print/labels/draw-barcode.ts'
import { LEAST_MODULE_MM } from '#web/print/labels/label-limits.ts'

type Props = {
  /** A bwip-js symbology: `code128`, `gs1-128`, `gs1datamatrix`, `qrcode`. */
  readonly as: string
  readonly text: string
  /** Millimetres; the width follows from the content unless given: bars of the minimum readable width. */
  readonly height: number
  readonly width?: number | undefined
  readonly correction?: Correction
  readonly className?: string
}

/**
 * A machine-readable code, rendered as vectors so that any printer prints it sharp. A code that cannot be rendered
 * gives a message.
 */
export function Carrier({ as, text, height, width, correction = 'M', className }: Props) {
  const drawn = useMemo(() => drawCode(as, text, correction), [as, text, correction])
  if ('message' in drawn) return <span role="alert">条码内容有误：{drawn.message}</span>
  // Bars are as wide as a scanner needs; a square follows its height.
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
