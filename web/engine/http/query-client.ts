import { QueryClient } from '@tanstack/react-query'
import { CallFailure } from '#web/engine/http/request-error.ts'

/** Server data. Pages show a failed read in place; nothing is retried silently except after a lost connection. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      gcTime: 10 * 60_000,
      refetchOnWindowFocus: false,
      retry: (count, thrown) => count < 1 && thrown instanceof CallFailure && thrown.kind === 'unreachable',
    },
    mutations: { retry: false },
  },
})

/** After a change: everything read about the kind is read again. */
export const forget = (kind: string): void => {
  void queryClient.invalidateQueries({
    predicate: query => query.queryKey[0] === kind || query.queryKey[0] === 'workbench',
  })
}
