import { ScanOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Skeleton } from 'antd'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Candidates } from '#modules/goods/trace/Candidates.tsx'
import { CodeCard, NowCard } from '#modules/goods/trace/TraceCards.tsx'
import { Chain } from '#modules/goods/trace/Chain.tsx'
import { Freezes } from '#modules/goods/trace/Freezes.tsx'
import { LotFlow } from '#modules/goods/trace/LotFlow.tsx'
import { Recall } from '#modules/goods/trace/Recall.tsx'
import { SentKit } from '#modules/goods/trace/SentKit.tsx'
import type { TraceEvent, TraceInfo } from '#modules/goods/trace/trace-info.ts'
import css from '#modules/goods/trace/Trace.module.css'
import { usePage } from '#web/engine/page-context.ts'
import { get } from '#web/engine/http/request.ts'
import { Failed } from '#web/list/page/EmptyState.tsx'

const RECENT = 'trace-recent'
const KEPT = 8
const recentCodes = (): readonly string[] => JSON.parse(localStorage.getItem(RECENT) ?? '[]') as string[]
const remember = (code: string): void =>
  localStorage.setItem(RECENT, JSON.stringify([code, ...recentCodes().filter(each => each !== code)].slice(0, KEPT)))

/** 耗材追溯: one big input always ready for a scan; below it the chain of a piece, or where all of a lot is. */
export default function TracePage() {
  const page = usePage()
  const code = page.query.code ?? ''
  const forward = page.query.direction === 'forward'
  const trace = useQuery({
    queryKey: ['trace', code, forward],
    enabled: code !== '',
    staleTime: 5_000,
    queryFn: async ({ signal }) => {
      const reply = await get<TraceInfo, TraceEvent>(
        '/v1/trace',
        { code, ...(forward ? { direction: 'forward' } : {}) },
        { signal },
      )
      remember(code)
      return reply
    },
  })
  const ask = (text: string) => page.open(null, { code: text })
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1 className={css.title}>{page.screen.title}</h1>
        <p className={css.purpose}>{page.screen.purpose}</p>
      </header>
      <ScanForm code={code} active={page.active} onAsk={ask} />
      {code === '' && <Beginning onAsk={ask} />}
      {trace.isError && code !== '' && (
        <div className={css.sheet}>
          <Failed thrown={trace.error} onRetry={() => void trace.refetch()} />
        </div>
      )}
      {trace.isPending && code !== '' && (
        <div className={css.sheet}>
          <Skeleton active paragraph={{ rows: 8 }} />
        </div>
      )}
      {trace.data !== undefined && !trace.isError && code !== '' && (
        <Found
          info={trace.data.info}
          events={trace.data.list}
          forward={forward}
          onAsk={ask}
          onForward={on => page.setQuery({ direction: on ? 'forward' : undefined })}
          onChanged={() => void trace.refetch()}
        />
      )}
    </div>
  )
}

/** Takes the focus back whenever nothing else needs it: a scanner needs no click. */
function ScanForm({ code, active, onAsk }: { code: string; active: boolean; onAsk: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (active) input.current?.select()
  }, [active, code])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const text = input.current?.value.trim() ?? ''
    if (text !== '') onAsk(text)
  }
  return (
    <form className={css.scan} role="search" aria-label="追溯" onSubmit={submit}>
      <ScanOutlined className={css.scanIcon} aria-hidden />
      <input
        ref={input}
        key={code}
        defaultValue={code}
        className={`mono ${css.scanInput}`}
        aria-label="扫描或输入要追溯的码"
        placeholder="扫描或输入：院内码、UDI、批号、单据号"
        autoFocus
        autoComplete="off"
        spellCheck={false}
      />
      <button type="submit" className={css.scanButton}>
        追溯
      </button>
    </form>
  )
}

function Beginning({ onAsk }: { onAsk: (text: string) => void }) {
  const [codes] = useState(recentCodes)
  return (
    <div className={css.sheet}>
      <div className={css.beginning}>
        <ol className={css.how}>
          <li>
            <strong>扫单件码</strong>
            <span>查看单件的完整流向：厂商、经销商、医院、科室、患者</span>
          </li>
          <li>
            <strong>输入批号</strong>
            <span>查看整批分布：持有机构、使用记录与合计数量，并与生产数量核对</span>
          </li>
          <li>
            <strong>输入单据号</strong>
            <span>查看单据上的全部批号与单件</span>
          </li>
        </ol>
        {codes.length > 0 && (
          <p className={css.recent}>
            <span className="faint">最近查过</span>
            {codes.map(each => (
              <button key={each} type="button" className={`mono ${css.chip}`} onClick={() => onAsk(each)}>
                {each}
              </button>
            ))}
          </p>
        )}
      </div>
    </div>
  )
}

type FoundProps = {
  readonly info: TraceInfo
  readonly events: readonly TraceEvent[]
  readonly forward: boolean
  readonly onAsk: (text: string) => void
  readonly onForward: (on: boolean) => void
  readonly onChanged: () => void
}

function Found({ info, events, forward, onAsk, onForward, onChanged }: FoundProps) {
  if (info.container !== undefined) return <SentKit kit={info.container} onAsk={onAsk} />
  if (info.candidates !== undefined) return <Candidates candidates={info.candidates} onAsk={onAsk} />
  const isUnit = info.unit !== null && info.unit !== undefined
  const showsRecall = info.direction === 'forward'
  return (
    <div className={css.columns}>
      <div className={css.side}>
        {info.now && <NowCard now={info.now} {...(info.patient ? { patient: info.patient } : {})} />}
        <CodeCard info={info} />
      </div>
      <section className={css.sheet} aria-label="追溯结果">
        {info.recall && (
          <Alert
            type="error"
            showIcon
            title={`召回停用：${info.recall.title}（${info.recall.recall_sn}）`}
            description={info.recall.requirement}
          />
        )}
        <Freezes info={info} onDone={onChanged} />
        <div className={css.tabs} role="group" aria-label="查看方式">
          {(isUnit || forward) && (
            <button type="button" aria-pressed={!showsRecall} onClick={() => onForward(false)}>
              单件流向
            </button>
          )}
          <button type="button" aria-pressed={showsRecall} onClick={() => onForward(true)}>
            批次分布（召回）
          </button>
        </div>
        {showsRecall && <Recall info={info} />}
        {showsRecall && events.length > 0 && <h3 className={css.part}>批次流向</h3>}
        {showsRecall && <LotFlow events={events} />}
        {(!showsRecall || events.length > 0) && <Chain events={events} />}
      </section>
    </div>
  )
}
