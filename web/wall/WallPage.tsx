import { useEffect, useRef } from 'react'
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router'
import type { WallDefinition } from '#kernel/wall/wall-definition.ts'
import { walls } from '#kernel/registry.ts'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { cssVariables, palettes } from '#web/theme/palette.ts'
import { WallCardView } from '#web/wall/cards/WallCardView.tsx'
import { carouselOf, DWELL, wallAddress } from '#web/wall/wall-address.ts'
import { useStageScale } from '#web/wall/stage-scale.ts'
import { WallHeader } from '#web/wall/WallHeader.tsx'
import { WallStatus } from '#web/wall/WallStatus.tsx'
import { useNow, useWall } from '#web/wall/use-wall.ts'
import css from '#web/wall/Wall.module.css'

const FRONT = '/largeScreen/index'

/** /largeScreen/…: a wall in a window of its own. The room alone is its front wall, an unknown one no page. */
export default function WallPage() {
  const { pathname, search } = useLocation()
  const [query] = useSearchParams()
  if (/^\/largeScreen\/?$/.test(pathname)) return <Navigate to={FRONT + search} replace />
  const wall = walls().find(({ screen }) => screen.route === pathname.replace(/\/$/, ''))
  if (wall === undefined) return <Navigate to="/error" replace />
  const lacking = Object.entries(wall.filters).some(([name, field]) => field.required && !query.get(name))
  const { overview } = wall
  const above = overview === undefined ? undefined : walls().find(({ kind }) => kind === overview)
  if (lacking && above) return <Navigate to={wallAddress(above, query)} replace />
  return <Wall key={wall.kind} wall={wall} query={query} />
}

/** Changes to the next wall of a carousel after its time, and begins again behind the last. */
function useCarousel(wall: WallDefinition, query: URLSearchParams): void {
  const navigate = useNavigate()
  useEffect(() => {
    const all = carouselOf(query)
    if (all.length < 2) return undefined
    const asked = /^\d{1,3}$/.test(query.get('dwell') ?? '') ? BigInt(query.get('dwell')!) : BigInt(DWELL.preset)
    const seconds =
      asked < DWELL.least ? DWELL.least : asked > DWELL.most ? DWELL.most : Number.parseInt(`${asked}`, 10)
    const next = all[(all.findIndex(({ kind }) => kind === wall.kind) + 1) % all.length]!
    const timer = setTimeout(() => void navigate(wallAddress(next, query)), seconds * 1000)
    return () => clearTimeout(timer)
  }, [wall, query, navigate])
}

function Wall({ wall, query }: { readonly wall: WallDefinition; readonly query: URLSearchParams }) {
  const place = useRef<HTMLDivElement>(null)
  const stage = useRef<HTMLDivElement>(null)
  const now = useNow()
  const { data, error, isFetching, refetch } = useWall(wall, query)
  useStageScale(place, stage)
  useCarousel(wall, query)
  useEffect(() => {
    document.title = wall.screen.title
  }, [wall])
  return (
    <div ref={place} className={css.room} style={cssVariables(palettes.dark)}>
      <div ref={stage} className={css.stage}>
        <WallHeader wall={wall} query={query} info={data} now={now} onRefresh={() => void refetch()} />
        {data === undefined ? (
          <p className={css.waiting} role="status">
            {error ? sentenceOf(error) : '正在读取数据……'}
          </p>
        ) : (
          <main className={css.cards}>
            {wall.cards.map(card => (
              <WallCardView
                key={card.name}
                card={card}
                answers={data.cards[card.name] ?? {}}
                query={query}
                at={data.at}
              />
            ))}
          </main>
        )}
        <WallStatus info={data} failed={error !== null} reading={isFetching} refresh={wall.refresh} now={now} />
      </div>
    </div>
  )
}
