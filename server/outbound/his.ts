import type { Carrier } from '#server/outbound/carriers.ts'

type Address = { readonly baseUrl: string; readonly token: string }
const PATIENCE_MS = 20_000

/** Charges and refunds go to the hospital's HIS over HTTP, each under a key by which it can refuse duplicates. */
export const hisCarrier =
  ({ baseUrl, token }: Address): Carrier =>
  async (payload, key) => {
    const reply = await fetch(`${baseUrl.replace(/\/$/, '')}/charges`, {
      // The operator configured this address and no other.
      redirect: 'error',
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': key,
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(payload),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const text = (await reply.text()).slice(0, 2000)
    if (!reply.ok) throw new Error(`HIS返回${reply.status}：${text.slice(0, 200)}`)
    return { status: reply.status, text }
  }
