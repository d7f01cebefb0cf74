import type { FastifyInstance } from 'fastify'
import { hidePrices } from '#server/access/sensitive-fields.ts'

/** Removes from every reply what its reader may not see of prices, costs and other types' fields, whatever the call. */
export function addMoneyGuard(app: FastifyInstance): void {
  app.addHook('preSerialization', async (request, _reply, payload) => {
    const { url } = request.routeOptions
    if (!request.signedIn || !url?.startsWith('/v1/')) return payload
    return hidePrices(request.signedIn, url.split('/')[3] ?? '', payload)
  })
}
