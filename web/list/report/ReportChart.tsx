import { lazy, Suspense, useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import type { AnyReport } from '#kernel/definition/report.ts'
import { drawingOf, trendOf } from '#web/charts/report-chart.ts'
import { get } from '#web/engine/http/request.ts'
import { loadChunk } from '#web/engine/http/load-chunk.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { Blank } from '#web/list/page/EmptyState.tsx'

const Chart = lazy(() => loadChunk(() => import('#web/charts/Chart.tsx')))
/** As many groups as one page of the server holds: a chart shows the largest of them. */
const EVERY_GROUP = '500'

type Asked = Readonly<Record<string, unknown>>

/** An analysis as a chart, over all its groups and not the page's alone; the table below has the figures. */
export function ReportChart({ definition, asked }: { readonly definition: AnyReport; readonly asked: Asked }) {
  const whole = useMemo(() => ({ ...asked, pageNum: undefined, pageSize: EVERY_GROUP, sort: undefined }), [asked])
  const rows = useQuery({
    queryKey: [definition.kind, 'report', 'chart', whole],
    queryFn: ({ signal }) => get<unknown, Row>(`/v1/report/${definition.kind}`, whole, { signal }),
  })
  const drawing = useMemo(
    () => drawingOf(definition, asked.group_by, rows.data?.list ?? []),
    [definition, asked, rows.data],
  )
  if (rows.isLoading) return <Skeleton active />
  if (drawing === null) return <Blank title="没有可以画成图表的数据" />
  return (
    <Suspense fallback={<Skeleton active />}>
      <Chart drawing={drawing} />
    </Suspense>
  )
}

/** 趋势图: the months of the ticked rows, or of the first of the page, with what they show and in which unit. */
export function ReportTrend({ definition, rows }: { readonly definition: AnyReport; readonly rows: readonly Row[] }) {
  const drawing = useMemo(() => trendOf(definition, rows), [definition, rows])
  if (drawing === null) return <Blank title="没有可以画成趋势图的数据" />
  return (
    <figure style={{ margin: 0 }}>
      <figcaption className="quiet">
        {drawing.title}
        {drawing.unit && `（${drawing.unit}）`}
      </figcaption>
      <Suspense fallback={<Skeleton active />}>
        <Chart drawing={drawing} />
      </Suspense>
    </figure>
  )
}
