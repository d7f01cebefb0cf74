import { CheckOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { App, Button, Input } from 'antd'
import css from '#modules/messages/inbox.module.css'
import { sentenceOf } from '#web/engine/failure.ts'
import { usePage } from '#web/engine/page.ts'
import { get } from '#web/engine/request.ts'
import { useSession } from '#web/engine/session.ts'
import { wallTime } from '#web/fields/instant.tsx'
import { Blank, Failed } from '#web/list/Blank.tsx'
import { ListFrame } from '#web/list/ListFrame.tsx'
import { ListPaging } from '#web/list/ListPaging.tsx'
import { pageOf } from '#web/list/list-query.ts'
import { StateTabs } from '#web/list/StateTabs.tsx'
import { messageAddress } from '#web/realtime/message-address.ts'
import { asLive, type InboxMessage, markAllRead, markRead, useInbox } from '#web/realtime/messages.ts'
import { addressOf } from '#web/shell/screen-index.ts'

/** Most that the server gives at once. */
const LARGEST_PAGE = 100

/** 消息通知: the whole inbox, newest first. A click reads the message and goes where it leads. */
export default function InboxPage() {
  const page = usePage()
  const session = useSession()
  const { message: toast } = App.useApp()
  const { unread } = useInbox(false)
  const { pageNum, pageSize } = pageOf(page.query)
  const state = page.query.read_state ?? ''
  const asked = { read_state: state, q: page.query.q ?? '', pageNum, pageSize: Math.min(pageSize, LARGEST_PAGE) }
  const inbox = useQuery({
    queryKey: ['message', 'page', asked],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => get<unknown, InboxMessage>('/v1/business/message/list', asked, { signal }),
  })
  const say = (thrown: unknown) => void toast.error(sentenceOf(thrown))
  const take = (message: InboxMessage) => {
    markRead(message).catch(say)
    const to = messageAddress(asLive(message), (kind, sn) =>
      session === null ? null : addressOf(kind, sn, session.orgType),
    )
    if (to !== null) page.go(to)
  }
  const tabs = [
    { key: '', label: '全部', count: null },
    { key: 'unread', label: '未读', count: unread },
    { key: 'read', label: '已读', count: null },
  ]
  return (
    <ListFrame title={page.screen.title} purpose={page.screen.purpose}>
      <StateTabs
        tabs={tabs}
        active={state}
        onChange={key => page.setQuery({ read_state: key || undefined, pageNum: undefined })}
      />
      <div className={css.bar}>
        <Input.Search
          allowClear
          aria-label="在消息中查找"
          placeholder="标题或内容"
          defaultValue={page.query.q ?? ''}
          style={{ width: 280 }}
          onSearch={typed => page.setQuery({ q: typed.trim() || undefined, pageNum: undefined })}
        />
        <Button icon={<CheckOutlined />} disabled={unread === 0} onClick={() => void markAllRead().catch(say)}>
          全部已读
        </Button>
      </div>
      <div className={css.scroll}>
        <ul className={css.list} aria-label="消息">
          {inbox.data?.list.map(message => (
            <li key={message.message_sn} data-row-key={message.message_sn}>
              <button
                type="button"
                className={css.item}
                data-unread={message.read_at === null}
                onClick={() => take(message)}
              >
                <span className={css.dot} title={message.read_at === null ? '未读' : '已读'} />
                <span className={css.title}>{message.title}</span>
                <span className={css.body}>{message.body}</span>
                <time className={css.at}>{wallTime(message.at)}</time>
              </button>
            </li>
          ))}
        </ul>
        {inbox.isError && <Failed thrown={inbox.error} onRetry={() => void inbox.refetch()} />}
        {inbox.data?.list.length === 0 && <Blank title={state === 'unread' ? '没有未读消息' : '没有消息'} />}
      </div>
      <ListPaging
        total={inbox.data?.total ?? 0}
        capped={false}
        pageNum={pageNum}
        pageSize={asked.pageSize}
        onChange={(next, size) =>
          page.setQuery({ pageNum: next === 1 ? undefined : String(next), pageSize: String(size) })
        }
      />
    </ListFrame>
  )
}
