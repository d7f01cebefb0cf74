import {
  DownloadOutlined,
  FullscreenExitOutlined,
  FullscreenOutlined,
  PictureOutlined,
  ReloadOutlined,
} from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { App, Button, Segmented, Skeleton, Tag } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import {
  type BoardDefinition,
  type BoardMeasure,
  cardsFor,
  filtersFor,
  measuresFor,
  refusedDays,
} from '#kernel/wall/board-definition.ts'
import { againstLabels } from '#kernel/values/comparison.ts'
import { f } from '#kernel/definition/field.ts'
import { screenKey } from '#kernel/definition/screen.ts'
import { boards } from '#kernel/registry.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { BoardCardView } from '#web/board/BoardCardView.tsx'
import { boardAsked, crossesOf, daysAsked, uncrossed } from '#web/board/board-state.ts'
import { savePicture } from '#web/board/save-picture.ts'
import css from '#web/board/Board.module.css'
import { encodeQuery } from '#web/engine/http/response.ts'
import { follow } from '#web/engine/http/download.ts'
import { type Query, usePage } from '#web/engine/page-context.ts'
import { useSession } from '#web/engine/session/session.ts'
import { type Filter, FilterBar } from '#web/list/page/FilterBar.tsx'
import { SchemeMenu } from '#web/list/schemes/SchemeMenu.tsx'
import { useSchemes } from '#web/list/schemes/use-schemes.ts'
import { entryAt } from '#web/shell/menu/screen-index.ts'
import { useMay, useMenu } from '#web/shell/menu/menu.ts'

const AGAINST = f.pick('对比期', { ...againstLabels, none: '不对比' })
const NO_COLUMNS = { columns: [], apply: () => {} }
const ENTRY = '/ptm/largeScreenEntry'

/** /bi1: the board of this address, for the current reader. */
export default function BoardPage() {
  const { screen } = usePage()
  const org = useSession()?.orgType
  const { menu, ready } = useMenu()
  const board = boards().find(each => each.screen.route === screen.route)
  const measures = useMemo(
    () =>
      board === undefined || org === undefined
        ? []
        : measuresFor(board, org, right => menu.rights?.has(right) ?? false),
    [board, org, menu.rights],
  )
  if (board === undefined || org === undefined || !ready) return <Skeleton active />
  return <Board board={board} org={org} measures={measures} />
}

type Props = { readonly board: BoardDefinition; readonly org: OrgType; readonly measures: readonly BoardMeasure[] }

function Board({ board, org, measures }: Props) {
  const { query, setQuery, screen } = usePage()
  const place = useRef<HTMLElement>(null)
  const isFull = useFullscreen()
  const filters = useMemo(() => filtersOf(board, org), [board, org])
  const days = daysAsked(query)
  const shown: Query = useMemo(
    () => ({ against: 'previous', ...query, begin_date: days.begin, end_date: days.end }),
    [query, days.begin, days.end],
  )
  const refused = refusedDays(days)
  const chosen = measures.find(({ name }) => name === query.measure) ?? measures[0]
  return (
    <section ref={place} className={css.board} data-full={isFull} aria-label={screen.title}>
      <header className={css.head}>
        <h1>{screen.title}</h1>
        <p title={screen.purpose}>{screen.purpose}</p>
        <Tools board={board} org={org} isFull={isFull} place={place} query={query} />
      </header>
      <div className={css.bar}>
        <FilterBar filters={filters} query={shown} onChange={setQuery} storeKey={screenKey(screen)} kind={board.kind} />
      </div>
      <div className={css.choosing}>
        <Segmented
          size="small"
          aria-label="指标"
          value={chosen?.name ?? ''}
          options={measures.map(({ name, label }) => ({ value: name, label }))}
          onChange={measure => setQuery({ measure: String(measure), ...gone(query, 'p_') })}
        />
        <span className={css.days}>
          {days.begin} 至 {days.end}
        </span>
        <Crosses board={board} query={query} onChange={setQuery} />
      </div>
      {refused === null ? (
        <div className={css.cards}>
          {cardsFor(board, org).map(card => (
            <BoardCardView key={card.name + card.title} board={board} card={card} org={org} measures={measures} />
          ))}
        </div>
      ) : (
        <p className={css.failed} role="alert">
          {refused}
        </p>
      )}
    </section>
  )
}

