import { useRef, useState } from 'react'
import { isSilent, sentenceOf } from '#web/engine/http/request-error.ts'
import { type Quote, type Reference, streamAnswer } from '#web/assistant/answer-stream.ts'

/** One turn of the conversation. */
export type ChatMessage = {
  readonly id: number
  readonly role: 'user' | 'assistant'
  readonly content: string
  readonly type: 'TEXT_MARKDOWN'
  readonly isThinking: boolean
  readonly reference: readonly Reference[]
  readonly rich_text_ref: readonly Quote[]
}

let nextId = 1
const messageOf = (role: ChatMessage['role'], content: string, isThinking = false): ChatMessage => ({
  id: nextId++,
  role,
  content,
  type: 'TEXT_MARKDOWN',
  isThinking,
  reference: [],
  rich_text_ref: [],
})

/** The conversation with the assistant; kept as long as the shell is open. */
export function useChat() {
  const [messages, setMessages] = useState<readonly ChatMessage[]>([])
  const [busy, setBusy] = useState(false)
  const running = useRef<AbortController | null>(null)
  const change = (id: number, next: (message: ChatMessage) => Partial<ChatMessage>) =>
    setMessages(all => all.map(message => (message.id === id ? { ...message, ...next(message) } : message)))

  async function send(typed: string): Promise<boolean> {
    const question = typed.trim()
    if (question === '' || running.current !== null) return false
    const controller = new AbortController()
    running.current = controller
    setBusy(true)
    const answer = messageOf('assistant', '', true)
    setMessages(all => [...all, messageOf('user', question), answer])
    try {
      for await (const piece of streamAnswer(question, controller.signal))
        change(answer.id, ({ content, reference, rich_text_ref }) => ({
          content: content + piece.answer,
          reference: [...reference, ...piece.reference],
          rich_text_ref: [...rich_text_ref, ...piece.quotes],
        }))
    } catch (thrown) {
      if (isSilent(thrown)) change(answer.id, ({ content }) => ({ content: content || '已停止回答。' }))
      else change(answer.id, () => ({ content: `请求失败：${sentenceOf(thrown)}` }))
    } finally {
      change(answer.id, () => ({ isThinking: false }))
      running.current = null
      setBusy(false)
    }
    return true
  }
  return { messages, busy, send, stop: () => running.current?.abort(), clear: () => setMessages([]) }
}
