import { inexact } from '#kernel/values/inexact.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import figures from '#web/theme/metric-cards.module.css'
import css from '#modules/goods/warnings/warning-figures.module.css'
import { categories } from '#modules/goods/warnings/warning.entity.ts'
import { usePage } from '#web/engine/page-context.ts'
import { get } from '#web/engine/http/request.ts'
import { groupDigits } from '#web/fields/kinds/number-input.tsx'

type Summary = {
  readonly category: keyof typeof categories
  readonly open: number
  readonly danger: number
  readonly urgent: number
  readonly within_90: number
  readonly later: number
  readonly high: number
  readonly idle: number
  readonly specifications: number
  readonly quantity: string | null
  readonly amount?: string | null
}
type Month = {
  readonly month: string
  readonly first_day: string
  readonly last_day: string
  readonly lots: number
  readonly quantity: string
  readonly amount?: string
}
type Duty = { readonly responsible: string; readonly open: number; readonly oldest_days: number }

const RANKED = 4
/** Below this height the list needs the space; the figures are collapsed under their title. */
const TALL = 860

const useRows = <R,>(kind: string) =>
  useQuery({
    queryKey: ['warning', kind],
    queryFn: async ({ signal }) =>
      (await get<unknown, R>(`/v1/report/${kind}`, { pageNum: 1, pageSize: 50 }, { signal })).list,
  }).data ?? []

/** The numbers of open warnings, of expiries in the coming year, and by responsible person: each links to its list. */
export function WarningFigures() {
  const { route } = usePage().screen
  const cards = useRows<Summary>('warningSummary')
  const months = useRows<Month>('warningTrend')
  const duties = useRows<Duty>('warningDuty').slice(0, RANKED)
  return (
    <details className={css.whole} open={window.innerHeight >= TALL}>
      <summary>预警概况</summary>
      <div className={css.columns}>
        <ul className={`${figures.cards} ${css.cards}`} aria-label="四类预警">
          {cards.map(card => (
            <li key={card.category}>
              <Link to={`${route}?tab=${encodeURIComponent(categories[card.category])}`}>
                <span>{categories[card.category]}</span>
                <b data-red={card.danger > 0}>{card.open}</b>
                <small>{updateOf(card)}</small>
              </Link>
            </li>
          ))}
        </ul>
        <Trend months={months} />
        <section className={css.duties} aria-label="待处理预警排行">
          <h3>待处理排行</h3>
          {duties.length === 0 && <small>没有待处理的预警</small>}
          <ul>
            {duties.map(duty => (
              <li key={duty.responsible}>
                <Link
                  to={
                    `${route}?tab=${encodeURIComponent('全部预警')}&state=open&responsible=` +
                    `${encodeURIComponent(duty.responsible)}`
                  }
                >
                  {duty.responsible}
                </Link>
                <b>{duty.open}</b>
                <small>最早{duty.oldest_days === 0 ? '今天' : `${duty.oldest_days}天前`}</small>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </details>
  )
}

/** The urgency of a category's open warnings, in words. */
function updateOf(card: Summary): string {
  if (card.category === 'PRODUCTINVENTORY')
    return `无库存${card.danger} 不足${card.urgent} 超上限${card.high} 呆滞${card.idle}`
  const days = `已过期${card.danger}｜30天内${card.urgent}｜31-90天${card.within_90}`
  if (card.category === 'PRODUCTREGISTRATION') return `${days} 涉及${card.specifications}个规格`
  if (card.category === 'CERTIFICATIONEARLY') return days
  const worth = card.amount === undefined || card.amount === null ? '' : ` ${groupDigits(card.amount)}元`
  return `${days}｜90天以上${card.later}${worth}`
}

/** 近12月到期趋势: one bar per month, as high as the value expiring in it; by quantity where prices are hidden. */
function Trend({ months }: { readonly months: readonly Month[] }) {
  const sizes = months.map(each => inexact(each.amount ?? each.quantity))
  const most = Math.max(...sizes, 0)
  return (
    <section className={css.trend} aria-label="近12月到期趋势">
      <h3>近12月到期{months[0]?.amount === undefined ? '数量' : '金额(元)'}</h3>
      <ol>
        {months.map((each, at) => {
          const shown = groupDigits(each.amount ?? each.quantity)
          return (
            <li key={each.month} title={`${each.month} ${each.lots}个批号 ${shown}`}>
              <Link
                to={`/commonView/inventory?begin_expiry_date=${each.first_day}&end_expiry_date=${each.last_day}`}
                aria-label={`${each.month}到期${each.lots}个批号，${shown}`}
              >
                <i
                  style={{
                    blockSize: most === 0 ? 0 : `${Math.max((sizes[at]! / most) * 100, sizes[at] === 0 ? 0 : 3)}%`,
                  }}
                />
                <span>{each.month.slice(5)}</span>
              </Link>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
