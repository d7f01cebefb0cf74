import { startTransition, useEffect, useState } from 'react'
import type { Line, Lines } from '#web/grid/lines.ts'

/** A long paper is judged after a longer pause. */
const pauseFor = (count: number): number => (count > 1000 ? 600 : 150)

/** The lines as they were when the writing last paused: whoever judges the whole paper need not judge it at every key. */
export function useSettledLines(lines: Lines): readonly Line[] {
  const [settled, setSettled] = useState(lines.all)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const take = () => startTransition(() => setSettled(lines.all()))
    take()
    const leave = lines.subscribe(() => {
      clearTimeout(timer)
      timer = setTimeout(take, pauseFor(lines.all().length))
    })
    return () => {
      clearTimeout(timer)
      leave()
    }
  }, [lines])
  return settled
}
