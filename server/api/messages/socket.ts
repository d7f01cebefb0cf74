import websocket from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import type { WebSocket } from 'ws'
import { Hub, type Line, sessionEnded } from '#server/realtime/hub.ts'
import { isCrossSite } from '#server/plugins/security.ts'

const LARGEST_WORD = 4096
/** The answer to a heartbeat, which a client may send while its user is still being looked up. */
const pong = JSON.stringify({ type: 'heart_beat', msg: 'pong' })
const PROBE_MS = 30_000

/** `/ws?token=`: opened with the login result's r_id, which opens nothing else. Must be registered before any route. */
export async function addRealtime(app: FastifyInstance, sql: Sql): Promise<void> {
  await app.register(websocket, { options: { maxPayload: LARGEST_WORD } })
  const hub = new Hub(sql)
  app.addHook('preClose', () => hub.close())
  app.get<{ Querystring: { token?: string | string[] } }>('/ws', { websocket: true }, (socket, request) => {
    const { token } = request.query
    if (isCrossSite(request) || typeof token !== 'string' || !/^[\w-]{20,64}$/.test(token))
      return socket.close(sessionEnded, '登录已失效')
    const line = lineOf(socket)
    answerPings(socket)
    watch(socket)
    socket.on('close', () => hub.leave(line))
    hub.join(line, token).then(
      isIn => isIn && socket.readyState !== socket.OPEN && hub.leave(line),
      () => socket.close(1011, '服务暂时不可用'),
    )
  })
}

const lineOf = (socket: WebSocket): Line => ({
  send: text => socket.readyState === socket.OPEN && socket.send(text),
  close: (code, reason) => socket.close(code, reason),
})

/** The heartbeat of the specification: `{type:'heart_beat',msg:'ping'}`. Anything else is not answered. */
function answerPings(socket: WebSocket): void {
  socket.on('message', data => {
    try {
      const word = JSON.parse(String(data)) as { type?: unknown; msg?: unknown }
      if (word?.type === 'heart_beat' && word.msg === 'ping') socket.send(pong)
    } catch {
      // All other client messages are ignored.
    }
  })
  socket.on('error', () => socket.terminate())
}

/** A pulled cable sends nothing: a client that does not answer a probe is disconnected. */
function watch(socket: WebSocket): void {
  let isThere = true
  socket.on('pong', () => (isThere = true))
  const timer = setInterval(() => {
    if (!isThere) return socket.terminate()
    isThere = false
    socket.ping()
  }, PROBE_MS)
  timer.unref()
  socket.on('close', () => clearInterval(timer))
}
