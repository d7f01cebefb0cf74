import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Screen, screenAddress } from '#kernel/definition/screen.ts'
import { type Query, usePage } from '#web/engine/page-context.ts'
import { get } from '#web/engine/http/request.ts'
import { useSession } from '#web/engine/session/session.ts'
import { filtersOf } from '#web/list/page/list-query.ts'
import type { State } from '#kernel/definition/document-state.ts'
import { headerField } from '#kernel/definition/common-fields.ts'
import { documentOf, entityOf } from '#kernel/registry.ts'
import { stateName } from '#web/fields/StateTag.tsx'
import { kindOn } from '#web/shell/menu/screen-index.ts'
import css from '#web/list/page/ScreenTabs.module.css'

/** Tabs of the lists that share a page; nothing if the page has only one. */
export function ScreenTabs() {
  const { tabs, screen, go, query } = usePage()
  const keptOn = (tab: Screen) => (screen.sharesFilters && tab.sharesFilters ? filtersOf(query) : {})
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
          onClick={() => go(screenAddress(tab, null, keptOn(tab)))}
        >
          {tab.tab}
          {tab.counted !== undefined && <Counted screen={tab} counted={tab.counted} kept={keptOn(tab)} />}
        </button>
      ))}
    </nav>
  )
}

type CountedProps = {
  readonly screen: Screen
  readonly counted: NonNullable<Screen['counted']>
  readonly kept: Query
}

/** The number of waiting rows of a tab. */
function Counted({ screen, counted, kept }: CountedProps) {
  const kind = kindOn(screen)
  const asked = { ...kept, ...screen.where, ...counted, pageNum: 1, pageSize: 1 }
  const { data } = useQuery({
    queryKey: [kind, 'list', asked],
    enabled: kind !== null,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => get(`/v1/business/${kind}/list`, asked, { signal }),
  })
  if (data === undefined) return null
  return (
    <span className="faint">
      {' '}
      {kind === null ? '' : countedAs(kind, counted)}
      {data.total}
    </span>
  )
}

/** The name of what the number of a tab counts, where it does not count all that the tab lists: 待处理. */
function countedAs(kind: string, counted: NonNullable<Screen['counted']>): string {
  const named = Object.entries(counted).map(([name, value]) => {
    const document = documentOf(kind)
    if (document !== undefined && name === 'state') return stateName(document, value as State)
    return (document === undefined ? entityOf(kind)?.fields[name] : headerField(document, name))?.choices?.[value]
  })
  // Several values have no one name.
  return named.length === 1 && named[0] !== undefined ? `${named[0]} ` : ''
}
