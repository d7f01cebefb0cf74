import { App } from 'antd'
import { useRef, useState } from 'react'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { CallFailure, isSilent } from '#web/engine/http/request-error.ts'
import { usePage } from '#web/engine/page-context.ts'
import { forget, queryClient } from '#web/engine/http/query-client.ts'
import { newRequestId, post } from '#web/engine/http/request.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import type { Actable } from '#web/engine/actions/use-action.ts'
import { savedForm } from '#web/editor/document/document-view.ts'
import { infoQuery, type OpenDocument } from '#web/editor/document/use-document.ts'

/**
 * Saves so that a call that got no response is repeated under its own request id, as the server may have processed
 * it.
 */
function useSureSend() {
  const unsure = useRef<{ readonly key: string; readonly requestId: string } | null>(null)
  return async (path: string, form: Row): Promise<{ info: Actable }> => {
    const key = `${path} ${JSON.stringify(form)}`
    const requestId = unsure.current?.key === key ? unsure.current.requestId : newRequestId()
    try {
      const saved = await post<Actable>(path, form, { requestId })
      unsure.current = null
      return saved
    } catch (thrown) {
      const isUnsure = thrown instanceof CallFailure && (thrown.kind === 'unreachable' || thrown.kind === 'timeout')
      unsure.current = isUnsure ? { key, requestId } : null
      throw thrown
    }
  }
}

/** Saves the document to the server. Refused fields are marked in place. */
export function useSaving(definition: AnyDocument, doc: OpenDocument) {
  const page = usePage()
  const { message } = App.useApp()
  const [saving, setSaving] = useState(false)

  const send = useSureSend()

  async function write(): Promise<Actable> {
    const before = doc.standing()
    const form = savedForm(
      definition,
      doc.header,
      doc.written().map(line => line.values),
      doc.info?.state,
    )
    const path = `/v1/business/${definition.kind}`
    const saved =
      before === null
        ? await send(`${path}/add`, form)
        : await send(`${path}/edit`, { sn: before.sn, version: before.version, ...form })
    const sn = saved.info.sn
    forget(definition.kind)
    const fresh = await queryClient.fetchQuery(infoQuery(definition.kind, sn))
    doc.takeUp(fresh)
    page.setDirty(false)
    return fresh
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
    setSaving(true)
    const isNew = doc.standing() === null
    try {
      const saved = await write()
      if (isNew) page.open(saved.sn, {}, true)
      if (!quietly) void message.success(`${saved.sn} 已保存`)
      return saved
    } catch (thrown) {
      const sentence = doc.refused(thrown)
      if (!isSilent(thrown)) void message.error(sentence)
      return null
    } finally {
      setSaving(false)
    }
  }
  return { save, saving }
}
