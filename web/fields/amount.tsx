import { places, round } from '#kernel/decimal.ts'
import { figureFace } from '#web/fields/figures.tsx'

/** Yuan, always with its cents. */
export const amountFace = figureFace({ places: places.amount, shown: value => round(value, places.amount), width: 124 })
