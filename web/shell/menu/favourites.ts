import { useQuery } from '@tanstack/react-query'
import { systemType } from '#kernel/values/organisation-type.ts'
import { isSilent, sentenceOf } from '#web/engine/http/request-error.ts'
import { asks } from '#web/engine/actions/prompts.ts'
import { queryClient } from '#web/engine/http/query-client.ts'
import { get, post } from '#web/engine/http/request.ts'
import { useSession } from '#web/engine/session/session.ts'

type Kept = { readonly field: string; readonly title: string }
const KEY = ['favourites']
/** Maximum number of favourites that is still useful. */
const MOST = 12

/** The user's favourite pages, in the order they were marked; stored on the server like table layouts. */
export function useFavourites() {
  const session = useSession()
  const place = {
    userId: session?.userId ?? '',
    projectName: 'yrtweb',
    systemType: systemType[session?.orgType ?? 'P'],
    tableId: 'menu.favourites',
  }
  const asked = useQuery({
    queryKey: KEY,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async () =>
      (await get<{ columns?: readonly Kept[] } | null>('/v1/business/userTableSort/info', place)).info?.columns ?? [],
  })
  const kept = asked.data ?? []
  const toggle = (route: string, title: string) => {
    const isKept = kept.some(each => each.field === route)
    if (!isKept && kept.length >= MOST) return asks.notify(`最多收藏${MOST}个页面，请先取消不常用的`)
    const next = isKept ? kept.filter(each => each.field !== route) : [...kept, { field: route, title }]
    queryClient.setQueryData(KEY, next)
    post('/v1/business/userTableSort/save', { ...place, columns: JSON.stringify(next) }).catch((thrown: unknown) => {
      queryClient.setQueryData(KEY, kept)
      if (!isSilent(thrown)) asks.notify(sentenceOf(thrown))
    })
  }
  return { routes: kept.map(each => each.field), toggle }
}
