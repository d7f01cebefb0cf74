import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { get, post } from '#web/engine/request.ts'
import { useSession } from '#web/engine/session.ts'
import type { OrgType } from '#kernel/organisation.ts'
import { systemType } from '#kernel/organisation.ts'
import { arrange, keep, type Kept, readKept } from '#web/list/arrange.ts'
import type { Column } from '#web/list/column.ts'

const PROJECT = 'yrtweb'
/** Changes settle for this long before they are written. */
const PAUSE_MS = 550

const keyOf = (tableId: string, userId: string, org: OrgType) => ({
  userId,
  projectName: PROJECT,
  systemType: systemType[org],
  tableId,
})
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
  const [changed, setChanged] = useState<readonly Column[] | null>(null)
  const columns = useMemo(() => changed ?? arrange(standard, asked.data ?? []), [changed, standard, asked.data])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const write = useCallback(
    (next: readonly Kept[]) => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => {
        client.setQueryData(['userTableSort', tableId], next)
        // A layout that could not be kept is no reason to disturb: it holds until the page is left.
        post('/v1/business/userTableSort/save', { ...place, columns: JSON.stringify(next) }).catch(() => undefined)
      }, PAUSE_MS)
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
  return { columns, ready: !asked.isPending, rearrange, resize, restore }
}
