import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import type { Customisation } from '#web/engine/customisation.ts'
import { get } from '#web/engine/http/request.ts'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'

const KIND = 'hisChargeDay'
type Failed = { readonly day: string; readonly failed_at: string; readonly error: string }

/** The last reading of charges that failed: its day, its time and why. Nothing where all days were read. */
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

export const feeLooks: readonly Customisation[] = [
  { of: 'hisSpdFee', above: [FetchNotice] },
  { of: 'hisSpdFeeDetail', above: [FetchNotice] },
]
