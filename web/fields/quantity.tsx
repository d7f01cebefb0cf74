import { plain, places } from '#kernel/decimal.ts'
import { figureFace } from '#web/fields/figures.tsx'

/** Pieces: three places at most, none shown that say nothing. */
export const quantityFace = figureFace({ places: places.quantity, shown: plain, width: 96 })
