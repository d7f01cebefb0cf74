/** What may be stored in an area, each with its floor colour. */
export const areaKinds = {
  qualified: '合格品区(绿)',
  pending: '待验区(黄)',
  unqualified: '不合格品区(红)',
  returned: '退货区(黄)',
  stopped: '停售区(红)',
} as const

/** The temperature conditions of a location. */
export const storageConditions = { normal: '常温', cool: '阴凉', cold: '冷藏', frozen: '冷冻' } as const

/**
 * Whether goods may be stored under a condition: cold-chain goods only where it is cold, cool goods nowhere warmer;
 * frozen locations are only for frozen goods.
 */
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
