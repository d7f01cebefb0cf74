import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { get, post } from '#web/engine/http/request.ts'
import { useSession } from '#web/engine/session/session.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { systemType } from '#kernel/values/organisation-type.ts'
import { arrange, keep, type Kept, readKept } from '#web/list/table/saved-columns.ts'
import type { Column } from '#web/list/table/column.ts'

const PROJECT = 'yrtweb'
/** So long the list waits for how this person arranged it; after that it shows itself as it is made, and changes are kept as soon as they have settled. */
export const RESTORE_WAIT_MS = 550
const SETTLE_MS = 550

const keyOf = (tableId: string, userId: string, org: OrgType) => ({
  userId,
  projectName: PROJECT,
  systemType: systemType[org],
  tableId,
})
const NO_COLUMNS: readonly Column[] = []

/** Whether so long has passed since the page was opened. */
function useWaited(ms: number): boolean {
  const [waited, setWaited] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return waited
}

/** Columns as this person arranged them, and the way to rearrange: kept on the server, so they follow the person. */
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
        // A layout that could not be kept is no reason to disturb: it holds until the page is left.
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
  return { columns, rearrange, resize, restore }
}
