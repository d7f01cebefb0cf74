import type { FastifyInstance } from 'fastify'
import { pricedNames, seesPrices, withoutPrices } from '#server/engine/prices.ts'

/** Every reply to somebody who may not know prices goes out without them, whatever call it answers. */
export function addMoneyGuard(app: FastifyInstance): void {
  app.addHook('preSerialization', async (request, _reply, payload) => {
    const { url } = request.routeOptions
    if (!request.signedIn || !url?.startsWith('/v1/') || seesPrices(request.signedIn)) return payload
    return withoutPrices(payload, pricedNames(url.split('/')[3] ?? ''))
  })
}
