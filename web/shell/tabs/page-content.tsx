import { type ComponentType, lazy, type ReactNode } from 'react'
import { loadChunk } from '#web/engine/http/load-chunk.ts'
import { pageOf } from '#web/registry/contributions.ts'
import { APPROVALS, HOME, placeAt, type ScreenEntry } from '#web/shell/menu/screen-index.ts'
import { NotFound } from '#web/shell/NotFound.tsx'

const Workbench = lazy(() => loadChunk(() => import('#web/workbench/Workbench.tsx')))
const ApprovalsPage = lazy(() => loadChunk(() => import('#web/workbench/approvals/ApprovalsPage.tsx')))
const ListPage = lazy(() => loadChunk(() => import('#web/list/page/ListPage.tsx')))
const EditorPage = lazy(() => loadChunk(() => import('#web/editor/document/DocumentPage.tsx')))
const EntityPage = lazy(() => loadChunk(() => import('#web/records/EntityPage.tsx')))
const ReportPage = lazy(() => loadChunk(() => import('#web/list/report/ReportPage.tsx')))

/** A lazy component per custom page, created once: a new one on each render would discard the page. */
const custom = new Map<string, ComponentType>()
function customPage(name: string): ComponentType | null {
  const load = pageOf(name)
  if (load === undefined) return null
  const known = custom.get(name) ?? lazy(() => loadChunk(load))
  custom.set(name, known)
  return known
}

function drawn(entry: ScreenEntry, key: string | null): ReactNode {
  switch (entry.shows) {
    case 'document':
      return key === null ? (
        <ListPage key={entry.screen.tab} definition={entry.definition} />
      ) : (
        <EditorPage definition={entry.definition} />
      )
    case 'entity':
      return <EntityPage key={entry.screen.tab} definition={entry.definition} />
    case 'report':
      return <ReportPage key={entry.screen.tab} definition={entry.definition} />
    case 'page': {
      if (entry.screen === APPROVALS) return <ApprovalsPage />
      const Page = customPage(entry.page)
      return Page === null ? <NotFound /> : <Page />
    }
  }
}

/** The content at an address. */
export function contentFor(address: string): ReactNode {
  const pathname = address.split('?')[0] ?? HOME
  if (pathname === HOME) return <Workbench />
  const place = placeAt(address)
  return place === null ? <NotFound /> : drawn(place.entry, place.key)
}
