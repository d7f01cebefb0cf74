import { type PointerEvent, useRef, useState } from 'react'
import { PAD, pathOf, type Stroke } from '#kernel/values/strokes.ts'
import css from '#modules/signatures/signatures.module.css'

type Props = { readonly onDrawn: (strokes: readonly Stroke[]) => void }

/** A field to sign in, by finger, pen or mouse. Clearing it is the caller's: it gives the pad another key. */
export function SignaturePad({ onDrawn }: Props) {
  const [strokes, setStrokes] = useState<readonly Stroke[]>([])
  const began = useRef<number | null>(null)
  const isDown = useRef(false)
  const pointOf = (event: PointerEvent<SVGSVGElement>): Stroke[number] => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    const within = (value: number, most: number) => Math.min(most, Math.max(0, Math.round(value)))
    began.current ??= event.timeStamp
    return [
      within(((event.clientX - left) / width) * PAD.width, PAD.width),
      within(((event.clientY - top) / height) * PAD.height, PAD.height),
      Math.round(event.timeStamp - began.current),
    ]
  }
  const draw = (next: readonly Stroke[]) => {
    setStrokes(next)
    onDrawn(next)
  }
  return (
    <svg
      role="img"
      aria-label="手写签名框"
      className={css.pad}
      viewBox={`0 0 ${PAD.width} ${PAD.height}`}
      onPointerDown={event => {
        event.currentTarget.setPointerCapture(event.pointerId)
        isDown.current = true
        draw([...strokes, [pointOf(event)]])
      }}
      onPointerMove={event => {
        if (!isDown.current) return
        const last = strokes.at(-1) ?? []
        draw([...strokes.slice(0, -1), [...last, pointOf(event)]])
      }}
      onPointerUp={() => (isDown.current = false)}
      onPointerCancel={() => (isDown.current = false)}
    >
      {strokes.length === 0 && (
        <text x={PAD.width / 2} y={PAD.height / 2} className={css.invitation}>
          请在此处书写姓名
        </text>
      )}
      <path className={css.ink} d={pathOf(strokes)} />
    </svg>
  )
}
