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
  const takeFrames = frameCutter()
  socket.setTimeout(PATIENCE_MS, () => socket.destroy())
  socket.on('error', () => socket.destroy())
  socket.on('data', (part: Buffer) => {
    const messages = takeFrames(part)
    if (messages === null) return void socket.destroy()
    if (messages.length === 0) return
    // Bytes that arrive meanwhile wait at the sender.
    socket.pause()
    answerAll(socket, messages, answer).then(
      () => socket.resume(),
      () => socket.destroy(),
    )
  })
}

async function answerAll(
  socket: Socket,
  messages: readonly Buffer[],
  answer: (message: Buffer) => Promise<string>,
): Promise<void> {
  for (const message of messages) {
    const said = await answer(message)
    socket.write(Buffer.concat([Buffer.from([START]), Buffer.from(said, 'utf8'), Buffer.from([END, RETURN])]))
  }
}

const END_OF_FRAME = Buffer.from([END, RETURN])

/**
 * Cuts messages out of what arrives in parts of any size; each byte is looked at once. What stands before a message
 * belongs to none. Null: a message is too long.
 */
export function frameCutter(): (part: Buffer) => readonly Buffer[] | null {
  let isInside = false
  let held: Buffer = Buffer.alloc(0)
  let length = 0
  /** The last byte so far was the separator, whose carriage return may come with the next part. */
  let isEnding = false
  const hold = (piece: Buffer) => {
    if (length + piece.length > held.length) {
      const grown = Buffer.allocUnsafe(Math.max(2 * held.length, length + piece.length))
      held.copy(grown, 0, 0, length)
      held = grown
    }
    length += piece.copy(held, length)
  }
  return part => {
    const messages: Buffer[] = []
    for (let at = 0; at < part.length; ) {
      if (!isInside) {
        const start = part.indexOf(START, at)
        if (start < 0) return messages
        ;[isInside, length, isEnding, at] = [true, 0, false, start + 1]
        continue
      }
      const endsHere = isEnding && at === 0 && part[0] === RETURN
      const end = endsHere ? 0 : part.indexOf(END_OF_FRAME, at)
      hold(part.subarray(at, end < 0 ? part.length : end))
      if (length > LONGEST) return null
      isEnding = end < 0 && part.at(-1) === END
      if (end < 0) return messages
      messages.push(Buffer.from(held.subarray(0, endsHere ? length - 1 : length)))
      ;[isInside, at] = [false, endsHere ? 1 : end + 2]
    }
    return messages
  }
}
