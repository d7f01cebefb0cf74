import { boundedFetch } from '#server/network/bounded-fetch.ts'

/** A bottle whose tests are asked for: its code, its lot, where it runs, since when and until when. */
export type LisBottle = {
  readonly code: string
  readonly lot_no: string
  readonly analyser: string | null
  readonly loaded_at: string
  readonly unloaded_at: string | null
}
/** How many tests the laboratory's system counted on a bottle, since it was first loaded. */
export type LisCount = { readonly code: string; readonly tests: number }
/** Asks the laboratory's system; tests use a fake. Bottles that it does not know are left out of the answer. */
export type LisClient = (bottles: readonly LisBottle[], key: string) => Promise<readonly LisCount[]>

type Address = { readonly baseUrl: string; readonly token: string }
const PATIENCE_MS = 20_000
const MOST_TESTS = 1_000_000

function countOf(row: unknown): LisCount {
  const { code, tests } = (row ?? {}) as { code?: unknown; tests?: unknown }
  const isCount = typeof tests === 'number' && Number.isSafeInteger(tests) && tests >= 0 && tests <= MOST_TESTS
  if (typeof code !== 'string' || code === '' || !isCount) throw new Error('LIS的答复有误：每瓶应有试剂码和测试数')
  return { code, tests }
}

/** The laboratory's system over HTTP: `POST /reagent-tests` with `{ bottles }`, answered by `{ counts }`. */
export const lisClient =
  ({ baseUrl, token }: Address): LisClient =>
  async (bottles, key) => {
    const reply = await boundedFetch(`${baseUrl}/reagent-tests`, {
      // The operator configured this address and no other.
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': key,
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ bottles }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    if (!reply.ok) throw new Error(`LIS返回${reply.status}：${(await reply.text()).slice(0, 200)}`)
    const answer = (await reply.json()) as { counts?: unknown }
    if (!Array.isArray(answer.counts)) throw new Error('LIS的答复有误：没有counts')
    return answer.counts.map(countOf)
  }
