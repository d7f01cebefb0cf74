import { plain, places } from '#kernel/values/decimal.ts'
import { figureFace } from '#web/fields/kinds/number-input.tsx'

/** Pieces: three decimals at most, trailing zeros hidden. */
export const quantityFace = figureFace({ places: places.quantity, shown: plain, width: 96 })
