import { type Decimal, compare, isPositive, multiply } from '#kernel/values/decimal.ts'
import { Fragment } from 'react'
import { useSession } from '#web/engine/session/session.ts'
import { Explained, ExplainedControl } from '#web/fields/Explained.tsx'
import type { Drawn } from '#web/wall/cards/WallCardView.tsx'
import { listOfFigure } from '#web/wall/wall-address.ts'
import { gaugeOf } from '#web/wall/wall-figures.ts'
import css from '#web/wall/Wall.module.css'

const HUNDRED = '100' as Decimal

/** A share of a whole on half a circle; more than the whole is red. */
export function Gauge({ card, answers, draws }: Drawn<'gauge'>) {
  const session = useSession()
  const hasLists = session !== null && session.orgType !== 'P'
  const { share, text, parts } = gaugeOf(card, answers, draws.part, draws.whole)
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
          {parts.map(({ figure, text: value, says }, at) => {
            const list = hasLists ? listOfFigure(card, answers, figure) : null
            return (
              <Fragment key={figure.column}>
                {at > 0 && ' / '}
                {list === null ? (
                  <Explained says={says}>
                    {figure.label} {value}
                  </Explained>
                ) : (
                  <ExplainedControl says={says} of={figure.label}>
                    <a href={list} target="_blank" rel="noreferrer">
                      {figure.label} {value}
                    </a>
                  </ExplainedControl>
                )}
              </Fragment>
            )
          })}
        </small>
      )}
    </div>
  )
}
