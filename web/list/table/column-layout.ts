import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { get, post } from '#web/engine/http/request.ts'
import { useSession } from '#web/engine/session/session.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { systemType } from '#kernel/values/organisation-type.ts'
import { arrange, keep, type Kept, readKept } from '#web/list/table/saved-columns.ts'
import type { Column } from '#web/list/table/column.ts'

const PROJECT = 'yrtweb'
/**
 * The time for which the list waits for the user's saved layout; after that it shows the default, and changes are saved
 * once they have settled.
 */
export const RESTORE_WAIT_MS = 550
const SETTLE_MS = 550

const keyOf = (tableId: string, userId: string, org: OrgType) => ({
  userId,
  projectName: PROJECT,
  systemType: systemType[org],
  tableId,
})
const NO_COLUMNS: readonly Column[] = []

/** True if this much time has passed since the page was opened. */
function useWaited(ms: number): boolean {
  const [waited, setWaited] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return waited
}

/** The columns as this user arranged them, and how to rearrange them: saved on the server, so they follow the user. */
export function useColumnLayout(tableId: string, standard: readonly Column[]) {
  const session = useSession()
  const client = useQueryClient()
  const place = keyOf(tableId, session?.userId ?? '', session?.orgType ?? 'P')
  const asked = useQuery({
    queryKey: ['userTableSort', tableId],
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async () =>
      readKept((await get<{ columns?: unknown } | null>('/v1/business/userTableSort/info', place)).info?.columns),
  })
  const waited = useWaited(RESTORE_WAIT_MS)
  const [changed, setChanged] = useState<readonly Column[] | null>(null)
  const pending = asked.isPending && !waited
  const columns = useMemo(
    () => changed ?? (pending ? NO_COLUMNS : arrange(standard, asked.data ?? [])),
    [changed, pending, standard, asked.data],
  )
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const write = useCallback(
    (next: readonly Kept[]) => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => {
        client.setQueryData(['userTableSort', tableId], next)
        // A layout that could not be saved is no reason to disturb the user: it lasts until the page is closed.
        post('/v1/business/userTableSort/save', { ...place, columns: JSON.stringify(next) }).catch(() => undefined)
      }, SETTLE_MS)
    },
    [client, tableId, place],
  )
  const rearrange = (next: readonly Column[]) => {
    setChanged(next)
    write(next.map(keep))
  }
  const resize = (name: string, width: number) =>
    rearrange(columns.map(column => (column.name === name ? { ...column, width } : column)))
  const restore = () => {
    setChanged(standard)
    write([])
  }
  /** Arranges the columns as they were kept. */
  const apply = (kept: readonly Kept[]) => rearrange(arrange(standard, kept))
  return { columns, rearrange, resize, restore, apply }
}
