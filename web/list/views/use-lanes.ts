import { useQuery } from '@tanstack/react-query'
import type { ScreenView } from '#kernel/definition/screen.ts'
import { nameKeyOf } from '#kernel/definition/field.ts'
import { entityOf } from '#kernel/registry.ts'
import { get } from '#web/engine/http/request.ts'
import { isEmpty, type Row } from '#web/fields/field-renderer.ts'
import { lanesOfRow } from '#web/list/views/week.ts'

export type Lane = { readonly key: string; readonly name: string }
/** The most records whose lanes are shown although they are empty. */
const OFFERED = '50'

/**
 * The lanes of a view: first the rows that are nobody's, then the lanes of rows, then those of records that are free.
 */
export function useLanes(view: ScreenView, rows: readonly Row[]): readonly Lane[] {
  const { lanes } = view
  const target = entityOf(lanes?.of.kind ?? '')
  const { data } = useQuery({
    queryKey: [lanes?.of.kind, 'lanes', lanes?.of.where],
    enabled: target !== undefined,
    queryFn: ({ signal }) =>
      get<unknown, Row>(`/v1/business/${lanes!.of.kind}/list`, { ...lanes!.of.where, pageSize: OFFERED }, { signal }),
  })
  if (lanes === undefined) return [{ key: '', name: '' }]
  const as = lanes.of.as ?? target?.key ?? ''
  const offered = (data?.list ?? []).map(row => ({
    key: String(row[as]),
    name: String(row[target?.display ?? as] ?? row[as]),
  }))
  const inUse = new Map<string, string>()
  for (const row of rows)
    for (const key of lanesOfRow(view, row)) {
      const named = row[nameKeyOf(lanes.by)]
      inUse.set(key, offered.find(lane => lane.key === key)?.name ?? (isEmpty(named) ? key : String(named)))
    }
  return [
    { key: '', name: lanes.nobody },
    ...[...inUse].filter(([key]) => key !== '').map(([key, name]) => ({ key, name })),
    ...offered.filter(({ key }) => !inUse.has(key)),
  ]
}
