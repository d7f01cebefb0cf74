import { pixels } from '#kernel/values/inexact.ts'
import type { Heights } from '#web/print/document/page-layout.ts'

/** A page's space for rows: what head, column titles, page totals and the footer line leave. */
export function measure(page: HTMLElement): Heights {
  const heightOf = (selector: string) => page.querySelector(selector)?.getBoundingClientRect().height ?? 0
  const style = getComputedStyle(page)
  const whole = pixels(style.minHeight) - pixels(style.paddingTop) - pixels(style.paddingBottom)
  const zoom = page.getBoundingClientRect().width / page.offsetWidth
  const [head, titles, sums, foot, closing] = [
    'header',
    'thead',
    'tfoot',
    '[data-part="page-no"]',
    '[data-part="closing"]',
  ].map(selector => heightOf(selector) / zoom) as [number, number, number, number, number]
  return {
    room: whole - head - titles - sums - foot,
    rows: rowHeights([...page.querySelectorAll<HTMLElement>('tbody tr')], zoom),
    closing,
  }
}

/** A title row counts to the line below it, a row of codes to the line above it. */
function rowHeights(rows: readonly HTMLElement[], zoom: number): number[] {
  const heights: number[] = []
  let title = 0
  for (const row of rows) {
    const height = row.getBoundingClientRect().height / zoom
    if (row.dataset.title === 'true') title = height
    else if (row.dataset.below === 'true') heights.push((heights.pop() ?? 0) + height)
    else {
      heights.push(height + title)
      title = 0
    }
  }
  return heights
}
