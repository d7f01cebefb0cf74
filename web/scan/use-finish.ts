import { App } from 'antd'
import { useRefusal } from '#web/engine/actions/use-refusal.tsx'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { CallFailure } from '#web/engine/http/request-error.ts'
import { usePage } from '#web/engine/page-context.ts'
import { forget, queryClient } from '#web/engine/http/query-client.ts'
import { newRequestId, post } from '#web/engine/http/request.ts'
import { savedForm } from '#web/editor/document/document-view.ts'
import { infoQuery, type OpenDocument } from '#web/editor/document/use-document.ts'
import { linesAfter } from '#web/scan/apply-to-document.ts'
import type { ScanStore, Sending } from '#web/scan/scan-store.ts'
import type { Rules, ScannedRow } from '#web/scan/tally.ts'

const isAway = (thrown: unknown): boolean =>
  thrown instanceof CallFailure && ['unreachable', 'timeout', 'session'].includes(thrown.kind)

/**
 * Writes the scans to the document and saves it. The call is stored before it is made: if the network, the page or
 * the machine fails, it is repeated under its own id, and the server runs it once.
 */
export function useFinish(definition: AnyDocument, doc: OpenDocument, store: ScanStore, onDone: () => void) {
  const page = usePage()
  const { message } = App.useApp()
  const refuse = useRefusal()
  const [busy, setBusy] = useState(false)
  const running = useRef(false)

  const send = useCallback(
    async (sending: Sending): Promise<void> => {
      if (running.current) return
      running.current = true
      setBusy(true)
      try {
        const sn = await sendAll(store, sending)
        store.clear()
        forget(definition.kind)
        const fresh = await queryClient.fetchQuery(infoQuery(definition.kind, sn))
        const isNew = doc.standing() === null
        doc.takeUp(fresh)
        page.setDirty(false)
        if (isNew) page.open(sn, {}, true)
        void message.success(`${sn} 已按扫码结果保存`)
        onDone()
      } catch (thrown) {
        if (isAway(thrown)) return
        const isWritten = store.state().sending?.path.match(/\/(?:add|edit)$/) === null
        if (isWritten) {
          // The lines are already on the document: the refusal is shown, and nothing is counted again.
          store.clear()
          await queryClient.invalidateQueries({ queryKey: [definition.kind] })
          onDone()
        } else {
          // Refused: the scans are kept, and the lines are restored.
          store.send(null)
          doc.lines.undo()
        }
        refuse(thrown, { seconds: 8 })
      } finally {
        running.current = false
        setBusy(false)
      }
    },
    [definition, doc, store, page, message, refuse, onDone],
  )
  const again = () => {
    const { sending } = store.state()
    if (sending !== null) void send(sending)
  }
  useEvery(again)
  const finish = (rows: readonly ScannedRow[], rules: Rules) => {
    const call = doc.standing() === null ? undefined : definition.lineRules.scanning?.unitAction
    const pieces = call === undefined ? [] : rows.flatMap(row => row.codes)
    const written = call === undefined ? rows : rows.filter(row => row.codes.length === 0)
    doc.lines.replace(linesAfter(definition, doc.lines.all(), written, rules, doc.header))
    const sending = sendingOf(definition, doc, pieces, call)
    void send(sending)
  }
  return { finish, busy }
}

const RETRY_MS = 5_000

/** Runs now, periodically, and when the network is back. */
function useEvery(work: () => void): void {
  const due = useEffectEvent(work)
  useEffect(() => {
    due()
    const onLine = () => due()
    const timer = setInterval(onLine, RETRY_MS)
    window.addEventListener('online', onLine)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', onLine)
    }
  }, [])
}

/** The call that saves the current document, under its own id. */
function sendingOf(definition: AnyDocument, doc: OpenDocument, pieces: readonly string[], call = ''): Sending {
  const before = doc.standing()
  const written = doc.written().map(line => line.values)
  const form = savedForm(definition, doc.header, written, before?.state)
  return {
    path: `/v1/business/${definition.kind}/${before === null ? 'add' : 'edit'}`,
    form: before === null ? form : { sn: before.sn, version: before.version, ...form },
    requestId: newRequestId(),
    ...(pieces.length === 0 || before === null
      ? {}
      : {
          next: {
            path: `/v1/business/${definition.kind}/${call}`,
            form: { sn: before.sn, codes: pieces },
            requestId: newRequestId(),
          },
        }),
  }
}

/** Makes the stored calls one after another; each is removed once answered. Returns the document's number. */
async function sendAll(store: ScanStore, first: Sending): Promise<string> {
  let sn = ''
  for (let sending: Sending | undefined = first; sending !== undefined; sending = sending.next) {
    store.send(sending)
    const { info } = await post<{ sn: string }>(sending.path, sending.form, { requestId: sending.requestId })
    sn = info.sn
  }
  return sn
}
