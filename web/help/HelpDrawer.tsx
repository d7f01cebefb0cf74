import { useQuery } from '@tanstack/react-query'
import { Drawer, Input, Skeleton } from 'antd'
import { type ReactNode, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { get } from '#web/engine/http/request.ts'
import { Markdown } from '#web/assistant/Markdown.tsx'
import { Blank, Failed } from '#web/list/page/EmptyState.tsx'
import { closeHelp, useHelp } from '#web/help/help-store.ts'
import { type Rule, RuleList, ruleContains } from '#web/help/RuleList.tsx'
import { placeAt } from '#web/shell/menu/screen-index.ts'
import css from '#web/help/HelpDrawer.module.css'

type Chapter = { readonly name: string; readonly title: string; readonly text: string }

/** The parts of a chapter that match the typed text: its heading and the matching sections. */
function sectionsWith(chapter: Chapter, typed: string): string {
  if (typed === '') return chapter.text
  const [head = '', ...sections] = chapter.text.split(/^(?=## )/m)
  const fitting = sections.filter(section => section.includes(typed))
  return chapter.title.includes(typed) ? chapter.text : fitting.length === 0 ? '' : [head, ...fitting].join('')
}

/** The rules of a page where its route is given, else of all pages that the organisation has. */
const useRules = (open: boolean, route?: string) =>
  useQuery({
    queryKey: ['rulebook', route ?? ''],
    enabled: open && route !== '',
    staleTime: 60_000,
    queryFn: async ({ signal }) => (await get<unknown, Rule>('/v1/rulebook/list', { route }, { signal })).list,
  })

/** A chapter of text, or one of rules. */
type Entry = { readonly name: string; readonly title: string; readonly drawn: ReactNode }

/** 帮助中心: the rules of the page from which it was opened, a chapter for every menu group, and the rulebook. */
export function HelpDrawer() {
  const sought = useHelp()
  const open = sought !== null
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const [opened, setOpened] = useState(sought)
  // What was looked for when it was last opened takes the place of what was typed then.
  if (opened !== sought) {
    setOpened(sought)
    setTyped(sought ?? '')
    setChosen(null)
  }
  const asked = useQuery({
    queryKey: ['help'],
    enabled: open,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => (await get<unknown, Chapter>('/v1/help/list', {}, { signal })).list,
  })
  const ofPage = useRules(open, placeAt(pathname)?.entry.screen.route ?? '')
  const all = useRules(open)
  const looked = typed.trim()
  function go(to: string) {
    closeHelp()
    void navigate(to)
  }
  const chapterOf = (name: string, title: string, rules: readonly Rule[] = []): readonly Entry[] => {
    const fitting = title.includes(looked) ? rules : rules.filter(rule => ruleContains(rule, looked))
    return fitting.length === 0 ? [] : [{ name, title, drawn: <RuleList rules={fitting} /> }]
  }
  const shown: readonly Entry[] = [
    ...chapterOf('pageRules', '本页规则', ofPage.data),
    ...(asked.data ?? []).flatMap(chapter => {
      const text = sectionsWith(chapter, looked)
      return text === '' ? [] : [{ ...chapter, drawn: <Markdown text={text} onGo={go} /> }]
    }),
    ...chapterOf('rulebook', '规则手册', all.data),
  ]
  const current = shown.find(chapter => chapter.name === chosen) ?? shown[0]
  return (
    <Drawer
      open={open}
      placement="right"
      size={880}
      title="帮助中心"
      onClose={closeHelp}
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
          {current?.drawn}
        </article>
      </div>
    </Drawer>
  )
}
