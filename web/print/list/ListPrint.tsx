import { useQuery } from '@tanstack/react-query'
import { Result, Spin } from 'antd'
import { useMemo } from 'react'
import { Navigate } from 'react-router'
import { entityOf, reports } from '#kernel/registry.ts'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { get } from '#web/engine/http/request.ts'
import { useSession } from '#web/engine/session/session.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'
import { conditionsOf, listSheet, printedRow, printedSums, rowsToPrint } from '#web/print/list/list-print.ts'
import { layoutOf } from '#web/print/document/page-layout.ts'
import { PrintedDocument } from '#web/print/document/PrintedDocument.tsx'
import { PrintShell } from '#web/print/PrintShell.tsx'

/** A printed list of records or report rows, as filtered and arranged. */
export function ListPrint({ query }: { readonly query: URLSearchParams }) {
  const session = useSession()
  const kind = query.get('of') ?? ''
  const definition = entityOf(kind) ?? reports().find(report => report.kind === kind)
  const names = useMemo(() => (query.get('columns') ?? '').split(',').filter(Boolean), [query])
  const titles = useMemo(() => query.get('titles')?.split(','), [query])
  const path = definition?.is === 'report' ? `/v1/report/${kind}` : `/v1/business/${kind}/list`
  const asked = useQuery({
    queryKey: ['list-print', query.toString()],
    enabled: definition !== undefined,
    retry: false,
    queryFn: async () => {
      const rows = Object.fromEntries(new URLSearchParams(query.get('rows') ?? ''))
      const notified = await rowsToPrint((pageNum, pageSize) => get<unknown, Row>(path, { ...rows, pageNum, pageSize }))
      return { ...notified, at: new Date().toISOString() }
    },
  })
  const info = useMemo((): Row => {
    if (definition === undefined || asked.data === undefined) return {}
    const { list, total, summary } = asked.data
    const now = asked.data.at
    return {
      title: query.get('title') ?? definition.title,
      org_name: session?.orgName,
      conditions: conditionsOf(definition, new URLSearchParams(query.get('said') ?? '')),
      row_count: total > list.length ? `前${list.length}行（共${total}行，全部请导出）` : String(list.length),
      printed_moment: wallTime(now),
      printed_at: now,
      printed_by: session?.name,
      ...printedSums(definition, names, summary),
      lines: list.map(row => printedRow(definition, names, row)),
    }
  }, [asked.data, definition, names, query, session])
  const sheet = useMemo(
    () =>
      definition === undefined
        ? null
        : listSheet(definition, query.get('title') ?? definition.title, names, asked.data?.summary, titles),
    [asked.data, definition, names, titles, query],
  )
  const layout = useMemo(() => (sheet === null ? null : layoutOf(sheet, null, true)), [sheet])
  if (definition === undefined || sheet === null || layout === null) return <Navigate to="/error" replace />
  if (asked.isError) return <Result status="warning" title={sentenceOf(asked.error)} />
  if (asked.data === undefined) return <Spin fullscreen description="正在准备打印……" />
  return (
    <PrintShell title={sheet.title} papers={[layout.paper]} onPrint={async () => true}>
      <PrintedDocument sheet={sheet} layout={layout} info={info} times={0} />
    </PrintShell>
  )
}
