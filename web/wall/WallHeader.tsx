import {
  FullscreenOutlined,
  HomeOutlined,
  PlayCircleOutlined,
  ReloadOutlined,
  RollbackOutlined,
} from '@ant-design/icons'
import { Link, useNavigate } from 'react-router'
import type { WallDefinition } from '#kernel/wall/wall-definition.ts'
import { dayOf, minuteOf } from '#kernel/values/date.ts'
import { walls } from '#kernel/registry.ts'
import { useSession } from '#web/engine/session/session.ts'
import type { WallInfo } from '#web/wall/use-wall.ts'
import { carouselOf, DWELL, type RangeName, rangeNamed, rangeOf, ranges, wallAddress } from '#web/wall/wall-address.ts'
import { WallFilters } from '#web/wall/WallFilters.tsx'
import css from '#web/wall/Wall.module.css'

type Props = {
  readonly wall: WallDefinition
  readonly query: URLSearchParams
  readonly info: WallInfo | undefined
  readonly now: Date
  readonly onRefresh: () => void
}

const EVERYONE = '全平台'
const WEEKDAYS = '日一二三四五六'

/**
 * The title bar: the organisation and the days of the figures, and the clock. Its buttons show when the pointer comes
 * near.
 */
export function WallHeader({ wall, query, info, now, onRefresh }: Props) {
  const session = useSession()
  const name = info === undefined ? (session?.orgName ?? '') : (info.organisation?.name ?? EVERYONE)
  const day = dayOf(now)
  return (
    <header className={css.header}>
      <div className={css.whose}>
        <span className={css.organisation}>{name}</span>
        <h1>{wall.screen.title}</h1>
      </div>
      <WallFilters wall={wall} query={query} />
      {wall.ofDays && info !== undefined && <Ranges query={query} info={info} today={day} />}
      <Tools wall={wall} query={query} onRefresh={onRefresh} />
      <div className={css.clock}>
        <b>{minuteOf(now).slice(11)}</b>
        <span>
          {day} 周{WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()]}
        </span>
      </div>
    </header>
  )
}

type RangesProps = { readonly query: URLSearchParams; readonly info: WallInfo; readonly today: string }

/** The days that the cards of a period are about. */
function Ranges({ query, info: { begin_date, end_date }, today }: RangesProps) {
  const navigate = useNavigate()
  const chosen = rangeNamed(begin_date, end_date, today)
  const to = (begin: string, end: string) => {
    const next = new URLSearchParams(query)
    next.set('begin', begin)
    next.set('end', end)
    void navigate(`?${next}`, { replace: true })
  }
  return (
    <div className={css.ranges} role="group" aria-label="日期范围">
      {(Object.keys(ranges) as RangeName[]).map(name => {
        const { begin, end } = rangeOf(name, today)
        return (
          <button key={name} type="button" aria-pressed={name === chosen} onClick={() => to(begin, end)}>
            {ranges[name]}
          </button>
        )
      })}
      {chosen === null && (
        <span className={css.custom}>
          {begin_date} 至 {end_date}
        </span>
      )}
    </div>
  )
}

function Tools({ wall, query, onRefresh }: Pick<Props, 'wall' | 'query' | 'onRefresh'>) {
  const navigate = useNavigate()
  const turning = carouselOf(query).length > 1
  const turn = () => {
    const next = new URLSearchParams(query)
    if (turning) next.delete('carousel')
    else
      next.set(
        'carousel',
        walls()
          .flatMap(({ kind, overview }) => (overview === undefined ? [kind] : []))
          .join(','),
      )
    if (!next.has('dwell')) next.set('dwell', String(DWELL.preset))
    void navigate(`?${next}`, { replace: true })
  }
  const front = walls()[0]
  const fill = () =>
    void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen())
  return (
    <nav className={css.tools} aria-label="大屏操作">
      {front && front.kind !== wall.kind && (
        <Link to={wallAddress(front, query)} aria-label="总览" title="总览">
          <HomeOutlined />
        </Link>
      )}
      <button type="button" aria-label="返回" title="返回" onClick={() => void navigate(-1)}>
        <RollbackOutlined />
      </button>
      <button type="button" aria-label="刷新" title="刷新" onClick={onRefresh}>
        <ReloadOutlined />
      </button>
      <button type="button" aria-label="轮播" title="轮播" aria-pressed={turning} onClick={turn}>
        <PlayCircleOutlined />
      </button>
      <button type="button" aria-label="全屏" title="全屏" onClick={fill}>
        <FullscreenOutlined />
      </button>
    </nav>
  )
}
