import { useMemo, useState } from 'react'
import { type AnyReport, groupsAsked } from '#kernel/definition/report.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import type { Query, usePage } from '#web/engine/page-context.ts'
import { ACROSS, crossColumns, GROUP_BY, standingColumns } from '#web/list/report/report-params.ts'
import { saysOf } from '#web/list/report/report-says.ts'
import { type Column, columnFor } from '#web/list/table/column.ts'

/** A column with what its figures are: of its definition, and with which days it compares. */
function saying(column: Column, definition: AnyReport, query: Query): Column {
  const says = saysOf(definition, column.field, query)
  return says.length === 0 ? column : { ...column, says }
}

/** A column of a cross table, as the server names it. */
export type AcrossColumn = { readonly name: string; readonly label: string }
type Page = Pick<ReturnType<typeof usePage>, 'query' | 'screen'>

/**
 * The columns of a report for its parameters: of its screen, of its groups, or of a cross table, which are known when
 * it was read (`setAcross`).
 */
export function useReportColumns(definition: AnyReport, { query, screen }: Page, type: OrgType) {
  const isCross = (query[ACROSS] ?? '') !== ''
  const [across, setKnown] = useState<readonly AcrossColumn[]>([])
  const standard = useMemo(() => {
    const described = isCross
      ? crossColumns(definition, query, across)
      : standingColumns(definition, query, screen.columns).map(name => [name, definition.columns[name]] as const)
    return described.flatMap(([name, field]) => {
      const shown = field !== undefined && !screen.without?.[type]?.includes(name)
      return shown ? [saying(columnFor(name, field), definition, query)] : []
    })
  }, [definition, query, screen, type, isCross, across])
  const setAcross = (known: readonly AcrossColumn[] | undefined) => {
    if (isCross && known !== undefined && known !== across) setKnown(known)
  }
  const groups = useMemo(() => groupsAsked(definition, query[GROUP_BY]), [definition, query])
  return { standard, groups, isCross, setAcross }
}
