import { type CSSProperties, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { edgePath, type Placed } from '#web/flow/flow-layout.ts'
import css from '#web/flow/Flow.module.css'

type Props = { readonly placed: readonly Placed[]; readonly children: (placed: Placed) => ReactNode }

/** The steps in their places, with a line to each from those that lead to it. */
export function FlowChart({ placed, children }: Props) {
  const list = useRef<HTMLOListElement>(null)
  const [paths, setPaths] = useState<readonly string[]>([])
  useLayoutEffect(() => {
    const element = list.current
    if (element === null) return
    const measure = () => {
      const boxes = new Map(
        [...element.querySelectorAll<HTMLElement>('[data-kind]')].map(item => [
          item.dataset.kind!,
          { left: item.offsetLeft, top: item.offsetTop, width: item.offsetWidth, height: item.offsetHeight },
        ]),
      )
      setPaths(
        placed.flatMap(to =>
          to.after.flatMap(kind => {
            const from = placed.find(each => each.step.kind === kind)
            const [start, end] = [boxes.get(kind), boxes.get(to.step.kind)]
            return from && start && end ? [edgePath({ ...from, box: start }, { ...to, box: end })] : []
          }),
        ),
      )
    }
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    return () => watch.disconnect()
  }, [placed])
  const across = Math.max(1, ...placed.map(({ column }) => column + 1))
  return (
    <div className={css.chart}>
      <ol className={css.flow} aria-label="流程" ref={list} style={{ '--across': across } as CSSProperties}>
        {placed.map(children)}
      </ol>
      <svg className={css.edges} aria-hidden>
        <defs>
          <marker id="flow-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
            <path d="M 0 0 L 8 4 L 0 8 z" />
          </marker>
        </defs>
        {paths.map(path => (
          <path key={path} d={path} markerEnd="url(#flow-arrow)" />
        ))}
      </svg>
    </div>
  )
}
