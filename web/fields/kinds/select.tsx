import { Select } from 'antd'
import type { FieldSpec } from '#kernel/definition/field.ts'
import { useSession } from '#web/engine/session/session.ts'
import { clearable } from '#web/fields/choices/clearable.tsx'
import { typedFilter } from '#web/fields/choices/matches-typed.ts'
import { type CellProps, type FieldFace, isEmpty, NOTHING } from '#web/fields/field-renderer.ts'
import { Tag, type Tone } from '#web/fields/Tag.tsx'

const choicesOf = (field: FieldSpec) => Object.entries(field.choices ?? {}).map(([value, label]) => ({ value, label }))
/** The choices relevant to the user's kind of organisation. */
const useChoices = (field: FieldSpec) => {
  const type = useSession()?.orgType
  return choicesOf(field).filter(({ value }) => {
    const orgs = field.choiceOrgs?.[value]
    return orgs === undefined || (type !== undefined && orgs.includes(type))
  })
}
/** A value that the definition does not know is shown if it is a word; a code is not. */
const named = (value: string): string => (/\p{Script=Han}|^\d+$/u.test(value) ? value : '未知')
const text = ({ value, field }: CellProps): string =>
  isEmpty(value) ? NOTHING : (field.choices?.[String(value)] ?? named(String(value)))

/** Choices shown as a coloured state; every other choice is plain text. */
const tones: Readonly<Record<string, Tone>> = {
  enabled: 'success',
  qualified: 'success',
  released: 'success',
  passed: 'success',
  valid: 'success',
  admitted: 'success',
  in_stock: 'success',
  disabled: 'neutral',
  withdrawn: 'neutral',
  self_built: 'neutral',
  used: 'neutral',
  pending: 'warning',
  unreleased: 'warning',
  near_expiry: 'warning',
  near: 'warning',
  low: 'warning',
  high: 'info',
  urgent: 'warning',
  held: 'warning',
  idle: 'neutral',
  waiting: 'warning',
  many: 'warning',
  matched: 'success',
  gone: 'neutral',
  past: 'neutral',
  in_transit: 'info',
  frozen: 'info',
  stopped: 'warning',
  unqualified: 'danger',
  expired: 'danger',
  refused: 'danger',
  scrapped: 'danger',
  consigned: 'info',
  online: 'success',
  offline: 'danger',
  late: 'danger',
  abnormal: 'danger',
  linked: 'success',
  misplaced: 'warning',
}

export const pickFace: FieldFace = {
  text,
  width: 92,
  parse: (typed, field) => {
    const wanted = typed.trim()
    if (wanted === '') return { value: null }
    const found = choicesOf(field).find(choice => choice.label === wanted || choice.value === wanted)
    return found ? { value: found.value } : { problem: `【${field.label}】没有“${wanted}”这一项` }
  },
  Cell: props => {
    const word = String(props.value)
    const tone = isEmpty(props.value) ? undefined : (props.field.tones?.[word] ?? tones[word])
    return tone === undefined ? <span>{text(props)}</span> : <Tag tone={tone}>{text(props)}</Tag>
  },
  Input: ({ field, value, onChange, id, disabled, invalid }) => {
    const choices = useChoices(field)
    return (
      <Select
        id={id}
        value={isEmpty(value) ? null : String(value)}
        options={choices}
        disabled={disabled}
        status={invalid ? 'error' : ''}
        allowClear={field.required === true ? false : clearable}
        placeholder={field.hint ?? '请选择'}
        onChange={(choice: string | undefined) => onChange(choice ?? null)}
        style={{ width: '100%' }}
        showSearch={choices.length > 8 ? typedFilter : false}
      />
    )
  },
  Filter: ({ field, name, query, onChange, id }) => (
    <Select
      id={id}
      aria-label={field.label}
      mode="multiple"
      maxTagCount="responsive"
      allowClear={clearable}
      placeholder="全部"
      showSearch={typedFilter}
      options={useChoices(field)}
      style={{ width: '100%' }}
      value={query[name]?.split(',') ?? []}
      onChange={(values: string[]) => onChange({ [name]: values.join(',') || undefined })}
    />
  ),
}
