import { useQuery } from '@tanstack/react-query'
import { get, post } from '#web/engine/http/request.ts'
import { queryClient } from '#web/engine/http/query-client.ts'
import type { LiveMessage } from '#web/realtime/channel.ts'

/** A message in the user's inbox. */
export type InboxMessage = {
  readonly message_sn: string
  readonly message_type: string
  readonly title: string
  readonly body: string
  readonly uri: string
  readonly object_id: string | null
  readonly extra: LiveMessage['extra']
  readonly at: string
  readonly read_at: string | null
  readonly from_org_name: string | null
  readonly needs_confirm: boolean
  readonly confirmed_at: string | null
  readonly confirmed_by: string | null
}

/** Message types, as the server names them. */
export const messageTypes: Readonly<Record<string, string>> = {
  document: '业务单据',
  notice: '通知公告',
  audit: '审核结果',
  announcement: '平台公告',
  maintenance: '系统维护',
  training: '培训通知',
  system: '系统消息',
}

const PATH = '/v1/business/message'
const KEY = 'message'
/** If the realtime connection is down, the count is still updated within this time. */
const REREAD_MS = 60_000
const SHOWN = 8

/** The unread count and the newest messages of the inbox; also reloaded whenever one arrives. */
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

/** Confirms on behalf of the organisation that it received the message. */
export async function confirmMessage(message: InboxMessage): Promise<void> {
  await post(`${PATH}/confirm`, { sn: message.message_sn })
  await readAgain()
}

/** Hides it from this user only. */
export async function deleteMessage(message: InboxMessage): Promise<void> {
  await post(`${PATH}/del`, { sn: message.message_sn })
  await readAgain()
}

/** The inbox spells two names differently from the channel. */
export const asLive = ({ title, body, uri, object_id, extra }: InboxMessage): LiveMessage => ({
  title,
  body,
  uri,
  objectID: object_id ?? '',
  extra: extra ?? null,
})
