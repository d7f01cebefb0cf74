import { Select, Spin } from 'antd'
import { useState } from 'react'
import { nameKeyOf } from '#kernel/definition/field.ts'
import {
  type CellProps,
  type FieldFace,
  type InputProps,
  isEmpty,
  NOTHING,
  type Row,
} from '#web/fields/field-renderer.ts'
import { clearable } from '#web/fields/choices/clearable.tsx'
import { optionOf } from '#web/fields/reference/reference-option.tsx'
import { RefName, useRefName } from '#web/fields/reference/ReferenceName.tsx'
import { nameBeside, targetOf } from '#web/fields/reference/reference-target.ts'
import { formNarrowOf, narrowOf } from '#web/fields/reference/options-filter.ts'
import { useTargetRows } from '#web/fields/reference/use-reference-search.ts'

const text = ({ value, name, row }: CellProps): string =>
  nameBeside(name, row) || (isEmpty(value) ? NOTHING : String(value))

type RefSelectProps = Pick<InputProps, 'field' | 'id' | 'disabled' | 'invalid'> & {
  value: string | null
  label: string
  placeholder: string
  narrow: Readonly<Record<string, string>>
  onChoose: (row: Row | null) => void
}

/** A select whose options are looked up while typing: name, pinyin initials, code. */
function RefSelect({ field, id, disabled, invalid, value, label, placeholder, narrow, onChoose }: RefSelectProps) {
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const target = targetOf(field.target ?? '')
  const { rows, busy } = useTargetRows(field.target ?? '', typed, narrow, open)
  const options = rows.map(offered => ({
    value: String(offered[target.key]),
    label: String(offered[target.display] ?? offered[target.key]),
    row: offered,
  }))
  const known = useRefName(field.target ?? '', value !== null && label === '' ? value : null)
  if (value !== null && !options.some(option => option.value === value))
    options.unshift({ value, label: label || (known ?? '…'), row: {} })
  return (
    <Select
      id={id}
      aria-label={field.label}
      value={value}
      disabled={disabled}
      status={invalid ? 'error' : ''}
      allowClear={clearable}
      style={{ width: '100%' }}
      placeholder={placeholder}
      options={options}
      optionRender={option => optionOf(field.target ?? '', option.data.row, String(option.label ?? ''))}
      popupMatchSelectWidth={false}
      showSearch={{ filterOption: false, onSearch: setTyped, searchValue: typed }}
      onOpenChange={setOpen}
      notFoundContent={
        busy ? (
          <Spin size="small" />
        ) : (
          <span className="faint">
            没有符合“{typed}”的{target.title || field.label}
          </span>
        )
      }
      onChange={(chosen: string | undefined, option) => {
        setTyped('')
        onChoose(chosen === undefined ? null : ((option as { row?: Row }).row ?? null))
      }}
    />
  )
}

export const refFace: FieldFace = {
  text,
  width: 168,
  Cell: props => {
    const { field, name, value, row } = props
    if (isEmpty(value) || nameBeside(name, row) !== '') return <span>{text(props)}</span>
    return (
      <span>
        <RefName kind={field.target ?? ''} value={String(value)} />
      </span>
    )
  },
  Input: ({ field, name, value, row, onChange, id, disabled, invalid }) => {
    const target = targetOf(field.target ?? '')
    return (
      <RefSelect
        field={field}
        id={id}
        disabled={disabled}
        invalid={invalid}
        value={isEmpty(value) ? null : String(value)}
        label={nameBeside(name, row)}
        placeholder={field.hint ?? '搜索名称、简拼或编码'}
        narrow={formNarrowOf(field, row)}
        onChoose={chosen =>
          chosen === null
            ? onChange(null, { [nameKeyOf(name)]: null })
            : onChange(chosen[target.key], {
                [nameKeyOf(name)]: chosen[target.display] ?? null,
                ...carried(field.shows, chosen),
              })
        }
      />
    )
  },
  Filter: ({ field, name, query, onChange, id }) => {
    const target = targetOf(field.target ?? '')
    return (
      <RefSelect
        field={field}
        id={id}
        disabled={false}
        invalid={false}
        value={query[name] ?? null}
        label={query[`${name}~`] ?? ''}
        placeholder="全部"
        narrow={narrowOf(field, query as Row)}
        // The readable name is also in the address, so that a shared link shows a name and not a key.
        onChoose={chosen =>
          onChange({
            [name]: chosen ? String(chosen[target.key]) : undefined,
            [`${name}~`]: chosen ? String(chosen[target.display] ?? '') : undefined,
          })
        }
      />
    )
  },
}

/** Other columns of the chosen row that the definition copies with the reference. */
const carried = (shows: Readonly<Record<string, string>> | undefined, chosen: Row): Row =>
  Object.fromEntries(Object.entries(shows ?? {}).map(([wire, column]) => [wire, chosen[column] ?? null]))
