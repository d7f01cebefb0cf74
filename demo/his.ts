import { instant } from '#kernel/values/date.ts'
import { incomeMessages } from '../deploy/his/incomes.ts'
import { idOf } from '#demo/rows.ts'
import type { Masters } from '#demo/masters/masters.ts'
import type { DemoDatabase } from '#demo/simulation/actions.ts'
import { bringCharges } from '#demo/charges.ts'
import { pushRecent } from '#modules/hospital/his/receipts/receipt-push.server.ts'
import { askPeople, takePeople } from '#modules/hospital/his/staff/synchronise.server.ts'
import { reportError } from '#server/audit/reported-errors.ts'
import { receiveFrame } from '#server/outbound/his/hl7/receive.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { connectedHis } from '#server/outbound/his/connected.ts'
import type { Database } from '#server/plugins/database.ts'

const DAY_MS = 86_400_000
const DAYS = 14

/**
 * The demo's hospitals take over what their HIS has, once: people and departments, and the HIS gets the receipts of the
 * last days. Before this start no HIS was there to be asked.
 */
export async function bringHis({ app, owner }: Database): Promise<void> {
  const hospitals = await owner<{ id: string }[]>`
    select o.id from organisation o where o.system_type = 1 and o.kept_by_id is null
      and not exists (select 1 from his_staff s where s.org_id = o.id) order by o.id`
  const since = new Date(Date.parse(instant()) - DAYS * DAY_MS).toISOString()
  for (const { id } of hospitals)
    await inOrganisation(app, id, '0', async tx => {
      const his = await connectedHis(tx, id)
      if (his === null) return
      await takePeople(tx, id, await (await askPeople(tx, id, true))())
      await pushRecent(tx, id, since)
      await bringCharges(tx, id, his)
    }).catch(error => reportError('first synchronisation with the HIS', error))
}

/** Hospitals whose HIS sends the income of their departments; the others show how it looks without. */
const SENDING = ['H01']

/** A year of incomes, as messages of the HIS. One that is not taken ends the seed: it is the demo's own mistake. */
export async function sendIncomes({ app }: DemoDatabase, masters: Masters): Promise<void> {
  for (const hospital of SENDING)
    for (const message of incomeMessages(hospital)) {
      const [answer = ''] = await receiveFrame(app, idOf(masters.organisations, hospital), Buffer.from(message))
      if (!answer.includes('MSA|AA')) throw new Error(`an income of ${hospital} was not taken: ${answer}`)
    }
}
