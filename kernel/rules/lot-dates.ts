import type { BusinessDocument } from '#kernel/definition/document.ts'
import { type Day, today } from '#kernel/values/date.ts'
import { isZero } from '#kernel/values/decimal.ts'

/** The dates of a lot, as a line or a label says them. */
export type LotDates = { readonly production_date: Day | null; readonly expiry_date: Day | null }
/** The day on which goods come in, and what their document calls it. */
export type Arrival = { readonly day: Day | null; readonly label: string }
type Wrong = { readonly field: keyof LotDates; readonly msg: string }

/** The fault of a lot's dates that are impossible for goods which arrive on this day; null: they are possible. */
export function wrongLotDates({ production_date: made, expiry_date: until }: LotDates, came: Arrival): Wrong | null {
  if (made === null) return null
  if (until !== null && until <= made) return { field: 'expiry_date', msg: '有效期至必须晚于生产日期' }
  const late = (than: string): Wrong => ({
    field: 'production_date',
    msg: `生产日期${made}晚于${than}，请核对标签后修改`,
  })
  if (made > today()) return late('今天')
  return came.day !== null && made > came.day ? late(`${came.label}${came.day}`) : null
}

/** The guard of every kind by which goods come in. Goods refused on arrival do not come in, whatever their dates. */
export const lotDatesHold =
  (label: string) =>
  (doc: BusinessDocument): true | string => {
    for (const line of doc.lines) {
      if (isZero(line.base_quantity)) continue
      const wrong = wrongLotDates(line, { day: doc.business_date, label })
      if (wrong) return `第${line.line_no}行：${wrong.msg}`
    }
    return true
  }
