import { Input } from 'antd'
import { ListedInput } from '#web/fields/choices/dictionary-text.tsx'
import {
  type CellProps,
  type FieldFace,
  type FilterProps,
  type InputProps,
  isEmpty,
  NOTHING,
} from '#web/fields/field-renderer.ts'

export const plainText = ({ value }: CellProps): string => (isEmpty(value) ? NOTHING : String(value))

/** Numbers, codes and lots use a font that is read character by character. */
const isCode = (name: string): boolean => /(^|_)(sn|no|code|lot|di|udi)(_|$)/.test(name)

export function TextFilter({ name, query, onChange, id, field }: FilterProps) {
  const current = query[name] ?? ''
  const apply = (text: string) => text.trim() !== current && onChange({ [name]: text.trim() || undefined })
  return (
    <Input
      id={id}
      aria-label={field.label}
      key={current}
      defaultValue={current}
      allowClear
      autoComplete="off"
      placeholder="包含"
      onPressEnter={event => apply(event.currentTarget.value)}
      onBlur={event => apply(event.currentTarget.value)}
      onClear={() => apply('')}
    />
  )
}

export const textFace: FieldFace = {
  text: plainText,
  width: 140,
  parse: (typed, field) => {
    const value = typed.trim()
    if (typeof field.max === 'number' && value.length > field.max)
      return { problem: `【${field.label}】最多${field.max}个字` }
    if (field.match && value !== '' && !field.match.test(value))
      return { problem: field.matchMsg ?? `【${field.label}】格式有误` }
    return { value: value === '' ? null : value }
  },
  Cell: props => (
    <span className={isCode(props.name) && !isEmpty(props.value) ? 'mono' : undefined}>{plainText(props)}</span>
  ),
  Input: props => (props.field.dictionary === undefined ? <PlainInput {...props} /> : <ListedInput {...props} />),
  Filter: TextFilter,
}

function PlainInput({ field, value, onChange, id, disabled, invalid, name }: InputProps) {
  return (
    <Input
      id={id}
      value={isEmpty(value) ? '' : String(value)}
      disabled={disabled}
      status={invalid ? 'error' : ''}
      autoComplete="off"
      placeholder={field.hint ?? ''}
      {...(typeof field.max === 'number' ? { maxLength: field.max } : {})}
      className={isCode(name) ? 'mono' : ''}
      onChange={event => onChange(event.target.value === '' ? null : event.target.value)}
    />
  )
}
