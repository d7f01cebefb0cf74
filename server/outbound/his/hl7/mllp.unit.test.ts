import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { listenMllp } from '#server/outbound/his/hl7/mllp.ts'

const FRAME = '\x0bMSH|^~\\&|HIS\x1c\r'

test('who sends no whole message gives way to who connects anew; who does keeps his connection', async () => {
  const mllp = await listenMllp(
    { port: 0, host: '127.0.0.1' },
    { answer: async frame => [frame.toString('utf8')], refuse: async () => '' },
  )
  const sockets: Socket[] = []
  const open = async () => {
    const socket = connect(mllp.port, '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  const answered = async (socket: Socket) => {
    socket.write(FRAME)
    const [answer] = await once(socket, 'data')
    return String(answer)
  }
  try {
    const his = await open()
    for (let count = 0; count < 60; count++) {
      ;(await open()).write('\x0bMSH|')
      if (count % 10 === 0) expect(await answered(his)).toBe(FRAME)
    }
    expect(await answered(his)).toBe(FRAME)
    expect(await answered(await open())).toBe(FRAME)
    expect(sockets.filter(each => each.destroyed).length).toBeGreaterThan(30)
  } finally {
    for (const socket of sockets) socket.destroy()
    await mllp.close()
  }
})

test('who sends no frame is told so at once, and his connection is closed; blanks between frames are nothing', async () => {
  const refused: string[] = []
  const mllp = await listenMllp(
    { port: 0, host: '127.0.0.1' },
    {
      answer: async frame => [frame.toString('utf8')],
      refuse: async (head, why) => (refused.push(`${why} ${head.toString('utf8')}`), 'no frame'),
    },
  )
  const answers = async (...parts: string[]) => {
    const socket = connect(mllp.port, '127.0.0.1')
    let said = ''
    socket.on('data', part => (said += String(part)))
    for (const part of parts) {
      socket.write(part)
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    const wait = setTimeout(() => socket.end(), 1500)
    await once(socket, 'close')
    clearTimeout(wait)
    return said
  }
  try {
    expect(await answers('MSH|^~\\&|', 'HIS|M1\r')).toBe('\x0bno frame\x1c\r')
    expect(await answers('GET / HTTP/1.1\r\n\r\n')).toBe('\x0bno frame\x1c\r')
    expect(refused).toEqual(['unframed MSH|^~\\&|HIS|M1\r', 'unframed GET / HTTP/1.1\r\n\r\n'])
    expect(await answers('\r\n', FRAME, '\r\n', FRAME, '\n')).toBe(FRAME + FRAME)
    expect(await answers('MSH', FRAME)).toBe(FRAME)
    expect(refused).toHaveLength(2)
  } finally {
    await mllp.close()
  }
})
