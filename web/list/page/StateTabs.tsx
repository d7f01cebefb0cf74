import css from '#web/list/page/StateTabs.module.css'

export type StateTab = { readonly key: string; readonly label: string; readonly count: number | null }

/** The states of a kind of document as tabs, with the number of rows in each state. */
export function StateTabs({
  tabs,
  active,
  onChange,
}: {
  tabs: readonly StateTab[]
  active: string
  onChange: (key: string) => void
}) {
  return (
    <div className={css.tabs} role="group" aria-label="按状态">
      {tabs.map(tab => (
        <button
          key={tab.key}
          type="button"
          className={css.tab}
          aria-pressed={tab.key === active}
          onClick={() => onChange(tab.key)}
        >
          {tab.label}
          {/* The place of the number is kept while it is counted: nothing moves. */}
          <span className={css.count} data-none={!tab.count}>
            {tab.count === null ? ' ' : tab.count > 9999 ? '9999+' : tab.count}
          </span>
        </button>
      ))}
    </div>
  )
}
