import { App, Button } from 'antd'
import { useRefusal } from '#web/engine/actions/use-refusal.tsx'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { nothingTicked, type RecordCall } from '#kernel/definition/entity.ts'
import type { CallOnRows } from '#kernel/definition/report.ts'
import { askAction, keepAnswer } from '#web/engine/actions/confirm-action.tsx'
import { forget } from '#web/engine/http/query-client.ts'
import { post } from '#web/engine/http/request.ts'
import { useSession } from '#web/engine/session/session.ts'
import { follow } from '#web/engine/http/download.ts'
import { addressOf } from '#web/shell/menu/screen-index.ts'

/** A dialog in which rows are chosen from a list. */
const WIDE = 960

type Props = {
  /** The kind of the listed rows: what is known of it is read again afterwards. */
  readonly of: string
  readonly path: string
  readonly calls: Readonly<Record<string, CallOnRows>> | undefined
  readonly may: (name: string) => boolean
  /** Keys of the ticked rows. */
  readonly chosen: readonly string[]
  /** Values that are sent with a call over rows, beside their keys. */
  readonly beside?: Readonly<Record<string, string>>
  /** The initial values of dialogs, by the names of their fields. */
  readonly values?: Readonly<Record<string, string>>
  readonly onDone: () => void
}

/** The answer of a call: a sentence, a file, or a document that is opened. */
type Answer = { said: string; link?: string; made?: { kind: string; sn: string } }

/** Actions above a list, with or without ticked rows. An action opens a dialog for its inputs and shows its result. */
export function CallButtons({ of, path, calls = {}, may, chosen, beside = {}, values = {}, onDone }: Props) {
  const { modal, message } = App.useApp()
  const refuse = useRefusal()
  const [busy, setBusy] = useState<string | null>(null)
  const navigate = useNavigate()
  const org = useSession()?.orgType ?? 'P'
  const call = async (name: string, { label, asks, rows, wide }: RecordCall) => {
    if (rows && (chosen.length === 0 || (rows === 'one' && chosen.length > 1)))
      return void message.warning(nothingTicked(rows))
    const fields = Object.entries(asks)
    const title = rows ? `${label}（已勾选${chosen.length}行）` : label
    const answer =
      fields.length === 0
        ? {}
        : await askAction(modal, {
            title,
            danger: false,
            kind: of,
            fields,
            values,
            row: { chosen },
            reason: false,
            ...(wide ? { width: WIDE } : {}),
          })
    if (answer === null) return
    setBusy(name)
    try {
      const { info } = await post<Answer, never>(`${path}/${name}`, {
        ...answer,
        ...(rows ? { ...beside, sns: JSON.stringify(chosen) } : {}),
      })
      void message.success(info?.said ?? `${label}完成`)
      if (info?.link) follow(info.link)
      const made = info?.made && addressOf(info.made.kind, info.made.sn, org)
      if (made) void navigate(made)
      onDone()
    } catch (thrown) {
      keepAnswer(title, answer)
      refuse(thrown)
    } finally {
      setBusy(null)
      forget(of)
    }
  }
  return Object.entries(calls)
    .filter(([name, { orgs, right }]) => may(right ?? name) && (orgs?.includes(org) ?? true))
    .map(([name, spec]) => (
      <Button
        key={name}
        type={spec.tone === 'primary' ? 'primary' : 'default'}
        loading={busy === name}
        onClick={() => void call(name, spec)}
      >
        {spec.label}
      </Button>
    ))
}
