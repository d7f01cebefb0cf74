import type { ReactNode } from 'react'
import { customAbove, customBeside } from '#web/engine/customisation.ts'
import { usePage } from '#web/engine/page-context.ts'
import { ScreenTabs } from '#web/list/page/ScreenTabs.tsx'
import { useMay } from '#web/shell/menu/menu.ts'
import css from '#web/list/page/ListFrame.module.css'

/** The layout every list shares: its name, its purpose, and one panel filling the rest. */
export function ListFrame({
  title,
  purpose,
  of = '',
  aside,
  children,
}: {
  title: string
  purpose: string
  /** The definition whose rows are listed. */
  of?: string
  aside?: ReactNode
  children: ReactNode
}) {
  const may = useMay(usePage().screen.route, of)
  const beside = customBeside(of)
  return (
    <section className={css.page}>
      <header className={css.head}>
        <h1 className={css.title}>{title}</h1>
        <p className={css.purpose}>{purpose}</p>
        {aside}
      </header>
      <ScreenTabs />
      {customAbove(of).map((Above, at) => (
        <Above key={`${of}${at}`} may={may} />
      ))}
      {beside.length === 0 ? (
        <div className={css.sheet}>{children}</div>
      ) : (
        <div className={css.beside}>
          <aside className={css.aside}>
            {beside.map((Addition, at) => (
              <Addition key={`${of}${at}`} />
            ))}
          </aside>
          <div className={css.sheet}>{children}</div>
        </div>
      )}
    </section>
  )
}
