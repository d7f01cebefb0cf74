import { WarningFilled } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { plain } from '#kernel/values/decimal.ts'
import { minuteOf } from '#kernel/values/date.ts'
import { type ChainEvent, chainOf, stationsOf } from '#modules/goods/trace/chain-view.ts'
import type { TraceEvent, TraceInfo } from '#modules/goods/trace/trace-info.ts'
import css from '#modules/platform/walls/process/WallTrace.module.css'
import { get } from '#web/engine/http/request.ts'
import { sentenceOf } from '#web/engine/http/request-error.ts'

/** The milliseconds after which a followed box is looked up again, because it may be scanned anywhere. */
const LIVE_MS = 10_000

/** 单码追溯 on a wall: one scan, and the path of the box over the organisations, without anybody's name. */
export default function WallTrace() {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const [code, org] = [query.get('code') ?? '', query.get('org')]
  const trace = useQuery({
    queryKey: ['wall-trace', code, org],
    enabled: code !== '',
    queryFn: ({ signal }) =>
      get<TraceInfo, TraceEvent>(
        '/v1/business/wall/screenProcess/trace',
        { code, ...(org === null ? {} : { org }) },
        { signal },
      ),
    refetchInterval: LIVE_MS,
    refetchIntervalInBackground: true,
    retry: false,
  })
  const follow = (text: string) => {
    const next = new URLSearchParams(query)
    if (text === '') next.delete('code')
    else next.set('code', text)
    void navigate(`?${next}`, { replace: true })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    follow(input.current?.value.trim() ?? '')
  }
  return (
    <div className={css.trace}>
      <form onSubmit={submit}>
        <input
          ref={input}
          key={code}
          defaultValue={code}
          placeholder="扫描追溯码、UDI、批号或单号"
          aria-label="追溯码/批号/单号"
        />
      </form>
      {code === '' && <p className={css.nothing}>扫描任意一盒产品，跟踪它在各机构间的流转</p>}
      {trace.isError && <p className={css.nothing}>{sentenceOf(trace.error)}</p>}
      {trace.data && !trace.isError && <Found info={trace.data.info} events={trace.data.list} onFollow={follow} />}
    </div>
  )
}

type FoundProps = {
  readonly info: TraceInfo
  readonly events: readonly TraceEvent[]
  readonly onFollow: (code: string) => void
}

function Found({ info, events, onFollow }: FoundProps) {
  const { specification, lot, unit, now, candidates } = info
  if (candidates)
    return (
      <ul className={css.candidates}>
        {candidates.slice(0, 8).map(({ query, product_name, specification_name, lot_no }) => (
          <li key={query}>
            <button type="button" onClick={() => onFollow(query)}>
              {product_name} {specification_name} 批号 {lot_no}
            </button>
          </li>
        ))}
      </ul>
    )
  const chain = chainOf(events).filter(({ undone }) => !undone)
  const gaps = chain.filter(({ broken }) => broken).length
  return (
    <>
      <p className={css.goods}>
        <b>{specification?.product_name}</b>
        <span>{specification?.specification_name}</span>
        <span>批号 {lot?.lot_no}</span>
        {unit?.code && <span>{unit.code}</span>}
        {now && <strong>{[now.status_name, now.holder_name, now.place].filter(Boolean).join(' · ')}</strong>}
      </p>
      <p className={css.whole} data-broken={gaps > 0 || undefined}>
        {gaps > 0 ? (
          <>
            <WarningFilled /> 链路缺失 {gaps} 处
          </>
        ) : (
          `链路完整，共 ${chain.length} 个环节`
        )}
      </p>
      <Path chain={chain} />
    </>
  )
}

/** The organisations from left to right, and what happened at each; the last one is where the box is. */
function Path({ chain }: { readonly chain: readonly ChainEvent[] }) {
  const stations = stationsOf(chain)
  return (
    <ol className={css.path}>
      {stations.map(({ org, events }, at) => (
        <li key={`${org}${at}`} data-last={at === stations.length - 1 || undefined}>
          <h3>{org}</h3>
          <ol>
            {events.map(event => (
              <li key={event.seq} data-broken={event.broken || undefined}>
                <time>{minuteOf(new Date(event.happened_at ?? event.at)).slice(2)}</time>
                <b>{event.step === 'use' ? '已使用' : event.step_name}</b>
                <span>
                  {event.broken ? '链路缺失' : (event.to_place ?? event.to_org_name ?? '')}
                  {event.step === 'use' ? '' : ` ×${plain(event.quantity)}`}
                </span>
              </li>
            ))}
          </ol>
        </li>
      ))}
    </ol>
  )
}
