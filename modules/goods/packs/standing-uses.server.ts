import type { Day } from '#kernel/values/date.ts'
import type { Tx } from '#server/public/database.ts'

/** Joins to packs `k` the events `e` by which they were used since a day, except those that were taken back. */
export const standingUses = (tx: Tx, since: Day) => tx`
  join trace_event e on e.lot_id = k.lot_id and e.unit_id = k.unit_id and e.step = 'use'
    and e.at >= ${since}::timestamp at time zone 'Asia/Shanghai' and e.at >= k.made_at
    and (k.opened_at is null or e.at < k.opened_at)
    and not exists (select 1 from trace_event x where x.lot_id = e.lot_id and x.unit_id = e.unit_id
      and x.undo_of = e.seq)`
