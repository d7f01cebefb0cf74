import { type Decimal, compare, isPositive, multiply } from '#kernel/values/decimal.ts'
import { Explained } from '#web/fields/Explained.tsx'
import type { Drawn } from '#web/wall/cards/WallCardView.tsx'
import { gaugeOf } from '#web/wall/wall-figures.ts'
import css from '#web/wall/Wall.module.css'

const HUNDRED = '100' as Decimal

/** A share of a whole on half a circle; more than the whole is red. */
export function Gauge({ card, answers, draws }: Drawn<'gauge'>) {
  const { share, text, part, whole, says } = gaugeOf(card, answers, draws.part, draws.whole)
  const length = share === null ? null : multiply(share, HUNDRED, 2)
  const isOver = length !== null && compare(length, HUNDRED) > 0
  return (
    <div className={css.gauge} data-over={isOver || undefined}>
      <svg viewBox="0 0 100 54" aria-hidden="true">
        <path d="M6 50a44 44 0 0 1 88 0" pathLength="100" />
        {length !== null && isPositive(length) && (
          <path d="M6 50a44 44 0 0 1 88 0" pathLength="100" strokeDasharray={`${isOver ? '100' : length} 100`} />
        )}
      </svg>
      <b key={text}>{share === null ? draws.empty : text}</b>
      {share !== null && (
        <small>
          <Explained says={says}>
            {draws.part.label} {part} / {draws.whole.label} {whole}
          </Explained>
        </small>
      )}
    </div>
  )
}
