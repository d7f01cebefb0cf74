import type { FieldKind } from '#kernel/field.ts'
import { amountFace } from '#web/fields/amount.tsx'
import { codesFace } from '#web/fields/codes.tsx'
import { countFace } from '#web/fields/count.tsx'
import { dayFace } from '#web/fields/day.tsx'
import type { FieldFace } from '#web/fields/face.ts'
import { filesFace } from '#web/fields/files.tsx'
import { flagFace } from '#web/fields/flag.tsx'
import { instantFace } from '#web/fields/instant.tsx'
import { longTextFace } from '#web/fields/long-text.tsx'
import { pickFace } from '#web/fields/pick.tsx'
import { priceFace } from '#web/fields/price.tsx'
import { quantityFace } from '#web/fields/quantity.tsx'
import { rateFace } from '#web/fields/rate.tsx'
import { refFace } from '#web/fields/ref.tsx'
import { taxRateFace } from '#web/fields/tax-rate.tsx'
import { textFace } from '#web/fields/text.tsx'

/** How each kind of field is shown, entered and searched. A new kind is one file and one row here. */
export const faces: Readonly<Record<FieldKind, FieldFace>> = {
  text: textFace,
  longText: longTextFace,
  day: dayFace,
  instant: instantFace,
  count: countFace,
  quantity: quantityFace,
  price: priceFace,
  amount: amountFace,
  rate: rateFace,
  taxRate: taxRateFace,
  flag: flagFace,
  pick: pickFace,
  ref: refFace,
  files: filesFace,
  codes: codesFace,
}
