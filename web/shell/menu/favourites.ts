import { useQuery } from '@tanstack/react-query'
import { systemType } from '#kernel/values/organisation-type.ts'
import { isSilent, sentenceOf } from '#web/engine/http/request-error.ts'
import { asks } from '#web/engine/actions/prompts.ts'
import { queryClient } from '#web/engine/http/query-client.ts'
import { get, post } from '#web/engine/http/request.ts'
import { useSession } from '#web/engine/session/session.ts'

type Kept = { readonly field: string; readonly title: string }
/** A list of pages that the user keeps, and how many it may hold. */
type List = { readonly tableId: string; readonly most: number; readonly full: string }

/** Pages that the user keeps, in the order they were marked; stored on the server like table layouts. */
function useKeptPages({ tableId, most, full }: List) {
  const key = ['keptPages', tableId]
  const session = useSession()
  const place = {
    userId: session?.userId ?? '',
    projectName: 'yrtweb',
    systemType: systemType[session?.orgType ?? 'P'],
    tableId,
  }
  const asked = useQuery({
    queryKey: key,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async () =>
      (await get<{ columns?: readonly Kept[] } | null>('/v1/business/userTableSort/info', place)).info?.columns ?? [],
  })
  const kept = asked.data ?? []
  const toggle = (route: string, title: string) => {
    const isKept = kept.some(each => each.field === route)
    if (!isKept && kept.length >= most) return asks.notify(full)
    const next = isKept ? kept.filter(each => each.field !== route) : [...kept, { field: route, title }]
    queryClient.setQueryData(key, next)
    post('/v1/business/userTableSort/save', { ...place, columns: JSON.stringify(next) }).catch((thrown: unknown) => {
      queryClient.setQueryData(key, kept)
      if (!isSilent(thrown)) asks.notify(sentenceOf(thrown))
    })
  }
  return { routes: kept.map(each => each.field), toggle }
}

/** 收藏: first in the menu. */
export const useFavourites = () =>
  useKeptPages({ tableId: 'menu.favourites', most: 12, full: '最多收藏12个页面，请先取消不常用的' })

/** 快捷入口 of the home page. */
export const usePins = () =>
  useKeptPages({ tableId: 'home.pins', most: 8, full: '最多设置8个快捷入口，请先取消不常用的' })
