import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { type CellProps, type FieldFace, isEmpty, NOTHING } from '#web/fields/field-renderer.ts'
import { DayFilter } from '#web/fields/kinds/date.tsx'

const shanghai = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Shanghai',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** An instant in Chinese local time, wherever the browser is. */
export function wallTime(value: unknown, withSeconds = false): string {
  if (isEmpty(value)) return NOTHING
  const date = new Date(String(value))
  return Number.isNaN(date.getTime()) ? String(value) : shanghai.format(date).slice(0, withSeconds ? 19 : 16)
}
const text = ({ value }: CellProps) => wallTime(value)

export const instantFace: FieldFace = {
  text,
  width: 138,
  Cell: props => <span title={wallTime(props.value, true)}>{text(props)}</span>,
  Input: ({ value, onChange, id, disabled, invalid }) => (
    <DatePicker
      id={id}
      showTime={{ format: 'HH:mm' }}
      format="YYYY-MM-DD HH:mm"
      value={isEmpty(value) ? null : dayjs(String(value))}
      disabled={disabled}
      status={invalid ? 'error' : ''}
      style={{ width: '100%' }}
      onChange={at => onChange(at?.toISOString() ?? null)}
    />
  ),
  Filter: DayFilter,
}
