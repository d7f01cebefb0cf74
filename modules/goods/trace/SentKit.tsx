import { plain } from '#kernel/values/decimal.ts'
import { moneyText } from '#kernel/values/format-money.ts'
import type { SentContainer } from '#modules/goods/trace/trace-info.ts'
import css from '#modules/goods/trace/Trace.module.css'

/** How far the prices of a kit are agreed with its sender; null where its reader may see no prices. */
export function priceNote({ amount, unpriced, goods, sender_name }: SentContainer): string | null {
  if (amount === undefined || unpriced === undefined) return null
  if (amount === null) return `与【${sender_name}】没有约定价格，请与对方签订价格协议后查看`
  const sum = `套包约定金额${moneyText(amount)}元`
  return unpriced === 0 ? sum : `${sum}；${goods.length}项中有${unpriced}项与【${sender_name}】没有约定价格，未计入`
}

/** Shows the content of a kit that was sent to us, line by line; a press on a line follows its goods. */
export function SentKit({ kit, onAsk }: { kit: SentContainer; onAsk: (text: string) => void }) {
  const note = priceNote(kit)
  return (
    <section className={css.sheet} aria-label="套包内容">
      <h2 className={css.part}>
        套包 {kit.code} · {kit.sender_name} · {kit.document_sn}
      </h2>
      <table className={css.holdings}>
        <thead>
          <tr>
            <th>产品</th>
            <th>规格型号</th>
            <th>批号</th>
            <th>有效期至</th>
            <th>序列号/唯一码</th>
            <th>数量</th>
            {note !== null && <th>约定单价</th>}
            {note !== null && <th>约定金额</th>}
          </tr>
        </thead>
        <tbody>
          {kit.goods.map(row => (
            <tr key={`${row.specification_sn}/${row.lot_no}/${row.unit_codes.join()}`}>
              <td>{row.product_name}</td>
              <td>{row.specification_name}</td>
              <td>
                <button type="button" className="link" onClick={() => onAsk(row.unit_codes[0] ?? row.lot_no)}>
                  {row.lot_no || '无批号'}
                </button>
              </td>
              <td>{row.expiry_date ?? ''}</td>
              <td className="mono">{row.unit_codes.join('、')}</td>
              <td>
                {plain(row.quantity)} {row.unit_name}
              </td>
              {note !== null && <td>{row.price ? plain(row.price) : ''}</td>}
              {note !== null && <td>{row.amount ? moneyText(row.amount) : ''}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {note !== null && <p>{note}</p>}
    </section>
  )
}
