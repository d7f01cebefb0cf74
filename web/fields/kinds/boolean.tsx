import { CheckOutlined } from '@ant-design/icons'
import { Select, Switch } from 'antd'
import { clearable } from '#web/fields/choices/clearable.tsx'
import { type FieldFace } from '#web/fields/field-renderer.ts'

const isOn = (value: unknown): boolean => value === true || value === 'true'
const options = [
  { value: 'true', label: '是' },
  { value: 'false', label: '否' },
]

export const flagFace: FieldFace = {
  width: 72,
  align: 'center',
  text: ({ value }) => (isOn(value) ? '是' : '否'),
  parse: typed => ({ value: /^(是|有|y|yes|true|1|√)$/i.test(typed.trim()) }),
  Cell: ({ value }) =>
    isOn(value) ? (
      <CheckOutlined style={{ color: 'var(--brand)' }} aria-label="是" />
    ) : (
      <span className="faint">否</span>
    ),
  Input: ({ value, onChange, id, disabled, field }) => (
    <Switch
      id={id}
      aria-label={field.label}
      checked={isOn(value)}
      disabled={disabled}
      style={{ justifySelf: 'start' }}
      onChange={on => onChange(on)}
      checkedChildren="是"
      unCheckedChildren="否"
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
      value={query[name] ?? null}
      onChange={(value: string | null) => onChange({ [name]: value ?? undefined })}
    />
  ),
}
