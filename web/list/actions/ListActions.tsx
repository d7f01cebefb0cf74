import { App, Button } from 'antd'
import { useRefusal } from '#web/engine/actions/use-refusal.tsx'
import { useState } from 'react'
import type { AnyDocument, CallSpec } from '#kernel/definition/document.ts'
import { askAction, keepAnswer } from '#web/engine/actions/confirm-action.tsx'
import { forget } from '#web/engine/http/query-client.ts'
import { usePage } from '#web/engine/page-context.ts'
import { post } from '#web/engine/http/request.ts'

type Props = {
  readonly definition: AnyDocument
  readonly may: (name: string) => boolean
  /** Opens the created document. */
  readonly onMade: (sn: string) => void
  readonly onDone?: () => void
}

/** List actions that need no document: 按期间生成, 自动匹配. Each opens a dialog for its inputs and creates documents. */
export function ListCalls({ definition, may, onMade, onDone }: Props) {
  const { modal, message } = App.useApp()
  const refuse = useRefusal()
  const { route } = usePage().screen
  const [busy, setBusy] = useState<string | null>(null)
  const call = async (name: string, { label, inputs: asks }: CallSpec) => {
    const title = `${definition.title}：${label}`
    const answer = await askAction(modal, {
      title,
      danger: false,
      fields: Object.entries(asks),
      values: {},
      reason: false,
    })
    if (answer === null) return
    setBusy(name)
    try {
      const { info } = await post<{ sn?: string; result?: string }, never>(
        `/v1/business/${definition.kind}/${name}`,
        answer,
      )
      void message.success(info?.result ?? `${label}完成`, info?.result ? 6 : undefined)
      if (info?.sn) onMade(info.sn)
      else onDone?.()
    } catch (thrown) {
      keepAnswer(title, answer)
      refuse(thrown)
    } finally {
      setBusy(null)
      forget(definition.kind)
    }
  }
  return Object.entries(definition.lifecycle.listActions ?? {})
    .filter(([name, spec]) => may(name) && !spec.onDocument && (spec.route ?? route) === route)
    .map(([name, spec]) => (
      <Button key={name} loading={busy === name} onClick={() => void call(name, spec)}>
        {spec.label}
      </Button>
    ))
}
