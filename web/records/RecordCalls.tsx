import { App, Button } from 'antd'
import { useState } from 'react'
import type { AnyEntity, RecordCall } from '#kernel/definition/entity.ts'
import { askAction, keepAnswer } from '#web/engine/actions/confirm-action.tsx'
import { isSilent, sentenceOf } from '#web/engine/http/request-error.ts'
import { forget } from '#web/engine/http/query-client.ts'
import { post } from '#web/engine/http/request.ts'
import { follow } from '#web/engine/http/download.ts'
import { RecordPrints } from '#web/records/RecordPrints.tsx'

type Props = {
  readonly definition: AnyEntity
  readonly may: (name: string) => boolean
  /** Keys of the ticked rows. */
  readonly chosen: readonly string[]
  readonly onDone: () => void
}

/**
 * Actions on a list of records, with or without ticked rows, and what ticked rows print. An action asks for its
 * inputs and shows its result.
 */
export function RecordCalls({ definition, may, chosen, onDone }: Props) {
  const { modal, message } = App.useApp()
  const [busy, setBusy] = useState<string | null>(null)
  const call = async (name: string, { label, asks, rows }: RecordCall) => {
    if (rows && chosen.length === 0) return void message.warning('请先勾选表格中的复选框，再进行该操作。')
    const fields = Object.entries(asks)
    const title = rows ? `${label}（已勾选${chosen.length}行）` : label
    const answer =
      fields.length === 0 ? {} : await askAction(modal, { title, danger: false, fields, values: {}, reason: false })
    if (answer === null) return
    setBusy(name)
    try {
      const { info } = await post<{ said: string; link?: string }, never>(`/v1/business/${definition.kind}/${name}`, {
        ...answer,
        ...(rows ? { sns: JSON.stringify(chosen) } : {}),
      })
      void message.success(info?.said ?? `${label}完成`)
      if (info?.link) follow(info.link)
      onDone()
    } catch (thrown) {
      keepAnswer(title, answer)
      if (!isSilent(thrown)) void message.error(sentenceOf(thrown))
    } finally {
      setBusy(null)
      forget(definition.kind)
    }
  }
  return (
    <>
      {Object.entries(definition.calls ?? {})
        .filter(([name]) => may(name))
        .map(([name, spec]) => (
          <Button
            key={name}
            type={spec.tone === 'primary' ? 'primary' : 'default'}
            loading={busy === name}
            onClick={() => void call(name, spec)}
          >
            {spec.label}
          </Button>
        ))}
      {may('print') && <RecordPrints definition={definition} chosen={chosen} />}
    </>
  )
}

/** Whether rows of a list can be ticked: there are actions or prints for them. */
export const ticksRows = (definition: AnyEntity, may: (name: string) => boolean): boolean =>
  (definition.prints !== undefined && may('print')) ||
  Object.entries(definition.calls ?? {}).some(([name, { rows }]) => rows === true && may(name))
