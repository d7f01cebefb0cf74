import { useMemo } from 'react'
import { drawCode } from '#web/print/draw-code.ts'

type Props = {
  /** A bwip-js symbology: `code128`, `gs1-128`, `gs1datamatrix`, `qrcode`. */
  readonly as: string
  readonly text: string
  /** Millimetres; the width follows from the content. */
  readonly height: number
  readonly className?: string
}

/** A machine-readable code, drawn as lines and not as dots, so that any printer draws it sharp. What cannot be drawn is said. */
export function Carrier({ as, text, height, className }: Props) {
  const drawn = useMemo(() => drawCode(as, text), [as, text])
  if (typeof drawn !== 'string') return <span role="alert">条码内容有误：{drawn.message}</span>
  return (
    <img
      className={className}
      style={{ height: `${height}mm` }}
      alt={text}
      src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawn)}`}
    />
  )
}
