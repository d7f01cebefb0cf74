import type { Day } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Session } from '#server/access/session.ts'
import type { Masters } from '#demo/masters/masters.ts'
import { idOf } from '#demo/rows.ts'
import type { Calendar } from '#demo/simulation/calendar.ts'
import type { Catalogue } from '#demo/simulation/goods.ts'
import type { Hands } from '#demo/simulation/actions.ts'
import type { People, Post } from '#demo/simulation/people/people.ts'

/** Everything the simulated half year is made of. */
export type World = {
  readonly masters: Masters
  readonly catalogue: Catalogue
  readonly people: People
  readonly hands: Hands
  readonly calendar: Calendar
  /** Puts a deed on its hour. Deeds of one lane follow one another; lanes of the same hour go side by side. */
  readonly plan: (day: Day, hour: number, lane: string, work: () => Promise<void>) => void
}

export const orgId = (world: World, code: string): string => idOf(world.masters.organisations, code)
export const storeId = (world: World, code: string): string => idOf(world.masters.warehouses, code)
export const someone = (world: World, org: string, post: Post): Session => world.people(org, post)

type Action = { readonly day: Day; readonly hour: number; readonly lane: string; readonly work: () => Promise<void> }
export type Timeline = { readonly plan: World['plan']; readonly live: (calendar: Calendar) => Promise<string[]> }

/** As many lanes at once as the machine has use for. */
const AT_ONCE = 4

/** The deeds of half a year in their order. A refused deed is told and passed over: the demo has a gap there, the rest lives on. */
export function openTimeline(loadDay: Day): Timeline {
  const actions: Action[] = []
  return {
    plan: (day, hour, lane, work) => void (day <= loadDay && actions.push({ day, hour, lane, work })),
    live: async calendar => {
      const refused: string[] = []
      const hours = Map.groupBy(actions, action => `${action.day} ${action.hour.toFixed(2).padStart(5, '0')}`)
      for (const hour of [...hours.keys()].sort()) {
        const now = hours.get(hour)!
        calendar.set(now[0]!.day, now[0]!.hour)
        await sideBySide([...Map.groupBy(now, action => action.lane).values()], async lane => {
          for (const action of lane) await action.work().catch(error => refused.push(notifyOrThrow(error, hour)))
        })
      }
      return refused
    },
  }
}

function notifyOrThrow(error: unknown, hour: string): string {
  if (error instanceof BusinessError) return `${hour} ${error.message}`
  throw error
}

async function sideBySide<T>(lanes: readonly T[], work: (lane: T) => Promise<void>): Promise<void> {
  const waiting = [...lanes]
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let lane = waiting.shift(); lane !== undefined; lane = waiting.shift()) await work(lane)
    }),
  )
}
