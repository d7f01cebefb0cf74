import { useMemo } from 'react'
import { type Correction, drawCode } from '#web/print/draw-code.ts'

type Props = {
  /** A bwip-js symbology: `code128`, `gs1-128`, `gs1datamatrix`, `qrcode`. */
  readonly as: string
  readonly text: string
  /** Millimetres; the width follows from the content unless it is given. */
  readonly height: number
  readonly width?: number | undefined
  readonly correction?: Correction
  readonly className?: string
}

/** A machine-readable code, drawn as lines and not as dots, so that any printer draws it sharp. What cannot be drawn is said. */
export function Carrier({ as, text, height, width, correction = 'M', className }: Props) {
  const drawn = useMemo(() => drawCode(as, text, correction), [as, text, correction])
  if ('message' in drawn) return <span role="alert">条码内容有误：{drawn.message}</span>
  return (
    <img
      className={className}
      style={{ height: `${height}mm`, ...(width === undefined ? {} : { width: `${width}mm` }) }}
      alt={text}
      src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawn.svg)}`}
    />
  )
}
