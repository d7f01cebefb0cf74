import { useQuery } from '@tanstack/react-query'
import { get } from '#web/engine/http/request.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { targetOf } from '#web/fields/reference/reference-target.ts'

const KEPT_MS = 10 * 60_000

/** The readable name of one row of a target; null while unknown. */
export function useRefName(kind: string, key: string | null): string | null {
  const target = targetOf(kind)
  const asked = useQuery({
    queryKey: [kind, 'name', key],
    enabled: key !== null && kind !== '',
    staleTime: KEPT_MS,
    queryFn: async ({ signal }) => {
      const { list } = await get<unknown, Row>(target.path, { [target.key]: key, pageNum: 1, pageSize: 1 }, { signal })
      return typeof list[0]?.[target.display] === 'string' ? String(list[0][target.display]) : null
    },
  })
  return asked.data ?? null
}

/** For a reference that arrived without its name: looked up once, and never shown as a bare key. */
export function RefName({ kind, value }: { kind: string; value: string }) {
  return <>{useRefName(kind, value) ?? '…'}</>
}
