import { Select, Tooltip } from 'antd'
import { codesOfText } from '#kernel/codes/code-list.ts'
import type { FieldSpec } from '#kernel/definition/field.ts'
import {
  type CellProps,
  type FieldFace,
  type FilterProps,
  type InputProps,
  NOTHING,
} from '#web/fields/field-renderer.ts'
import { ManyRefs, NamesOf } from '#web/fields/reference/multi-reference.tsx'
import { refFace } from '#web/fields/kinds/reference.tsx'
import { codesOf } from '#web/fields/parse-codes.ts'
import { clearable } from '#web/fields/choices/clearable.tsx'
import { ManyChoices } from '#web/fields/choices/MultiSelect.tsx'
import { ManyWords, WordFilter } from '#web/fields/choices/multi-dictionary.tsx'
import { TextFilter } from '#web/fields/kinds/text.tsx'

const optionsOf = ({ choices = {} }: FieldSpec) => Object.entries(choices).map(([value, label]) => ({ value, label }))
const chosenNames = ({ value, field }: CellProps): string =>
  codesOf(value)
    .map(choice => field.choices?.[choice] ?? '未知')
    .join('、') || NOTHING

/** The codes of what was typed or pasted, each once; the server refuses what cannot be decided. */
const codesTyped = (typed: readonly string[]): readonly string[] => [
  ...new Set(
    typed.flatMap(text => {
      const read = codesOfText(text)
      return 'codes' in read ? read.codes : text
    }),
  ),
]

const text = (props: CellProps): string => {
  if (props.field.choices !== undefined) return chosenNames(props)
  const codes = codesOf(props.value)
  return codes.length === 0 ? NOTHING : codes.length === 1 ? (codes[0] ?? '') : `${codes[0]} 等${codes.length}个`
}

/** Serial codes: the first is shown, all of them on hover. */
export const codesFace: FieldFace = {
  text,
  width: 168,
  parse: typed => ({ value: codesTyped([typed]) }),
  Cell: props => {
    if (props.field.target !== undefined) return <NamesOf {...props} />
    if (props.field.choices !== undefined) return <span>{chosenNames(props)}</span>
    if (props.field.dictionary !== undefined) return <span>{codesOf(props.value).join('、') || NOTHING}</span>
    const codes = codesOf(props.value)
    if (codes.length < 2) return <span className={codes.length ? 'mono' : undefined}>{text(props)}</span>
    return (
      <Tooltip
        title={<span className="mono">{codes.slice(0, 30).join('\n')}</span>}
        styles={{ root: { whiteSpace: 'pre' } }}
      >
        <span className="mono">{text(props)}</span>
      </Tooltip>
    )
  },
  Input: props => {
    if (props.field.target !== undefined) return <ManyRefs {...props} />
    if (props.field.choices !== undefined) return <ManyChoices {...props} options={optionsOf(props.field)} />
    return props.field.dictionary === undefined ? <CodesInput {...props} /> : <ManyWords {...props} />
  },
  Filter: props => {
    if (props.field.target !== undefined) return <refFace.Filter {...props} />
    if (props.field.choices !== undefined) return <ChoiceFilter {...props} />
    return props.field.dictionary === undefined ? <TextFilter {...props} /> : <WordFilter {...props} />
  },
}

/** Filters rows that have one of the choices. */
function ChoiceFilter({ name, query, onChange, id, field }: FilterProps) {
  return (
    <Select
      id={id}
      aria-label={field.label}
      allowClear={clearable}
      options={optionsOf(field)}
      value={query[name] ?? null}
      placeholder="全部"
      style={{ width: '100%' }}
      onChange={(chosen: string | null) => onChange({ [name]: chosen ?? undefined })}
    />
  )
}

/** Scanned or typed one after the other. */
function CodesInput({ field, value, onChange, id, disabled, invalid }: InputProps) {
  return (
    <Select
      id={id}
      mode="tags"
      open={false}
      suffixIcon={null}
      tokenSeparators={[' ', '\n', '\t']}
      value={[...codesOf(value)]}
      disabled={disabled}
      status={invalid ? 'error' : ''}
      placeholder={field.hint ?? '扫码或输入后回车'}
      maxTagCount={6}
      onChange={(typed: string[]) => onChange(codesTyped(typed))}
      style={{ width: '100%' }}
    />
  )
}
