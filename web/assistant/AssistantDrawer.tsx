import { ClearOutlined, RobotOutlined, SendOutlined, StopOutlined } from '@ant-design/icons'
import { Button, Drawer, Input, Tooltip } from 'antd'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { type ChatMessage, useChat } from '#web/assistant/chat.ts'
import { Markdown } from '#web/assistant/Markdown.tsx'
import css from '#web/assistant/Assistant.module.css'

const examples = [
  '本月还有几张入库单待审核',
  '库存不足的有哪些',
  '90天内到期的库存有哪些',
  '什么是寄售',
  '入库单审核错了怎么办',
] as const

/** The assistant on the right: half of the window, the conversation above, the question below. */
export function AssistantDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { messages, busy, send, stop, clear } = useChat()
  const navigate = useNavigate()
  const end = useRef<HTMLDivElement>(null)
  const latest = messages.at(-1)?.content
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' })
  }, [latest, messages.length])
  const go = (to: string) => {
    onClose()
    void navigate(to)
  }
  return (
    <Drawer
      open={open}
      placement="right"
      size="50%"
      title="AI 助手"
      onClose={onClose}
      styles={{ body: { padding: 0, display: 'flex', flexDirection: 'column' } }}
      extra={
        messages.length > 0 && (
          <Tooltip title="清空对话">
            <Button type="text" aria-label="清空对话" icon={<ClearOutlined />} disabled={busy} onClick={clear} />
          </Tooltip>
        )
      }
    >
      <div className={css.talk} role="log" aria-label="对话" aria-live="polite" tabIndex={0}>
        {messages.length === 0 && <Welcome onAsk={question => void send(question)} />}
        {messages.map(message => (
          <Turn key={message.id} message={message} onGo={go} />
        ))}
        <div ref={end} />
      </div>
      <QuestionBox busy={busy} onSend={send} onStop={stop} />
    </Drawer>
  )
}

function Welcome({ onAsk }: { onAsk: (question: string) => void }) {
  return (
    <div className={css.welcome}>
      <span className={css.face} aria-hidden>
        <RobotOutlined />
      </span>
      <strong>可以问系统怎么用，也可以查您权限内的数据</strong>
      <span className="faint">只查询，不会修改任何单据</span>
      <ul className={css.examples} aria-label="可以这样问">
        {examples.map(example => (
          <li key={example}>
            <Button onClick={() => onAsk(example)}>{example}</Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Turn({ message, onGo }: { message: ChatMessage; onGo: (to: string) => void }) {
  if (message.role === 'user')
    return (
      <div className={css.turn} data-role="user">
        <div className={css.bubble}>{message.content}</div>
      </div>
    )
  const links = [...new Map(message.reference.map(link => [link.uri, link])).values()]
  return (
    <div className={css.turn} data-role="assistant" aria-busy={message.isThinking}>
      <div className={css.bubble}>
        {message.content === '' && message.isThinking ? (
          <span className={css.thinking}>
            正在思考
            <i />
            <i />
            <i />
          </span>
        ) : (
          <Markdown text={message.content} onGo={onGo} />
        )}
        {links.length > 0 && (
          <div className={css.links}>
            {links.map(link => (
              <Button key={link.uri} size="small" onClick={() => onGo(link.uri)}>
                {link.title}
              </Button>
            ))}
          </div>
        )}
        {message.rich_text_ref.length > 0 && (
          <details className={css.quotes}>
            <summary>参考内容（{message.rich_text_ref.length}）</summary>
            {message.rich_text_ref.map(quote => (
              <blockquote key={quote.id}>
                <Markdown text={quote.content} onGo={onGo} />
              </blockquote>
            ))}
          </details>
        )}
      </div>
    </div>
  )
}

type BoxProps = {
  readonly busy: boolean
  readonly onSend: (typed: string) => Promise<boolean>
  readonly onStop: () => void
}

/** Enter sends; Ctrl or Cmd with Enter starts a new line at the cursor. */
function QuestionBox({ busy, onSend, onStop }: BoxProps) {
  const [typed, setTyped] = useState('')
  const box = useRef<TextAreaRef>(null)
  const submit = () => {
    if (typed.trim() === '' || busy) return
    setTyped('')
    void onSend(typed)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.shiftKey) return
    event.preventDefault()
    if (!event.ctrlKey && !event.metaKey) return submit()
    const area = event.currentTarget
    area.setRangeText('\n', area.selectionStart, area.selectionEnd, 'end')
    setTyped(area.value)
  }
  return (
    <div className={css.ask}>
      <Input.TextArea
        ref={box}
        autoFocus
        aria-label="问题"
        placeholder="输入问题，Enter 发送，Ctrl + Enter 换行"
        value={typed}
        maxLength={500}
        autoSize={{ minRows: 2, maxRows: 6 }}
        onChange={event => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {busy ? (
        <Button icon={<StopOutlined />} onClick={onStop}>
          停止
        </Button>
      ) : (
        <Button type="primary" icon={<SendOutlined />} onClick={submit}>
          发送
        </Button>
      )}
    </div>
  )
}
