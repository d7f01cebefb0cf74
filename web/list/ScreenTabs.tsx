import { screenAddress } from '#kernel/screen.ts'
import { usePage } from '#web/engine/page.ts'
import { useSession } from '#web/engine/session.ts'
import css from '#web/list/ScreenTabs.module.css'

/** The lists that share a page, side by side; nothing where the page has one. */
export function ScreenTabs() {
  const { tabs, screen, go } = usePage()
  const session = useSession()
  const mine = tabs.filter(tab => session !== null && tab.orgs.includes(session.orgType))
  if (mine.length < 2) return null
  return (
    <nav className={css.tabs} aria-label={`${screen.title}的分页`}>
      {mine.map(tab => (
        <button
          key={tab.tab}
          type="button"
          className={css.tab}
          aria-current={tab.tab === screen.tab ? 'page' : undefined}
          onClick={() => go(screenAddress(tab))}
        >
          {tab.tab}
        </button>
      ))}
    </nav>
  )
}
