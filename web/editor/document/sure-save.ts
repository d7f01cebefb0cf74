import { useRef } from 'react'
import { isOnline } from '#web/engine/http/connection.ts'
import { isUnsure } from '#web/engine/http/request-error.ts'
import { newRequestId, post } from '#web/engine/http/request.ts'
import { currentSession } from '#web/engine/session/session.ts'
import type { Actable } from '#web/engine/actions/use-action.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { dropSave, keepSave, keptKey, type SaveCall } from '#web/editor/document/kept-saves.ts'

/** A call and the form it saves; `isSent`: the server may have processed it. */
type Pending = SaveCall & { readonly form: string; readonly isSent: boolean }

/** The call that saves a form: as a new document, or onto what the server has. */
export const saveCall = (path: string, onto: Actable | null, form: Row): SaveCall =>
  onto === null
    ? { path: `${path}/add`, values: form, requestId: newRequestId() }
    : { path: `${path}/edit`, values: { sn: onto.sn, version: onto.version, ...form }, requestId: newRequestId() }

export const sendSave = async ({ path, values, requestId }: SaveCall): Promise<Actable> =>
  (await post<Actable>(path, values, { requestId })).info

/** One whose reply was lost alone is repeated at once, under its id; without a connection it waits. */
async function sendTwice(call: SaveCall): Promise<Actable> {
  try {
    return await sendSave(call)
  } catch (thrown) {
    if (!isUnsure(thrown) || !isOnline()) throw thrown
    return sendSave(call)
  }
}

/**
 * Saves a form onto what the server has. A call that got no response is repeated under its own request id, as the
 * server may have processed it; what was typed since is saved after it, onto what it wrote.
 */
export function useSureSave(kind: string, address: string) {
  const path = `/v1/business/${kind}`
  const pending = useRef<Pending | null>(null)
  const kept = useRef<string | null>(null)
  /** The last save that the page has not read back yet. */
  const written = useRef<{ readonly form: string; readonly saved: Actable } | null>(null)
  const unread = (standing: Actable | null) =>
    written.current !== null && (standing === null || standing.version < written.current.saved.version)
      ? written.current
      : null

  const release = () => {
    if (kept.current !== null) dropSave(kept.current)
    kept.current = null
  }
  const send = async (call: Pending): Promise<Actable> => {
    pending.current = null
    try {
      const saved = await sendTwice(call)
      written.current = { form: call.form, saved }
      release()
      return saved
    } catch (thrown) {
      if (isUnsure(thrown)) pending.current = { ...call, isSent: true }
      else release()
      throw thrown
    }
  }
  /** Repeats the call without a response. One that is refused wrote nothing, and one never made is not made. */
  const settle = async (): Promise<void> => {
    if (pending.current?.isSent !== true) return
    try {
      await send(pending.current)
    } catch (thrown) {
      if (pending.current !== null) throw thrown
    }
  }
  const save = async (standing: Actable | null, values: Row): Promise<Actable> => {
    const form = JSON.stringify(values)
    if (pending.current?.form === form) return send(pending.current)
    await settle()
    const before = unread(standing)
    if (before?.form === form) return before.saved
    const onto = before?.saved ?? standing
    return send({ ...saveCall(path, onto, values), form, isSent: false })
  }
  /** Without a connection: keeps the form in this browser, so that not even a closed page loses it. */
  const keep = (standing: Actable | null, values: Row): void => {
    const form = JSON.stringify(values)
    const before = unread(standing)
    // Written, and only its answer could not be read.
    if (pending.current === null && before?.form === form) return
    if (pending.current?.isSent !== true && pending.current?.form !== form)
      pending.current = { ...saveCall(path, before?.saved ?? standing, values), form, isSent: false }
    const { path: to, values: sent, requestId } = pending.current
    kept.current ??= keptKey(currentSession()?.userId ?? '', newRequestId())
    const next = pending.current.form === form ? null : values
    keepSave({ key: kept.current, kind, address, call: { path: to, values: sent, requestId }, next })
  }
  return { save, keep }
}
