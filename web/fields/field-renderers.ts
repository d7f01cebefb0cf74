import type { FieldKind } from '#kernel/definition/field.ts'
import { amountFace } from '#web/fields/kinds/amount.tsx'
import { codesFace } from '#web/fields/kinds/unit-codes.tsx'
import { countFace } from '#web/fields/kinds/integer.tsx'
import { dayFace } from '#web/fields/kinds/date.tsx'
import type { FieldFace } from '#web/fields/field-renderer.ts'
import { filesFace } from '#web/fields/kinds/files.tsx'
import { flagFace } from '#web/fields/kinds/boolean.tsx'
import { instantFace } from '#web/fields/kinds/timestamp.tsx'
import { longTextFace } from '#web/fields/kinds/long-text.tsx'
import { pickFace } from '#web/fields/kinds/select.tsx'
import { priceFace } from '#web/fields/kinds/price.tsx'
import { quantityFace } from '#web/fields/kinds/quantity.tsx'
import { rateFace } from '#web/fields/kinds/percent.tsx'
import { refFace } from '#web/fields/kinds/reference.tsx'
import { taxRateFace } from '#web/fields/kinds/tax-rate.tsx'
import { textFace } from '#web/fields/kinds/text.tsx'

/** The renderer of each kind of field, for showing, entering and searching. A new kind is one file and one row here. */
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
