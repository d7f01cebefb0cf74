import { useQuery } from '@tanstack/react-query'
import { get } from '#web/engine/http/request.ts'
import { codesOf } from '#web/fields/parse-codes.ts'
import { type CellProps, type InputProps, NOTHING, type Row } from '#web/fields/field-renderer.ts'
import { ManyChoices } from '#web/fields/choices/MultiSelect.tsx'
import { formNarrowOf, narrowOf } from '#web/fields/reference/options-filter.ts'
import { targetOf } from '#web/fields/reference/reference-target.ts'

const MOST = 500

/** All rows that may be chosen: sets of references are small (roles, warehouses of an organisation). */
function useAllRows(kind: string, narrow: Readonly<Record<string, string>>) {
  const target = targetOf(kind)
  const asked = useQuery({
    queryKey: [kind, 'all', narrow],
    staleTime: 60_000,
    queryFn: async ({ signal }) =>
      (await get<unknown, Row>(target.path, { ...narrow, pageNum: 1, pageSize: MOST }, { signal })).list,
  })
  return (asked.data ?? []).map(row => ({
    value: String(row[target.key]),
    label: String(row[target.display] ?? row[target.key]),
  }))
}

/** Several references in one field. */
export function ManyRefs(given: InputProps) {
  const { field, row } = given
  return <ManyChoices {...given} options={useAllRows(field.target ?? '', formNarrowOf(field, row))} />
}

/** The names for a set of keys. */
export function NamesOf({ field, row, value }: CellProps) {
  const options = useAllRows(field.target ?? '', narrowOf(field, row))
  const names = codesOf(value).map(key => options.find(option => option.value === key)?.label ?? key)
  return <span>{names.length === 0 ? NOTHING : names.join('、')}</span>
}
