import { Activity, Suspense } from 'react'
import { PageErrorBoundary } from '#web/shell/tabs/PageErrorBoundary.tsx'
import { PageFrame } from '#web/shell/tabs/PageFrame.tsx'
import { PageSkeleton } from '#web/shell/tabs/PageSkeleton.tsx'
import { contentFor } from '#web/shell/tabs/page-content.tsx'
import { type Tab, useDeck } from '#web/shell/tabs/tabs.ts'
import css from '#web/shell/Shell.module.css'

function Layer({ tab, address, active }: { tab: string; address: string; active: boolean }) {
  return (
    <Activity mode={active ? 'visible' : 'hidden'}>
      <div className={css.layer}>
        <PageFrame tab={tab} address={address} active={active}>
          <PageErrorBoundary>
            <Suspense fallback={<PageSkeleton />}>{contentFor(address)}</Suspense>
          </PageErrorBoundary>
        </PageFrame>
      </div>
    </Activity>
  )
}

/**
 * Every visited tab stays mounted; React pauses the hidden ones. A list stays behind the row opened from it.
 * `behind`: the stage shows something else, and none is in front.
 */
export function TabDeck({ behind }: { readonly behind: boolean }) {
  const { tabs, active } = useDeck()
  return tabs
    .filter(tab => tab.visited)
    .map(tab => <TabLayers key={tab.id} tab={tab} active={!behind && tab.id === active} />)
}

function TabLayers({ tab, active }: { tab: Tab; active: boolean }) {
  return (
    <>
      {tab.list !== null && <Layer tab={tab.id} address={tab.list} active={active && tab.front === 'list'} />}
      {/* Another row in the same tab starts afresh. */}
      {tab.detail !== null && (
        <Layer key={tab.document} tab={tab.id} address={tab.detail} active={active && tab.front === 'detail'} />
      )}
    </>
  )
}
