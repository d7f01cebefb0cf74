import { App, Button } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { type AnyEntity, nothingTicked, type RecordCall } from '#kernel/definition/entity.ts'
import { askAction, keepAnswer } from '#web/engine/actions/confirm-action.tsx'
import { isSilent, sentenceOf } from '#web/engine/http/request-error.ts'
import { forget } from '#web/engine/http/query-client.ts'
import { post } from '#web/engine/http/request.ts'
import { useSession } from '#web/engine/session/session.ts'
import { follow } from '#web/engine/http/download.ts'
import { RecordPrints } from '#web/records/RecordPrints.tsx'
import { addressOf } from '#web/shell/menu/screen-index.ts'

type Props = {
  readonly definition: AnyEntity
  readonly may: (name: string) => boolean
  /** Keys of the ticked rows. */
  readonly chosen: readonly string[]
  readonly onDone: () => void
}

/** What a call answers: a sentence, a file, a document that is opened. */
type Answer = { said: string; link?: string; made?: { kind: string; sn: string } }

/**
 * Actions on a list of records, with or without ticked rows, and what ticked rows print. An action asks for its
 * inputs and shows its result.
 */
export function RecordCalls({ definition, may, chosen, onDone }: Props) {
  const { modal, message } = App.useApp()
  const [busy, setBusy] = useState<string | null>(null)
  const navigate = useNavigate()
  const org = useSession()?.orgType ?? 'P'
  const call = async (name: string, { label, asks, rows }: RecordCall) => {
    if (rows && (chosen.length === 0 || (rows === 'one' && chosen.length > 1)))
      return void message.warning(nothingTicked(rows))
    const fields = Object.entries(asks)
    const title = rows ? `${label}（已勾选${chosen.length}行）` : label
    const answer =
      fields.length === 0 ? {} : await askAction(modal, { title, danger: false, fields, values: {}, reason: false })
    if (answer === null) return
    setBusy(name)
    try {
      const { info } = await post<Answer, never>(`/v1/business/${definition.kind}/${name}`, {
        ...answer,
        ...(rows ? { sns: JSON.stringify(chosen) } : {}),
      })
      void message.success(info?.said ?? `${label}完成`)
      if (info?.link) follow(info.link)
      const made = info?.made && addressOf(info.made.kind, info.made.sn, org)
      if (made) void navigate(made)
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
  Object.entries(definition.calls ?? {}).some(([name, { rows }]) => rows !== undefined && may(name))
