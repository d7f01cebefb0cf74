import { type Mask, noteSent } from '#server/network/exchange.ts'

const MB = 1024 * 1024
/** Replies of other systems are sentences and lists; a caller that expects more says so. */
const USUAL_BYTES = 4 * MB

/** A reply was longer than its caller expects; its connection is closed. */
export class ReplyTooLong extends Error {}

/** The same reply, which fails when more than `mostBytes` of it have arrived. */
export function bounded(reply: Response, mostBytes: number = USUAL_BYTES): Response {
  if (reply.body === null) return reply
  let left = mostBytes
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, to) {
      left -= part.length
      if (left < 0) to.error(new ReplyTooLong(`对方的答复超过${Math.ceil(mostBytes / MB)}MB，已停止读取`))
      else to.enqueue(part)
    },
  })
  const { status, statusText, headers } = reply
  return new Response(reply.body.pipeThrough(counting), { status, statusText, headers })
}

/** The same reply; what of it passes is noted, as far as a message is kept. */
function noted(reply: Response, note: NonNullable<ReturnType<typeof noteSent>>): Response {
  note.answered(reply.status, null)
  if (reply.body === null) return reply
  const parts: Uint8Array[] = []
  let kept = 0
  const listening = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, to) {
      // One part too many tells that the message is longer than what is kept.
      if (kept <= note.mostKept) parts.push(part)
      kept += part.length
      to.enqueue(part)
    },
    flush: () => note.answered(reply.status, Buffer.concat(parts).toString('utf8')),
  })
  const { status, statusText, headers } = reply
  return new Response(reply.body.pipeThrough(listening), { status, statusText, headers })
}

type Asked = RequestInit & { readonly mostBytes?: number; readonly mask?: Mask }

/**
 * Asks another system: the one place from which the server does. Its reply has a limit of size, and a redirect is an
 * error: the operator configured this address and no other. What is sent and answered is noted for whoever records the
 * call (`exchange.ts`).
 */
export async function boundedFetch(address: string, { mostBytes, mask, ...init }: Asked = {}): Promise<Response> {
  const note = noteSent(address, init, mask)
  const reply = bounded(await fetch(address, { ...init, redirect: 'error' }), mostBytes)
  return note === null ? reply : noted(reply, note)
}
