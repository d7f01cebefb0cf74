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
