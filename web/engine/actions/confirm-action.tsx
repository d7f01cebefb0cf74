import { Input } from 'antd'
import type { HookAPI } from 'antd/es/modal/useModal'
import { useState } from 'react'
import type { FieldSpec } from '#kernel/definition/field.ts'
import { customInput } from '#web/engine/customisation.ts'
import { isEmpty, type Row, withoutHint } from '#web/fields/field-renderer.ts'
import { faces } from '#web/fields/field-renderers.ts'
import { LinesToAsk } from '#web/engine/actions/LinesToAsk.tsx'
import { MODAL_WIDTH } from '#web/theme/modal-width.ts'

type Asked = {
  readonly title: string
  readonly danger: boolean
  /** The definition whose own inputs the fields have, if any. */
  readonly kind?: string
  /** Fields of the document that the action writes. */
  readonly fields: readonly (readonly [name: string, field: FieldSpec])[]
  readonly values: Row
  /** The row it applies to, used to narrow pickers. */
  readonly row?: Row
  readonly reason: boolean
  /** The field in which the reason is stored. */
  readonly kept?: string
  /** The width of the dialog in pixels. */
  readonly width?: number
  /** The consequences of the action, shown above its questions. */
  readonly note?: string
}

/** Asks for confirmation before something irreversible. Null: cancelled. */
export const askOnce = async (modal: HookAPI, title: string, label: string, note?: string): Promise<Row | null> =>
  (await modal.confirm({ title, content: note, okText: label, okButtonProps: { danger: true }, cancelText: '返回' }))
    ? {}
    : null

/** Refused answers, by question: asking again starts from them. */
const refused = new Map<string, Row>()

/** A refusal loses no input: the reopened dialog starts with it. */
export const keepAnswer = (title: string, answer: Row): void => void refused.set(title, answer)

/** Asks for the inputs of an action. Resolves to the answers, or to null if cancelled. */
export function askAction(modal: HookAPI, question: Asked): Promise<Row | null> {
  const asked = { ...question, values: { ...question.values, ...refused.get(question.title) } }
  refused.delete(question.title)
  let answer: Row = Object.fromEntries(asked.fields.map(([name]) => [name, asked.values[name] ?? null]))
  if (asked.reason) answer = { ...answer, reason: asked.values.reason ?? null }
  const complete = () =>
    (!asked.reason || !isEmpty(answer.reason)) &&
    asked.fields.every(([name, field]) => field.required !== true || !isEmpty(answer[name]))
  /** The message of the first question that is not answered yet, in the words of its field. */
  const missing = () =>
    asked.fields.flatMap(([name, { unanswered }]) => (unanswered && isEmpty(answer[name]) ? [unanswered] : []))[0]
  return new Promise(resolve => {
    const buttons = () => ({ danger: asked.danger, disabled: !complete() })
    const form = (refusal?: string) => (
      <ActionForm
        {...asked}
        {...(refusal === undefined ? {} : { refusal })}
        onChange={next => {
          answer = next
          dialog.update({ okButtonProps: buttons(), content: form() })
        }}
      />
    )
    const dialog = modal.confirm({
      title: asked.title,
      icon: null,
      okText: '确定',
      cancelText: '返回',
      width: asked.width ?? MODAL_WIDTH,
      okButtonProps: buttons(),
      content: form(),
      onOk(close) {
        const refusal = missing()
        if (refusal !== undefined) {
          dialog.update({ content: form(refusal) })
          return
        }
        // Display-only names are not sent.
        resolve(
          Object.fromEntries([
            ...asked.fields.map(([name]) => [name, answer[name]]),
            ...(asked.reason ? [['reason', answer.reason]] : []),
          ]),
        )
        close()
      },
      onCancel: () => resolve(null),
    })
  })
}

function ActionForm({
  kind = '',
  fields,
  values,
  row = {},
  reason,
  kept = '单据历史',
  note,
  title,
  refusal,
  onChange,
}: Asked & { readonly refusal?: string; readonly onChange: (answer: Row) => void }) {
  const [answer, setAnswer] = useState<Row>(() => values)
  const write = (patch: Row) => {
    const next = { ...answer, ...patch }
    setAnswer(next)
    onChange(next)
  }
  return (
    <div style={{ display: 'grid', gap: 12, marginTop: 12 }}>
      {note !== undefined && <p>{note}</p>}
      {fields.map(([name, field]) => {
        const FieldInput = customInput(kind, name) ?? faces[field.as].Input
        return (
          <div key={name} style={{ display: 'grid', gap: 4 }}>
            <label htmlFor={`ask-${name}`}>
              {field.label}
              {field.required === true && (
                <span aria-hidden style={{ marginLeft: 4, color: 'var(--danger)' }}>
                  *
                </span>
              )}
            </label>
            {field.ofLines === true ? (
              <LinesToAsk
                kind={kind}
                sn={String(row.sn)}
                value={answer[name]}
                onChange={value => write({ [name]: value })}
              />
            ) : (
              <FieldInput
                id={`ask-${name}`}
                field={withoutHint(field)}
                name={name}
                value={answer[name]}
                row={{ ...row, ...answer }}
                disabled={false}
                invalid={false}
                onChange={(value, also) => write({ ...also, [name]: value })}
              />
            )}
            {field.hint !== undefined && <span className="quiet">{field.hint}</span>}
          </div>
        )
      })}
      {reason && (
        <Input.TextArea
          autoFocus={fields.length === 0}
          aria-label={`${title}的原因`}
          placeholder={`请填写原因，将记入${kept}`}
          maxLength={200}
          showCount
          style={{ marginBottom: 24 }}
          autoSize={{ minRows: 3, maxRows: 6 }}
          defaultValue={String(values.reason ?? '')}
          onChange={event => write({ reason: event.target.value.trim() })}
        />
      )}
      {refusal !== undefined && (
        <span role="alert" style={{ color: 'var(--danger)' }}>
          {refusal}
        </span>
      )}
    </div>
  )
}
