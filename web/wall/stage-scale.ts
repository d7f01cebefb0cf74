import { type RefObject, useLayoutEffect } from 'react'

/** The stage that every wall is designed for, in pixels. */
export const STAGE = { width: 1920, height: 1080 } as const

/** The scale of the stage in a window, and the place of its corner: the whole stage is shown, in its proportion. */
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
