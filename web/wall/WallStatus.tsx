import { minuteOf } from '#kernel/values/date.ts'
import type { WallInfo } from '#web/wall/use-wall.ts'
import css from '#web/wall/Wall.module.css'

type Props = {
  readonly info: WallInfo | undefined
  readonly failed: boolean
  readonly reading: boolean
  /** Seconds between two readings. */
  readonly refresh: number
  readonly now: Date
}

/** Bottom right: when the figures were read, how long until the next reading, and amber where it failed. */
export function WallStatus({ info, failed, reading, refresh, now }: Props) {
  if (info === undefined) return null
  const minute = minuteOf(new Date(info.at)).slice(11)
  const passed = Math.max(0, now.getTime() - new Date(info.at).getTime()) / 1000
  return (
    <footer className={css.status} data-failed={failed || undefined} role="status">
      <span className={css.pulse} data-reading={reading || undefined} aria-hidden="true">
        <i style={{ transform: `scaleX(${Math.min(1, passed / refresh)})` }} />
      </span>
      {failed ? `数据更新失败，${minute}的数据` : `截至 ${minute}`}
    </footer>
  )
}