const gone = (query: Query, prefix: string) =>
  Object.fromEntries(Object.keys(query).flatMap(name => (name.startsWith(prefix) ? [[name, undefined] as const] : [])))

/** The filters of the bar: days, the comparison, and those of the board that are this organisation's. */
const filtersOf = (board: BoardDefinition, org: OrgType): readonly Filter[] => [
  { name: 'date', field: f.day('日期范围') },
  { name: 'against', field: AGAINST, single: true },
  ...Object.entries(filtersFor(board, org)).flatMap(([name, { field, onBar }]) =>
    onBar ? [{ name, field, single: true }] : [],
  ),
]

type CrossesProps = {
  readonly board: BoardDefinition
  readonly query: Query
  readonly onChange: (patch: Readonly<Record<string, string | undefined>>) => void
}

/** The crosses, each with a button that takes it back. */
function Crosses({ board, query, onChange }: CrossesProps) {
  const crosses = crossesOf(board, query)
  if (crosses.length === 0) return null
  return (
    <span className={css.crosses} role="group" aria-label="点选的筛选">
      {crosses.map(({ filter, label, text }) => (
        <Tag
          key={filter}
          color="processing"
          closable={{ 'aria-label': `取消${label}${text}` }}
          onClose={event => {
            event.preventDefault()
            onChange(uncrossed(filter))
          }}
        >
          {label}：{text}
        </Tag>
      ))}
      {crosses.length > 1 && (
        <Button size="small" type="link" onClick={() => onChange(gone(query, 'x_'))}>
          全部取消
        </Button>
      )}
    </span>
  )
}

/** True if the browser shows nothing else. */
function useFullscreen(): boolean {
  const [isFull, setIsFull] = useState(false)
  useEffect(() => {
    const look = () => setIsFull(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', look)
    return () => document.removeEventListener('fullscreenchange', look)
  }, [])
  return isFull
}

type ToolsProps = {
  readonly board: BoardDefinition
  readonly org: OrgType
  readonly isFull: boolean
  readonly place: { readonly current: HTMLElement | null }
  readonly query: Query
}

function Tools({ board, org, isFull, place, query }: ToolsProps) {
  const { message } = App.useApp()
  const { screen } = usePage()
  const client = useQueryClient()
  const may = useMay(screen.route, board.kind)
  const schemes = useSchemes(screenKey(screen), NO_COLUMNS, true)
  const entry = entryAt(ENTRY)
  const { menu } = useMenu()
  const hasEntry = entry !== undefined && menu.operations.has(ENTRY)
  // All of the page, so that lists of choices open above it.
  const fill = () =>
    void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen())
  const picture = async () => {
    if (place.current === null) return
    try {
      await savePicture(place.current, screen.title)
    } catch {
      void message.error('图片没有生成，请刷新后重试')
    }
  }
  return (
    <nav className={css.tools} aria-label="看板操作" data-picture="without">
      {hasEntry && <Link to={ENTRY}>大屏入口</Link>}
      <SchemeMenu schemes={schemes} noun="视图" title="保存视图：当前的日期、筛选、指标与层级" />
      <Button icon={isFull ? <FullscreenExitOutlined /> : <FullscreenOutlined />} onClick={fill}>
        {isFull ? '退出全屏' : '全屏'}
      </Button>
      {may('export') && (
        <Button icon={<PictureOutlined />} onClick={() => void picture()}>
          导出图片
        </Button>
      )}
      {may('exportData') && (
        <Button
          icon={<DownloadOutlined />}
          onClick={() => follow(`/v1/business/board/${board.kind}/export${encodeQuery(boardAsked(board, org, query))}`)}
        >
          导出数据
        </Button>
      )}
      <Button icon={<ReloadOutlined />} onClick={() => void client.invalidateQueries({ queryKey: [board.kind] })}>
        刷新
      </Button>
    </nav>
  )
}
