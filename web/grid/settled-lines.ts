import { startTransition, useEffect, useState } from 'react'
import type { Line, Lines } from '#web/grid/lines.ts'

/** A long document is checked after a longer pause. */
const pauseFor = (count: number): number => (count > 1000 ? 600 : 150)

/** The lines as of the last pause in typing, so that the whole document is not checked at every key press. */
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
