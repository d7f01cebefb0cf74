import { useQueries } from '@tanstack/react-query'
import { Link } from 'react-router'
import { today } from '#kernel/values/date.ts'
import { measureOf } from '#kernel/measure/measure.ts'
import { reportOf } from '#kernel/registry.ts'
import css from '#modules/platform/reports/centre/report-centre.module.css'
import { get } from '#web/engine/http/request.ts'
import { useSession } from '#web/engine/session/session.ts'
import { daysSaid, ExplainedControl } from '#web/fields/Explained.tsx'
import type { Row } from '#web/fields/field-renderer.ts'
import { faces } from '#web/fields/field-renderers.ts'
import { listAddressOf } from '#web/shell/menu/screen-index.ts'

/** The cards of the current month: each is a total of the report that it opens. */
const figures = [
  { title: '本月', report: 'receivedStat', column: 'amount' },
  { title: '本月', report: 'issuedStat', column: 'amount' },
  { title: '当前', report: 'inventorySummaryReport', column: 'closing_value' },
  { title: '本月', report: 'useStat', column: 'document_count' },
  { title: '本月', report: 'useStat', column: 'amount' },
  { title: '本月', report: 'settlementStat', column: 'amount' },
] as const

/** Cards of the reports that the reader's menu grants; what he may not know is no card. */
export function ReportFigures({ granted }: { readonly granted: ReadonlySet<string> }) {
  const org = useSession()?.orgType ?? 'P'
  const month = { begin_date: `${today().slice(0, 8)}01`, end_date: today() }
  const shown = figures.flatMap(figure => {
    const field = reportOf(figure.report)?.columns[figure.column]
    const to = listAddressOf(figure.report, org, month)
    if (field === undefined || to === null || !granted.has(to.split('?')[0]!)) return []
    const measure = measureOf(field, org)
    return [{ ...figure, title: figure.title + (measure?.label ?? field.label), says: field.hint, field, to }]
  })
  const asked = useQueries({
    queries: shown.map(({ report }) => ({
      queryKey: [report, 'report', 'total', month],
      retry: false,
      queryFn: async () =>
        (await get<unknown, Row>(`/v1/report/${report}`, { ...month, pageSize: '1' })).summary as Row | undefined,
    })),
  })
  return shown.flatMap(({ title, says, column, field, to }, at) => {
    const value = asked[at]?.data?.[column]
    if (asked[at]?.isSuccess && value === undefined) return []
    const text = value === undefined ? '…' : faces[field.as].text({ field, name: column, value, row: {} })
    return [
      <div key={title} className={css.cell}>
        <ExplainedControl says={[says, daysSaid(month.begin_date, month.end_date)]} of={title}>
          <Link className={css.card} to={to}>
            <span>{title}</span>
            <b>{text}</b>
          </Link>
        </ExplainedControl>
      </div>,
    ]
  })
}
