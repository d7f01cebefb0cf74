import type { Day } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Session } from '#server/access/session.ts'
import type { Masters } from '#demo/masters/masters.ts'
import { idOf } from '#demo/rows.ts'
import type { Calendar } from '#demo/simulation/calendar.ts'
import type { Catalogue } from '#demo/simulation/goods.ts'
import type { Hands } from '#demo/simulation/actions.ts'
import type { People, Post } from '#demo/simulation/people/people.ts'

/** Everything the simulated year is made of. */
export type World = {
  readonly masters: Masters
  readonly catalogue: Catalogue
  readonly people: People
  readonly hands: Hands
  readonly calendar: Calendar
  /**
   * Schedules an action at an hour of a day. Actions of one lane run one after another; lanes of the same hour run
   * in parallel.
   */
  readonly plan: (day: Day, hour: number, lane: string, work: () => Promise<void>) => void
}

export const orgId = (world: World, code: string): string => idOf(world.masters.organisations, code)
export const storeId = (world: World, code: string): string => idOf(world.masters.warehouses, code)
export const someone = (world: World, org: string, post: Post): Session => world.people(org, post)

type Action = { readonly day: Day; readonly hour: number; readonly lane: string; readonly work: () => Promise<void> }
export type Timeline = { readonly plan: World['plan']; readonly live: (calendar: Calendar) => Promise<string[]> }

/** How many lanes run in parallel. */
const AT_ONCE = 4

/**
 * Runs the actions of a year in order. A refused action is reported and skipped: the demo has a gap there, the
 * rest continues.
 */
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
