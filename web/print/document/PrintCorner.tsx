import type { Row } from '#web/fields/field-renderer.ts'
import { Carrier } from '#web/print/labels/Barcode.tsx'
import { type Layout, TRIAL } from '#web/print/document/page-layout.ts'
import css from '#web/print/Print.module.css'

type Props = {
  readonly layout: Pick<Layout, 'logo'>
  readonly info: Row
  readonly times: number
  /** The number as a bar code, for scanners that read nothing else. */
  readonly alsoCode?: boolean
}

/**
 * Top left: the organisation's logo, and whether the document was printed before or is a trial. Another
 * organisation's document does not have our logo.
 */
export const Corner = ({ layout, info, times, alsoCode = false }: Props) => (
  <div className={css.corner}>
    {layout.logo !== null && info.role !== 'counterparty' && (
      <img className={css.logo} data-low={alsoCode} src={`/file/${layout.logo}`} alt="LOGO" />
    )}
    {info.trial ? (
      <span className={css.reprint}>{TRIAL}</span>
    ) : times > 1 ? (
      <span className={css.reprint}>补打({times})</span>
    ) : null}
    {alsoCode && info.sn !== undefined && <Carrier as="code128" text={String(info.sn)} height={6} />}
  </div>
)
