import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Query } from '#web/engine/page-context.ts'
import { get } from '#web/engine/http/request.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { askedOf } from '#web/list/page/list-query.ts'

/** A page of rows; the old ones stay visible while the next are loading. */
export function useList(kind: string, path: string, query: Query, where: Query | undefined, extra: Query = {}) {
  const asked = { ...askedOf(query, where), ...extra }
  return useQuery({
    queryKey: [kind, 'list', asked],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => get<unknown, Row>(path, asked, { signal }),
  })
}

/** The number of rows per state under the other filters. */
export function useStateCounts(kind: string, path: string, query: Query, where: Query | undefined) {
  const { state: _, sort: __, ...others } = query
  const asked = { ...askedOf({ ...others, pageNum: '1', pageSize: '1' }, where), counts: 1 }
  const counted = useQuery({
    queryKey: [kind, 'counts', asked],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => get(path, asked, { signal }),
  })
  return counted.data?.state_counts
}
