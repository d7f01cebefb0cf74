import { BAIWANG_URL } from '#server/outbound/einvoice/open.ts'
import { deliverPending } from '#server/documents/intercompany/deliver.ts'
import { performDue } from '#server/outbound/calls.ts'
import { connectWith } from '#server/registry/connections.ts'
import { type EInvoiceOptions, type RunningEInvoice, startEInvoice } from '../../deploy/einvoice/server.ts'
import type { TestServer } from './test-server.ts'

export type ConnectedProvider = RunningEInvoice & {
  /** Makes every call that was asked for, also those that wait for a later try, and delivers what follows. */
  readonly perform: () => Promise<void>
}

/** Starts the stand-in of a provider and connects the program with it; its end disconnects them. */
export async function startProvider(
  { database }: Pick<TestServer, 'database'>,
  options: Partial<EInvoiceOptions> = {},
): Promise<ConnectedProvider> {
  const running = await startEInvoice({ appKey: 'K', appSecret: 'S', delay: 0, silence: 20, ...options })
  const baiwang = { url: BAIWANG_URL, quotaMethod: null }
  const connect = (standIn: { url: string; appKey: string; appSecret: string; patienceMs: number } | null) =>
    connectWith({ einvoice: { addresses: { baiwang, standIn }, sql: database.app } })
  connect({ url: running.url, appKey: 'K', appSecret: 'S', patienceMs: 2000 })
  return {
    ...running,
    perform: async () => {
      for (let rounds = 0; rounds < 5; rounds++) {
        await database.owner`update outbound_call set next_at = now() where state in ('pending', 'retrying')`
        if ((await performDue(database.app, database.owner)) === 0) break
      }
      await deliverPending(database.app, database.owner)
    },
    close: async () => {
      connect(null)
      await running.close()
    },
  }
}
