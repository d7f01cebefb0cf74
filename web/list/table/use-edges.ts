import { useCallback, useLayoutEffect, useRef } from 'react'

/**
 * Marks a table that goes on behind its pinned last column (`data-more`), so that nothing looks cut off there. The
 * mark is written beside React: scrolling renders nothing.
 */
export function useEdges() {
  const scroll = useRef<HTMLDivElement>(null)
  const look = useCallback(() => {
    const box = scroll.current
    if (box !== null) box.dataset.more = String(box.scrollLeft + box.clientWidth < box.scrollWidth - 1)
  }, [])
  useLayoutEffect(() => {
    const box = scroll.current
    if (box === null) return
    const watch = new ResizeObserver(look)
    watch.observe(box)
    if (box.firstElementChild !== null) watch.observe(box.firstElementChild)
    return () => watch.disconnect()
  }, [look])
  return { scroll, look }
}
