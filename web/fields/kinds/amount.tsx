import { places, round } from '#kernel/values/decimal.ts'
import { figureFace } from '#web/fields/kinds/number-input.tsx'

/** Yuan, always with two decimals. */
export const amountFace = figureFace({ places: places.amount, shown: value => round(value, places.amount), width: 124 })
