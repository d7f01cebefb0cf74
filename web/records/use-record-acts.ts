import { App } from 'antd'
import { useRefusal } from '#web/engine/actions/use-refusal.tsx'
import { useState } from 'react'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import type { Fields } from '#kernel/definition/field.ts'
import { askAction, askOnce, keepAnswer } from '#web/engine/actions/confirm-action.tsx'
import { notifyOnce } from '#web/records/show-once.tsx'
import { forget } from '#web/engine/http/query-client.ts'
import { post } from '#web/engine/http/request.ts'
import { isEmpty, type Row } from '#web/fields/field-renderer.ts'
import { rowName } from '#web/records/record-field.ts'

const standard: Readonly<
  Record<
    string,
    {
      readonly label: string
      readonly asksReason?: boolean
      readonly tone?: 'primary' | 'danger'
      readonly asks?: Fields
      readonly note?: string
    }
  >
> = {
  enable: { label: '启用' },
  disable: { label: '停用', tone: 'danger' },
  del: { label: '删除', tone: 'danger' },
}

/** Actions on a record besides editing: enable, disable, delete, and whatever its definition adds. */
export function useRecordActs(definition: AnyEntity) {
  const { modal, message } = App.useApp()
  const refuse = useRefusal()
  const [busy, setBusy] = useState<string | null>(null)
  const specOf = (action: string) => definition.actions?.[action] ?? standard[action] ?? { label: action }

  const askTitle = (action: string, name: string) => `${specOf(action).label} ${name}`

  async function consent(action: string, name: string, row: Row, given: Row): Promise<Row | null> {
    const spec = specOf(action)
    const danger = spec.tone === 'danger'
    const fields = Object.entries(spec.asks ?? {})
    const asksReason = spec.asksReason === true && isEmpty(given.reason)
    if (asksReason || fields.length > 0) {
      const answer = await askAction(modal, {
        title: askTitle(action, name),
        danger,
        fields,
        // A question about a field of the row starts with its current value.
        values: Object.fromEntries(
          fields.flatMap(([field]) => (field in definition.fields ? [[field, row[field]]] : [])),
        ),
        row,
        reason: asksReason,
        kept: '操作日志',
        ...(spec.note === undefined ? {} : { note: spec.note }),
      })
      return answer === null ? null : { ...given, ...answer }
    }
    if ((!danger && spec.note === undefined) || !isEmpty(given.reason)) return given
    return askOnce(modal, `${spec.label}“${name}”？`, spec.label, spec.note)
  }

  /** `given`: answers the page has already. */
  async function act(action: string, row: Row, given: Row = {}): Promise<boolean> {
    const name = rowName(definition, row)
    const agreed = await consent(action, name, row, given)
    if (agreed === null) return false
    setBusy(action)
    try {
      const { info } = await post<{ result?: Readonly<Record<string, string>> }, never>(
        `/v1/business/${definition.kind}/${action}`,
        { sn: row[definition.key], version: row.version, ...agreed },
      )
      if (info?.result) notifyOnce(modal, `${name}：${specOf(action).label}`, info.result)
      void message.success(`${name} 已${specOf(action).label}`)
      return true
    } catch (thrown) {
      keepAnswer(askTitle(action, name), agreed)
      refuse(thrown)
      return false
    } finally {
      setBusy(null)
      forget(definition.kind)
    }
  }
  return {
    act,
    busy,
    labelOf: (action: string) => specOf(action).label,
    isDanger: (action: string) => specOf(action).tone === 'danger',
  }
}
