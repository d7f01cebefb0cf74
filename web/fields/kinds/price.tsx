import { places } from '#kernel/values/decimal.ts'
import { atLeastTwoPlaces, figureFace } from '#web/fields/kinds/number-input.tsx'

/** Taxed price per unit: four decimals on the wire, two shown unless more are non-zero. */
export const priceFace = figureFace({ places: places.price, shown: atLeastTwoPlaces, width: 110 })
