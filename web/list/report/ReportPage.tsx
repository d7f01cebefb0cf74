import { useCallback, useMemo, useState } from 'react'
import { BarChartOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { screenKey } from '#kernel/definition/screen.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { type AnyReport, ROW_KEY } from '#kernel/definition/report.ts'
import { documentOf } from '#kernel/registry.ts'
import { type Query, usePage } from '#web/engine/page-context.ts'
import { rowHeights, usePreferences } from '#web/engine/session/preferences.ts'
import { encodeQuery } from '#web/engine/http/response.ts'
import { get } from '#web/engine/http/request.ts'
import { useSession } from '#web/engine/session/session.ts'
import { Explained } from '#web/fields/Explained.tsx'
import { NOTHING, type Row } from '#web/fields/field-renderer.ts'
import { faces } from '#web/fields/field-renderers.ts'
import { Blank, WithoutRows } from '#web/list/page/EmptyState.tsx'
import type { Column } from '#web/list/table/column.ts'
import { useColumnLayout } from '#web/list/table/column-layout.ts'
import { DataTable } from '#web/list/table/DataTable.tsx'
import { FilterBar } from '#web/list/page/FilterBar.tsx'
import { KeepQuery } from '#web/list/report/SaveReportButton.tsx'
import { CallButtons } from '#web/list/actions/CallButtons.tsx'
import { type AcrossColumn, useReportColumns } from '#web/list/report/use-report-columns.ts'
import { PageLinks } from '#web/list/report/PageLinks.tsx'
import { askedOf, pageOf, sortOf, sortText } from '#web/list/page/list-query.ts'
import { useSayStale } from '#web/list/page/use-list.ts'
import { ReportChart, ReportTrend } from '#web/list/report/ReportChart.tsx'
import { LeadLink } from '#web/list/report/DrillDownLink.tsx'
import { ListCalls } from '#web/list/actions/ListActions.tsx'
import { ListFrame } from '#web/list/page/ListFrame.tsx'
import { ListPaging } from '#web/list/page/Pagination.tsx'
import { ListToolbar } from '#web/list/page/ListToolbar.tsx'
import { isGrouped, reportFilters, type Seen, standingParams } from '#web/list/report/report-params.ts'
import { RowsToDocument, useMayBeginFrom } from '#web/list/actions/CreateFromRows.tsx'
import { useSelection } from '#web/list/table/use-selection.ts'
import { useVisibleColumns } from '#web/list/table/visible-columns.ts'
import { meaningfulSums } from '#web/list/table/sums.ts'
import { SchemeMenu } from '#web/list/schemes/SchemeMenu.tsx'
import { useSchemes } from '#web/list/schemes/use-schemes.ts'
import { useCanSeeField, useMay } from '#web/shell/menu/menu.ts'
import css from '#web/list/page/ListFrame.module.css'
import tables from '#web/list/table/DataTable.module.css'

/** Reports over the ledgers: parameters in, measures, rows and totals out. */
export default function ReportPage({ definition }: { definition: AnyReport }) {
  const page = usePage()
  const { screen } = page
  const path = `/v1/report/${definition.kind}`
  const may = useMay(screen.route, definition.kind)
  const { density } = usePreferences()
  const { type, seen } = useSeen()
  const { standard, groups, isCross, setAcross } = useReportColumns(definition, page, type)
  const grouped = isGrouped(page.query) || isCross
  const { selection, rows: chosen, clear } = useSelection(keyOf)
  const begins = useMayBeginFrom(definition) && !grouped
  const { calls, ticks } = callsOn(definition, grouped, may)
  // Grouped, it is a different table with its own column layout.
  const tableId = isCross ? `${screenKey(screen)}:cross` : grouped ? `${screenKey(screen)}:grouped` : screenKey(screen)
  const visible = useVisibleColumns(standard, {
    screen,
    first: groups,
    selectable: begins || ticks,
    actions: 0,
    totals: definition.totals,
  })
  // A cross table needs all its columns: none of them is hidden to fit the window.
  const layout = useColumnLayout(tableId, isCross ? standard : visible)
  const schemes = useSchemes(tableId, layout)
  const [drawn, setDrawn] = useState(false)
  const picture = pictureOf(definition, isCross, grouped)
  const filters = useMemo(
    () => reportFilters(definition, seen).filter(({ name }) => !(name in (screen.where ?? {}))),
    [definition, seen, screen],
  )
  // Parameters that are fixed on this tab override the address.
  const query = useMemo(
    () => ({ ...standingParams(definition), ...page.query, ...screen.where }),
    [definition, page.query, screen],
  )
  const asked = askedOf(query, screen.where)
  // The page prompts for a missing required parameter, instead of sending a call that would be refused.
  const missing = Object.entries(definition.parameters).find(([name, { required }]) => required && !asked[name])?.[1]
  const report = useQuery({
    queryKey: [definition.kind, 'report', asked],
    enabled: missing === undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => get<{ across?: readonly AcrossColumn[] }, Row>(path, asked, { signal }),
  })
  useSayStale(report)
  setAcross(report.data?.info?.across)
  const summary = meaningfulSums(isCross ? standard : visible, report.data?.summary)
  const { pageNum, pageSize } = pageOf(query)
  const leads = !isCross && (!grouped || definition.analysis !== undefined)
  const cell = useMemo(() => shownCell(definition, leads ? query : null), [definition, leads, query])
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
              {picture !== null && (
                <Button icon={<BarChartOutlined />} aria-pressed={drawn} onClick={() => setDrawn(was => !was)}>
                  {drawn ? `收起${picture}` : picture}
                </Button>
              )}
              <PageLinks links={definition.links} />
              <CallButtons
                of={definition.kind}
                path={path}
                calls={calls}
                may={may}
                chosen={chosen.map(row => String(row[ROW_KEY]))}
                beside={{ query: encodeQuery(asked).slice(1) }}
                onDone={() => {
                  clear()
                  void report.refetch()
                }}
              />
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
      {drawn && picture === CHART && <ReportChart definition={definition} asked={asked} />}
      {drawn && picture === TREND && (
        <ReportTrend definition={definition} rows={chosen.length > 0 ? chosen : (report.data?.list ?? [])} />
      )}
      <DataTable
        label={screen.title}
        columns={layout.columns}
        rows={report.data?.list ?? []}
        rowKey={keyOf}
        {...(begins || ticks ? { selection } : {})}
        rowHeight={rowHeights[density]}
        busy={report.isFetching}
        cell={cell}
        sort={sortOf(query)}
        onSort={sort => page.setQuery({ sort: sortText(sort), pageNum: undefined })}
        summary={summary}
        onResize={layout.resize}
        empty={
          <WithoutRows asked={report}>
            <Blank title={missing ? `请选择${missing.label}` : '没有符合条件的数据'} />
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

/** The columns and filters that the reader sees: those of his kind of organisation, patients with the right to them. */
function useSeen(): { readonly type: OrgType; readonly seen: Seen } {
  const type = useSession()?.orgType ?? 'P'
  const seesField = useCanSeeField()
  const seen = useCallback<Seen>(
    field =>
      (field.orgs?.includes(type) ?? true) && (field.masked !== true || seesField({ as: field.as, patient: true })),
    [type, seesField],
  )
  return { type, seen }
}

/**
 * The calls of the report. In a grouped report no row can be ticked, so only calls without rows are left. `ticks`: some
 * need rows.
 */
function callsOn({ calls = {} }: AnyReport, grouped: boolean, may: (name: string) => boolean) {
  const shown = Object.entries(calls).filter(([, { rows }]) => !grouped || rows === undefined)
  return {
    calls: Object.fromEntries(shown),
    ticks: shown.some(([name, { rows, right }]) => rows !== undefined && may(right ?? name)),
  }
}

const CHART = '图表'
const TREND = '趋势图'
/** The picture that the page can draw: an analysis as a chart, months of single rows as lines. */
const pictureOf = ({ analysis, trend }: AnyReport, isCross: boolean, grouped: boolean) => {
  if (analysis && !isCross) return CHART
  return trend && !grouped ? TREND : null
}

/** Report rows have no number of their own. */
const keyOf = (row: Row): string => JSON.stringify(row)

/** List actions of the documents the report counts, for users who may run them there. */
function CountedCalls({ report, onDone }: { readonly report: AnyReport; readonly onDone: () => void }) {
  const counted = report.countedDocument === undefined ? undefined : documentOf(report.countedDocument)
  const may = useMay(counted?.screens[0]?.route ?? '', counted?.kind ?? '')
  return counted === undefined ? null : <ListCalls definition={counted} may={may} onMade={onDone} onDone={onDone} />
}

/** Cells with a target are links, and figures with a warning are highlighted; all others are drawn by their field. */
const shownCell = (definition: AnyReport, query: Query | null) => (column: Column, row: Row) => {
  const lead = query === null ? undefined : definition.drillDown?.[column.name]
  const tone = definition.alerts?.[column.name]?.(row) ?? null
  const text = faces[column.field.as].text({ field: column.field, name: column.name, value: row[column.name], row })
  // Nothing and zero have no link.
  const isLink = lead !== undefined && query !== null && text !== NOTHING && !/^0(\.0+)?$/.test(text)
  if (!isLink && tone === null) return undefined
  const shown =
    tone === null ? (
      text
    ) : (
      <span className={tables.figure} data-tone={tone}>
        {text}
      </span>
    )
  return isLink ? (
    <LeadLink lead={lead} row={row} query={query} text={text}>
      {shown}
    </LeadLink>
  ) : (
    shown
  )
}

/** The report's totals over the whole query; what has no sum, as pieces of different goods, is left out. */
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
    name => columns.some(column => column.name === name) && (summary === undefined || (summary[name] ?? null) !== null),
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
            <dt>
              <Explained says={columns.find(column => column.name === name)?.says ?? []}>{field.label}</Explained>
            </dt>
            <dd className={text.startsWith('-') && text !== '-' ? 'negative' : undefined}>{text}</dd>
          </div>
        )
      })}
    </dl>
  )
}
