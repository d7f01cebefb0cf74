import type { TraceEvent } from '#modules/goods/trace/trace-info.ts'

export type ChainEvent = TraceEvent & {
  /** Undone later, or itself the undoing: the pair is collapsed. */
  readonly undone: boolean
  /** Does not begin where the last one ended. */
  readonly broken: boolean
}
/** What happened at one organisation, until the goods went on. */
export type Station = { readonly org: string; readonly events: readonly ChainEvent[] }

const UNKNOWN = '其他机构'

/** Both ends known and different: a link is missing. An end that is hidden from us proves nothing. */
function isBroken(event: TraceEvent, before: TraceEvent | undefined): boolean {
  if (
    before === undefined ||
    event.is_lot ||
    before.is_lot ||
    event.from_org_name === null ||
    before.to_org_name === null
  )
    return false
  if (event.from_org_name !== before.to_org_name) return true
  return event.from_place !== null && before.to_place !== null && event.from_place !== before.to_place
}

/** Events in order, pairs of doing and undoing marked, gaps found among the remaining ones. */
export function chainOf(events: readonly TraceEvent[]): readonly ChainEvent[] {
  const takenBack = new Set(events.flatMap(event => (event.undo_of === null ? [] : [event.undo_of])))
  let last: TraceEvent | undefined
  return events.map(event => {
    const undone = event.undo_of !== null || takenBack.has(event.seq)
    const broken = !undone && isBroken(event, last)
    if (!undone) last = event
    return { ...event, undone, broken }
  })
}

/** The chain as stations: consecutive events of one organisation are grouped. */
export function stationsOf(events: readonly ChainEvent[]): readonly Station[] {
  const stations: { org: string; events: ChainEvent[] }[] = []
  for (const event of events) {
    const org = event.org_name ?? UNKNOWN
    const here = stations.at(-1)
    if (here?.org === org) here.events.push(event)
    else stations.push({ org, events: [event] })
  }
  return stations
}
