import { lazy, Suspense, useMemo } from 'react'
import { isMoney, MASKED, STEP, stepsOf } from '#kernel/wall/wall-definition.ts'
import { dayOf } from '#kernel/values/date.ts'
import { inexact } from '#kernel/values/inexact.ts'
import type { Drawing } from '#web/charts/report-chart.ts'
import { loadChunk } from '#web/engine/http/load-chunk.ts'
import type { CardProps, Drawn } from '#web/wall/cards/WallCardView.tsx'
import css from '#web/wall/Wall.module.css'

const Chart = lazy(() => loadChunk(() => import('#web/charts/Chart.tsx')))

/** The column that is drawn of a series: its figure, or in place of masked money the pieces that were read with it. */
function shownOf(
  { card, answers }: Pick<CardProps, 'card' | 'answers'>,
  { of, value }: { readonly of: string; readonly value: string },
) {
  const isMasked = answers[of]?.rows.some(row => row[value] === MASKED) ?? false
  return isMasked ? card.reads[of]!.sums?.find(name => !isMoney(card.reads[of]!, name)) : value
}

/** Lines over twelve months or thirty days, those without a figure at zero; masked money is drawn by its pieces. */
export function Lines(props: Drawn<'lines'>) {
  const { card, answers, draws, at } = props
  const hidden = draws.series.some(series => shownOf(props, series) === undefined)
  const drawing = useMemo((): Drawing => {
    const [first] = draws.series
    const steps = stepsOf(card.reads[first!.of]!.span, dayOf(new Date(at)))
    return {
      title: card.title,
      shape: 'lines',
      axis: steps.map(step => (step.length === 7 ? step.slice(2) : step.slice(5))),
      series: draws.series.map(({ label, of, value }) => {
        const shown = shownOf({ card, answers }, { of, value }) ?? value
        const rows = new Map((answers[of]?.rows ?? []).map(row => [row[STEP], row[shown]]))
        // A sum without rows is zero; a median without rows is empty, and the line continues after the gap.
        const lacking = draws.gaps ? Number.NaN : 0
        const valueAt = (step: string) => (rows.get(step) == null ? lacking : inexact(rows.get(step)))
        return { name: shown === value ? label : `${label}（件）`, values: steps.map(valueAt) }
      }),
    }
  }, [card, answers, draws, at])
  if (drawing.series.every(({ values }) => values.every(Number.isNaN)))
    return <p className={css.nothing}>暂无足够样本</p>
  if (hidden) return <p className={css.nothing}>{MASKED}</p>
  return (
    <Suspense fallback={<p className={css.nothing}>正在读取图表……</p>}>
      <Chart drawing={drawing} onWall />
    </Suspense>
  )
}
