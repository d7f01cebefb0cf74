import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { App } from 'antd'
import { useEffect } from 'react'
import type { Query } from '#web/engine/page-context.ts'
import { isSilent, sentenceOf } from '#web/engine/http/request-error.ts'
import { get } from '#web/engine/http/request.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { without } from '#kernel/values/without.ts'
import { askedOf } from '#web/list/page/list-query.ts'

/** A page of rows; the old ones stay visible while the next are loading. */
export function useList(kind: string, path: string, query: Query, where: Query | undefined, extra: Query = {}) {
  const asked = { ...askedOf(query, where), ...extra }
  const list = useQuery({
    queryKey: [kind, 'list', asked],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => get<unknown, Row>(path, asked, { signal }),
  })
  useSayStale(list)
  return list
}

/** A table that keeps its rows says that they could not be read again. */
export function useSayStale({ error, errorUpdatedAt, data }: ReturnType<typeof useQuery>) {
  const { message } = App.useApp()
  const isStale = error !== null && data !== undefined && !isSilent(error)
  const because = isStale ? sentenceOf(error) : null
  useEffect(() => {
    if (because !== null) void message.error(because)
  }, [because, errorUpdatedAt, message])
}

/**
 * The number of rows per state under the other filters; per value of the state field `standing`, where the kind has
 * one.
 */
export function useStateCounts(kind: string, path: string, query: Query, where: Query | undefined, standing?: string) {
  const others = without(query, ['state', 'sort', ...(standing === undefined ? [] : [standing])])
  const asked = { ...askedOf({ ...others, pageNum: '1', pageSize: '1' }, where), counts: 1 }
  const counted = useQuery({
    queryKey: [kind, 'counts', asked],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => get(path, asked, { signal }),
  })
  return standing === undefined ? counted.data?.state_counts : counted.data?.standing_counts
}
