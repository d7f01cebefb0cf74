import { useId } from 'react'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import { customInput } from '#web/engine/customisation.ts'
import { isEmpty, type Row, withoutHint } from '#web/fields/field-renderer.ts'
import { isAsked } from '#web/fields/field-visibility.ts'
import { faces } from '#web/fields/field-renderers.ts'
import { AlikeRows } from '#web/records/AlikeRows.tsx'
import { hasSwitch } from '#web/records/record-field.ts'
import { useCanSeeField } from '#web/shell/menu/menu.ts'
import css from '#web/records/Records.module.css'

type Props = {
  readonly definition: AnyEntity
  readonly values: Row
  readonly problems: Readonly<Record<string, string>>
  readonly locked: boolean
  readonly isNew: boolean
  /** Fields fixed by the context, such as the product of a size. */
  readonly fixed: readonly string[]
  readonly onWrite: (name: string, value: unknown, also?: Row) => void
}

/** A record's fields in two columns. Fields only the server fills are shown once they are filled. */
export function RecordForm({ definition, values, problems, locked, isNew, fixed, onWrite }: Props) {
  const id = useId()
  const notified = useCanSeeField()
  // A read-only record also shows the list's computed columns.
  const all = { ...definition.fields, ...(definition.readOnly ? definition.extras : {}) }
  const names = Object.entries(all).filter(
    ([name, field]) =>
      !fixed.includes(name) &&
      !field.internal &&
      isAsked(field, values) &&
      notified(field) &&
      !(name === 'status' && hasSwitch(definition)) &&
      !(field.readOnly && (isNew || isEmpty(values[name]))),
  )
  return (
    <div className={css.form} data-locked={locked}>
      {names.map(([name, field]) => {
        const face = faces[field.as]
        const own = customInput(definition.kind, name)
        const Input = own ?? face.Input
        const reads = (locked && own === undefined) || field.readOnly === true
        const problem = problems[name]
        return (
          <div
            key={name}
            className={css.field}
            data-wide={own !== undefined || field.as === 'longText' || field.as === 'codes'}
          >
            <label htmlFor={`${id}-${name}`} className={css.label} data-required={!locked && field.required === true}>
              {field.label}
            </label>
            {/* Files are opened one by one, also where nobody may change them. */}
            {reads && field.as !== 'files' ? (
              <span id={`${id}-${name}`} className={css.text}>
                <face.Cell field={field} name={name} value={values[name]} row={values} />
              </span>
            ) : (
              <Input
                id={`${id}-${name}`}
                field={withoutHint(field)}
                name={name}
                value={values[name]}
                row={values}
                disabled={locked || field.readOnly === true}
                invalid={problem !== undefined}
                onChange={(value, also) => onWrite(name, value, also)}
              />
            )}
            {problem !== undefined ? (
              <span className={css.problem} role="alert">
                {problem}
              </span>
            ) : field.hint && !locked ? (
              <span className={css.hint}>{field.hint}</span>
            ) : null}
            {!locked && definition.alike?.[name] && (
              <AlikeRows
                definition={definition}
                value={String(values[name] ?? '')}
                alike={definition.alike[name]}
                self={isNew ? null : String(values[definition.key] ?? '')}
              />
            )}
          </div>
        )
      })}
    </div>
  )
}
