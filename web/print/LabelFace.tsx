import { Carrier } from '#web/print/Carrier.tsx'
import { type Correction, isLinear } from '#web/print/draw-code.ts'
import type { Label } from '#kernel/label.ts'
import { fitCode } from '#web/print/fit-code.ts'
import type { LabelCode, LabelSize } from '#web/print/labels.ts'
import css from '#web/print/Print.module.css'

type Props = {
  readonly label: Label
  readonly code: LabelCode
  readonly size: LabelSize
  readonly correction: Correction
}

/** Heights from which a label has room for more than what names the goods. */
const ROOM = { maker: 30, papers: 36, house: 50 }

/** One label: the code, what the goods are, their lot and their last day. */
export function LabelFace({ label, code, size, correction }: Props) {
  const fitted = fitCode(label, code, size, correction)
  const { width, height } = size
  const wide = 'as' in fitted && isLinear(fitted.as)
  return (
    <section
      className={css.label}
      data-wide={wide}
      style={{ width: `${width}mm`, height: `${height}mm` }}
      aria-label={label.code}
    >
      {'problem' in fitted ? (
        <span role="alert">{fitted.problem}</span>
      ) : (
        <Carrier
          as={fitted.as}
          text={fitted.text}
          height={fitted.height}
          width={fitted.width}
          correction={correction}
          {...(css.labelCode ? { className: css.labelCode } : {})}
        />
      )}
      {label.facts === undefined ? <GoodsText label={label} height={height} /> : <PlaceText label={label} />}
    </section>
  )
}

/** Of a place: its code, to be read from where one stands, and what is said of it. */
const PlaceText = ({ label }: { readonly label: Label }) => (
  <div className={css.labelText}>
    <strong className={`mono ${css.placeCode}`}>{label.code}</strong>
    {label.facts!.map(([name, value]) => (
      <div key={name}>
        {name} {value}
      </div>
    ))}
  </div>
)

/** Of goods: what they are, their lot and their last day, and more where there is room. */
function GoodsText({ label, height }: { readonly label: Label; readonly height: number }) {
  const facts: readonly (readonly [string, string | null, boolean])[] = [
    ['批号', label.lot_no, true],
    ['生产', label.production_date, height >= ROOM.papers],
    ['收费编码', label.charge_code, height >= ROOM.papers],
    ['单位', label.lot_no === null ? label.unit_name : null, true],
  ]
  return (
    <div className={css.labelText}>
      <strong>
        {label.marks.map(mark => (
          <span key={mark} className={css.mark}>
            {mark}
          </span>
        ))}
        {label.product_name}
      </strong>
      <div>{label.specification_name}</div>
      {facts.map(([name, value, shown]) =>
        value !== null && shown ? (
          <div key={name}>
            {name} {value}
          </div>
        ) : null,
      )}
      {label.lot_no !== null && (
        <div className={css.lastDay}>
          <b>有效期至 {label.expiry_date ?? '-'}</b>
        </div>
      )}
      {height >= ROOM.maker && <div>{label.manufacturer_name}</div>}
      {height >= ROOM.papers && label.registration_no && <div>{label.registration_no}</div>}
      {height >= ROOM.papers && label.supplier_name && <div>供应商 {label.supplier_name}</div>}
      {height >= ROOM.papers && label.store_name && <div>仓库 {label.store_name}</div>}
      {height >= ROOM.house && <div>{label.org_name}</div>}
      <div className={`mono ${css.whole}`}>{label.code}</div>
    </div>
  )
}
