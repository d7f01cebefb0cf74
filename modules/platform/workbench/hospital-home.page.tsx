import { PushpinOutlined, ReloadOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Checkbox, DatePicker, Input, Popover, Skeleton } from 'antd'
import dayjs from 'dayjs'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { today } from '#kernel/values/date.ts'
import { changeText } from '#kernel/values/comparison.ts'
import { f } from '#kernel/definition/field.ts'
import { type Decimal, isZero } from '#kernel/values/decimal.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import type { ShownFigure, ShownHome } from '#modules/platform/workbench/hospital-home.ts'
import { HomeChart, inTenThousands } from '#modules/platform/workbench/home-charts.tsx'
import css from '#modules/platform/workbench/hospital-home.module.css'
import { queryClient } from '#web/engine/http/query-client.ts'
import { get } from '#web/engine/http/request.ts'
import { usePage } from '#web/engine/page-context.ts'
import { ExplainedControl } from '#web/fields/Explained.tsx'
import { groupDigits } from '#web/fields/kinds/number-input.tsx'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'
import { Blank, Failed } from '#web/list/page/EmptyState.tsx'
import { FilterBar } from '#web/list/page/FilterBar.tsx'
import { ListFrame } from '#web/list/page/ListFrame.tsx'
import { whenMessageComes } from '#web/realtime/arrivals.ts'
import type { LiveMessage } from '#web/realtime/channel.ts'
import { usePins } from '#web/shell/menu/favourites.ts'
import { useMenu } from '#web/shell/menu/menu.ts'

const filters = [
  { name: 'warehouse_model_inner_sn', field: f.ref('仓库', 'warehouse') },
  { name: 'department_inner_sn', field: f.ref('科室', 'department') },
]
/** A hospital of several campuses may look at one of them. */
const withCampuses = (home: ShownHome | undefined) =>
  home === undefined || home.campuses.length === 0
    ? filters
    : [
        {
          name: 'campus',
          field: f.pick('院区', Object.fromEntries(home.campuses.map(name => [name, name]))),
          single: true,
        },
        ...filters,
      ]
/** Cards on which a new requisition counts at once. */
const OF_CLAIMS = ['claims', 'myClaims']
/** A requisition was submitted; drafts and reminders are of requisitions too, and are no new ones. */
const isNewRequisition = ({ uri, extra }: LiveMessage): boolean =>
  uri === 'voucher' && typeof extra === 'object' && extra?.is_new === true

