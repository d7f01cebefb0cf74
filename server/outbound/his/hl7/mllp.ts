import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

/** MLLP: a message between a vertical tab and a file separator with a carriage return. */
const START = 0x0b
const END = 0x1c
const RETURN = 0x0d
const LINE_FEED = 0x0a
/** Bytes. A message is read on the thread that answers everybody; those of admissions have a few thousand. */
export const LONGEST_FRAME = 256_000
/** The part that is kept of a frame that is too long: its header names the message. */
const LONGEST_HEAD = 1000
const PATIENCE_MS = 300_000
/** A carriage return, or the mark that begins a frame, that did not come by then was left out. */
const RETURN_MS = 500
const MOST_SOCKETS = 20

export type Mllp = { readonly port: number; readonly close: () => Promise<void> }

/** The answers to frames: none, or a frame for each text. */
export type Answering = {
  readonly answer: (frame: Buffer) => Promise<readonly string[]>
  /** The answer to a frame that is too long, or to bytes without the marks of one; `head` is their beginning. */
  readonly refuse: (head: Buffer, why: 'tooLong' | 'unframed') => Promise<string>
}

/** Listens; each frame is answered before the next of its connection is read. */
export async function listenMllp(
  at: { readonly port: number; readonly host: string },
  answering: Answering,
): Promise<Mllp> {
  // In the order of their last whole message: who sends none for longest gives way to who connects anew.
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    const [silent] = sockets
    if (silent && sockets.size >= MOST_SOCKETS) drop(silent)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serve(socket, answering, () => {
      if (sockets.delete(socket)) sockets.add(socket)
    })
  })
  const drop = (socket: Socket) => {
    sockets.delete(socket)
    socket.destroy()
  }
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

function serve(socket: Socket, answering: Answering, noteMessage: () => void): void {
  const cutter = frameCutter()
  let wait: NodeJS.Timeout | undefined
  socket.setTimeout(PATIENCE_MS, () => socket.destroy())
  socket.on('error', () => socket.destroy())
  const answerFrames = (frames: readonly Frame[]) => {
    if (frames.length === 0) return
    noteMessage()
    // Bytes that arrive meanwhile wait at the sender.
    socket.pause()
    answerAll(socket, frames, answering).then(
      () => socket.resume(),
      () => socket.destroy(),
    )
  }
  // A sender that knows no frames would wait for its answer for ever.
  const refuseUnframed = () => {
    socket.pause()
    answering.refuse(cutter.stray(), 'unframed').then(
      answer => socket.end(framed(answer)),
      () => socket.destroy(),
    )
  }
  socket.on('data', (part: Buffer) => {
    clearTimeout(wait)
    answerFrames(cutter.take(part))
    if (cutter.mayBeWhole()) wait = setTimeout(() => answerFrames(cutter.rest()), RETURN_MS)
    else if (cutter.stray().length > 0) wait = setTimeout(refuseUnframed, RETURN_MS)
  })
  socket.on('close', () => clearTimeout(wait))
}

const framed = (answer: string): Buffer =>
  Buffer.concat([Buffer.from([START]), Buffer.from(answer, 'utf8'), Buffer.from([END, RETURN])])

async function answerAll(socket: Socket, frames: readonly Frame[], { answer, refuse }: Answering): Promise<void> {
  for (const { bytes, isTooLong } of frames)
    for (const said of isTooLong ? [await refuse(bytes, 'tooLong')] : await answer(bytes)) socket.write(framed(said))
}

const SEPARATOR = Buffer.from([END])
/** Ends of lines between frames, and the marks that end one, are nothing that waits for an answer. */
const BLANK = /^[\s\x1c]*$/

/** The bytes between the marks; of a frame that is too long, its beginning. */
export type Frame = { readonly bytes: Buffer; readonly isTooLong: boolean }

/**
 * Cuts frames out of what arrives in parts of any size; each byte is looked at once. What stands before a frame
 * belongs to none, and is `stray` until one begins. A frame ends with its separator and a carriage return, or a line
 * feed; senders that leave it out begin the next frame, or send nothing more (`mayBeWhole`, `rest`).
 */
export function frameCutter() {
  let isInside = false
  let held: Buffer = Buffer.alloc(0)
  let length = 0
  let isTooLong = false
  /** The last byte so far was the separator, whose carriage return may come with the next part. */
  let isEnding = false
  let outside: Buffer = Buffer.alloc(0)
  const hold = (piece: Buffer) => {
    if (isTooLong) return
    if (length + piece.length > LONGEST_FRAME) isTooLong = true
    const taken = isTooLong ? piece.subarray(0, Math.max(0, LONGEST_FRAME - length)) : piece
    if (length + taken.length > held.length) {
      const grown = Buffer.allocUnsafe(Math.max(2 * held.length, length + taken.length))
      held.copy(grown, 0, 0, length)
      held = grown
    }
    length += taken.copy(held, length)
  }
  const end = (): Frame => {
    const frame = { bytes: Buffer.from(held.subarray(0, isTooLong ? LONGEST_HEAD : length)), isTooLong }
    ;[isInside, isEnding, isTooLong, length] = [false, false, false, 0]
    return frame
  }
  const take = (part: Buffer): readonly Frame[] => {
    const frames: Frame[] = []
    for (let at = 0; at < part.length; ) {
      if (!isInside) {
        const start = part.indexOf(START, at)
        if (start < 0) {
          outside = Buffer.concat([outside, part.subarray(at, at + LONGEST_HEAD)]).subarray(0, LONGEST_HEAD)
          return frames
        }
        ;[isInside, at, outside] = [true, start + 1, Buffer.alloc(0)]
        continue
      }
      if (isEnding) {
        isEnding = false
        if (part[at] === RETURN || part[at] === LINE_FEED || part[at] === START) {
          if (part[at] !== START) at += 1
          frames.push(end())
          continue
        }
        hold(SEPARATOR)
      }
      const separator = part.indexOf(END, at)
      hold(part.subarray(at, separator < 0 ? part.length : separator))
      if (separator < 0) return frames
      isEnding = true
      at = separator + 1
    }
    return frames
  }
  const stray = (): Buffer => (isInside || BLANK.test(outside.toString('latin1')) ? Buffer.alloc(0) : outside)
  return { take, stray, mayBeWhole: () => isInside && isEnding, rest: () => (isInside && isEnding ? [end()] : []) }
}
