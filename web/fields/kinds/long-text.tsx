import { Input } from 'antd'
import { type FieldFace, isEmpty } from '#web/fields/field-renderer.ts'
import { plainText, TextFilter, textFace } from '#web/fields/kinds/text.tsx'

export const longTextFace: FieldFace = {
  text: plainText,
  width: 200,
  ...(textFace.parse ? { parse: textFace.parse } : {}),
  Cell: props => <span>{plainText(props)}</span>,
  Input: ({ field, value, onChange, id, disabled, invalid }) => (
    <Input.TextArea
      id={id}
      value={isEmpty(value) ? '' : String(value)}
      disabled={disabled}
      status={invalid ? 'error' : ''}
      autoSize={{ minRows: 1, maxRows: 4 }}
      placeholder={field.hint ?? ''}
      {...(typeof field.max === 'number' ? { maxLength: field.max } : {})}
      onChange={event => onChange(event.target.value === '' ? null : event.target.value)}
    />
  ),
  Filter: TextFilter,
}
