import { FileTextOutlined, InboxOutlined, LayoutOutlined, ScanOutlined, SearchOutlined } from '@ant-design/icons'
import { App } from 'antd'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { isSilent, sentenceOf } from '#web/engine/http/request-error.ts'
import { post } from '#web/engine/http/request.ts'
import { addressOf, entryAt } from '#web/shell/menu/screen-index.ts'
import { useMenu } from '#web/shell/menu/menu.ts'
import { answersFor, type SearchAnswer } from '#web/shell/search-answers.ts'
import css from '#web/shell/GlobalSearch.module.css'

const icons = {
  page: <LayoutOutlined />,
  document: <FileTextOutlined />,
  target: <ScanOutlined />,
  note: <InboxOutlined />,
}
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** `/` focuses this box from anywhere; a scanner's Enter chooses the first result. */
export function GlobalSearch({ org }: { org: OrgType }) {
  const { menu } = useMenu()
  const navigate = useNavigate()
  const { message } = App.useApp()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const pages = useMemo(() => menu.groups.flatMap(group => group.pages), [menu])
  const answers = useMemo(() => answersFor(typed.trim(), pages, org), [typed, pages, org])
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== '/' || event.isComposing || event.ctrlKey || event.metaKey || isTyping(event.target)) return
      event.preventDefault()
      input.current?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  /** A scanned delivery note: opens the document that receives its goods. */
  const receive = async (note: string) => {
    try {
      const { info } = await post<{ kind: string; sn: string }>('/v1/note/receive', { sn: note })
      const to = addressOf(info.kind, info.sn, org)
      if (to !== null) void navigate(to)
    } catch (thrown) {
      if (!isSilent(thrown)) void message.error(sentenceOf(thrown))
    }
  }
  const take = (answer: SearchAnswer | undefined) => {
    if (answer === undefined) return
    setTyped('')
    setOpen(false)
    input.current?.blur()
    if (answer.kind === 'note') void receive(answer.to)
    else if (entryAt(answer.to)?.screen.apart) window.open(answer.to, '_blank', 'noopener')
    else void navigate(answer.to)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setAt((at + (event.key === 'ArrowDown' ? 1 : answers.length - 1)) % Math.max(1, answers.length))
    } else if (event.key === 'Enter') take(answers[at])
    else if (event.key === 'Escape') input.current?.blur()
  }
  return (
    <div className={css.box} role="search" aria-label="全局搜索">
      <SearchOutlined className={css.glass} />
      <input
        ref={input}
        className={css.input}
        value={typed}
        placeholder="搜索页面、单号、批号、产品，或扫码追溯"
        aria-label="全局搜索"
        role="combobox"
        aria-expanded={open && answers.length > 0}
        aria-controls="search-answers"
        aria-activedescendant={open && answers.length > 0 ? `search-answer-${at}` : undefined}
        autoComplete="off"
        spellCheck={false}
        onChange={event => {
          setTyped(event.target.value)
          setAt(0)
          setOpen(true)
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <kbd className={css.key}>/</kbd>
      {open && typed.trim() !== '' && (
        <ul id="search-answers" className={css.answers} role="listbox" aria-label="搜索结果">
          {answers.map((answer, index) => (
            // keys are handled by the input that owns the list
            <li
              key={`${answer.kind} ${answer.to}`}
              id={`search-answer-${index}`}
              role="option"
              aria-selected={index === at}
              className={css.answer}
              onMouseDown={event => event.preventDefault()}
              // The list opens under a pointer that rests: only one that moves chooses.
              onMouseMove={({ movementX, movementY }) => (movementX !== 0 || movementY !== 0) && setAt(index)}
              onClick={() => take(answer)}
            >
              <span className={css.icon}>{icons[answer.kind]}</span>
              <span className={css.title}>{answer.title}</span>
              <span className={css.hint}>{answer.hint}</span>
            </li>
          ))}
          {answers.length === 0 && <li className={css.none}>没有匹配的页面、单据或产品</li>}
        </ul>
      )}
    </div>
  )
}