/** 医院首页: what waits for the reader, what is at risk, and the pages that the reader pinned. */
export default function HospitalHomePage() {
  const { screen, query, setQuery } = usePage()
  const asked = Object.fromEntries(
    ['month', 'campus', ...filters.map(({ name }) => name)].flatMap(name => (query[name] ? [[name, query[name]]] : [])),
  )
  const queryKey = ['hospitalHome', asked]
  const read = async (more: Readonly<Record<string, string>> = {}) =>
    (await get<ShownHome>('/v1/business/hospitalHome', { ...asked, ...more })).info
  const home = useQuery({ queryKey, queryFn: () => read() })
  const { dataUpdatedAt } = home
  // Requisitions that came since the figures were read.
  const [came, setCame] = useState({ since: 0, count: 0 })
  useEffect(
    () =>
      whenMessageComes(message => {
        if (!isNewRequisition(message)) return
        setCame(({ since, count }) => ({ since: dataUpdatedAt, count: since === dataUpdatedAt ? count + 1 : 1 }))
      }),
    [dataUpdatedAt],
  )
  const refresh = async () => queryClient.setQueryData(queryKey, await read({ refresh: '1' }))
  return (
    <ListFrame
      title={screen.title}
      purpose={screen.purpose}
      toolbar={
        <span className={css.tools}>
          {home.data && <small>{wallTime(home.data.at).slice(5, 16)} 的数据</small>}
          <DatePicker
            picker="month"
            aria-label="统计月份"
            placeholder="本月"
            value={query.month ? dayjs(query.month) : null}
            maxDate={dayjs(today())}
            onChange={month => setQuery({ month: month?.format('YYYY-MM') })}
          />
          <Button icon={<ReloadOutlined />} onClick={() => void refresh()}>
            刷新
          </Button>
          <PinChoice />
        </span>
      }
    >
      <Pins />
      <FilterBar
        filters={withCampuses(home.data)}
        query={query}
        onChange={setQuery}
        storeKey={screen.route}
        kind="hospitalHome"
      />
      {home.isPending && <Skeleton active paragraph={{ rows: 8 }} />}
      {home.isError && home.data === undefined && <Failed thrown={home.error} onRetry={() => void home.refetch()} />}
      {home.data?.withheld && <p className="quiet">{home.data.withheld}</p>}
      {home.data?.cards.length === 0 && <Blank title="暂无您有权查看的卡片" />}
      <ul className={css.cards} aria-label="首页卡片">
        {home.data?.cards.map(card => (
          <li key={card.key} className={css.card}>
            <h2 className={css.title}>{card.title}</h2>
            <span className={css.figures}>
              {card.figures.map((figure, at) => (
                <HomeFigure
                  key={figure.label}
                  figure={figure}
                  more={at === 0 && OF_CLAIMS.includes(card.key) && came.since === dataUpdatedAt ? came.count : 0}
                />
              ))}
            </span>
          </li>
        ))}
      </ul>
      <div className={css.charts}>
        {home.data?.charts.map(chart => (
          <HomeChart key={chart.key} chart={chart} />
        ))}
      </div>
    </ListFrame>
  )
}

/** Money in 万元, in yuan on hover; pieces and rows as they are. */
function HomeFigure({
  figure: { label, text: value, as, route, says, urgent, change, compared },
  more,
}: {
  figure: ShownFigure
  more: number
}) {
  const shown =
    as === 'amount'
      ? inTenThousands(value)
      : groupDigits(more > 0 ? String(parseInteger(value) + more) : value.replace(/\.0+$/, ''))
  return (
    <ExplainedControl says={[as === 'amount' ? `${groupDigits(value)} 元` : null, ...says]} of={label}>
      <Link className={css.figure} to={route}>
        <span className={css.value} data-urgent={urgent === true && !isZero(value as Decimal)}>
          {shown}
        </span>
        <span className={css.label}>
          {label}
          {change !== undefined && (
            <span className={css.change}>环比 {changeText(change as Decimal | null, 'previous')}</span>
          )}
        </span>
        {compared !== undefined && <span className={css.label}>{compared}</span>}
      </Link>
    </ExplainedControl>
  )
}

const usePages = () => useMenu().menu.groups.flatMap(group => group.pages)

/** 快捷入口: the pages that the reader pinned and still has. */
function Pins() {
  const { routes } = usePins()
  const pages = usePages()
  const pinned = routes.flatMap(route => pages.find(page => page.route === route) ?? [])
  if (pinned.length === 0) return null
  return (
    <nav className={css.pins} aria-label="快捷入口">
      {pinned.map(page => (
        <Link key={page.route} className={css.pin} to={page.route}>
          {page.title}
        </Link>
      ))}
    </nav>
  )
}

function PinChoice() {
  const { routes, toggle } = usePins()
  const [typed, setTyped] = useState('')
  const pages = usePages().filter(page => page.title.includes(typed.trim()))
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      title="设置快捷入口"
      content={
        <>
          <Input allowClear placeholder="页面名称" value={typed} onChange={event => setTyped(event.target.value)} />
          <div className={css.choices}>
            {pages.map(page => (
              <Checkbox
                key={page.route}
                checked={routes.includes(page.route)}
                onChange={() => toggle(page.route, page.title)}
              >
                {page.title}
              </Checkbox>
            ))}
          </div>
        </>
      }
    >
      <Button icon={<PushpinOutlined />}>设置快捷入口</Button>
    </Popover>
  )
}
