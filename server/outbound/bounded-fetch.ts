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

/**
 * Asks another system: the one place from which the server does. Its reply has a limit of size, and a redirect is an
 * error: the operator configured this address and no other.
 */
export const boundedFetch = async (
  address: string,
  { mostBytes, ...init }: RequestInit & { readonly mostBytes?: number } = {},
): Promise<Response> => bounded(await fetch(address, { ...init, redirect: 'error' }), mostBytes)
