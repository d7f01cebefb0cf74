import type { Screen } from '#kernel/definition/screen.ts'
import { may, type Session } from '#server/public/session.ts'

type Shown = { readonly kind: string; readonly screens: readonly Screen[] }

/** The page on which this user sees a whole kind, or null when none of the user's pages shows it. */
export function pageOf(session: Session, { screens }: Shown): Screen | null {
  const own = screens.filter(
    screen =>
      screen.orgs.includes(session.org.type) && (session.flags === 'all' || may(session, `page:${screen.route}`)),
  )
  const narrowness = (screen: Screen) => (screen.where ? 4 : 0) + (screen.states ? 2 : 0) + (screen.hidden ? 1 : 0)
  return own.toSorted((a, b) => narrowness(a) - narrowness(b))[0] ?? null
}

/** True if the user may read a kind at all: through a page that shows it, or by working on it. */
export const mayRead = (session: Session, shown: Shown): boolean =>
  session.flags === 'all' ||
  pageOf(session, shown) !== null ||
  [...session.flags].some(flag => flag.startsWith(`${shown.kind}.`))
