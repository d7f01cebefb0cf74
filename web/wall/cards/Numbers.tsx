import { useSession } from '#web/engine/session/session.ts'
import { Explained, ExplainedControl } from '#web/fields/Explained.tsx'
import type { Drawn } from '#web/wall/cards/WallCardView.tsx'
import { listOfFigure } from '#web/wall/wall-address.ts'
import { figureOf, type ShownFigure } from '#web/wall/wall-figures.ts'
import css from '#web/wall/Wall.module.css'

/** The first figure large, the others below it. A figure that changed arrives anew. */
export function Numbers({ card, answers, draws }: Drawn<'numbers'>) {
  const session = useSession()
  const hasLists = session !== null && session.orgType !== 'P'
  const [first, ...others] = draws.figures.map(figure => ({
    ...figureOf(card, answers, figure),
    list: hasLists ? listOfFigure(card, answers, figure) : null,
  }))
  return (
    <div className={css.numbers}>
      {first && <Figure figure={first} isLarge />}
      {others.length > 0 && (
        <dl className={css.beside} data-many={others.length > 2 || undefined}>
          {others.map(figure => (
            <Figure key={figure.label} figure={figure} />
          ))}
        </dl>
      )}
    </div>
  )
}

type Listed = ShownFigure & { readonly list: string | null }

function Figure({ figure, isLarge = false }: { readonly figure: Listed; readonly isLarge?: boolean }) {
  const { label, value, changes, says, list } = figure
  return (
    <div className={isLarge ? css.first : css.further}>
      <dt>
        {list === null ? (
          <Explained says={says}>{label}</Explained>
        ) : (
          <ExplainedControl says={says} of={label}>
            <a href={list} target="_blank" rel="noreferrer">
              {label}
            </a>
          </ExplainedControl>
        )}
        {changes.map(change => (
          <span key={change.label} className={css.change} data-way={change.way}>
            <Explained says={[change.says]}>
              {change.label} {change.text}
            </Explained>
          </span>
        ))}
      </dt>
      <dd>
        <b key={value.digits + value.unit}>{value.digits}</b>
        {value.unit !== '' && <small>{value.unit}</small>}
      </dd>
    </div>
  )
}
