import { Select } from 'antd'
import { taxRates } from '#kernel/values/tax-amounts.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { clearable } from '#web/fields/choices/clearable.tsx'
import { type CellProps, type FieldFace, isEmpty, NOTHING } from '#web/fields/field-renderer.ts'

const text = ({ value }: CellProps) => (isEmpty(value) ? NOTHING : `${value}%`)
const options = taxRates.map(rate => ({ value: rate, label: `${rate}%` }))

/** One of the tax rates in use. */
export const taxRateFace: FieldFace = {
  text,
  width: 72,
  align: 'right',
  parse: (typed, field) => {
    const rate = parseInteger(typed.trim().replace(/[%％]$/, ''))
    if (typed.trim() === '') return { value: null }
    return (taxRates as readonly number[]).includes(rate)
      ? { value: rate }
      : { problem: `【${field.label}】应为${taxRates.join('、')}之一` }
  },
  Cell: props => <span>{text(props)}</span>,
  Input: ({ value, onChange, id, disabled, invalid }) => (
    <Select
      id={id}
      value={isEmpty(value) ? null : parseInteger(value)}
      options={options}
      disabled={disabled}
      status={invalid ? 'error' : ''}
      onChange={rate => onChange(rate)}
      style={{ width: '100%' }}
    />
  ),
  Filter: ({ name, query, onChange, id, field }) => (
    <Select
      id={id}
      aria-label={field.label}
      allowClear={clearable}
      placeholder="全部"
      options={options}
      style={{ width: '100%' }}
      value={query[name] === undefined ? null : parseInteger(query[name])}
      onChange={(rate: number | null) =>
        onChange({ [name]: rate === null || rate === undefined ? undefined : String(rate) })
      }
    />
  ),
}
