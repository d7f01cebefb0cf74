import { useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from 'react'
import type { AnyDocument } from '#kernel/document.ts'
import { useSession } from '#web/engine/session.ts'
import type { OpenPaper } from '#web/editor/use-paper.ts'
import { expectedOf, rulesFor } from '#web/scan/onto-paper.ts'
import { createScanStore, hasScans, scanKey } from '#web/scan/scan-store.ts'
import { beat, ownPlace } from '#web/scan/windows.ts'
import type { Expected, Rules } from '#web/scan/tally.ts'

/** What is counted against: the lines as they stood when the counter was opened. */
export type Sitting = { readonly key: string; readonly rules: Rules; readonly expected: readonly Expected[] }

/** The scan counter of a paper: whether it is open, and its scans. What was left behind in this browser opens it by itself. */
export function useCounter(definition: AnyDocument, paper: OpenPaper, offered: boolean) {
  const session = useSession()
  const sn = paper.info?.sn ?? null
  const user = session?.userId ?? ''
  const key = useMemo(() => {
    const place = scanKey(user, definition.kind, sn)
    return offered && sn === null ? ownPlace(place, localStorage) : place
  }, [user, definition.kind, sn, offered])
  useEffect(() => {
    if (offered && sn === null) beat(localStorage)
  }, [offered, sn])
  const store = useMemo(() => createScanStore({ key, shelf: localStorage }), [key])
  const [sitting, setSitting] = useState<Sitting | null>(null)
  const isOpen = offered && sitting?.key === key
  const { entries, sending } = useSyncExternalStore(store.subscribe, store.state)
  const isHeld = isOpen && (entries.length > 0 || sending !== null)
  const { hold } = paper
  useEffect(() => {
    // What was scanned is not on the paper yet: it is neither saved nor handed in without it.
    hold(isHeld ? '扫码尚未完成，请先完成并保存，或放弃扫码' : null)
    return () => hold(null)
  }, [hold, isHeld])

  const open = () => {
    takeUp(paper, store.state().base)
    const lines = paper.lines.all()
    const { scans = {} } = definition
    const rules = rulesFor(scans, lines, paper.header, definition)
    const expected = expectedOf(scans, lines, paper.header).map(line =>
      rules.isList ? line : { ...line, quantity: '0' },
    )
    store.begin({ version: paper.info?.version ?? null, header: paper.header, lines: lines.map(line => line.values) })
    setSitting({ key, rules, expected })
  }
  const isReady = paper.info === null || paper.all.length > 0 || paper.info.lines.length === 0
  const resume = useEffectEvent(() => {
    if (sitting === null && hasScans(key, localStorage)) open()
  })
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- the scans left behind come from the browser's storage
    if (offered && isReady) resume()
  }, [offered, isReady, key])
  return { store, sitting: isOpen ? sitting : null, open, close: () => setSitting(null) }
}

type Base = NonNullable<ReturnType<ReturnType<typeof createScanStore>['state']>['base']>

/** The paper as it was scanned against, where it was not saved and the page went away. */
function takeUp(paper: OpenPaper, base: Base | null): void {
  if (base === null || base.version !== (paper.info?.version ?? null)) return
  for (const [name, value] of Object.entries(base.header))
    if (paper.header[name] !== value && value !== null) paper.write(name, value)
  const same = JSON.stringify(paper.lines.all().map(line => line.values)) === JSON.stringify(base.lines)
  if (!same) paper.lines.replace(base.lines)
}
