import { randomInt } from 'node:crypto'

/** Random values that cannot be guessed from earlier pictures. */
export const chance = {
  /** A number between the two, fractions included. */
  between: (least: number, most: number): number => least + (randomInt(0, 1_000_001) / 1_000_000) * (most - least),
  whole: (least: number, most: number): number => randomInt(least, most + 1),
  oneOf: <T>(choices: readonly T[]): T => choices[randomInt(0, choices.length)] as T,
}
