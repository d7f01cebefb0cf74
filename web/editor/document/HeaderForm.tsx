import { useId } from 'react'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { headerField } from '#kernel/definition/common-fields.ts'
import { customInput } from '#web/engine/customisation.ts'
import { isEmpty, type Row } from '#web/fields/field-renderer.ts'
import { isAsked } from '#web/fields/field-visibility.ts'
import { faces } from '#web/fields/field-renderers.ts'
import { mayCorrect } from '#web/editor/document/document-view.ts'
import { useCanSeeField } from '#web/shell/menu/menu.ts'
import css from '#web/editor/Editor.module.css'

type Props = {
  readonly definition: AnyDocument
  readonly header: Row
  readonly problems: Readonly<Record<string, string>>
  readonly locked: boolean
  /** A line has cold-chain goods. */
  readonly isCold: boolean
  readonly onWrite: (name: string, value: unknown, also?: Row) => void
}

/** Fields filled by the source: shown if they are filled. */
const fromSource = ['source_sn']

/** The header fields in four columns: inputs while editable, text afterwards. */
export function HeaderForm({ definition, header, problems, locked, isCold, onWrite }: Props) {
  const id = useId()
  const notified = useCanSeeField()
  const correctable = mayCorrect(definition, header.state)
  const names = [
    ...Object.keys(definition.header),
    ...fromSource.filter(name => !(name in definition.header) && header[name]),
  ]
  return (
    <div className={css.form} data-locked={locked}>
      {names.map(name => {
        const field = headerField(definition, name)
        // A read-only document hides conditional fields that do not apply to it.
        const isAway = field !== undefined && !isAsked(field, header, definition.header)
        const isRead = locked || field?.readOnly === true || field?.dialogOnly === true || isAway || !correctable(name)
        if (isRead && (isEmpty(header[name]) || header[name] === false) && field?.required !== true) return null
        if (field !== undefined && !notified(field)) return null
        if (field === undefined) return null
        if (field.forCold === true && !isCold && isEmpty(header[name])) return null
        const face = faces[field.as]
        const Input = customInput(definition.kind, name) ?? face.Input
        const problem = problems[name]
        const reads = isRead || fromSource.includes(name)
        return (
          <div key={name} className={css.field} data-wide={field.as === 'longText'} data-field={name}>
            <label htmlFor={`${id}-${name}`} className={css.label} data-required={!locked && field.required === true}>
              {(header.role === 'counterparty' ? field.copyLabel : undefined) ?? field.label}
            </label>
            <div className={css.value}>
              {reads ? (
                <span className={css.text} id={`${id}-${name}`}>
                  <face.Cell field={field} name={name} value={header[name]} row={header} />
                </span>
              ) : (
                <Input
                  id={`${id}-${name}`}
                  field={field}
                  name={name}
                  value={header[name]}
                  row={header}
                  disabled={false}
                  invalid={problem !== undefined}
                  onChange={(value, also) => onWrite(name, value, also)}
                />
              )}
              {problem !== undefined && (
                <span className={css.problem} role="alert">
                  {problem}
                </span>
              )}
            </div>
          </div>
        )
      })}
    </div>
  )
}
