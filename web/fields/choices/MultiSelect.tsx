import { Select, type SelectProps } from 'antd'
import { typedFilter } from '#web/fields/choices/matches-typed.ts'
import { codesOf } from '#web/fields/parse-codes.ts'
import type { InputProps } from '#web/fields/field-renderer.ts'

type Given = InputProps & {
  readonly options: NonNullable<SelectProps['options']>
  /** The text that is shown after a choice; by default the text by which it is found. */
  readonly chosen?: 'label' | 'value'
}

/** Several choices, searched by label. */
export function ManyChoices({ field, id, value, disabled, invalid, onChange, options, chosen = 'label' }: Given) {
  return (
    <Select
      id={id}
      mode="multiple"
      options={options}
      optionLabelProp={chosen}
      value={[...codesOf(value)]}
      disabled={disabled}
      status={invalid ? 'error' : ''}
      showSearch={typedFilter}
      placeholder={field.hint ?? '可多选'}
      style={{ width: '100%' }}
      onChange={(values: string[]) => onChange(values)}
    />
  )
}
