import type { Candidate } from '#modules/goods/trace/trace-info.ts'
import css from '#modules/goods/trace/Trace.module.css'

/** The text has several meanings: which one? */
export function Candidates({ candidates, onAsk }: { candidates: readonly Candidate[]; onAsk: (text: string) => void }) {
  return (
    <section className={css.sheet} aria-label="请选择">
      <h2 className={css.part}>找到 {candidates.length} 项，请选择</h2>
      <ul className={css.candidates}>
        {candidates.map(each => (
          <li key={`${each.query}${each.specification_sn}`}>
            <button type="button" className={css.candidate} onClick={() => onAsk(each.query)}>
              <strong>{each.product_name}</strong>
              <span>{each.specification_name}</span>
              <span className="mono">批号 {each.lot_no || '无批号'}</span>
              {each.code !== null && <span className="mono">{each.code}</span>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
