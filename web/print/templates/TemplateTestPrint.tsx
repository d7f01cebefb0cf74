import { Result, Select, Spin } from 'antd'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PrintSheet, PrintTemplate } from '#kernel/print/print-definition.ts'
import { documentOf, entityOf } from '#kernel/registry.ts'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { get } from '#web/engine/http/request.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { layoutOf } from '#web/print/document/page-layout.ts'
import { DocumentPrint } from '#web/print/document/DocumentPrint.tsx'
import { PrintShell } from '#web/print/PrintShell.tsx'
import { SampleSheet } from '#web/print/templates/TemplatePreview.tsx'

const SAMPLE = ''
/** Number of documents of each kind offered. */
const NEWEST = '5'

/**
 * A template test: on a sample, or on one of the organisation's newest documents. Nothing is counted, and everything
 * is marked as a trial.
 */
export function TrialPrint({ sheet, template }: { readonly sheet: PrintSheet; readonly template: string }) {
  const [chosen, setChosen] = useState(SAMPLE)
  const kinds = Object.keys(sheet.kinds)
  const asked = useQuery({
    queryKey: ['printTemplate', 'info', template],
    retry: false,
    queryFn: async () =>
      (await get<Row>('/v1/business/printTemplate/info', { sn: template })).info as unknown as PrintTemplate,
  })
  const lists = useQueries({
    queries: kinds.map(kind => ({
      queryKey: [kind, 'list', 'trial'],
      retry: false,
      queryFn: async () =>
        (await get<unknown, Row>(`/v1/business/${kind}/list`, { pageNum: '1', pageSize: NEWEST })).list,
    })),
  })
  if (asked.isError) return <Result status="warning" title={sentenceOf(asked.error)} />
  if (asked.isPending || lists.some(each => each.isPending)) return <Spin fullscreen description="正在准备打印……" />
  const docs = kinds.flatMap((kind, at) =>
    (lists[at]?.data ?? []).map(row => ({ value: `${kind} ${keyOf(kind, row)}`, label: nameOf(sheet, kind, row) })),
  )
  const tools = (
    <Select
      aria-label="试打内容"
      style={{ minWidth: 260 }}
      value={chosen}
      onChange={setChosen}
      options={[{ value: SAMPLE, label: '样例数据' }, ...docs]}
    />
  )
  const [kind = kinds[0]!, sn] = chosen === SAMPLE ? [] : chosen.split(' ')
  if (sn !== undefined)
    return <DocumentPrint key={chosen} sheet={sheet} kind={kind} sns={[sn]} whose={{}} trial={{ template, tools }} />
  const { paper } = layoutOf(sheet, asked.data, true)
  return (
    <PrintShell
      title={`${asked.data.name}　测试打印`}
      papers={[paper]}
      onPrint={null}
      onTrial={() => undefined}
      tools={tools}
    >
      <SampleSheet sheet={sheet} template={asked.data} kind={kind} />
    </PrintShell>
  )
}

const keyOf = (kind: string, row: Row): string => String(row[entityOf(kind)?.key ?? 'sn'])
const nameOf = (sheet: PrintSheet, kind: string, row: Row): string => {
  const entity = entityOf(kind)
  return (
    `${sheet.kinds[kind] ?? documentOf(kind)?.title ?? entity?.title ?? sheet.title} ` +
    `${String(row[entity?.display ?? 'sn'])}`
  )
}
