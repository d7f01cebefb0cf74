import type { ReactNode } from 'react'
import { ScreenTabs } from '#web/list/ScreenTabs.tsx'
import css from '#web/list/ListFrame.module.css'

/** The page every list shares: its name, what it is for, and one sheet that fills the rest. */
export function ListFrame({
  title,
  purpose,
  aside,
  children,
}: {
  title: string
  purpose: string
  aside?: ReactNode
  children: ReactNode
}) {
  return (
    <section className={css.page}>
      <header className={css.head}>
        <h1 className={css.title}>{title}</h1>
        <p className={css.purpose}>{purpose}</p>
        {aside}
      </header>
      <ScreenTabs />
      <div className={css.sheet}>{children}</div>
    </section>
  )
}
