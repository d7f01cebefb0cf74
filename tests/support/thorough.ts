/**
 * `npm run thorough` tries every case. `npm test`, which has to answer within twelve minutes on two cores, tries one
 * in so many where a test is the same for each of hundreds: the same ones in every run.
 */
export const isThorough = process.env.THOROUGH === '1'

/** Every case, or in `npm test` the first of each `every`. */
export const sampled = <Case>(cases: readonly Case[], every: number): readonly Case[] =>
  isThorough ? cases : cases.filter((_, at) => at % every === 0)

/**
 * Every case, or in `npm test` one in so many, at another place for each `turn`: what the cases of all kinds have in
 * common is tried in full with the kinds together.
 */
export const inTurn = <Case>(cases: readonly Case[], every: number, turn: number): readonly Case[] =>
  isThorough ? cases : cases.filter((_, at) => at % every === turn % every)

/** Every case, or in `npm test` the first of those that have the same name. */
export const oneOfEach = <Case>(cases: readonly Case[], nameOf: (one: Case) => string): readonly Case[] =>
  isThorough ? cases : [...Map.groupBy(cases, nameOf).values()].map(([first]) => first!)
