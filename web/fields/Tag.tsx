import type { ReactNode } from 'react'
import css from '#web/fields/Tag.module.css'

export type Tone = 'neutral' | 'brand' | 'info' | 'success' | 'warning' | 'danger'

/** A coloured label. The mark in front differs by tone as well, for colour-blind users. */
export function Tag({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={css.tag} data-tone={tone}>
      {children}
    </span>
  )
}
