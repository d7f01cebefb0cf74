import { type RefObject, useLayoutEffect } from 'react'

/** The stage that every wall is designed for, in pixels. */
export const STAGE = { width: 1920, height: 1080 } as const

/** How much the stage is enlarged in a window, and where its corner stands: the whole of it, in its proportion. */
export function fitted(width: number, height: number): { scale: number; left: number; top: number } {
  const scale = Math.min(width / STAGE.width, height / STAGE.height)
  return { scale, left: (width - STAGE.width * scale) / 2, top: (height - STAGE.height * scale) / 2 }
}

/** Keeps the stage as large as its window lets it: a wall of 4K and one of 32:9 show the same picture. */
export function useStageScale(place: RefObject<HTMLElement | null>, stage: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const [room, drawn] = [place.current, stage.current]
    if (room === null || drawn === null) return undefined
    const fit = () => {
      const { scale, left, top } = fitted(room.clientWidth, room.clientHeight)
      drawn.style.transform = `translate(${left}px, ${top}px) scale(${scale})`
    }
    fit()
    const watch = new ResizeObserver(fit)
    watch.observe(room)
    return () => watch.disconnect()
  }, [place, stage])
}
