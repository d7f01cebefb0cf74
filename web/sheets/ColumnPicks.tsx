import { Select, type SelectProps } from 'antd'
import { useId, useState } from 'react'
import type { AskedColumns, ColumnMapping } from '#kernel/tables/foreign-table.ts'
import css from '#web/sheets/Columns.module.css'

export type Picked = Pick<ColumnMapping, 'picks' | 'units'>
type Props = {
  readonly wanted: AskedColumns['wanted']
  readonly headings: readonly string[]
  readonly value: Picked
  readonly disabled?: boolean
  readonly onChange: (next: Picked) => void
}

/** Removes names without a value: the choice has only the names that were set. */
const withPart = <T,>(all: Readonly<Record<string, T>>, name: string, part: T | undefined) =>
  Object.fromEntries(Object.entries({ ...all, [name]: part }).filter(([, each]) => each !== undefined)) as Record<
    string,
    T
  >

/** A choice of several whose list closes after each, so that Tab goes on to the next field. */
function SeveralSelect(props: SelectProps<string[]>) {
  const [open, setOpen] = useState(false)
  return (
    <Select<string[]> {...props} mode="multiple" open={open} onOpenChange={setOpen} onSelect={() => setOpen(false)} />
  )
}

/** A picker for each wanted column: the heading of the file, and the unit where one is needed. */
export function ColumnPicks({ wanted, headings, value, disabled = false, onChange }: Props) {
  const id = useId()
  const { picks, units } = value
  const options = headings.map(heading => ({ value: heading, label: heading }))
  const common = (name: string, required: boolean) => ({
    id: `${id}-${name}`,
    'aria-required': required,
    'aria-describedby': `${id}-${name}-hint`,
    disabled,
    showSearch: true,
    allowClear: true,
    placeholder: required ? '请选择列' : '没有可不选',
    options,
  })
  return (
    <div className={css.picks}>
      {wanted.map(({ name, label, hint, example, required, most, unit }) => {
        const picked = picks[name] ?? []
        const asksUnit =
          unit !== undefined && picked.length > 0 && (unit.unless === undefined || !picks[unit.unless]?.length)
        const write = (next: readonly string[]) =>
          onChange({
            picks: withPart(picks, name, next.length > 0 ? next : undefined),
            units: next.length > 0 ? units : withPart(units, name, undefined),
          })
        return (
          <div key={name} className={css.pick}>
            <label htmlFor={`${id}-${name}`} data-required={required && !disabled}>
              {label}
            </label>
            {most > 1 ? (
              <SeveralSelect {...common(name, required)} maxCount={most} value={[...picked]} onChange={write} />
            ) : (
              <Select<string>
                {...common(name, required)}
                value={picked[0] ?? null}
                onChange={(next: string | undefined) => write(next ? [next] : [])}
              />
            )}
            <span id={`${id}-${name}-hint`} className="faint">
              {hint === undefined ? '' : `${hint}，`}如 {example}
            </span>
            {asksUnit && (
              <>
                <label htmlFor={`${id}-${name}-unit`} data-required={!disabled}>
                  {unit.label}
                </label>
                <Select
                  id={`${id}-${name}-unit`}
                  aria-required
                  disabled={disabled}
                  placeholder="请选择单位"
                  value={units[name] ?? null}
                  options={Object.entries(unit.choices).map(([choice, said]) => ({ value: choice, label: said }))}
                  onChange={next => onChange({ picks, units: withPart(units, name, next ?? undefined) })}
                />
              </>
            )}
          </div>
        )
      })}
    </div>
  )
}
