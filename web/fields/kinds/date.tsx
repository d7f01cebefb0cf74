import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { daysBetween, isDay, today } from '#kernel/values/date.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { type CellProps, type FieldFace, type FilterProps, isEmpty, NOTHING } from '#web/fields/field-renderer.ts'

const text = ({ value }: CellProps): string => (isEmpty(value) ? NOTHING : String(value).slice(0, 10))

/** Parses "20270331", "2027/3/31", "27-3-31" and Excel serial numbers, as users type and paste them. */
export function readDay(typed: string): string | null {
  const cleaned = typed
    .normalize('NFKC')
    .trim()
    .replace(/[年月./]/g, '-')
    .replace(/日$/, '')
    .split(/[ T]/, 1)[0]!
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(cleaned) ?? /^(\d{2})(\d{2})(\d{2})$/.exec(cleaned)
  const parts = compact ? compact.slice(1) : cleaned.split('-')
  if (parts.length === 1 && /^\d{5}$/.test(cleaned))
    return new Date(Date.UTC(1899, 11, 30 + parseInteger(cleaned))).toISOString().slice(0, 10)
  const [year = '', month = '', day = ''] = parts
  const full = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(full) ? full : null
}

/** The document date filters as begin_date and end_date; every other date by its name. */
const boundsOf = (name: string): readonly [string, string] =>
  name === 'business_date' ? ['begin_date', 'end_date'] : [`begin_${name}`, `end_${name}`]

const presets = [
  { label: '今天', value: () => [dayjs(), dayjs()] as [dayjs.Dayjs, dayjs.Dayjs] },
  { label: '近7天', value: () => [dayjs().subtract(6, 'day'), dayjs()] as [dayjs.Dayjs, dayjs.Dayjs] },
  { label: '本月', value: () => [dayjs().startOf('month'), dayjs()] as [dayjs.Dayjs, dayjs.Dayjs] },
  {
    label: '上月',
    value: () =>
      [dayjs().subtract(1, 'month').startOf('month'), dayjs().subtract(1, 'month').endOf('month')] as [
        dayjs.Dayjs,
        dayjs.Dayjs,
      ],
  },
]

export function DayFilter({ name, query, onChange, id, field }: FilterProps) {
  const [from, to] = boundsOf(name)
  const [begin, end] = [query[from], query[to]]
  return (
    <DatePicker.RangePicker
      id={{ start: id }}
      aria-label={field.label}
      style={{ width: '100%' }}
      allowEmpty={[true, true]}
      placeholder={['开始', '结束']}
      presets={presets}
      suffixIcon={null}
      value={[begin ? dayjs(begin) : null, end ? dayjs(end) : null]}
      onChange={range => onChange({ [from]: range?.[0]?.format('YYYY-MM-DD'), [to]: range?.[1]?.format('YYYY-MM-DD') })}
    />
  )
}

const SOON_DAYS = 180

/** An expiry date in the past is red, a near one is orange, in every list. */
function urgencyOf({ name, value }: CellProps): string | undefined {
  if (!/expiry|valid_to/.test(name) || !isDay(value)) return undefined
  const left = daysBetween(today(), value)
  return left < 0 ? 'negative' : left <= SOON_DAYS ? 'near' : undefined
}

export const dayFace: FieldFace = {
  text,
  width: 106,
  parse: (typed, field) => {
    if (typed.trim() === '') return { value: null }
    const day = readDay(typed)
    return day === null ? { problem: `【${field.label}】应为日期，如 2027-03-31` } : { value: day }
  },
  Cell: props => <span className={urgencyOf(props)}>{text(props)}</span>,
  Input: ({ value, onChange, id, disabled, invalid, field }) => (
    <DatePicker
      id={id}
      value={isEmpty(value) ? null : dayjs(String(value))}
      disabled={disabled}
      status={invalid ? 'error' : ''}
      style={{ width: '100%' }}
      placeholder={field.hint ?? '选择日期'}
      onChange={day => onChange(day?.format('YYYY-MM-DD') ?? null)}
    />
  ),
  Filter: DayFilter,
}
