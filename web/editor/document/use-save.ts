import { App } from 'antd'
import { useRefusal } from '#web/engine/actions/use-refusal.tsx'
import { useEffect, useEffectEvent, useState } from 'react'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { screenAddress } from '#kernel/definition/screen.ts'
import { isOnline, useOnline } from '#web/engine/http/connection.ts'
import { isUnsure } from '#web/engine/http/request-error.ts'
import { usePage } from '#web/engine/page-context.ts'
import { forget, queryClient } from '#web/engine/http/query-client.ts'
import type { Actable } from '#web/engine/actions/use-action.ts'
import { savedForm } from '#web/editor/document/document-view.ts'
import { useSureSave } from '#web/editor/document/sure-save.ts'
import { infoQuery, type OpenDocument } from '#web/editor/document/use-document.ts'

const KEPT = '断网，内容已保留，重连后自动保存'

/** Saves the document to the server. Refused fields are marked in place. */
export function useSaving(definition: AnyDocument, doc: OpenDocument) {
  const page = usePage()
  const { message } = App.useApp()
  const refuse = useRefusal()
  const [saving, setSaving] = useState(false)

  const [isWaiting, setWaiting] = useState(false)
  const online = useOnline()
  const sure = useSureSave(definition.kind, screenAddress(page.screen, page.key).split('?')[0]!)

  const formNow = () =>
    savedForm(
      definition,
      doc.header,
      doc.written().map(line => line.values),
      doc.info?.state,
    )
  async function write(): Promise<Actable> {
    const { sn } = await sure.save(doc.standing(), formNow())
    forget(definition.kind)
    const fresh = await queryClient.fetchQuery(infoQuery(definition.kind, sn))
    doc.takeUp(fresh)
    page.setDirty(false)
    return fresh
  }

  /** The connection is lost: what was typed stays, and is saved once it is back. */
  function keep(): null {
    sure.keep(doc.standing(), formNow())
    setWaiting(true)
    void message.warning(KEPT)
    return null
  }

  /** Resolves to the saved document, or to null if it could not be saved. */
  async function save(quietly = false): Promise<Actable | null> {
    if (doc.held.current !== null) {
      void message.warning(doc.held.current)
      return null
    }
    const wrong = doc.written().reduce((sum, line) => sum + Object.keys(line.problems).length, 0)
    if (wrong > 0) {
      doc.reveal()
      void message.error(`明细中有${wrong}处填写有误，请修正后再保存`)
      return null
    }
    if (!isOnline()) return keep()
    setSaving(true)
    const isNew = doc.standing() === null
    try {
      const saved = await write()
      if (isNew) page.open(saved.sn, {}, true)
      if (!quietly) void message.success(`${saved.sn} 已保存`)
      return saved
    } catch (thrown) {
      const sentence = doc.refused(thrown)
      if (isUnsure(thrown) && !isOnline()) return keep()
      refuse(thrown, { sentence })
      return null
    } finally {
      setSaving(false)
    }
  }
  const saveKept = useEffectEvent(save)
  useEffect(() => {
    if (!isWaiting || !online) return
    // oxlint-disable-next-line react/set-state-in-effect -- the connection came back, outside React's state
    setWaiting(false)
    void saveKept()
  }, [isWaiting, online])
  return { save, saving }
}
