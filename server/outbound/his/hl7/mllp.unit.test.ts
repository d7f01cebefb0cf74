import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { listenMllp } from '#server/outbound/his/hl7/mllp.ts'

const FRAME = '\x0bMSH|^~\\&|HIS\x1c\r'

test('who sends no whole message gives way to who connects anew; who does keeps his connection', async () => {
  const mllp = await listenMllp(
    { port: 0, host: '127.0.0.1' },
    { answer: async frame => [frame.toString('utf8')], tooLong: () => '' },
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
