import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { get } from '#web/engine/http/request.ts'

/** Something that waits for this user's decision, as the server lists it. */
export type Approval = {
  readonly is: 'document' | 'record'
  readonly kind: string
  readonly title: string
  readonly key: string
  readonly name: string
  readonly version: number
  readonly route: string
  readonly address: string
  readonly approve: string
  readonly reject: string | null
  readonly since: string | null
  readonly by: string | null
  readonly partner: string | null
  readonly place: string | null
  readonly amount?: string | null
  readonly level: number
  readonly levels: number
  readonly own: boolean
}

/** The name of an approval in the address of the page. */
export const idOf = ({ kind, key }: Pick<Approval, 'kind' | 'key'>): string => `${kind}:${key}`

const REREAD_MS = 60_000

export const useApprovals = () =>
  useQuery({
    queryKey: ['workbench', 'approvals'],
    placeholderData: keepPreviousData,
    refetchInterval: REREAD_MS,
    queryFn: async ({ signal }) =>
      (await get<unknown, Approval>('/v1/business/workbench/approvals', {}, { signal })).list,
  })
