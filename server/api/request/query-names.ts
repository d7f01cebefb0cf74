import type { FastifyInstance } from 'fastify'
import { BusinessError } from '#kernel/rules/errors.ts'
import { refuseOtherNames } from '#server/access/untrusted-input.ts'

type Values = Readonly<Record<string, readonly string[]>>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Names that the address may carry; `declared`: the handler refuses others by its definition. Default: none. */
    query?: readonly string[] | 'declared'
    /** The values that a name may have, where these are few. */
    queryValues?: Values
  }
}

/** A name that the address may carry; or some, each with the values that it may have. */
type Name = string | Values

const read = (names: readonly Name[]) => ({
  query: names.flatMap(name => (typeof name === 'string' ? name : Object.keys(name))),
  queryValues: Object.assign({}, ...names.filter(name => typeof name !== 'string')) as Values,
})

/** The options of a route whose query has these names. */
export const asks = (...query: Name[]) => ({ config: read(query) }) as const

/** The same for a route that anybody may call. */
export const openFor = (...query: Name[]) => ({ config: { access: 'open', ...read(query) } }) as const

/** The options of a route whose query is read by the fields of a definition, which refuses other names itself. */
export const asksAsDeclared = { config: { query: 'declared' } } as const

const isOurs = (url: string | undefined): boolean => url !== undefined && /^\/(v1|file)\//.test(url)

/** Refuses a value that a name of the address cannot have: it would show something else than was asked for. */
function refuseOtherValues(query: Readonly<Record<string, unknown>>, values: Values): void {
  for (const [field, known] of Object.entries(values)) {
    const value = query[field]
    if (value === undefined || value === '' || known.includes(String(value))) continue
    const msg = `“${field}”没有“${String(value).slice(0, 64)}”这个选项`
    throw new BusinessError('invalid', msg, [{ field, msg }])
  }
}

/** Refuses names in the address that its route does not ask for: a misspelt filter would show everything. */
export function addQueryNames(app: FastifyInstance): void {
  app.addHook('preValidation', async request => {
    const { url, config } = request.routeOptions
    if (!isOurs(url) || config.query === 'declared') return
    const query = request.query as Readonly<Record<string, unknown>>
    refuseOtherNames(query, config.query ?? [])
    refuseOtherValues(query, config.queryValues ?? {})
  })
}
