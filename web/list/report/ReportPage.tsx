import { useMemo } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { screenKey } from '#kernel/definition/screen.ts'
import type { AnyReport } from '#kernel/definition/report.ts'
import { documentOf } from '#kernel/registry.ts'
import { type Query, usePage } from '#web/engine/page-context.ts'
import { rowHeights, usePreferences } from '#web/engine/session/preferences.ts'
import { encodeQuery } from '#web/engine/http/response.ts'
import { get } from '#web/engine/http/request.ts'
import { useSession } from '#web/engine/session/session.ts'
import { NOTHING, type Row } from '#web/fields/field-renderer.ts'
import { faces } from '#web/fields/field-renderers.ts'
import { Blank, WithoutRows } from '#web/list/page/EmptyState.tsx'
import { type Column, columnFor } from '#web/list/table/column.ts'
import { useColumnLayout } from '#web/list/table/column-layout.ts'
import { DataTable } from '#web/list/table/DataTable.tsx'
import { FilterBar } from '#web/list/page/FilterBar.tsx'
import { KeepQuery } from '#web/list/report/SaveReportButton.tsx'
import { askedOf, pageOf, sortOf, sortText } from '#web/list/page/list-query.ts'
import { useSayStale } from '#web/list/page/use-list.ts'
import { LeadLink } from '#web/list/report/DrillDownLink.tsx'
import { ListCalls } from '#web/list/actions/ListActions.tsx'
import { ListFrame } from '#web/list/page/ListFrame.tsx'
import { ListPaging } from '#web/list/page/Pagination.tsx'
import { ListToolbar } from '#web/list/page/ListToolbar.tsx'
import { isGrouped, reportFilters, standingColumns, standingParams } from '#web/list/report/report-params.ts'
import { RowsToDocument, useMayBeginFrom } from '#web/list/actions/CreateFromRows.tsx'
import { useSelection } from '#web/list/table/use-selection.ts'
import { useVisibleColumns } from '#web/list/table/visible-columns.ts'
import { meaningfulSums } from '#web/list/table/sums.ts'
import { SchemeMenu } from '#web/list/schemes/SchemeMenu.tsx'
import { useSchemes } from '#web/list/schemes/use-schemes.ts'
import { useMay } from '#web/shell/menu/menu.ts'
import css from '#web/list/page/ListFrame.module.css'

