import { createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/** MLLP: a message between a vertical tab and a file separator with a carriage return. */
const START = 0x0b
const END = 0x1c
const RETURN = 0x0d
const LONGEST = 1_000_000
const PATIENCE_MS = 300_000
const MOST_SOCKETS = 20

export type Mllp = { readonly port: number; readonly close: () => Promise<void> }

/** Listens; each message is answered before the next of its connection is read. */
export async function listenMllp(
  at: { readonly port: number; readonly host: string },
  answer: (message: Buffer) => Promise<string>,
): Promise<Mllp> {
  const server = createServer(socket => serve(socket, answer))
  server.maxConnections = MOST_SOCKETS
  const sockets = new Set<Socket>()
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(at.port, at.host, resolve)
  })
  return { port: (server.address() as AddressInfo).port, close: () => closed(server, sockets) }
}

const closed = (server: Server, sockets: ReadonlySet<Socket>) =>
  new Promise<void>(resolve => {
    server.close(() => resolve())
    for (const socket of sockets) socket.destroy()
  })

function serve(socket: Socket, answer: (message: Buffer) => Promise<string>): void {
  let kept: Buffer = Buffer.alloc(0)
  let last: Promise<void> = Promise.resolve()
  socket.setTimeout(PATIENCE_MS, () => socket.destroy())
  socket.on('error', () => socket.destroy())
  socket.on('data', (part: Buffer) => {
    kept = Buffer.concat([kept, part])
    for (let frame = nextFrame(kept); frame !== null; frame = nextFrame(kept)) {
      kept = frame.rest
      const { message } = frame
      last = last.then(async () => {
        const said = await answer(message)
        socket.write(Buffer.concat([Buffer.from([START]), Buffer.from(said, 'utf8'), Buffer.from([END, RETURN])]))
      })
      last.catch(() => socket.destroy())
    }
    if (kept.length > LONGEST) socket.destroy()
  })
}

/** The first whole message of what has arrived; what stands before it belongs to none. */
export function nextFrame(kept: Buffer): { message: Buffer; rest: Buffer } | null {
  const start = kept.indexOf(START)
  if (start < 0) return null
  const end = kept.indexOf(Buffer.from([END, RETURN]), start + 1)
  return end < 0 ? null : { message: kept.subarray(start + 1, end), rest: kept.subarray(end + 2) }
}
