import { ReloadOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, DatePicker, Segmented, Skeleton } from 'antd'
import dayjs from 'dayjs'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { addDays, today } from '#kernel/values/date.ts'
import { type Flow, saysOf } from '#kernel/definition/dashboard.ts'
import { f } from '#kernel/definition/field.ts'
import { documentOf } from '#kernel/registry.ts'
import { isZero } from '#kernel/values/decimal.ts'
import { cardQuery, type FlowRange, moneyQuery } from '#kernel/wall/flow-leads.ts'
import { usePage } from '#web/engine/page-context.ts'
import { get } from '#web/engine/http/request.ts'
import { useSession } from '#web/engine/session/session.ts'
import { groupDigits } from '#web/fields/kinds/number-input.tsx'
import { refFace } from '#web/fields/kinds/reference.tsx'
import { ExplainedControl } from '#web/fields/Explained.tsx'
import { noDefinition, StateTag } from '#web/fields/StateTag.tsx'
import { Blank, Failed } from '#web/list/page/EmptyState.tsx'
import { useDocumentAddress } from '#web/shell/menu/document-address.ts'
import { listAddressOf } from '#web/shell/menu/screen-index.ts'
import { FlowChart } from '#web/flow/FlowChart.tsx'
import { FlowBars, FlowTrend } from '#web/flow/FlowCharts.tsx'
import { type Placed, placedSteps } from '#web/flow/flow-layout.ts'
import { cardSays, cardText } from '#web/flow/flow-leads.ts'
import css from '#web/flow/Flow.module.css'

type Count = {
  readonly text: string
  readonly late: boolean
  readonly query: Readonly<Record<string, string>>
  readonly count: number
}
type Duty = {
  readonly kind: string
  readonly sn: string
  readonly state: string
  readonly title: string
  readonly name: string | null
}
export type FlowRead = FlowRange & {
  readonly steps: readonly { readonly kind: string; readonly counts: readonly Count[] }[]
  readonly figures: Readonly<Record<string, string | null>>
  readonly bars: readonly { readonly partner_sn: string; readonly name: string; readonly amount: string }[]
  readonly trend: readonly { readonly day: string; readonly amount: string }[]
  readonly duties: readonly Duty[]
  readonly more?: Readonly<Record<string, unknown>>
}
type Read = FlowRead
const MONTH = '本月'
const DAYS = '近30天'
const OWN = '自定义'

/**
 * Start page of a trade: its process as a chart with what is waiting at each step, the figures of the period, and
 * the user's own tasks.
 */
export function FlowPage({ flow, panels }: { readonly flow: Flow; readonly panels?: (read: FlowRead) => ReactNode }) {
  const { screen, query, setQuery } = usePage()
  const asked = useQuery({
    queryKey: ['flow', flow.name, query],
    // Read on opening and on refresh only: a chart that changes while in use is worse than one a minute old.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    queryFn: async ({ signal }) =>
      (
        await get<Read>(
          `/v1/business/flow/${flow.name}`,
          { begin_date: query.begin_date, end_date: query.end_date, partner: query.partner, mine: query.mine },
          { signal },
        )
      ).info,
  })
  const read = asked.data
  const month = `${today().slice(0, 7)}-01`
  const span =
    query.begin_date === undefined || query.begin_date === month
      ? MONTH
      : query.begin_date === addDays(today(), -29) && query.end_date === undefined
        ? DAYS
        : OWN
  const choose = (chosen: string) =>
    setQuery(
      chosen === MONTH
        ? { begin_date: undefined, end_date: undefined }
        : chosen === DAYS
          ? { begin_date: addDays(today(), -29), end_date: undefined }
          : { begin_date: addDays(month, -31), end_date: today() },
    )
  return (
    <div className={css.page}>
      <header className={css.head}>
        <div>
          <h1 className={css.title}>{screen.title}</h1>
          <p className={css.purpose}>{screen.purpose}</p>
        </div>
        <div className={css.filters}>
          <Segmented aria-label="统计期间" options={[MONTH, DAYS, OWN]} value={span} onChange={choose} />
          {span === OWN && (
            <DatePicker.RangePicker
              allowClear={false}
              value={[dayjs(query.begin_date), dayjs(query.end_date ?? today())]}
              onChange={days =>
                days && setQuery({ begin_date: days[0]?.format('YYYY-MM-DD'), end_date: days[1]?.format('YYYY-MM-DD') })
              }
            />
          )}
          <span className={css.partner}>
            <refFace.Filter
              id="flow-partner"
              name="partner"
              field={f.ref(flow.partner.label, 'organisation', { optionsFilter: { relation: flow.partner.relation } })}
              query={query}
              onChange={setQuery}
            />
          </span>
          <Segmented
            aria-label={flow.handler}
            options={[
              { label: '我的', value: '1' },
              { label: '全部', value: '0' },
            ]}
            value={read?.mine ? '1' : '0'}
            onChange={mine => setQuery({ mine: String(mine) })}
          />
          <Button icon={<ReloadOutlined />} loading={asked.isFetching} onClick={() => void asked.refetch()}>
            刷新
          </Button>
        </div>
      </header>
      {asked.isError && read === undefined && (
        <div className={css.sheet}>
          <Failed thrown={asked.error} onRetry={() => void asked.refetch()} />
        </div>
      )}
      {asked.isPending && (
        <div className={css.sheet}>
          <Skeleton active paragraph={{ rows: 10 }} />
        </div>
      )}
      {read !== undefined && <Drawn flow={flow} read={read} panels={panels?.(read)} />}
    </div>
  )
}

