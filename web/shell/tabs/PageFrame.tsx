import { type ReactNode, useMemo } from 'react'
import { useNavigate } from 'react-router'
import { type Screen, screenAddress } from '#kernel/definition/screen.ts'
import { type Page, PageContext, type Query } from '#web/engine/page-context.ts'
import { placeAt } from '#web/shell/menu/screen-index.ts'
import { dropDetail, setDirty, tabOf } from '#web/shell/tabs/tabs.ts'

const searchOf = (query: Readonly<Record<string, string | undefined>>): string => {
  const kept = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '')
  return kept.length === 0 ? '' : `?${new URLSearchParams(kept).toString()}`
}

const homeScreen: Screen = {
  route: '/',
  title: '工作台',
  orgs: 'PHDV',
  menu: '首页',
  purpose: '',
  columns: [],
  filters: [],
}

/** The number of the one document that a message names, which is found and opened. */
const pointedAt = ({ numberNames = [] }: Screen, search: string): string | null => {
  const asked = new URLSearchParams(search)
  return numberNames.map(name => asked.get(name)).find(Boolean) ?? null
}
/** Such a number is for a list its own number filter. */
const queryOf = ({ numberNames = [] }: Screen, search: string): Query =>
  Object.fromEntries(
    [...new URLSearchParams(search)].map(([name, value]) => [numberNames.includes(name) ? 'sn' : name, value]),
  )

type FrameProps = { address: string; active: boolean; children: ReactNode; tab?: string }

/** Gives a page its own address, so that it stays unchanged while others are in front. */
export function PageFrame({ address, active, children, tab: ownTab }: FrameProps) {
  const navigate = useNavigate()
  const page = useMemo<Page>(() => {
    const [pathname = '/', search = ''] = address.split('?')
    const place = placeAt(address)
    const screen = place?.entry.screen ?? homeScreen
    const { tab, ...query } = queryOf(screen, search)
    const id = ownTab ?? screen.route
    const list = () => tabOf(screen.route)?.list ?? screenAddress(screen)
    return {
      screen,
      tabs: place?.tabs.map(entry => entry.screen) ?? [homeScreen],
      key: place?.key ?? null,
      query,
      pointedAt: pointedAt(screen, search),
      active,
      setQuery: patch => void navigate(pathname + searchOf({ tab, ...query, ...patch }), { replace: true }),
      open: (key, next = {}, sameDocument = false) => {
        const to = key === null ? list() + searchOf(next) : screenAddress(screen, key, next)
        void navigate(to, sameDocument ? { replace: true, state: { sameDocument: sameDocument } } : {})
      },
      go: to => void navigate(to),
      setDirty: dirty => setDirty(id, dirty),
      leave: (to, next = {}) => {
        // An unsaved document stays open in its tab.
        if (to === undefined || tabOf(id)?.dirty !== true) dropDetail(id)
        void navigate(to === undefined || to === null ? list() : screenAddress(screen, to, next), {
          replace: to !== null,
        })
      },
    }
  }, [address, active, navigate, ownTab])
  return <PageContext value={page}>{children}</PageContext>
}
