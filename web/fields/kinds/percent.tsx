import { Input } from 'antd'
import { useState } from 'react'
import { changeText } from '#kernel/values/comparison.ts'
import { divide, isDecimal, multiply, plain } from '#kernel/values/decimal.ts'
import { type CellProps, type FieldFace, isEmpty, NOTHING } from '#web/fields/field-renderer.ts'
import { cleanFigure, figureFace } from '#web/fields/kinds/number-input.tsx'

const percentOf = (value: unknown): string =>
  isDecimal(String(value)) ? plain(multiply(String(value), '100', 4)) : String(value)
/** With two decimals at least, as rates are compared in columns: 3.00%, 12.3456%. */
const shownPercent = (value: unknown): string =>
  isDecimal(String(value)) ? multiply(String(value), '100', 4).replace(/0{1,2}$/, '') : String(value)
const text = ({ field, value }: CellProps) => {
  if (field.compares !== undefined && value !== undefined && (value === null || isDecimal(String(value))))
    return changeText(value === null ? null : String(value), field.compares)
  return isEmpty(value) ? NOTHING : `${shownPercent(value)}%`
}
const parse: NonNullable<FieldFace['parse']> = (typed, field) => {
  const cleaned = cleanFigure(typed.replace(/[%％]$/, ''))
  if (cleaned === '') return { value: null }
  return isDecimal(cleaned, 4)
    ? { value: plain(divide(cleaned, '100', 6)) }
    : { problem: `【${field.label}】应为百分数` }
}

/** A fraction on the wire, a percentage on screen. */
export const rateFace: FieldFace = {
  text,
  parse,
  width: 88,
  align: 'right',
  Cell: props => <span>{text(props)}</span>,
  Input: ({ field, value, onChange, id, disabled, invalid }) => {
    const [draft, setDraft] = useState<string | null>(null)
    return (
      <Input
        id={id}
        disabled={disabled}
        suffix="%"
        style={{ textAlign: 'right' }}
        status={invalid ? 'error' : ''}
        inputMode="decimal"
        value={draft ?? (isEmpty(value) ? '' : percentOf(value))}
        onChange={event => {
          setDraft(event.target.value)
          const read = parse(event.target.value, field)
          if ('value' in read) onChange(read.value)
        }}
        onBlur={() => setDraft(null)}
      />
    )
  },
  Filter: figureFace({ places: 4, shown: plain, width: 88 }).Filter,
}
