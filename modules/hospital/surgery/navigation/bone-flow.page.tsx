import { Link } from 'react-router'
import { addDays, today } from '#kernel/values/date.ts'
import { divide, multiply, plain } from '#kernel/values/decimal.ts'
import { boneFlow } from '#modules/hospital/surgery/navigation/bone-flow.ts'
import css from '#modules/hospital/surgery/navigation/bone-flow.module.css'
import { useSession } from '#web/engine/session/session.ts'
import { FlowPage, type FlowRead } from '#web/flow/FlowPage.tsx'
import { listAddressOf } from '#web/shell/menu/screen-index.ts'

type Coming = {
  readonly day: string
  readonly partner_sn: string
  readonly name: string
  readonly count: number
  readonly urgent: number
}
type Month = { readonly month: string; readonly carried: string; readonly used: string }
const WEEKDAYS = ['日', '一', '二', '三', '四', '五', '六'] as const
const DAYS = 7

const weekday = (day: string): string => `周${WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()]}`

/** The coming week, day by day: how many operations at which hospital, or with which supplier; urgent ones in red. */
function ComingWeek({ coming }: { readonly coming: readonly Coming[] }) {
  const org = useSession()?.orgType ?? 'H'
  const to = (day: string, partner?: string) =>
    listAddressOf('bonePlan', org, {
      begin_surgery_at: day,
      end_surgery_at: day,
      ...(partner === undefined ? {} : { counterparty_sn: partner }),
    }) ?? '#'
  return (
    <section className={css.sheet} aria-labelledby="coming-week">
      <h2 id="coming-week" className={css.part}>
        未来七天手术
      </h2>
      <ol className={css.week}>
        {Array.from({ length: DAYS }, (_, at) => addDays(today(), at)).map(day => {
          const rows = coming.filter(row => row.day === day)
          const total = rows.reduce((sum, row) => sum + row.count, 0)
          return (
            <li key={day} className={css.day} data-busy={total > 0}>
              <Link className={css.date} to={to(day)}>
                {day.slice(5)} {weekday(day)}
                <b>{total}台</b>
              </Link>
              <ul>
                {rows.map(row => (
                  <li key={row.partner_sn}>
                    <Link to={to(day, row.partner_sn)} title={row.name}>
                      {row.name}
                    </Link>
                    <span>{row.count}</span>
                    {row.urgent > 0 && <span className={css.urgent}>急诊{row.urgent}</span>}
                  </li>
                ))}
              </ul>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

/** Used of carried implants by month, of completed plans. */
function UsageByMonth({ months }: { readonly months: readonly Month[] }) {
  if (months.length === 0) return null
  return (
    <section className={css.sheet} aria-labelledby="usage-months">
      <h2 id="usage-months" className={css.part}>
        套包使用率（近6个月）
      </h2>
      <ul className={css.months}>
        {months.map(({ month, carried, used }) => {
          const percent = multiply(divide(used, carried, 6), '100', 2)
          return (
            <li key={month}>
              <span>{month}</span>
              <span className={css.bar}>
                <span style={{ inlineSize: `max(1%, ${percent}%)` }} />
              </span>
              <span>
                {percent}%（{plain(used)}/{plain(carried)}）
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const panels = ({ more }: FlowRead) => (
  <>
    <ComingWeek coming={(more?.coming as readonly Coming[] | undefined) ?? []} />
    <UsageByMonth months={(more?.months as readonly Month[] | undefined) ?? []} />
  </>
)

/** 骨科导航. */
export default function BoneFlowPage() {
  const isHospital = useSession()?.orgType === 'H'
  const flow = boneFlow({ today: today(), yesterday: addDays(today(), -1) })
  const partner = isHospital
    ? ({ label: '供应商', relation: 'supplier' } as const)
    : ({ label: '医院', relation: 'customer' } as const)
  return <FlowPage flow={{ ...flow, partner }} panels={panels} />
}
