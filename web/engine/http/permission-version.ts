import { queryClient } from '#web/engine/http/query-client.ts'

let last: string | null = null

/** Each reply says under which rights it was given. When they are others than before, the menu with its buttons is asked for anew. */
export function noteRights(mark: string | null): void {
  if (mark === null || mark === last) return
  const known = last !== null
  last = mark
  if (known) void queryClient.invalidateQueries({ queryKey: ['menu'] })
}