function Drawn({ flow, read, panels }: { readonly flow: Flow; readonly read: Read; readonly panels: ReactNode }) {
  const org = useSession()?.orgType ?? 'H'
  const counts = new Map(read.steps.map(step => [step.kind, step.counts]))
  const placed = placedSteps(flow.steps, new Set(counts.keys()))
  const behind = (figure: string, asked: FlowRange): string | null => {
    const card = flow.cards.find(each => each.figure === figure)
    return card === undefined ? null : listAddressOf(card.kind, org, cardQuery(card, asked))
  }
  return (
    <>
      <FlowChart placed={placed}>
        {each => (
          <Step
            key={each.step.kind}
            placed={each}
            titles={each.after.flatMap(kind => flow.steps.find(step => step.kind === kind)?.title ?? [])}
            counts={counts.get(each.step.kind) ?? []}
            figures={read.figures}
            asked={read}
          />
        )}
      </FlowChart>
      <ul className={css.cards} aria-label="指标">
        {flow.cards
          .filter(card => read.figures[card.figure] !== undefined)
          .map(card => (
            <li key={card.figure} className={css.card}>
              <ExplainedControl says={cardSays(card, read)} of={card.title}>
                <Link to={listAddressOf(card.kind, org, cardQuery(card, read)) ?? '#'}>
                  <span className={css.cardTitle}>{card.title}</span>
                  <span className={css.cardValue} data-late={card.as === 'count' && read.figures[card.figure] !== '0'}>
                    {cardText(read.figures[card.figure] ?? null, card.as)}
                  </span>
                </Link>
              </ExplainedControl>
            </li>
          ))}
      </ul>
      <div className={css.columns}>
        {panels}
        {flow.bars !== undefined && (
          <section className={css.sheet} aria-labelledby="flow-bars">
            <h2 id="flow-bars" className={css.part}>
              {flow.bars.title}
            </h2>
            <FlowBars bars={read.bars} to={partner => behind(flow.bars!.figure, { ...read, partner })} />
          </section>
        )}
        {flow.trend !== undefined && (
          <section className={css.sheet} aria-labelledby="flow-trend">
            <h2 id="flow-trend" className={css.part}>
              {flow.trend.title}
            </h2>
            <FlowTrend trend={read.trend} to={day => behind(flow.trend!.figure, { ...read, from: day, to: day })} />
          </section>
        )}
        <section className={css.sheet} aria-labelledby="flow-duties">
          <h2 id="flow-duties" className={css.part}>
            我的待办 <small>{read.duties.length}</small>
          </h2>
          {read.duties.length === 0 ? <Blank title="没有待您处理的单据" /> : <Duties duties={read.duties} />}
        </section>
      </div>
    </>
  )
}

type StepProps = {
  readonly placed: Placed
  /** The steps that lead to it, in words. */
  readonly titles: readonly string[]
  readonly counts: readonly Count[]
  readonly figures: Read['figures']
  readonly asked: FlowRange
}

function Step({ placed: { step: definition, column, row }, titles, counts, figures, asked }: StepProps) {
  const org = useSession()?.orgType ?? 'H'
  const total = counts.reduce((sum, each) => sum + each.count, 0)
  const to = (query: Readonly<Record<string, string>>) => listAddressOf(definition.kind, org, query) ?? '#'
  return (
    <li
      className={css.step}
      data-kind={definition.kind}
      data-busy={total > 0}
      style={{ gridColumn: column + 1, gridRow: row + 1 }}
    >
      <Link className={css.name} to={to({})}>
        {definition.title}
      </Link>
      {titles.length > 0 && <span className={css.from}>来自{titles.join('、')}</span>}
      <ul className={css.counts}>
        {counts.map(each => (
          <li key={each.text}>
            <Link
              to={to(each.query)}
              className={css.count}
              data-late={each.late && each.count > 0}
              data-none={each.count === 0}
            >
              <b>{each.count}</b>
              <span>{each.text}</span>
            </Link>
          </li>
        ))}
        {(definition.money ?? []).flatMap(money => {
          const { figure, text, kind = definition.kind, late } = money
          const sum = figures[figure]
          if (sum === null || sum === undefined || (late === true && isZero(String(sum)))) return []
          const query = moneyQuery(definition, money, asked)
          return (
            <li key={figure}>
              <ExplainedControl says={[saysOf(money), '截至现在']} of={text}>
                <Link to={listAddressOf(kind, org, query) ?? '#'} className={css.money} data-late={late === true}>
                  <b>{groupDigits(sum)}</b>
                  <span>{text}</span>
                </Link>
              </ExplainedControl>
            </li>
          )
        })}
      </ul>
    </li>
  )
}

function Duties({ duties }: { readonly duties: readonly Duty[] }) {
  const addressOf = useDocumentAddress()
  return (
    <ul className={css.duties}>
      {duties.map(duty => (
        <li key={`${duty.kind} ${duty.sn}`}>
          <Link to={addressOf(duty.kind, duty.sn) ?? '#'}>
            <span className={css.kind}>{duty.title}</span>
            <span className="mono">{duty.sn}</span>
            <span className={css.with}>{duty.name ?? ''}</span>
            <StateTag definition={documentOf(duty.kind) ?? noDefinition} state={duty.state} />
          </Link>
        </li>
      ))}
    </ul>
  )
}