/** Reports over the ledgers: parameters in, measures, rows and totals out. */
export default function ReportPage({ definition }: { definition: AnyReport }) {
  const page = usePage()
  const { screen } = page
  const path = `/v1/report/${definition.kind}`
  const may = useMay(screen.route, definition.kind)
  const { density } = usePreferences()
  const type = useSession()?.orgType ?? 'P'
  const standard = useMemo(
    () =>
      standingColumns(definition, page.query, screen.columns).flatMap(name => {
        const field = definition.columns[name]
        const shown = field !== undefined && !screen.without?.[type]?.includes(name)
        return shown ? [columnFor(name, field)] : []
      }),
    [definition, page.query, screen, type],
  )
  const grouped = isGrouped(page.query)
  const { selection, rows: chosen, clear } = useSelection(keyOf)
  const begins = useMayBeginFrom(definition) && !grouped
  // Grouped, it is a different table with its own column layout.
  const tableId = grouped ? `${screenKey(screen)}:grouped` : screenKey(screen)
  const visible = useVisibleColumns(standard, {
    screen,
    selectable: begins,
    actions: 0,
    totals: definition.totals,
  })
  const layout = useColumnLayout(tableId, visible)
  const schemes = useSchemes(tableId, layout)
  const filters = useMemo(() => reportFilters(definition), [definition])
  const query = useMemo(() => ({ ...standingParams(definition), ...page.query }), [definition, page.query])
  const asked = askedOf(query, screen.where)
  const report = useQuery({
    queryKey: [definition.kind, 'report', asked],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => get<unknown, Row>(path, asked, { signal }),
  })
  useSayStale(report)
  const summary = meaningfulSums(visible, report.data?.summary)
  const { pageNum, pageSize } = pageOf(query)
  const cell = useMemo(() => (grouped ? undefined : leadingCell(definition, query)), [definition, grouped, query])
  return (
    <ListFrame
      title={screen.title}
      purpose={screen.purpose}
      of={definition.kind}
      thrown={report.error}
      toolbar={
        <ListToolbar
          primary={
            <>
              <KeepQuery report={definition.kind} query={query} />
              <CountedCalls report={definition} onDone={() => void report.refetch()} />
              {begins && <RowsToDocument report={definition} rows={chosen} onDone={clear} />}
            </>
          }
          prints={definition.kind}
          schemes={<SchemeMenu schemes={schemes} />}
          columns={layout.columns}
          onColumns={layout.rearrange}
          onRestore={layout.restore}
          onReload={() => void report.refetch()}
          exportHref={
            may('export') ? `${path}/export${encodeQuery({ ...asked, pageNum: undefined, pageSize: undefined })}` : null
          }
        />
      }
    >
      <FilterBar
        filters={filters}
        query={query}
        onChange={page.setQuery}
        storeKey={screenKey(screen)}
        kind={definition.kind}
      />
      <Measures columns={visible} definition={definition} summary={summary} />
      <DataTable
        label={screen.title}
        columns={layout.columns}
        rows={report.data?.list ?? []}
        rowKey={keyOf}
        {...(begins ? { selection } : {})}
        rowHeight={rowHeights[density]}
        busy={report.isFetching}
        {...(cell ? { cell } : {})}
        sort={sortOf(query)}
        onSort={sort => page.setQuery({ sort: sortText(sort), pageNum: undefined })}
        summary={summary}
        onResize={layout.resize}
        empty={
          <WithoutRows asked={report}>
            <Blank title="没有符合条件的数据" />
          </WithoutRows>
        }
      />
      <ListPaging
        total={report.data?.total}
        capped={(report.data?.total ?? 0) > 10_000}
        pageNum={pageNum}
        pageSize={pageSize}
        onChange={(nextPage, size) =>
          page.setQuery({ pageNum: nextPage === 1 ? undefined : String(nextPage), pageSize: String(size) })
        }
      />
    </ListFrame>
  )
}

/** Report rows have no number of their own. */
const keyOf = (row: Row): string => JSON.stringify(row)

/** List actions of the documents the report counts, for users who may run them there. */
function CountedCalls({ report, onDone }: { readonly report: AnyReport; readonly onDone: () => void }) {
  const counted = report.countedDocument === undefined ? undefined : documentOf(report.countedDocument)
  const may = useMay(counted?.screens[0]?.route ?? '', counted?.kind ?? '')
  return counted === undefined ? null : <ListCalls definition={counted} may={may} onMade={onDone} onDone={onDone} />
}

/** Cells with a target are links; all others use their field's renderer. */
const leadingCell = (definition: AnyReport, query: Query) => (column: Column, row: Row) => {
  const lead = definition.drillDown?.[column.name]
  const text = faces[column.field.as].text({ field: column.field, name: column.name, value: row[column.name], row })
  // Nothing and zero have no link.
  return lead === undefined || text === NOTHING || text === '0' ? undefined : (
    <LeadLink lead={lead} row={row} query={query} text={text}>
      {text}
    </LeadLink>
  )
}

/** The report's totals over the whole query. */
function Measures({
  definition,
  columns,
  summary,
}: {
  definition: AnyReport
  columns: readonly Column[]
  summary: Row | undefined
}) {
  const names = (definition.totals ?? []).filter(
    name => columns.some(column => column.name === name) && (summary === undefined || summary[name] !== undefined),
  )
  if (names.length === 0) return null
  return (
    <dl className={css.measures}>
      {names.map(name => {
        const field = definition.columns[name]
        if (field === undefined) return null
        const text = faces[field.as].text({ field, name, value: summary?.[name], row: {} })
        return (
          <div key={name}>
            <dt>{field.label}</dt>
            <dd className={text.startsWith('-') && text !== '-' ? 'negative' : undefined}>{text}</dd>
          </div>
        )
      })}
    </dl>
  )
}
