import { useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from 'react'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { useSession } from '#web/engine/session/session.ts'
import type { OpenDocument } from '#web/editor/document/use-document.ts'
import { expectedOf, rulesFor } from '#web/scan/apply-to-document.ts'
import { createScanStore, hasScans, scanKey } from '#web/scan/scan-store.ts'
import { beat, ownPlace } from '#web/scan/windows.ts'
import type { Expected, Rules } from '#web/scan/tally.ts'

/** The basis of a count: the lines as they were when the counter was opened. */
export type Sitting = { readonly key: string; readonly rules: Rules; readonly expected: readonly Expected[] }

/** A document's scan counter: whether it is open, and its scans. Scans left in this browser open it automatically. */
export function useCounter(definition: AnyDocument, doc: OpenDocument, offered: boolean) {
  const session = useSession()
  const sn = doc.info?.sn ?? null
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
  const { hold } = doc
  useEffect(() => {
    // Scans are not on the document yet: it cannot be saved or submitted without them.
    hold(isHeld ? '扫码尚未完成，请先完成并保存，或放弃扫码' : null)
    return () => hold(null)
  }, [hold, isHeld])

  const open = () => {
    takeUp(doc, store.state().base)
    const lines = doc.lines.all()
    const {
      lineRules: { scanning: scans = {} },
    } = definition
    const rules = rulesFor(scans, lines, doc.header, definition)
    const expected = expectedOf(scans, lines, doc.header).map(line =>
      rules.isList ? line : { ...line, quantity: '0' },
    )
    store.begin({ version: doc.info?.version ?? null, header: doc.header, lines: lines.map(line => line.values) })
    setSitting({ key, rules, expected })
  }
  const isReady = doc.info === null || doc.all.length > 0 || doc.info.lines.length === 0
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

/** Restores the document that was scanned against, if the page was closed before it was saved. */
function takeUp(doc: OpenDocument, base: Base | null): void {
  if (base === null || base.version !== (doc.info?.version ?? null)) return
  for (const [name, value] of Object.entries(base.header))
    if (doc.header[name] !== value && value !== null) doc.write(name, value)
  const same = JSON.stringify(doc.lines.all().map(line => line.values)) === JSON.stringify(base.lines)
  if (!same) doc.lines.replace(base.lines)
}
