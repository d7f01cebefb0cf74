import type { FastifyInstance } from 'fastify'
import { hidePrices } from '#server/access/sensitive-fields.ts'

/** Removes prices and costs from every reply to a user who may not see them, whatever the call. */
export function addMoneyGuard(app: FastifyInstance): void {
  app.addHook('preSerialization', async (request, _reply, payload) => {
    const { url } = request.routeOptions
    if (!request.signedIn || !url?.startsWith('/v1/')) return payload
    return hidePrices(request.signedIn, url.split('/')[3] ?? '', payload)
  })
}
