import { grouped } from '#kernel/values/trimmed.ts'
import { Input } from 'antd'
import { useState } from 'react'
import { compare, isDecimal, plain, round } from '#kernel/values/decimal.ts'
import type { FieldSpec } from '#kernel/definition/field.ts'
import {
  type CellProps,
  type FieldFace,
  type FilterProps,
  type InputProps,
  isEmpty,
  NOTHING,
} from '#web/fields/field-renderer.ts'

/** "-1234567.50" → "-1,234,567.50". */
export const groupDigits = (text: string): string => grouped(text)

type FigureOptions = {
  /** Decimal places that may be typed. */
  readonly places: number
  /** Formats a value: amounts with 2 decimal places, prices with at least 2, quantities without trailing zeros. */
  readonly shown: (value: string) => string
  readonly width: number
  readonly negativeRed?: boolean
}

/** Drops trailing zeros but keeps two decimals: "12.5000" → "12.50", "0.1250" → "0.125". */
export const atLeastTwoPlaces = (value: string): string => {
  const short = plain(value)
  const places = short.split('.')[1]?.length ?? 0
  return places >= 2 ? short : round(short, 2)
}

function sentenceFor(text: string, field: FieldSpec, places: number): string | null {
  if (!isDecimal(text, places)) return isDecimal(text) ? `最多${places}位小数` : `【${field.label}】应为数字`
  if (field.min !== undefined && compare(text, String(field.min)) < 0) return `【${field.label}】不能小于${field.min}`
  if (field.max !== undefined && compare(text, String(field.max)) > 0) return `【${field.label}】不能大于${field.max}`
  return null
}

/** Removes full-width digits, thousands separators and currency marks, which users paste from Excel. */
export const cleanFigure = (text: string): string =>
  text
    .normalize('NFKC')
    .trim()
    .replaceAll(',', '')
    .replace(/^[¥￥$]/, '')
    .replace(/^\+/, '')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.$/, '')

/** A decimal field kind. */
export function figureFace({ places, shown, width, negativeRed = true }: FigureOptions): FieldFace {
  const text = ({ value }: CellProps) => {
    if (isEmpty(value)) return NOTHING
    return isDecimal(String(value)) ? groupDigits(shown(String(value))) : String(value)
  }
  const parse = (typed: string, field: FieldSpec) => {
    const cleaned = cleanFigure(typed)
    if (cleaned === '') return { value: null }
    const problem = sentenceFor(cleaned, field, places)
    return problem === null ? { value: cleaned } : { problem }
  }
  return {
    text,
    parse,
    width,
    align: 'right',
    Cell: props => {
      const negative = negativeRed && !isEmpty(props.value) && String(props.value).startsWith('-')
      return <span className={negative ? 'negative' : undefined}>{text(props)}</span>
    },
    Input: props => <FigureInput {...props} parse={parse} />,
    Filter: props => <RangeFilter {...props} />,
  }
}

/** Typed freely, validated on blur: a half-typed figure is not an error yet. */
function FigureInput({
  field,
  value,
  onChange,
  parse,
  id,
  disabled,
  invalid,
}: InputProps & { parse: NonNullable<FieldFace['parse']> }) {
  const [draft, setDraft] = useState<string | null>(null)
  const read = draft === null ? null : parse(draft, field)
  const wrong = read !== null && 'problem' in read
  return (
    <Input
      id={id}
      value={draft ?? (isEmpty(value) ? '' : String(value))}
      disabled={disabled}
      inputMode="decimal"
      autoComplete="off"
      status={wrong || invalid ? 'error' : ''}
      title={wrong ? read.problem : ''}
      style={{ textAlign: 'right' }}
      onChange={event => {
        setDraft(event.target.value)
        const next = parse(event.target.value, field)
        if ('value' in next) onChange(next.value)
      }}
      onBlur={() => setDraft(wrong ? draft : null)}
    />
  )
}

/** From and to, as `begin_name` and `end_name`. */
function RangeFilter({ name, query, onChange, id, field }: FilterProps) {
  const bound = (edge: 'begin' | 'end', placeholder: string) => (
    <Input
      id={edge === 'begin' ? id : `${id}-end`}
      aria-label={`${field.label}${placeholder}`}
      placeholder={placeholder}
      inputMode="decimal"
      allowClear
      key={query[`${edge}_${name}`] ?? ''}
      defaultValue={query[`${edge}_${name}`] ?? ''}
      onPressEnter={event => onChange({ [`${edge}_${name}`]: cleanFigure(event.currentTarget.value) || undefined })}
      onBlur={event => onChange({ [`${edge}_${name}`]: cleanFigure(event.currentTarget.value) || undefined })}
    />
  )
  return (
    <span style={{ display: 'flex', gap: 4 }}>
      {bound('begin', '最小')}
      {bound('end', '最大')}
    </span>
  )
}
