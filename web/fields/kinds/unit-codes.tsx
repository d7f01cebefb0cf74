import { Select, Tooltip } from 'antd'
import { type CellProps, type FieldFace, type InputProps, NOTHING } from '#web/fields/field-renderer.ts'
import { ManyRefs, NamesOf } from '#web/fields/reference/multi-reference.tsx'
import { refFace } from '#web/fields/kinds/reference.tsx'
import { codesOf } from '#web/fields/parse-codes.ts'
import { ManyWords, WordFilter } from '#web/fields/choices/multi-dictionary.tsx'
import { TextFilter } from '#web/fields/kinds/text.tsx'

const text = ({ value }: CellProps): string => {
  const codes = codesOf(value)
  return codes.length === 0 ? NOTHING : codes.length === 1 ? (codes[0] ?? '') : `${codes[0]} 等${codes.length}个`
}

/** Serial codes: the first is shown, all of them on hover. */
export const codesFace: FieldFace = {
  text,
  width: 168,
  parse: typed => ({ value: [...new Set(typed.split(/[\s,，;；]+/).filter(code => code !== ''))] }),
  Cell: props => {
    if (props.field.target !== undefined) return <NamesOf {...props} />
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
    return props.field.dictionary === undefined ? <CodesInput {...props} /> : <ManyWords {...props} />
  },
  Filter: props => {
    if (props.field.target !== undefined) return <refFace.Filter {...props} />
    return props.field.dictionary === undefined ? <TextFilter {...props} /> : <WordFilter {...props} />
  },
}

/** Scanned or typed one after the other. */
function CodesInput({ field, value, onChange, id, disabled, invalid }: InputProps) {
  return (
    <Select
      id={id}
      mode="tags"
      open={false}
      suffixIcon={null}
      tokenSeparators={[' ', ',', '，', '\n', '\t']}
      value={[...codesOf(value)]}
      disabled={disabled}
      status={invalid ? 'error' : ''}
      placeholder={field.hint ?? '扫码或输入后回车'}
      maxTagCount={6}
      onChange={(codes: string[]) => onChange(codes)}
      style={{ width: '100%' }}
    />
  )
}
