import { Tag } from 'antd'
import type { ReactNode } from 'react'
import { customAbove, customBeside } from '#web/engine/customisation.ts'
import { usePage } from '#web/engine/page-context.ts'
import { Forbidden, isForbidden } from '#web/list/page/EmptyState.tsx'
import { ScreenTabs } from '#web/list/page/ScreenTabs.tsx'
import { useMay } from '#web/shell/menu/menu.ts'
import css from '#web/list/page/ListFrame.module.css'

/** The layout every list shares: its name, its purpose, and one panel filling the rest. */
export function ListFrame({
  title,
  purpose,
  of = '',
  toolbar,
  thrown = null,
  children,
}: {
  title: string
  purpose: string
  /** The definition whose rows are listed. */
  of?: string
  /** Beside the name: what is done with the list and its rows. */
  toolbar?: ReactNode
  /** The error for which the rows could not be read. */
  thrown?: unknown
  children: ReactNode
}) {
  const { screen, query, setQuery } = usePage()
  const may = useMay(screen.route, of)
  const refused = isForbidden(thrown)
  return (
    <section className={css.page}>
      <header className={css.head}>
        <h1 className={css.title}>{title}</h1>
        <p className={css.purpose} title={purpose}>
          {purpose}
        </p>
        {query.of_campus && (
          <Tag closable onClose={() => setQuery({ of_campus: undefined, pageNum: undefined })}>
            院区：{query.of_campus}
          </Tag>
        )}
        {!refused && toolbar}
      </header>
      <ScreenTabs />
      {refused && <Forbidden />}
      {!refused && (
        <FrameBody of={of} may={may}>
          {children}
        </FrameBody>
      )}
    </section>
  )
}

type BodyProps = {
  readonly of: string
  readonly may: (action: string) => boolean
  readonly children: ReactNode
}

/** The list itself, with what its kind puts above and beside it. */
function FrameBody({ of, may, children }: BodyProps) {
  const beside = customBeside(of)
  return (
    <>
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
    </>
  )
}
