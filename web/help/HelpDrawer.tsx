import { useQuery } from '@tanstack/react-query'
import { Drawer, Input, Skeleton } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { get } from '#web/engine/http/request.ts'
import { Markdown } from '#web/assistant/Markdown.tsx'
import { Blank, Failed } from '#web/list/page/EmptyState.tsx'
import css from '#web/help/HelpDrawer.module.css'

type Chapter = { readonly name: string; readonly title: string; readonly text: string }

/** The parts of a chapter that match the typed text: its heading and the matching sections. */
function sectionsWith(chapter: Chapter, typed: string): string {
  if (typed === '') return chapter.text
  const [head = '', ...sections] = chapter.text.split(/^(?=## )/m)
  const fitting = sections.filter(section => section.includes(typed))
  return chapter.title.includes(typed) ? chapter.text : fitting.length === 0 ? '' : [head, ...fitting].join('')
}

/** 帮助中心: a chapter for every menu group, searched while typing. */
export function HelpDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const asked = useQuery({
    queryKey: ['help'],
    enabled: open,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => (await get<unknown, Chapter>('/v1/help/list', {}, { signal })).list,
  })
  const shown = (asked.data ?? [])
    .map(chapter => ({ ...chapter, text: sectionsWith(chapter, typed.trim()) }))
    .filter(chapter => chapter.text !== '')
  const current = shown.find(chapter => chapter.name === chosen) ?? shown[0]
  const go = (to: string) => {
    onClose()
    void navigate(to)
  }
  return (
    <Drawer
      open={open}
      placement="right"
      size={880}
      title="帮助中心"
      onClose={onClose}
      styles={{ body: { padding: 0 } }}
    >
      <div className={css.book}>
        <nav className={css.chapters} aria-label="帮助目录">
          <Input.Search
            allowClear
            aria-label="在帮助中查找"
            placeholder="查找"
            value={typed}
            onChange={event => setTyped(event.target.value)}
          />
          <ul>
            {shown.map(chapter => (
              <li key={chapter.name}>
                <button
                  type="button"
                  aria-current={chapter.name === current?.name ? 'page' : undefined}
                  onClick={() => setChosen(chapter.name)}
                >
                  {chapter.title}
                </button>
              </li>
            ))}
          </ul>
        </nav>
        <article className={css.page} key={current?.name} tabIndex={0} aria-label={current?.title ?? '帮助'}>
          {asked.isPending && <Skeleton active paragraph={{ rows: 12 }} />}
          {asked.isError && <Failed thrown={asked.error} onRetry={() => void asked.refetch()} />}
          {asked.isSuccess && current === undefined && <Blank title={`帮助中没有提到“${typed.trim()}”`} />}
          {current && <Markdown text={current.text} onGo={go} />}
        </article>
      </div>
    </Drawer>
  )
}
