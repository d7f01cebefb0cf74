import { App } from 'antd'
import { useRefusal } from '#web/engine/actions/use-refusal.tsx'
import { useState } from 'react'
import type { ActionSpec, AnyDocument } from '#kernel/definition/document.ts'
import { headerField } from '#kernel/definition/common-fields.ts'
import { today } from '#kernel/values/date.ts'
import { f } from '#kernel/definition/field.ts'
import { askAction, askOnce, keepAnswer } from '#web/engine/actions/confirm-action.tsx'
import { type Note, useNotes } from '#web/engine/actions/use-notes.tsx'
import { CallFailure, sentencesOf } from '#web/engine/http/request-error.ts'
import { forget } from '#web/engine/http/query-client.ts'
import { post } from '#web/engine/http/request.ts'
import { isEmpty, type Row } from '#web/fields/field-renderer.ts'

/** `source_org_sn`: the owner of a copy, as several may share a number. */
export type Actable = { readonly sn: string; readonly version: number; readonly source_org_sn?: string }
/** A page may hold the whole document; a call sends only these fields of it. */
const addressOf = ({ sn, version, source_org_sn }: Actable): Actable => ({
  sn,
  version,
  ...(source_org_sn === undefined ? {} : { source_org_sn }),
})
export type BatchResult = { readonly sn: string; readonly code: number; readonly msg: string }
type Outcome = { readonly done: true } | { readonly done: false; readonly failure?: CallFailure }

/** A red document has its own date: its period must be open, whatever the state of the original's. */
const redDay = ['business_date', f.day('红冲日期', { required: true })] as const
type Spec = Pick<ActionSpec<unknown>, 'label' | 'requiresReason' | 'tone' | 'inputs' | 'effect'>
const askedFields = (definition: AnyDocument, { inputs: asks = [], effect }: Spec) => [
  ...(effect === 'reverse' ? [redDay] : []),
  ...asks.flatMap(name => {
    const field = headerField(definition, name)
    return field === undefined ? [] : [[name, field] as const]
  }),
]
const DELETE: Spec = {
  label: '删除',
  tone: 'danger',
}

const askTitle = ({ label }: Pick<Spec, 'label'>, what: string) => `${label} ${what}`

/**
 * Runs a document's actions: asks for inputs, calls the server, shows the result, and refreshes lists. `refused`: the
 * page marks what was refused, and answers the sentence to show.
 */
export function useAct(definition: AnyDocument, refused: (thrown: unknown) => string = sentencesOf) {
  const { modal, message } = App.useApp()
  const refuse = useRefusal()
  const showNotes = useNotes()
  const [busy, setBusy] = useState<string | null>(null)
  const specOf = (action: string) => (action === 'del' ? DELETE : definition.actions[action])

  /** Inputs, a reason, a confirmation or nothing, as the action requires. Null: cancelled. */
  async function consent(action: string, what: string, values: Row, given: Row): Promise<Row | null> {
    const spec = specOf(action)
    if (spec === undefined) return given
    const fields = askedFields(definition, spec)
    const asksReason = Boolean(spec.requiresReason) && isEmpty(given.reason)
    if (asksReason || fields.length > 0) {
      const answer = await askAction(modal, {
        title: askTitle(spec, what),
        danger: spec.tone === 'danger',
        kind: definition.kind,
        fields,
        values: spec.effect === 'reverse' ? { ...values, business_date: today() } : values,
        row: { sn: what },
        reason: asksReason,
      })
      return answer === null ? null : { ...given, ...answer }
    }
    if (spec.tone !== 'danger' || !isEmpty(given.reason)) return given
    return askOnce(modal, `${askTitle(spec, what)}？`, spec.label)
  }

  async function during(action: string, work: () => Promise<void>): Promise<Outcome> {
    setBusy(action)
    try {
      await work()
      return { done: true }
    } catch (thrown) {
      const sentence = refused(thrown)
      refuse(thrown, { sentence })
      return thrown instanceof CallFailure ? { done: false, failure: thrown } : { done: false }
    } finally {
      setBusy(null)
      forget(definition.kind)
    }
  }

  /** Runs an action without a dialog: the drop of a card gives all its inputs. */
  const actAgreed = (action: string, doc: Actable, agreed: Row, said = specOf(action)?.label ?? '完成') =>
    during(action, async () => {
      const { info } = await post<{ readonly notes?: readonly Note[] } | null>(
        `/v1/business/${definition.kind}/${action}`,
        { ...addressOf(doc), ...agreed },
      )
      void message.success(`${doc.sn} 已${said}`)
      showNotes(info?.notes ?? [])
    })

  /** `given`: answers the page has already, such as an opinion written beside the buttons. */
  async function act(action: string, doc: Actable, values: Row = {}, given: Row = {}): Promise<Outcome> {
    const agreed = await consent(action, doc.sn, values, given)
    if (agreed === null) return { done: false }
    const outcome = await actAgreed(action, doc, agreed)
    const spec = specOf(action)
    if (!outcome.done && spec) keepAnswer(askTitle(spec, doc.sn), agreed)
    return outcome
  }

  /** Each document is its own transaction: some may succeed and others not. */
  async function actOnMany(action: string, docs: readonly Actable[]): Promise<readonly BatchResult[] | null> {
    const agreed = await consent(action, `选中的${docs.length}张单据`, {}, {})
    if (agreed === null) return null
    let results: readonly BatchResult[] | null = null
    await during(action, async () => {
      const items = docs.map(({ sn, version, source_org_sn }) => ({
        sn,
        version,
        ...(source_org_sn === undefined ? {} : { source_org_sn }),
      }))
      results = (
        await post<unknown, BatchResult>(`/v1/business/${definition.kind}/batch`, { action, items, ...agreed })
      ).list
    })
    return results
  }
  return { act, actAgreed, actOnMany, busy, labelOf: (action: string) => specOf(action)?.label ?? action }
}
