import type { Row } from '#web/fields/face.ts'
import { type Layout, TRIAL } from '#web/print/paper.ts'
import css from '#web/print/Print.module.css'

type Props = { readonly layout: Layout; readonly info: Row; readonly times: number }

/** Left above: the picture of the house, and whether the paper was printed before or is on trial. Another house's paper bears no picture of ours. */
export const Corner = ({ layout, info, times }: Props) => (
  <div className={css.corner}>
    {layout.logo !== null && info.role !== 'counterparty' && (
      <img className={css.logo} src={`/file/${layout.logo}`} alt="LOGO" />
    )}
    {info.trial ? (
      <span className={css.reprint}>{TRIAL}</span>
    ) : times > 1 ? (
      <span className={css.reprint}>补打({times})</span>
    ) : null}
  </div>
)
