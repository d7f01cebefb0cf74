import { lazy, Suspense, useMemo } from 'react'
import { inexact } from '#kernel/values/inexact.ts'
import { plain } from '#kernel/values/decimal.ts'
import { lotFlow } from '#modules/goods/trace/lot-flow.ts'
import type { TraceEvent } from '#modules/goods/trace/trace-info.ts'
import css from '#modules/goods/trace/Trace.module.css'
import type { Picture } from '#web/charts/pictures/picture.ts'
import { loadChunk } from '#web/engine/http/load-chunk.ts'

const PictureChart = lazy(() => loadChunk(() => import('#web/charts/pictures/PictureChart.tsx')))

/** The path of a lot as bands; the events below it are the same, one by one. Of one link there is nothing to see. */
export function LotFlow({ events }: { readonly events: readonly TraceEvent[] }) {
  const links = useMemo(() => lotFlow(events), [events])
  const picture = useMemo(
    (): Picture => ({
      shape: 'sankey',
      nodes: [...new Set(links.flatMap(({ from, to }) => [from, to]))].map(name => ({ name, label: name })),
      links: links.map(({ from, to, quantity }, at) => ({ source: from, target: to, value: inexact(quantity), at })),
    }),
    [links],
  )
  if (links.length < 2) return null
  const sayRow = (at: number): string => {
    const link = links[at]
    return link === undefined ? '' : `${link.from} → ${link.to}\n${plain(link.quantity)}`
  }
  return (
    <div className={css.flow}>
      <Suspense fallback={null}>
        <PictureChart
          picture={picture}
          label={`批次流向图：${links.map((_, at) => sayRow(at).replace('\n', ' ')).join('，')}`}
          say={value => String(value)}
          sayRow={sayRow}
          chosen={null}
        />
      </Suspense>
    </div>
  )
}
