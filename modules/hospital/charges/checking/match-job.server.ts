import type { Sql } from 'postgres'
import { askRefunds } from '#modules/hospital/charges/checking/charge-requests.server.ts'
import { matchCharges } from '#modules/hospital/charges/checking/match-charges.server.ts'
import { releaseSettlements } from '#modules/hospital/charges/checking/release-settlements.server.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'
import { type BackgroundJob, reportError } from '#server/public/jobs.ts'

const TEN_MINUTES = 600

/** One round of a hospital: matches charges, and refunds charges whose use was taken back afterwards. */
export async function matchRound(tx: Tx, org: string): Promise<number> {
  const changed = await matchCharges(tx, org)
  const taken = await tx<{ id: string }[]>`
    select c.id from use_check c where c.org_id = ${org} and c.state = 'over' and c.returned > 0
      and exists (select 1 from charge_link l where l.org_id = c.org_id and l.use_check_id = c.id
        and l.linked_by = 'request' and l.quantity > 0)`
  await askRefunds(
    tx,
    org,
    taken.map(row => row.id),
    'surplus',
    { name: '系统', reason: '退用' },
  )
  await releaseSettlements(tx, org, null)
  return changed
}

/** Every hospital with undecided uses. */
export async function matchAll(app: Sql, owner: Sql): Promise<number> {
  const waiting = await owner<{ org_id: string }[]>`
    select distinct org_id from use_check where state in ('waiting', 'missed', 'over', 'refunded') order by org_id`
  let changed = 0
  for (const { org_id: org } of waiting)
    try {
      changed += await inOrganisation(app, org, '0', tx => matchRound(tx, org))
    } catch (error) {
      reportError('matching of charges', error)
    }
  return changed
}

export const matchJob: BackgroundJob = {
  name: 'match_his_charges',
  title: 'HIS计费核对',
  everySeconds: TEN_MINUTES,
  run: ({ app, owner }) => matchAll(app, owner),
}
