import { inexact } from '#kernel/values/inexact.ts'

/** The kinds of areas by the goods that may be stored there, each with its floor colour. */
export const areaKinds = {
  qualified: '合格品区(绿)',
  pending: '待验区(黄)',
  unqualified: '不合格品区(红)',
  returned: '退货区(黄)',
  shipping: '发货区(绿)',
  stopped: '停售区(红)',
} as const

/** The temperature conditions of a location. */
export const storageConditions = { normal: '常温', cool: '阴凉', cold: '冷藏', frozen: '冷冻' } as const

/**
 * True if goods may be stored under a condition: cold-chain goods only where it is cold, cool goods nowhere warmer;
 * frozen locations are only for frozen goods.
 */
export function mayStore(condition: string, isColdChain: boolean, storage: string | null): boolean {
  const wants = /冷冻|(^|[^\d℃])[-－]\d/.test(storage ?? '')
    ? 'frozen'
    : isColdChain || /冷藏|(^|\D)2\s*(?:℃\s*)?[～~–－-]\s*8(\D|$)/.test(storage ?? '')
      ? 'cold'
      : /阴凉/.test(storage ?? '')
        ? 'cool'
        : 'normal'
  if (wants === 'frozen' || condition === 'frozen') return wants === condition
  if (wants === 'cold' || condition === 'cold') return wants === condition
  return wants === 'normal' || condition === 'cool'
}

/** The temperatures at which goods may be kept and carried, in degrees Celsius, both bounds allowed; null: no bound. */
export type TemperatureBounds = { readonly min: number | null; readonly max: number | null }

const DEGREES = String.raw`([-－]?\d{1,4}(?:\.\d{1,3})?)`
const degrees = (text: string | undefined): number => inexact((text ?? '').replace('－', '-'))

/**
 * The bounds in a storage condition as it is written: 冷藏 2-8℃, -20±5℃, ≤-18℃; where it names a condition alone, those
 * of the pharmacopoeia. Null: it says nothing of temperature.
 */
export function temperatureBounds(condition: string | null, isColdChain = false): TemperatureBounds | null {
  const text = condition ?? ''
  const about = new RegExp(`${DEGREES}\\s*±\\s*(\\d{1,3}(?:\\.\\d{1,3})?)\\s*(?:℃|°C)`).exec(text)
  if (about) return { min: degrees(about[1]) - degrees(about[2]), max: degrees(about[1]) + degrees(about[2]) }
  const between = new RegExp(`${DEGREES}\\s*(?:(?:℃|°C)\\s*)?[-~～至–—－]\\s*${DEGREES}\\s*(?:℃|°C)`).exec(text)
  if (between) {
    const [a, b] = [degrees(between[1]), degrees(between[2])]
    return { min: Math.min(a, b), max: Math.max(a, b) }
  }
  const below = new RegExp(`(?:≤|<|不超过|低于)\\s*${DEGREES}\\s*(?:℃|°C)|${DEGREES}\\s*(?:℃|°C)以下`).exec(text)
  if (below) return { min: null, max: degrees(below[1] ?? below[2]) }
  if (/冷冻/.test(text)) return { min: -25, max: -10 }
  if (/冷藏/.test(text) || isColdChain) return { min: 2, max: 8 }
  if (/阴凉/.test(text)) return { min: null, max: 20 }
  return /常温/.test(text) ? { min: 10, max: 30 } : null
}

/** True if a temperature is outside the bounds. */
export const isOutside = ({ min, max }: TemperatureBounds, celsius: number): boolean =>
  (min !== null && celsius < min) || (max !== null && celsius > max)
