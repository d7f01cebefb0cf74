import { RightOutlined, UnorderedListOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Drawing, WallCard } from '#kernel/wall/wall-definition.ts'
import { screenAddress } from '#kernel/definition/screen.ts'
import { useSession } from '#web/engine/session/session.ts'
import { behind } from '#web/wall/wall-address.ts'
import type { CardAnswers } from '#web/wall/wall-figures.ts'
import { Bars, Columns, Ring, Tiles } from '#web/wall/cards/Parts.tsx'
import { Areas } from '#web/wall/cards/Areas.tsx'
import { Gauge } from '#web/wall/cards/Gauge.tsx'
import { Lines } from '#web/wall/cards/Lines.tsx'
import { Numbers } from '#web/wall/cards/Numbers.tsx'
import { OwnPage } from '#web/wall/cards/OwnPage.tsx'
import { Rows } from '#web/wall/cards/Rows.tsx'
import { Stations } from '#web/wall/cards/Stations.tsx'
import css from '#web/wall/Wall.module.css'

export type CardProps = {
  readonly card: WallCard
  readonly answers: CardAnswers
  readonly query: URLSearchParams
  /** The time at which the figures were read. */
  readonly at: string
}
/** A card with the part of its definition that describes its drawing. */
export type Drawn<Form extends Drawing['form']> = CardProps & {
  readonly draws: Extract<Drawing, { readonly form: Form }>
}

/** A card on the grid: its title leads to the wall behind it, its sign to the list that it was read from. */
export function WallCardView(props: CardProps) {
  const { card, answers, query } = props
  const [column, row, width, height] = card.at
  const session = useSession()
  const withheld = Object.values(answers).flatMap(answer => answer.withheld ?? [])
  const wall = behind(card, query)
  const count = card.draws.form === 'list' && card.draws.counted ? (answers[card.draws.of]?.total ?? 0) : 0
  const list = session === null || session.orgType === 'P' ? null : listBehind(card, answers)
  return (
    <section
      className={css.card}
      aria-label={card.title}
      style={{ gridArea: `${row + 1} / ${column + 1} / span ${height} / span ${width}` }}
    >
      <h2>
        {wall === null ? (
          card.title
        ) : (
          <Link to={wall}>
            {card.title}
            <RightOutlined />
          </Link>
        )}
        {count > 0 && <b>{count}</b>}
        {list !== null && (
          <a
            className={css.list}
            href={list}
            target="_blank"
            rel="noreferrer"
            aria-label={`${card.title}明细`}
            title="明细"
          >
            <UnorderedListOutlined />
          </a>
        )}
      </h2>
      <div className={css.body}>
        {withheld.length < Object.keys(answers).length && bodyOf(props)}
        {withheld[0] !== undefined && <p className="quiet">{withheld[0]}</p>}
      </div>
    </section>
  )
}

/** The page of the first report that the card reads and that has one, under the same parameters. */
function listBehind({ reads }: WallCard, answers: CardAnswers): string | null {
  for (const [name, { of }] of Object.entries(reads)) {
    const [screen] = of.screens
    if (screen?.orgs.includes('H')) return screenAddress(screen, null, answers[name]?.asked ?? {})
  }
  return null
}

function bodyOf(props: CardProps): ReactNode {
  const { draws } = props.card
  switch (draws.form) {
    case 'numbers':
      return <Numbers {...props} draws={draws} />
    case 'lines':
      return <Lines {...props} draws={draws} />
    case 'bars':
      return <Bars {...props} draws={draws} />
    case 'columns':
      return <Columns {...props} draws={draws} />
    case 'ring':
      return <Ring {...props} draws={draws} />
    case 'areas':
      return <Areas {...props} draws={draws} />
    case 'tiles':
      return <Tiles {...props} draws={draws} />
    case 'list':
      return <Rows {...props} draws={draws} />
    case 'gauge':
      return <Gauge {...props} draws={draws} />
    case 'stations':
      return <Stations {...props} draws={draws} />
    case 'own':
      return <OwnPage page={draws.page} />
    default:
      return draws satisfies never
  }
}
