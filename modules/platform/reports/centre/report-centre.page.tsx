import { StarFilled, StarOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Input } from 'antd'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { screenAddress } from '#kernel/definition/screen.ts'
import { reports } from '#kernel/registry.ts'
import { falseFirst } from '#kernel/values/order.ts'
import css from '#modules/platform/reports/centre/report-centre.module.css'
import { usePage } from '#web/engine/page-context.ts'
import { get } from '#web/engine/http/request.ts'
import { useSession } from '#web/engine/session/session.ts'
import { ReportFigures } from '#modules/platform/reports/centre/ReportFigures.tsx'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'
import { Blank } from '#web/list/page/EmptyState.tsx'
import { ListFrame } from '#web/list/page/ListFrame.tsx'
import { useFavourites } from '#web/shell/menu/favourites.ts'
import { useMenu } from '#web/shell/menu/menu.ts'

type Task = { readonly path: string; readonly created_at: string; readonly state: string }
const MOST_TASKS = 200

/** Reports by menu group, favourites first; reports the user's menu does not grant are left out. */
export default function ReportCentrePage() {
  const { screen } = usePage()
  const { menu } = useMenu()
  const org = useSession()?.orgType ?? 'P'
  const { routes, toggle } = useFavourites()
  const [typed, setTyped] = useState('')
  const tasks = useQuery({
    queryKey: ['exportTask', 'recent'],
    queryFn: async () =>
      (await get<unknown, Task>('/v1/business/exportTask/list', { pageNum: 1, pageSize: MOST_TASKS })).list,
  })
  const granted = useMemo(() => new Set(menu.groups.flatMap(group => group.pages.map(page => page.route))), [menu])
  const rows = reports()
    .flatMap(({ kind, title, screens }) =>
      screens
        .filter(each => each.orgs.includes(org) && granted.has(each.route) && each.hidden !== true)
        .map(each => ({ kind, title: each.tab === undefined ? title : `${each.title}·${each.tab}`, screen: each })),
    )
    .filter(row => `${row.title}${row.screen.menu}${row.screen.purpose}`.includes(typed.trim()))
    .toSorted((a, b) => falseFirst(routes.includes(b.screen.route), routes.includes(a.screen.route)))
  const groups = Map.groupBy(rows, row => (routes.includes(row.screen.route) ? '我的收藏' : row.screen.menu))
  const lastOf = (kind: string) => tasks.data?.find(task => task.path === `/v1/report/${kind}/export`)
  return (
    <ListFrame title={screen.title} purpose={screen.purpose}>
      <div className={css.cards}>
        <ReportFigures granted={granted} />
        <Link className={css.card} to={`${screen.route}?tab=${encodeURIComponent('导出任务')}`}>
          <span>近7天导出任务</span>
          <b>{tasks.data?.length ?? '-'}</b>
        </Link>
      </div>
      <div className={css.search}>
        <Input.Search
          allowClear
          placeholder="报表名称、分类或用途"
          aria-label="找报表"
          onChange={event => setTyped(event.target.value)}
        />
      </div>
      <div className={css.scroll}>
        {rows.length === 0 && <Blank title="没有符合条件的报表" />}
        {[...groups].map(([group, list]) => (
          <section key={group} className={css.group}>
            <h3>{group}</h3>
            <ul className={css.list}>
              {list.map(({ kind, title, screen: each }) => {
                const last = lastOf(kind)
                const kept = routes.includes(each.route)
                return (
                  <li key={`${kind}${each.route}`} className={css.row}>
                    <button
                      type="button"
                      className="link"
                      aria-pressed={kept}
                      aria-label={kept ? `取消收藏${title}` : `收藏${title}`}
                      onClick={() => toggle(each.route, each.title)}
                    >
                      {kept ? <StarFilled /> : <StarOutlined />}
                    </button>
                    <Link to={screenAddress(each)}>{title}</Link>
                    <span className={css.purpose}>{each.purpose}</span>
                    <span className="faint">{last ? `最近后台导出 ${wallTime(last.created_at)}` : '实时数据'}</span>
                  </li>
                )
              })}
            </ul>
          </section>
        ))}
      </div>
    </ListFrame>
  )
}
