import { queryClient } from '#web/engine/http/query-client.ts'

let last: string | null = null

/** Each response has the version of the rights. If it changed, the menu with its buttons is reloaded. */
export function noteRights(mark: string | null): void {
  if (mark === null || mark === last) return
  const known = last !== null
  last = mark
  if (known) void queryClient.invalidateQueries({ queryKey: ['menu'] })
}
