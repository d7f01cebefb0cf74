/** What may lie in an area, each with the colour that is painted on the floor. */
export const areaKinds = {
  qualified: '合格品区(绿)',
  pending: '待验区(黄)',
  unqualified: '不合格品区(红)',
  returned: '退货区(黄)',
  stopped: '停售区(红)',
} as const

/** How warm a place is kept. */
export const storageConditions = { normal: '常温', cool: '阴凉', cold: '冷藏', frozen: '冷冻' } as const

/** Whether goods may lie under a condition: cold-chain goods where it is cold, goods for the cool nowhere warmer; frozen places are for frozen goods alone. */
export function mayStore(condition: string, isColdChain: boolean, storage: string | null): boolean {
  const wants = /冷冻|(^|[^\d℃])[-－]\d/.test(storage ?? '')
    ? 'frozen'
    : isColdChain || /冷藏|(^|\D)2\s*℃?\s*[～~–－-]\s*8(\D|$)/.test(storage ?? '')
      ? 'cold'
      : /阴凉/.test(storage ?? '')
        ? 'cool'
        : 'normal'
  if (wants === 'frozen' || condition === 'frozen') return wants === condition
  if (wants === 'cold' || condition === 'cold') return wants === condition
  return wants === 'normal' || condition === 'cool'
}
