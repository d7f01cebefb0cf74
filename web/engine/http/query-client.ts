import { QueryClient } from '@tanstack/react-query'
import { isOnline } from '#web/engine/http/connection.ts'
import { CallFailure } from '#web/engine/http/request-error.ts'

/** Server data. Pages show a failed read in place; nothing is retried silently except after a lost connection. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      gcTime: 10 * 60_000,
      refetchOnWindowFocus: false,
      retry: (count, thrown) =>
        thrown instanceof CallFailure && thrown.kind === 'unreachable' && (count < 1 || !isOnline()),
    },
    mutations: { retry: false },
  },
})

/**
 * 查询 reads from the server, whatever is cached. `isChanged`: the filters just changed, so the page reads other rows by
 * itself and only must not find them cached.
 */
export const askAgain = (kind: string, isChanged: boolean): void => {
  void queryClient.invalidateQueries(
    { predicate: query => query.queryKey[0] === kind, refetchType: isChanged ? 'none' : 'active' },
    // A call that is under way already brings the answer: an identical second call would cancel it.
    { cancelRefetch: false },
  )
}

/** After a change: everything read about the kind is read again. */
export const forget = (kind: string): void => {
  void queryClient.invalidateQueries({
    predicate: query => query.queryKey[0] === kind || query.queryKey[0] === 'workbench',
  })
}
