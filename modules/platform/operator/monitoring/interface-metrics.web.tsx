import { inexact } from '#kernel/values/inexact.ts'
import { SendOutlined } from '@ant-design/icons'
import { App, Button } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import css from '#modules/platform/operator/monitoring/interface-metrics.module.css'
import type { Customisation } from '#web/engine/customisation.ts'
import { isSilent, sentenceOf } from '#web/engine/http/request-error.ts'
import { forget } from '#web/engine/http/query-client.ts'
import { get, post } from '#web/engine/http/request.ts'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'

const KIND = 'interfaceError'
const PATH = `/v1/business/${KIND}`
const REREAD_MS = 60_000
type Cards = {
  readonly calls: number
  readonly failures: number
  readonly failure_rate: string
  readonly is_red: boolean
  readonly slowest: string | null
  readonly slowest_ms: number | null
  readonly open: number
  readonly oldest_open: string | null
}

/** Today's calls in five figures, and a button to resend everything waiting. */
function InterfaceCards({ may }: { readonly may: (action: string) => boolean }) {
  const { message } = App.useApp()
  const [busy, setBusy] = useState(false)
  const asked = useQuery({
    queryKey: [KIND, 'cards'],
    refetchInterval: REREAD_MS,
    queryFn: async ({ signal }) => (await get<Cards>(`${PATH}/cards`, {}, { signal })).info,
  })
  const sendAll = async () => {
    setBusy(true)
    try {
      const { info } = await post<{ sent: number; succeeded: number }>(`${PATH}/batchRetry`)
      void message.info(`已重发${info.sent}条，成功${info.succeeded}条`)
    } catch (thrown) {
      if (!isSilent(thrown)) void message.error(sentenceOf(thrown))
    } finally {
      setBusy(false)
      forget(KIND)
    }
  }
  const cards = asked.data
  if (cards === undefined) return null
  const slowest = cards.slowest === null ? '—' : `${cards.slowest}（${cards.slowest_ms}毫秒）`
  const figures: readonly (readonly [string, string, boolean])[] = [
    ['今日调用', String(cards.calls), false],
    ['今日失败', String(cards.failures), false],
    ['失败率', `${(inexact(String(cards.failure_rate)) * 100).toFixed(2)}%`, cards.is_red],
    ['最慢接口', slowest, false],
    ['最早未处理', cards.oldest_open === null ? '—' : wallTime(cards.oldest_open), false],
  ]
  return (
    <section className={css.cards} aria-label="接口调用概况">
      {figures.map(([label, value, red]) => (
        <div key={label} className={css.card} data-red={red}>
          <span>{label}</span>
          <b title={value}>{value}</b>
        </div>
      ))}
      {may('retry') && (
        <Button icon={<SendOutlined />} loading={busy} disabled={cards.open === 0} onClick={() => void sendAll()}>
          批量重发
        </Button>
      )}
    </section>
  )
}

export const interfaceErrorLook: Customisation = { of: KIND, above: [InterfaceCards] }
