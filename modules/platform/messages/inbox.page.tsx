import { CheckOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { App, Button } from 'antd'
import { useState } from 'react'
import { f } from '#kernel/definition/field.ts'
import css from '#modules/platform/messages/inbox.module.css'
import { MessageDrawer } from '#modules/platform/messages/MessageDrawer.tsx'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { usePage } from '#web/engine/page-context.ts'
import { follow } from '#web/engine/http/download.ts'
import { encodeQuery } from '#web/engine/http/response.ts'
import { get } from '#web/engine/http/request.ts'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'
import { Tag } from '#web/fields/Tag.tsx'
import { Blank, Failed } from '#web/list/page/EmptyState.tsx'
import { ExportButton } from '#web/list/actions/ExportButton.tsx'
import { FilterBar } from '#web/list/page/FilterBar.tsx'
import { ListFrame } from '#web/list/page/ListFrame.tsx'
import { ListPaging } from '#web/list/page/Pagination.tsx'
import { pageOf } from '#web/list/page/list-query.ts'
import { StateTabs } from '#web/list/page/StateTabs.tsx'
import { isFile, messageAddress } from '#web/realtime/message-address.ts'
import { asLive, type InboxMessage, markAllRead, markRead, messageTypes, useInbox } from '#web/realtime/messages.ts'
import { useMenu } from '#web/shell/menu/menu.ts'
import { useDocumentAddress } from '#web/shell/menu/document-address.ts'
import { placeAt } from '#web/shell/menu/screen-index.ts'

/** The maximum page size of the server. */
const LARGEST_PAGE = 100
const PATH = '/v1/business/message'

const filters = [
  { name: 'message_type', field: f.pick('消息类型', messageTypes), single: true },
  { name: 'q', field: f.text('标题或内容') },
  { name: 'from_org_name', field: f.text('发送机构') },
  { name: 'at', field: f.instant('接收时间') },
  {
    name: 'confirm_state',
    field: f.pick('确认状态', { waiting: '待确认', confirmed: '已确认' }),
    single: true,
  },
]
const asked = ['message_type', 'q', 'from_org_name', 'begin_at', 'end_at', 'confirm_state', 'read_state'] as const

/**
 * 消息通知: the whole inbox; messages to be confirmed first, then the newest. A click marks the message as read and
 * opens its link.
 */
export default function InboxPage() {
  const page = usePage()
  const addressOf = useDocumentAddress()
  const { menu } = useMenu()
  const { message: toast } = App.useApp()
  const { unread } = useInbox(false)
  const [shown, setShown] = useState<InboxMessage | null>(null)
  const { pageNum, pageSize } = pageOf(page.query)
  const state = page.query.read_state ?? ''
  const filtered = Object.fromEntries(asked.map(name => [name, page.query[name] ?? '']))
  const query = { ...filtered, pageNum, pageSize: Math.min(pageSize, LARGEST_PAGE) }
  const inbox = useQuery({
    queryKey: ['message', 'page', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => get<unknown, InboxMessage>(`${PATH}/list`, query, { signal }),
  })
  const say = (thrown: unknown) => void toast.error(sentenceOf(thrown))
  const leadsTo = (message: InboxMessage) => messageAddress(asLive(message), addressOf)
  /** A link outside the user's menu is not opened. */
  const isHis = (address: string) => {
    const route = placeAt(address)?.entry.screen.route
    return route !== undefined && menu.groups.some(group => group.pages.some(one => one.route === route))
  }
  const take = (message: InboxMessage) => {
    markRead(message).catch(say)
    const to = leadsTo(message)
    if (to !== null && isFile(to)) return follow(to)
    if (to !== null && isHis(to) && !message.needs_confirm) return page.go(to)
    if (to !== null && !isHis(to)) void toast.warning('没有操作权限')
    setShown(message)
  }
  const tabs = [
    { key: '', label: '全部', count: null },
    { key: 'unread', label: '未读', count: unread },
    { key: 'read', label: '已读', count: null },
  ]
  const to = shown === null ? null : leadsTo(shown)
  return (
    <ListFrame title={page.screen.title} purpose={page.screen.purpose}>
      <StateTabs
        tabs={tabs}
        active={state}
        onChange={key => page.setQuery({ read_state: key || undefined, pageNum: undefined })}
      />
      <FilterBar
        filters={filters}
        query={page.query}
        onChange={page.setQuery}
        storeKey={page.screen.route}
        kind="message"
      />
      <div className={css.bar}>
        <Button icon={<CheckOutlined />} disabled={unread === 0} onClick={() => void markAllRead().catch(say)}>
          全部已读
        </Button>
        <ExportButton address={`${PATH}/export${encodeQuery(filtered)}`} />
      </div>
      <div className={css.scroll}>
        <ul className={css.list} aria-label="消息">
          {inbox.data?.list.map(message => (
            <Line
              key={message.message_sn}
              message={message}
              onTake={() => take(message)}
              onShow={() => {
                markRead(message).catch(say)
                setShown(message)
              }}
            />
          ))}
        </ul>
        {inbox.isError && <Failed thrown={inbox.error} onRetry={() => void inbox.refetch()} />}
        {inbox.data?.list.length === 0 && <Blank title={state === 'unread' ? '没有未读消息' : '没有消息'} />}
      </div>
      <ListPaging
        total={inbox.data?.total ?? 0}
        capped={(inbox.data?.total ?? 0) > 10_000}
        pageNum={pageNum}
        pageSize={query.pageSize}
        onChange={(next, size) =>
          page.setQuery({ pageNum: next === 1 ? undefined : String(next), pageSize: String(size) })
        }
      />
      {shown !== null && (
        <MessageDrawer
          message={shown}
          to={to !== null && isHis(to) ? to : null}
          go={page.go}
          onClose={() => setShown(null)}
        />
      )}
    </ListFrame>
  )
}

type LineProps = { readonly message: InboxMessage; readonly onTake: () => void; readonly onShow: () => void }

/** One message in the list. */
function Line({ message, onTake, onShow }: LineProps) {
  const unread = message.read_at === null
  return (
    <li data-row-key={message.message_sn} className={css.row}>
      <button type="button" className={css.item} data-unread={unread} onClick={onTake}>
        <span className={css.dot} title={unread ? '未读' : '已读'} />
        <span className={css.type}>{messageTypes[message.message_type]}</span>
        <span className={css.title}>{message.title}</span>
        <span className={css.body}>{message.body}</span>
        {message.needs_confirm ? (
          <Tag tone={message.confirmed_at === null ? 'warning' : 'success'}>
            {message.confirmed_at === null ? '待确认' : '已确认'}
          </Tag>
        ) : (
          <span />
        )}
        <span className={css.from}>{message.from_org_name}</span>
        <time className={css.at}>{wallTime(message.at)}</time>
      </button>
      <button type="button" className="link" onClick={onShow}>
        查看
      </button>
    </li>
  )
}
