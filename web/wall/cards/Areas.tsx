import { lazy, Suspense, useMemo } from 'react'
import { inexact } from '#kernel/values/inexact.ts'
import type { Picture } from '#web/charts/pictures/picture.ts'
import { loadChunk } from '#web/engine/http/load-chunk.ts'
import { type Props, partsIn, useOpen } from '#web/wall/cards/Parts.tsx'
import css from '#web/wall/Wall.module.css'

const PictureChart = lazy(() => loadChunk(() => import('#web/charts/pictures/PictureChart.tsx')))

/** Parts as areas of one whole: what is large is seen at once, however many there are. */
export function Areas(props: Props) {
  const { card } = props
  const open = useOpen(props)
  const parts = partsIn(props)
  const picture = useMemo(
    (): Picture => ({
      shape: 'tree',
      items: parts.map(({ label, length }, at) => ({ name: label, value: inexact(length), at })),
    }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- parts are made of the answers
    [props.answers],
  )
  if (parts.length === 0) return <p className={css.nothing}>暂无数据</p>
  const sayRow = (at: number): string => {
    const part = parts[at]
    return part === undefined ? '' : [part.label, part.value, part.share].join('\n')
  }
  const sayOf = (length: number): string => parts.find(part => inexact(part.length) === length)?.value ?? ''
  return (
    <Suspense fallback={<p className={css.nothing}>正在读取图表……</p>}>
      <PictureChart
        picture={picture}
        label={`${card.title}：${parts.map(({ label, value }) => `${label}${value}`).join('，')}`}
        say={sayOf}
        sayRow={sayRow}
        chosen={null}
        onWall
        onPick={at => open(parts[at]!.row)?.()}
      />
    </Suspense>
  )
}
