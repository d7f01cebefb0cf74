import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { refusedByKnown } from '#kernel/rules/partial-guards.ts'
import { post } from '#web/engine/http/request.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { useCanSeeField } from '#web/shell/menu/menu.ts'

const FRESH_MS = 15_000
type Refusals = Readonly<Record<string, string>>
const nothing: Refusals = {}

/** The reasons why the server would refuse each action on a document now, as it is in this row. */
export const refusalsQuery = (kind: string, row: Row) =>
  queryOptions({
    queryKey: [kind, 'offers', row.id, row.version],
    queryFn: async () => {
      const { sn, version, state, role } = row
      const body = { sn, version, state, role, ...(role === 'counterparty' ? { source_org_sn: row.org_sn } : {}) }
      return (await post<{ refused: Refusals }>(`/v1/business/${kind}/offers`, body)).info.refused
    },
  })

/**
 * The reasons why actions on a row would be refused, by action: header conditions at once, server conditions when the
 * user points at the row (`look`).
 */
export function useRefused(definition: AnyDocument, row: Row) {
  const [looked, look] = useState(false)
  const notified = useCanSeeField()
  const asked = useQuery({ ...refusalsQuery(definition.kind, row), enabled: looked, staleTime: FRESH_MS })
  const byServer = asked.data ?? nothing
  // Without price permission rows have no prices: only the server checks.
  const knowsAll = notified({ as: 'price' })
  const because = (action: string): string | null => {
    const spec = definition.actions[action]
    if (spec === undefined) return null
    const here = knowsAll ? refusedByKnown(spec.guards ?? [], row, ['lines', ...(spec.inputs ?? [])]) : null
    return here ?? byServer[action] ?? null
  }
  return { because, look: () => look(true) }
}
