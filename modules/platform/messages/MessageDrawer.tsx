import { App, Button, Descriptions, Drawer, Space } from 'antd'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'
import { confirmMessage, deleteMessage, type InboxMessage, messageTypes } from '#web/realtime/messages.ts'

type Props = {
  readonly message: InboxMessage
  /** The page that the message links to; null if this user may not open it. */
  readonly to: string | null
  readonly go: (to: string) => void
  readonly onClose: () => void
}

/** One message in full: its author, its text, and its actions. */
export function MessageDrawer({ message, to, go, onClose }: Props) {
  const { message: toast } = App.useApp()
  const waits = message.needs_confirm && message.confirmed_at === null
  const run = (work: Promise<void>, said: string) =>
    work.then(
      () => {
        void toast.success(said)
        onClose()
      },
      thrown => void toast.error(sentenceOf(thrown)),
    )
  return (
    <Drawer
      open
      size={560}
      title={message.title}
      onClose={onClose}
      extra={
        <Space>
          {to !== null && (
            <Button type={waits ? 'default' : 'primary'} onClick={() => go(to)}>
              前往处理
            </Button>
          )}
          {waits && (
            <Button type="primary" onClick={() => void run(confirmMessage(message), '已确认收到')}>
              确认收到
            </Button>
          )}
          <Button danger onClick={() => void run(deleteMessage(message), '消息已删除')}>
            删除
          </Button>
        </Space>
      }
    >
      <p style={{ whiteSpace: 'pre-wrap', lineHeight: 1.8 }}>{message.body}</p>
      <Descriptions
        column={1}
        size="small"
        items={[
          { key: 'type', label: '消息类型', children: messageTypes[message.message_type] ?? message.message_type },
          { key: 'from', label: '发送机构', children: message.from_org_name ?? '系统' },
          { key: 'at', label: '接收时间', children: wallTime(message.at) },
          { key: 'read', label: '阅读时间', children: message.read_at === null ? '刚刚' : wallTime(message.read_at) },
          ...(message.needs_confirm
            ? [
                {
                  key: 'confirm',
                  label: '确认',
                  children:
                    message.confirmed_at === null
                      ? '待确认'
                      : `${message.confirmed_by ?? ''} ${wallTime(message.confirmed_at)}`,
                },
              ]
            : []),
        ]}
      />
    </Drawer>
  )
}
