import { useQuery } from '@tanstack/react-query'
import { Select, Table } from 'antd'
import { useState } from 'react'
import { compare, type Decimal, sum } from '#kernel/values/decimal.ts'
import { dayOf } from '#kernel/values/date.ts'
import css from '#modules/hospital/charges/fees/counterparts.module.css'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { get } from '#web/engine/http/request.ts'
import type { InputProps } from '#web/fields/field-renderer.ts'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'

type Counterpart = {
  readonly sn: string
  readonly number: string
  readonly item_code: string | null
  readonly item_name: string | null
  readonly goods: string | null
  readonly unit_code: string | null
  readonly quantity: Decimal
  readonly at: string
}
type Offered = {
  readonly side: 'use' | 'charge'
  readonly wanted: Decimal
  readonly rows: readonly Counterpart[]
}

const itemOf = ({ item_code, item_name }: Counterpart): string => item_name ?? item_code ?? '未对照'
const dayIn = ({ at }: Counterpart): string => dayOf(new Date(at))
const optionsOf = (rows: readonly Counterpart[], of: (row: Counterpart) => string) =>
  [...new Set(rows.map(of))].map(value => ({ value, label: value }))
const emptyText = (side: Offered['side']) =>
  side === 'use' ? '该患者没有待匹配的使用' : '该患者没有待匹配的HIS计费，可先获取HIS计费'

/**
 * The rows of the other side that the ticked ones may be matched with: of the same patient, narrowed by item and day.
 * Its value is the list of the chosen keys, with commas.
 */
export function CounterpartsInput({ value, row, onChange, id }: InputProps) {
  const [item, setItem] = useState<string | null>(null)
  const [day, setDay] = useState<string | null>(null)
  const chosen = typeof value === 'string' && value !== '' ? value.split(',') : []
  const sns = JSON.stringify(row.chosen)
  const { data, error, isPending } = useQuery({
    queryKey: ['hisSpdFeeDetail', 'counterparts', sns],
    queryFn: async ({ signal }) =>
      (await get<Offered, never>('/v1/business/hisSpdFeeDetail/counterparts', { sns }, { signal })).info,
  })
  if (error)
    return (
      <span role="alert" style={{ color: 'var(--danger)' }}>
        {sentenceOf(error)}
      </span>
    )
  const rows = data?.rows ?? []
  const side = data?.side ?? 'charge'
  const shown = rows.filter(each => (item === null || itemOf(each) === item) && (day === null || dayIn(each) === day))
  const total = sum(
    rows.filter(each => chosen.includes(each.sn)).map(each => each.quantity),
    4,
  )
  const agrees = data !== undefined && compare(total, data.wanted) === 0
  return (
    <div className={css.counterparts} id={id}>
      <div className={css.filters}>
        <Select
          allowClear
          aria-label="HIS收费项目"
          placeholder="全部收费项目"
          value={item}
          options={optionsOf(rows, itemOf)}
          onChange={(next: string | undefined) => setItem(next ?? null)}
        />
        <Select
          allowClear
          aria-label="日期"
          placeholder="全部日期"
          value={day}
          options={optionsOf(rows, dayIn)}
          onChange={(next: string | undefined) => setDay(next ?? null)}
        />
        <span role="status" className={agrees ? css.agrees : 'quiet'}>
          已选 <b className="num">{total}</b>，应为 <b className="num">{data?.wanted ?? '…'}</b>
        </span>
      </div>
      <Table<Counterpart>
        size="small"
        rowKey="sn"
        loading={isPending}
        dataSource={shown}
        pagination={{ pageSize: 8, hideOnSinglePage: true, showSizeChanger: false }}
        locale={{ emptyText: emptyText(side) }}
        rowSelection={{
          selectedRowKeys: chosen,
          preserveSelectedRowKeys: true,
          getCheckboxProps: each => ({ 'aria-label': `选择${each.number}` }) as object,
          onChange: keys => onChange(keys.length === 0 ? null : keys.join(',')),
        }}
        columns={[
          { title: side === 'use' ? '使用单号' : 'HIS计费流水号', dataIndex: 'number' },
          { title: 'HIS收费项目', render: (_, each) => itemOf(each) },
          ...(side === 'use' ? [{ title: '产品', dataIndex: 'goods' }] : []),
          { title: '院内码', dataIndex: 'unit_code', render: (code: string | null) => code ?? '—' },
          { title: '未匹配数量', dataIndex: 'quantity', align: 'right', className: 'num' },
          { title: side === 'use' ? '使用时间' : '计费时间', dataIndex: 'at', render: (at: string) => wallTime(at) },
        ]}
      />
    </div>
  )
}
