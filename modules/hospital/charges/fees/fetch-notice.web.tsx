import { useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { type Decimal, plain } from '#kernel/values/decimal.ts'
import { CounterpartsInput } from '#modules/hospital/charges/fees/CounterpartsInput.tsx'
import type { Customisation } from '#web/engine/customisation.ts'
import { get } from '#web/engine/http/request.ts'
import { usePage } from '#web/engine/page-context.ts'
import { groupDigits } from '#web/fields/kinds/number-input.tsx'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'
import { askedOf } from '#web/list/page/list-query.ts'

const KIND = 'hisChargeDay'
type Failed = { readonly day: string; readonly failed_at: string; readonly error: string }

/** The last reading of charges that failed: its day, its time and the reason. Shows nothing if all days were read. */
function FetchNotice() {
  const { data } = useQuery({
    queryKey: [KIND, 'failed'],
    queryFn: async ({ signal }) =>
      (
        await get<unknown, Failed>(
          `/v1/business/${KIND}/list`,
          { state: 'failed', sort: '-failed_at', pageNum: 1, pageSize: 1 },
          { signal },
        )
      ).list,
  })
  const [last] = data ?? []
  if (last === undefined) return null
  return (
    <Alert type="error" showIcon title={`${last.day}的HIS计费获取失败（${wallTime(last.failed_at)}）：${last.error}`} />
  )
}

const DETAIL = 'hisSpdFeeDetail'
const ignoredSums = {
  converted_quantity: '换算后数量',
  net_quantity: 'HIS净计费数量',
  difference: '数量差异',
} as const

/**
 * Says how many rows of this tab are ignored under its filters; with them the tabs add up to the summary page. Shows
 * nothing if there are none, or if the list is filtered by 处理状态 itself.
 */
export function IgnoredNotice() {
  const { screen, query, setQuery } = usePage()
  const asked = { ...askedOf(query, screen.where), difference_state: 'ignored', pageNum: '1', pageSize: '1' }
  const { data } = useQuery({
    queryKey: [DETAIL, 'ignored', asked],
    enabled: !query.difference_state,
    queryFn: ({ signal }) => get<unknown, unknown>(`/v1/business/${DETAIL}/list`, asked, { signal }),
  })
  if (query.difference_state || !data?.total) return null
  const sums = Object.entries(ignoredSums).map(
    ([name, label]) => `${label}${groupDigits(plain(String(data.summary?.[name] ?? '0') as Decimal))}`,
  )
  return (
    <Alert
      type="info"
      showIcon
      title={`本页签另有已忽略${data.total}条：${sums.join('，')}；汇总页的数量含已忽略的`}
      action={
        <Button type="link" size="small" onClick={() => setQuery({ difference_state: 'ignored', pageNum: undefined })}>
          查看已忽略
        </Button>
      }
    />
  )
}

export const feeLooks: readonly Customisation[] = [
  { of: 'hisSpdFee', above: [FetchNotice] },
  { of: 'hisSpdFeeDetail', above: [FetchNotice, IgnoredNotice], inputs: { counterparts: CounterpartsInput } },
]
