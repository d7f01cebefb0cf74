import { type PointerEvent, useRef } from 'react'
import { PAD, type Stroke } from '#kernel/values/strokes.ts'
import css from '#modules/hospital/signatures/signatures.module.css'
import { Ink } from '#web/fields/DrawnSignature.tsx'

type Strokes = readonly Stroke[]
type Props = {
  readonly strokes: Strokes
  /** A pen is faster than the page is drawn: each point continues what was drawn last. */
  readonly onDraw: (draw: (before: Strokes) => Strokes) => void
}

/** A field to sign in, by finger, pen or mouse. */
export function SignaturePad({ strokes, onDraw }: Props) {
  const began = useRef(0)
  const isDown = useRef(false)
  const pointOf = (event: PointerEvent<SVGSVGElement>): Stroke[number] => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    const within = (value: number, most: number) => Math.min(most, Math.max(0, Math.round(value)))
    return [
      within(((event.clientX - left) / width) * PAD.width, PAD.width),
      within(((event.clientY - top) / height) * PAD.height, PAD.height),
      Math.round(event.timeStamp - began.current),
    ]
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
        if (strokes.length === 0) began.current = event.timeStamp
        const point = pointOf(event)
        onDraw(before => [...before, [point]])
      }}
      onPointerMove={event => {
        if (!isDown.current) return
        const point = pointOf(event)
        onDraw(before => [...before.slice(0, -1), [...(before.at(-1) ?? []), point]])
      }}
      onPointerUp={() => (isDown.current = false)}
      onPointerCancel={() => (isDown.current = false)}
    >
      {strokes.length === 0 && (
        <text x={PAD.width / 2} y={PAD.height / 2} className={css.invitation}>
          请在此处书写姓名
        </text>
      )}
      <Ink strokes={strokes} />
    </svg>
  )
}
