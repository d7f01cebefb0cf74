/** Packs of one product of one lot, and packs of several products. */
export const packTypes = { single: '单品定数包', combined: '组合包' } as const

/** The thing that is opened: a pack of one product, one of several, or a maker's outer box by the unit tree. */
export const unpackTypes = { pack: '定数包', combined: '组合包', box: '外箱拆零' } as const
