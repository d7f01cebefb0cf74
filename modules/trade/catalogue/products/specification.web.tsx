import { daysBetween, isDay, today } from '#kernel/values/date.ts'
import type { Customisation } from '#web/engine/customisation.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { priceFace } from '#web/fields/kinds/price.tsx'
import { Tag, type Tone } from '#web/fields/Tag.tsx'
import css from '#modules/trade/catalogue/products/specification.module.css'

const SOON_DAYS = 90
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The current status of a registration certificate. */
function certificateOf(row: Row): { readonly tone: Tone; readonly label: string } {
  const expiry = row.registration_expiry
  if (!isDay(expiry)) return { tone: 'neutral', label: '无注册证' }
  const left = daysBetween(today(), expiry)
  if (left < 0) return { tone: 'danger', label: `证已过期 ${expiry}` }
  return left <= SOON_DAYS
    ? { tone: 'warning', label: `证${left}天后到期` }
    : { tone: 'success', label: `证至 ${expiry}` }
}

/** A specification in a picker: name, identifiers, price, and whether its certificate is still valid. */
function SpecificationOption({ row }: { row: Row }) {
  const certificate = certificateOf(row)
  const price = typeof row.price === 'string' ? row.price : null
  return (
    <div className={css.option}>
      <div className={css.first}>
        <span className={css.name}>{text(row.product_name)}</span>
        <strong className={css.size}>{text(row.name)}</strong>
        {price !== null && (
          <span className={css.price}>
            ¥{priceFace.text({ field: { as: 'price', label: '' }, name: 'price', value: price, row })}
            {row.unit_name ? `/${text(row.unit_name)}` : ''}
          </span>
        )}
      </div>
      <div className={css.second}>
        <span className="mono">{text(row.code)}</span>
        <span className="mono">{row.udi_di ? `DI ${text(row.udi_di)}` : '无 DI'}</span>
        <Tag tone={certificate.tone}>{certificate.label}</Tag>
      </div>
    </div>
  )
}

export const specificationLook: Customisation = {
  of: 'specification',
  option: row => <SpecificationOption row={row} />,
}
