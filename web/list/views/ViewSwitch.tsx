import { Segmented } from 'antd'
import type { ReactNode } from 'react'
import type { Screen, ScreenView } from '#kernel/definition/screen.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { usePage } from '#web/engine/page-context.ts'
import { WeekView } from '#web/list/views/WeekView.tsx'
import { useSession } from '#web/engine/session/session.ts'

const LIST = 'list'
/** The views that organisations of this type have of a screen. */
const viewsFor = (screen: Screen, org: OrgType | undefined): readonly ScreenView[] =>
  (screen.views ?? []).filter(view => view.orgs === undefined || (org !== undefined && view.orgs.includes(org)))

/** The view in the address; undefined for the list itself. */
function useView(): ScreenView | undefined {
  const { screen, query } = usePage()
  const org = useSession()?.orgType
  return viewsFor(screen, org).find(view => view.name === query.view)
}

type Shown = Omit<Parameters<typeof WeekView>[0], 'view'> & { readonly children: ReactNode }

/** The view in the address, else the list. */
export function ShownAs({ children, may, ...list }: Shown) {
  const view = useView()
  const offered = usePage().screen.actions as readonly string[] | undefined
  const mayHere = (action: string) => may(action) && (offered?.includes(action) ?? true)
  return view ? <WeekView view={view} may={mayHere} {...list} /> : children
}

/** List, calendar, board: nothing where there is only the list. */
export function ViewSwitch() {
  const { screen, setQuery } = usePage()
  const views = viewsFor(screen, useSession()?.orgType)
  const shown = useView()
  if (views.length === 0) return null
  return (
    <Segmented
      aria-label="查看方式"
      value={shown?.name ?? LIST}
      options={[{ value: LIST, label: '列表' }, ...views.map(({ name, label }) => ({ value: name, label }))]}
      onChange={name => setQuery({ view: name === LIST ? undefined : name, pageNum: undefined })}
    />
  )
}
