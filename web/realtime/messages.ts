import { useQuery } from '@tanstack/react-query'
import { get, post } from '#web/engine/request.ts'
import { queryClient } from '#web/engine/query-client.ts'
import type { LiveMessage } from '#web/realtime/channel.ts'

/** A message as it lies in the person's inbox. */
export type InboxMessage = {
  readonly message_sn: string
  readonly title: string
  readonly body: string
  readonly uri: string
  readonly object_id: string | null
  readonly extra: LiveMessage['extra']
  readonly at: string
  readonly read_at: string | null
}

const PATH = '/v1/business/message'
const KEY = 'message'
/** Where the line is broken, the count still follows within this time. */
const REREAD_MS = 60_000
const SHOWN = 8

/** The unread count and the newest messages of the inbox; also read again whenever one arrives. */
export function useInbox(open: boolean) {
  const unread = useQuery({
    queryKey: [KEY, 'unread'],
    refetchInterval: REREAD_MS,
    queryFn: async ({ signal }) => (await get<{ count: number }>(`${PATH}/unread`, {}, { signal })).info.count,
  })
  const newest = useQuery({
    queryKey: [KEY, 'newest'],
    enabled: open,
    queryFn: async ({ signal }) =>
      (await get<unknown, InboxMessage>(`${PATH}/list`, { pageNum: 1, pageSize: SHOWN }, { signal })).list,
  })
  return { unread: unread.data ?? 0, newest }
}

export const readAgain = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [KEY] })

export async function markRead(message: InboxMessage): Promise<void> {
  if (message.read_at !== null) return
  await post(`${PATH}/read`, { sn: message.message_sn })
  await readAgain()
}

export async function markAllRead(): Promise<void> {
  await post(`${PATH}/readAll`)
  await readAgain()
}

/** The inbox spells two names otherwise than the channel. */
export const asLive = ({ title, body, uri, object_id, extra }: InboxMessage): LiveMessage => ({
  title,
  body,
  uri,
  objectID: object_id ?? '',
  extra: extra ?? null,
})
