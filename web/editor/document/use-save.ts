import { App } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { isOnline, useOnline } from '#web/engine/http/connection.ts'
import { CallFailure, isSilent, isUnsure, sentenceOf } from '#web/engine/http/request-error.ts'
import { usePage } from '#web/engine/page-context.ts'
import { forget, queryClient } from '#web/engine/http/query-client.ts'
import { newRequestId, post } from '#web/engine/http/request.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import type { Actable } from '#web/engine/actions/use-action.ts'
import { savedForm } from '#web/editor/document/document-view.ts'
import { infoQuery, type OpenDocument } from '#web/editor/document/use-document.ts'

const KEPT = '断网，内容已保留，重连后自动保存'

type Call = { readonly path: string; readonly sent: Row; readonly form: string; readonly requestId: string }

/**
 * Saves a form onto what the server has. A call that got no response is repeated under its own request id, as the
 * server may have processed it; what was typed since is saved after it, onto what it wrote.
 */
function useSureSend(path: string) {
  const unsure = useRef<Call | null>(null)
  const send = async (call: Call): Promise<Actable> => {
    unsure.current = null
    try {
      return (await post<Actable>(call.path, call.sent, { requestId: call.requestId })).info
    } catch (thrown) {
      if (isUnsure(thrown)) unsure.current = call
      throw thrown
    }
  }
  /** What the call without a response wrote; null if it was refused or there is none. */
  const settle = async (): Promise<Actable | null> => {
    if (unsure.current === null) return null
    try {
      return await send(unsure.current)
    } catch (thrown) {
      if (unsure.current !== null) throw thrown
      return null
    }
  }
  return async (standing: Actable | null, values: Row): Promise<Actable> => {
    const form = JSON.stringify(values)
    if (unsure.current?.form === form) return send(unsure.current)
    const onto = (await settle()) ?? standing
    const requestId = newRequestId()
    return onto === null
      ? send({ path: `${path}/add`, sent: values, form, requestId })
      : send({ path: `${path}/edit`, sent: { sn: onto.sn, version: onto.version, ...values }, form, requestId })
  }
}

/** Saves the document to the server. Refused fields are marked in place. */
export function useSaving(definition: AnyDocument, doc: OpenDocument) {
  const page = usePage()
  const { message } = App.useApp()
  const [saving, setSaving] = useState(false)

  const [isWaiting, setWaiting] = useState(false)
  const online = useOnline()
  const send = useSureSend(`/v1/business/${definition.kind}`)

  async function write(): Promise<Actable> {
    const form = savedForm(
      definition,
      doc.header,
      doc.written().map(line => line.values),
      doc.info?.state,
    )
    const { sn } = await send(doc.standing(), form)
    forget(definition.kind)
    const fresh = await queryClient.fetchQuery(infoQuery(definition.kind, sn))
    doc.takeUp(fresh)
    page.setDirty(false)
    return fresh
  }

  /** The connection is lost: what was typed stays, and is saved once it is back. */
  function keep(): null {
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
      if (thrown instanceof CallFailure) doc.mark(thrown.problems)
      if (isUnsure(thrown) && !isOnline()) return keep()
      if (!isSilent(thrown)) void message.error(sentenceOf(thrown))
      return null
    } finally {
      setSaving(false)
    }
  }
  const latest = useRef(save)
  useEffect(() => void (latest.current = save))
  useEffect(() => {
    if (!isWaiting || !online) return
    // oxlint-disable-next-line react/set-state-in-effect -- the connection came back, outside React's state
    setWaiting(false)
    void latest.current()
  }, [isWaiting, online])
  return { save, saving }
}
