import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import figures from '#web/theme/metric-cards.module.css'
import css from '#modules/trade/licences/expiry/licence-expiry.module.css'
import type { Customisation } from '#web/engine/customisation.ts'
import { usePage } from '#web/engine/page-context.ts'
import { get } from '#web/engine/http/request.ts'

type Figures = Readonly<
  Record<'expiring' | 'expired' | 'missing' | 'affected_goods' | 'affected_papers', number | undefined>
>
const cards = [
  ['expired', '已过期', true],
  ['expiring', '即将到期', false],
  ['missing', '未登记', true],
  ['affected_goods', '影响品规', false],
  ['affected_papers', '影响未完成单据', false],
] as const

/** The totals above the tab's list: ending licences, ended ones, and the business that they block. */
function ValidityCards() {
  const { screen } = usePage()
  const whose = String(screen.where?.whose ?? '')
  const { data } = useQuery({
    queryKey: ['licenceValidityWarning', 'figures', whose],
    queryFn: async ({ signal }) =>
      (
        await get<unknown, Figures>(
          '/v1/report/licenceValidityFigures',
          { by: 'all', whose, pageNum: 1, pageSize: 1 },
          { signal },
        )
      ).list[0] ?? ({} as Figures),
  })
  return (
    <ul className={`${figures.cards} ${css.cards}`} aria-label="证照预警汇总">
      {cards.map(([name, label, isBad]) => (
        <li key={name}>
          <span>{label}</span>
          <b data-red={isBad && (data?.[name] ?? 0) > 0}>{data === undefined ? '…' : (data[name] ?? 0)}</b>
        </li>
      ))}
      <li>
        <Link to={`${screen.route}?tab=${encodeURIComponent('汇总')}`}>按类别查看</Link>
      </li>
    </ul>
  )
}

export const licenceValidityLook: Customisation = { of: 'licenceValidityWarning', above: [ValidityCards] }
