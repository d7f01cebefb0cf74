import type { FastifyInstance } from 'fastify'
import { pricedNames, maySeePrices, withoutPrices } from '#server/access/sensitive-fields.ts'

/** Removes prices from every reply to a user who may not see them, whatever the call. */
export function addMoneyGuard(app: FastifyInstance): void {
  app.addHook('preSerialization', async (request, _reply, payload) => {
    const { url } = request.routeOptions
    if (!request.signedIn || !url?.startsWith('/v1/') || maySeePrices(request.signedIn)) return payload
    return withoutPrices(payload, pricedNames(url.split('/')[3] ?? ''))
  })
}
