import type { ReactNode } from 'react'
import css from '#web/fields/Tag.module.css'

export type Tone = 'neutral' | 'brand' | 'info' | 'success' | 'warning' | 'danger'

/** A coloured word. The mark in front differs by tone as well, for those who cannot tell the colours apart. */
export function Tag({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={css.tag} data-tone={tone}>
      {children}
    </span>
  )
}
