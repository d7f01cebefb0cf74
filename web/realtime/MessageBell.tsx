import { BellOutlined } from '@ant-design/icons'
import { App, Badge, Button, Popover } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'
import { Blank, Failed } from '#web/list/page/EmptyState.tsx'
import { follow } from '#web/engine/http/download.ts'
import { isFile, messageAddress } from '#web/realtime/message-address.ts'
import { asLive, type InboxMessage, markAllRead, markRead, useInbox } from '#web/realtime/messages.ts'
import { useDocumentAddress } from '#web/shell/menu/document-address.ts'
import css from '#web/realtime/MessageBell.module.css'

const INBOX = '/ptm/messageNotifacation'

/** The message centre: the unread count, the newest messages, and a link to all. */
export function MessageBell() {
  const [open, setOpen] = useState(false)
  const { unread, newest } = useInbox(open)
  const { message: toast } = App.useApp()
  const navigate = useNavigate()
  const addressOf = useDocumentAddress()
  const say = (thrown: unknown) => void toast.error(sentenceOf(thrown))
  const take = (message: InboxMessage) => {
    setOpen(false)
    markRead(message).catch(say)
    const to = messageAddress(asLive(message), addressOf)
    if (to !== null && isFile(to)) follow(to)
    else void navigate(to ?? INBOX)
  }
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      open={open}
      onOpenChange={setOpen}
      styles={{ container: { padding: 0 } }}
      content={
        <section className={css.panel} aria-label="消息">
          <header className={css.head}>
            <strong>消息</strong>
            <button
              type="button"
              className="link"
              disabled={unread === 0}
              onClick={() => void markAllRead().catch(say)}
            >
              全部已读
            </button>
          </header>
          <div className={css.list}>
            {newest.isError && <Failed thrown={newest.error} onRetry={() => void newest.refetch()} />}
            {newest.data?.length === 0 && <Blank title="暂无消息" />}
            {newest.data?.map(message => (
              <button key={message.message_sn} type="button" className={css.item} onClick={() => take(message)}>
                <span className={css.dot} data-unread={message.read_at === null} />
                <span className={css.title}>{message.title}</span>
                <time className={css.at}>{wallTime(message.at)}</time>
                <span className={css.body}>{message.body}</span>
              </button>
            ))}
          </div>
          <footer className={css.foot}>
            <Button
              type="link"
              onClick={() => {
                setOpen(false)
                void navigate(INBOX)
              }}
            >
              查看全部消息
            </Button>
          </footer>
        </section>
      }
    >
      <Badge count={unread} color="var(--danger-strong)" overflowCount={99} size="small" offset={[-6, 8]}>
        <Button type="text" aria-label={unread > 0 ? `消息，${unread}条未读` : '消息'} icon={<BellOutlined />} />
      </Badge>
    </Popover>
  )
}
