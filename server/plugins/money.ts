import type { FastifyInstance } from 'fastify'
import { pricedNames, maySeePrices, withoutPrices } from '#server/access/sensitive-fields.ts'

/** Every reply to somebody who may not know prices goes out without them, whatever call it answers. */
export function addMoneyGuard(app: FastifyInstance): void {
  app.addHook('preSerialization', async (request, _reply, payload) => {
    const { url } = request.routeOptions
    if (!request.signedIn || !url?.startsWith('/v1/') || maySeePrices(request.signedIn)) return payload
    return withoutPrices(payload, pricedNames(url.split('/')[3] ?? ''))
  })
}
