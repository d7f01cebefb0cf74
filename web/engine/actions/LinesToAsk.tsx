import { useQuery } from '@tanstack/react-query'
import { Checkbox } from 'antd'
import { type Decimal, isZero, plain } from '#kernel/values/decimal.ts'
import { get } from '#web/engine/http/request.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { groupDigits } from '#web/fields/kinds/number-input.tsx'

type Props = {
  readonly kind: string
  /** The document whose lines are asked for. */
  readonly sn: string
  readonly value: unknown
  readonly onChange: (lines: readonly string[]) => void
}

const quantity = (value: unknown): string => groupDigits(plain(String(value) as Decimal))

/** A line's content, and the quantity of it that was done. */
const textOf = (line: Row): string =>
  [
    `第${String(line.line_no)}行`,
    line.product_name,
    line.specification_name,
    `${quantity(line.quantity)}${String(line.unit_name ?? '')}`,
    ...(isZero(String(line.executed_quantity ?? 0)) ? [] : [`已执行${quantity(line.executed_quantity)}`]),
    ...(line.stop_reason ? ['已终止'] : []),
  ]
    .filter(Boolean)
    .join('　')

/** Lines of a document to tick, for a dialog that asks which are meant; stopped ones cannot be meant again. */
export function LinesToAsk({ kind, sn, value, onChange }: Props) {
  const { data: lines = [] } = useQuery({
    queryKey: [kind, 'info', sn, 'lines'],
    staleTime: 0,
    queryFn: async () => {
      const { info } = await get<{ readonly lines?: readonly Row[] }>(`/v1/business/${kind}/info`, { sn })
      return info.lines
    },
  })
  return (
    <Checkbox.Group
      style={{ display: 'grid', gap: 6, maxHeight: 280, overflowY: 'auto' }}
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={onChange}
      options={lines.map(line => ({
        value: String(line.line_no),
        label: textOf(line),
        disabled: Boolean(line.stop_reason),
      }))}
    />
  )
}
