import { PAD, type Stroke } from '#kernel/values/strokes.ts'
import { chance } from './random.ts'

const STROKES = 6
const POINTS = 14

/** Something like a name, as a hand draws it; the same name is drawn alike. */
export function drawnSignature(name: string): readonly Stroke[] {
  const { between } = chance(`signature of ${name}`)
  let ms = 0
  return Array.from({ length: STROKES }, (_, at): Stroke => {
    const left = 90 + at * 135
    const [top, height, slope] = [between(60, 150), between(60, 170), between(20, 130)]
    return Array.from({ length: POINTS }, (_point, nth) => {
      const along = nth / (POINTS - 1)
      ms += between(6, 18)
      const y = top + height * along + 26 * Math.sin(along * Math.PI * 2 + at)
      return [left + Math.round(slope * along), Math.min(PAD.height, Math.max(0, Math.round(y))), ms] as const
    })
  })
}
