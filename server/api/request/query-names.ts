import type { FastifyInstance } from 'fastify'
import { refuseOtherNames } from '#server/access/untrusted-input.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Names that the address may carry; `declared`: the handler refuses others by its definition. Default: none. */
    query?: readonly string[] | 'declared'
  }
}

/** The options of a route whose query has these names. */
export const asks = (...query: string[]) => ({ config: { query } }) as const

/** The same for a route that anybody may call. */
export const openFor = (...query: string[]) => ({ config: { access: 'open', query } }) as const

/** The options of a route whose query is read by the fields of a definition, which refuses other names itself. */
export const asksAsDeclared = { config: { query: 'declared' } } as const

const isOurs = (url: string | undefined): boolean => url !== undefined && /^\/(v1|file)\//.test(url)

/** Refuses names in the address that its route does not ask for: a misspelt filter would show everything. */
export function addQueryNames(app: FastifyInstance): void {
  app.addHook('preValidation', async request => {
    const { url, config } = request.routeOptions
    if (!isOurs(url) || config.query === 'declared') return
    refuseOtherNames(request.query as Readonly<Record<string, unknown>>, config.query ?? [])
  })
}
