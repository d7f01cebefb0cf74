import { Tooltip } from 'antd'
import { Link } from 'react-router'
import { compare, type Decimal, divide, isNegative, isZero, multiply, sum, zero } from '#kernel/values/decimal.ts'
import type { ShownChart, ShownChartRow } from '#modules/platform/workbench/hospital-home.ts'
import css from '#modules/platform/workbench/home-charts.module.css'
import { groupDigits } from '#web/fields/kinds/number-input.tsx'

const TEN_THOUSAND = '10000' as Decimal
const HUNDRED = '100' as Decimal
/** Money in 万元; the tooltip has yuan. */
export const inTenThousands = (yuan: string): string => `${groupDigits(divide(yuan as Decimal, TEN_THOUSAND, 2))} 万元`
const inYuan = (yuan: string): string => `${groupDigits(yuan)} 元`

/** The length that is drawn for a value: zero or less has none, only its figure is shown. */
const drawn = (value: string): Decimal => (isNegative(value as Decimal) ? zero : (value as Decimal))
const percentOf = (value: Decimal, whole: Decimal): Decimal =>
  isZero(whole) ? zero : divide(multiply(value, HUNDRED, 2), whole, 2)
const largest = (values: readonly Decimal[]): Decimal =>
  values.reduce((most, value) => (compare(value, most) > 0 ? value : most), zero)
const wholeOf = ({ values }: ShownChartRow): Decimal => sum(values.map(drawn), 2)

/** A chart of the home page. Its rows are links with their figures, so that it reads without being seen. */
export function HomeChart({ chart }: { readonly chart: ShownChart }) {
  const { title, form, rows, route, series } = chart
  return (
    <section className={css.chart} aria-label={title}>
      <header className={css.head}>
        <h2>{title}</h2>
        {form === 'columns' && (
          <ul className={css.legend}>
            {series.map((name, at) => (
              <li key={name}>
                <i data-series={at} aria-hidden="true" />
                {name}
              </li>
            ))}
          </ul>
        )}
        <Link to={route}>查看明细</Link>
      </header>
      {rows.length === 0 ? <p className={css.none}>本期暂无数据</p> : <Drawn chart={chart} />}
    </section>
  )
}

function Drawn({ chart: { form, rows, series } }: { readonly chart: ShownChart }) {
  if (form === 'ring') return <Ring rows={rows} />
  return form === 'columns' ? <Columns rows={rows} series={series} /> : <Bars rows={rows} />
}

/** Parts of a whole, the first at noon and clockwise. */
function Ring({ rows }: { readonly rows: readonly ShownChartRow[] }) {
  const whole = sum(rows.map(wholeOf), 2)
  const shares = rows.map(row => percentOf(wholeOf(row), whole))
  const parts = rows.map((row, at) => ({ row, share: shares[at]!, begins: sum(shares.slice(0, at), 2) }))
  return (
    <div className={css.ring}>
      <svg viewBox="0 0 42 42" aria-hidden="true">
        {parts.map(({ row, share, begins }, at) => (
          <circle
            key={row.label}
            data-series={at}
            cx="21"
            cy="21"
            r="15.9155"
            pathLength="100"
            strokeDasharray={`${share} 100`}
            strokeDashoffset={`-${begins}`}
          />
        ))}
      </svg>
      <ul>
        {parts.map(({ row, share }, at) => (
          <li key={row.label}>
            <Figure row={row}>
              <i data-series={at} aria-hidden="true" />
              <span>{row.label}</span>
              <b>{inTenThousands(row.values[0]!)}</b>
              <small>{share}%</small>
            </Figure>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Columns({ rows, series }: { readonly rows: readonly ShownChartRow[]; readonly series: readonly string[] }) {
  const most = largest(rows.map(wholeOf))
  return (
    <ol className={css.columns}>
      {rows.map(row => {
        const spoken = (as: (yuan: string) => string) =>
          row.values.map((value, at) => `${series[at]} ${as(value)}`).join('，')
        return (
          <li key={row.label}>
            <Tooltip title={spoken(inYuan)}>
              <Link to={row.route} aria-label={`${row.label} ${spoken(inTenThousands)}`}>
                <span className={css.stack}>
                  {row.values.map((value, at) => (
                    <i key={series[at]} data-series={at} style={{ height: `${percentOf(drawn(value), most)}%` }} />
                  ))}
                </span>
                <span className={css.period}>{row.label.slice(2).replace('-', '/')}</span>
              </Link>
            </Tooltip>
          </li>
        )
      })}
    </ol>
  )
}

function Bars({ rows }: { readonly rows: readonly ShownChartRow[] }) {
  const most = largest(rows.map(wholeOf))
  return (
    <ol className={css.bars}>
      {rows.map(row => (
        <li key={row.label}>
          <Figure row={row}>
            <span>{row.label}</span>
            <b className={isNegative(row.values[0] as Decimal) ? 'negative' : undefined}>
              {inTenThousands(row.values[0]!)}
            </b>
            <i data-series={0} aria-hidden="true" style={{ width: `${percentOf(wholeOf(row), most)}%` }} />
          </Figure>
        </li>
      ))}
    </ol>
  )
}

const Figure = ({ row, children }: { readonly row: ShownChartRow; readonly children: React.ReactNode }) => (
  <Tooltip title={inYuan(row.values[0]!)}>
    <Link to={row.route}>{children}</Link>
  </Tooltip>
)
