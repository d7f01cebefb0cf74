import type { FastifyInstance } from 'fastify'
import { requestIdOf } from '#server/http/request-id.ts'

/** One line for each reply at level `info`: who called what, the result, the duration. Never the content sent. */
export function addAccessLog(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-log-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      org: request.signedIn?.org.code,
      user: request.signedIn?.login,
      request_id: request.headers['x-request-id'] === undefined ? undefined : quiet(() => requestIdOf(request)),
    }
    request.log.info(line, 'answered')
  })
}

/** An invalid id counts as none. */
function quiet<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
