import { storeCharges } from '#modules/hospital/charges/checking/stored-charges.server.ts'
import type { HisReceived } from '#server/public/outbound.ts'
import type { Tx } from '#server/public/database.ts'

/** Stores charges that the HIS sends by itself beside those that were fetched, each once. */
export async function storeReceivedCharges(tx: Tx, org: string, { charges }: HisReceived): Promise<void> {
  await storeCharges(tx, org, charges)
}
