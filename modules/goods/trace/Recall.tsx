import { CheckCircleFilled, WarningFilled } from '@ant-design/icons'
import { compare, divide, isZero, multiply, plain, subtract, sum } from '#kernel/values/decimal.ts'
import type { Holding, TraceInfo } from '#modules/goods/trace/trace-info.ts'
import css from '#modules/goods/trace/Trace.module.css'
import { groupDigits } from '#web/fields/kinds/number-input.tsx'

const PLACES = 3
const figure = (value: string): string => groupDigits(plain(value))

/** Where all of a lot is: every holder, every use, every loss, and proof that they add up to the total. */
export function Recall({ info }: { info: TraceInfo }) {
  const { made = '0', held = '0', used = '0', gone = '0', holders = [], uses = [], losses = [] } = info
  const accounted = sum([held, used, gone], PLACES)
  const matches = compare(accounted, made) === 0
  const share = (value: string): string => `${isZero(made) ? 0 : multiply(divide(value, made, 6), '100', 4)}%`
  return (
    <div className={css.recall}>
      <dl className={css.sums}>
        <div>
          <dt>总量</dt>
          <dd>{figure(made)}</dd>
        </div>
        <div data-part="held">
          <dt>尚存</dt>
          <dd>{figure(held)}</dd>
        </div>
        <div data-part="used">
          <dt>已使用</dt>
          <dd>{figure(used)}</dd>
        </div>
        <div data-part="gone">
          <dt>报损报废等</dt>
          <dd>{figure(gone)}</dd>
        </div>
        <div>
          <dt>涉及机构</dt>
          <dd>{info.organisations ?? 0}</dd>
        </div>
        <p className={css.match} data-ok={matches}>
          {matches ? (
            <>
              <CheckCircleFilled /> 合计相符，无去向不明
            </>
          ) : (
            <>
              <WarningFilled /> 差 {figure(subtract(made, accounted, PLACES))}，请核对
            </>
          )}
        </p>
      </dl>
      <div
        className={css.bar}
        role="img"
        aria-label={`尚存${figure(held)}，已使用${figure(used)}，其他${figure(gone)}`}
      >
        <span data-part="held" style={{ width: share(held) }} />
        <span data-part="used" style={{ width: share(used) }} />
        <span data-part="gone" style={{ width: share(gone) }} />
      </div>
      <div className={css.tables}>
        <Holdings title="现在谁有" rows={holders} none="没有尚存的" />
        <Holdings title="使用记录" rows={uses} none="暂无使用记录" />
        {losses.length > 0 && <Holdings title="报损报废等" rows={losses} none="" />}
      </div>
    </div>
  )
}

function Holdings({ title, rows, none }: { title: string; rows: readonly Holding[]; none: string }) {
  return (
    <section>
      <h3 className={css.part}>{title}</h3>
      {rows.length === 0 ? (
        <p className="faint">{none}</p>
      ) : (
        <table className={css.holdings}>
          <thead>
            <tr>
              <th>机构</th>
              <th>仓库/科室</th>
              <th>状态</th>
              <th className="num">数量</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <tr key={`${row.org_name}${row.store}${row.status}`}>
                <td>{row.org_name ?? '-'}</td>
                <td>{row.store ?? '-'}</td>
                <td>{row.status_name}</td>
                <td className="num">{figure(row.quantity)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
