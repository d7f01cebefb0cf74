import { Carrier } from '#web/print/labels/Barcode.tsx'
import { type Correction, isLinear } from '#web/print/labels/draw-barcode.ts'
import type { Label } from '#kernel/print/label-data.ts'
import type { LabelCode, LabelSize } from '#kernel/print/label-formats.ts'
import { fitCode, textRoom } from '#web/print/labels/fit-barcode.ts'
import { labelText } from '#web/print/labels/label-text.ts'
import css from '#web/print/Print.module.css'

type Props = {
  readonly label: Label
  readonly code: LabelCode
  readonly size: Pick<LabelSize, 'width' | 'height'>
  readonly correction: Correction
  /** The lines and their order, as named by a template. */
  readonly lines?: string | null
}

/** One label: the code, the goods, their lot and expiry date. */
export function LabelFace({ label, code, size, correction, lines: named = null }: Props) {
  const fitted = fitCode(label, code, size, correction)
  const { width, height } = size
  const { letter, lines } = labelText(label, 'as' in fitted ? fitted.text : label.code, textRoom(fitted, size), named)
  return (
    <section
      className={css.label}
      data-wide={'as' in fitted && isLinear(fitted.as)}
      data-flush={'as' in fitted && fitted.as === 'qrcode'}
      style={{ width: `${width}mm`, height: `${height}mm`, fontSize: `${letter}mm` }}
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
      <div className={css.labelText}>
        {lines.map(line => (
          <div key={line.name} data-face={line.face} style={{ WebkitLineClamp: line.rows }}>
            {line.name === 'name' &&
              label.marks.map(mark => (
                <span key={mark} className={css.mark}>
                  {mark}
                </span>
              ))}
            {line.name === 'name' ? label.product_name : line.face === 'day' ? <LastDay text={line.text} /> : line.text}
          </div>
        ))}
      </div>
    </section>
  )
}

/** The date is not broken; on a narrow label it goes below its name. */
function LastDay({ text }: { readonly text: string }) {
  const cut = text.lastIndexOf(' ') + 1
  return (
    <>
      {text.slice(0, cut)}
      <span className={css.day}>{text.slice(cut)}</span>
    </>
  )
}
