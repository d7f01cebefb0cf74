import { RobotOutlined } from '@ant-design/icons'
import { type PointerEvent, useRef, useState } from 'react'
import css from '#web/assistant/Assistant.module.css'

const SIZE = 52
const MARGIN = 8
/** Pointer movement (px) that still counts as a click. */
const CLICK_SLACK = 4

const within = (value: number, room: number): number => Math.min(Math.max(value, MARGIN), room - SIZE - MARGIN)

/** A round button that can be dragged away; a click opens, a drag does not. */
export function AssistantIcon({ onOpen }: { onOpen: () => void }) {
  const [place, setPlace] = useState<{ x: number; y: number } | null>(null)
  const held = useRef<{ dx: number; dy: number; x: number; y: number; moved: boolean } | null>(null)
  const wasDragged = useRef(false)
  const take = (event: PointerEvent<HTMLButtonElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    event.currentTarget.setPointerCapture(event.pointerId)
    held.current = {
      dx: event.clientX - box.x,
      dy: event.clientY - box.y,
      x: event.clientX,
      y: event.clientY,
      moved: false,
    }
    wasDragged.current = false
  }
  const drag = (event: PointerEvent) => {
    const from = held.current
    if (from === null) return
    if (!from.moved && Math.hypot(event.clientX - from.x, event.clientY - from.y) <= CLICK_SLACK) return
    from.moved = true
    setPlace({
      x: within(event.clientX - from.dx, window.innerWidth),
      y: within(event.clientY - from.dy, window.innerHeight),
    })
  }
  const drop = () => {
    wasDragged.current = held.current?.moved === true
    held.current = null
  }
  return (
    <button
      type="button"
      className={css.icon}
      style={place === null ? {} : { top: place.y, right: 'auto', bottom: 'auto', left: place.x }}
      aria-label="AI助手"
      title="AI助手，可拖动"
      onPointerDown={take}
      onPointerMove={drag}
      onPointerUp={drop}
      onPointerCancel={drop}
      onClick={() => {
        if (!wasDragged.current) onOpen()
        wasDragged.current = false
      }}
    >
      <RobotOutlined />
    </button>
  )
}
