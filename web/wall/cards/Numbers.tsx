import type { Drawn } from '#web/wall/cards/WallCardView.tsx'
import { figureOf, type ShownFigure } from '#web/wall/wall-figures.ts'
import css from '#web/wall/Wall.module.css'

/** The first figure large, the others below it. A figure that changed arrives anew. */
export function Numbers({ card, answers, draws }: Drawn<'numbers'>) {
  const [first, ...others] = draws.figures.map(figure => figureOf(card, answers, figure))
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

function Figure({ figure, isLarge = false }: { readonly figure: ShownFigure; readonly isLarge?: boolean }) {
  const { label, value, changes } = figure
  return (
    <div className={isLarge ? css.first : css.further}>
      <dt>
        {label}
        {changes.map(change => (
          <span key={change.label} className={css.change} data-way={change.way}>
            {change.label} {change.text}
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
