import type { FastifyInstance } from 'fastify'

/** A call as registered: its method, its address with the names of its parts and its query, whether it takes a file. */
export type KnownCall = {
  readonly method: string
  readonly url: string
  readonly asks: readonly string[] | 'declared'
  readonly takesFiles: boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every call that this server answers. Tests go through it, so that no call is forgotten. */
    readonly callTable: readonly KnownCall[]
  }
}

/** Records the calls as they are registered. */
export function addCallTable(app: FastifyInstance): void {
  const table: KnownCall[] = []
  app.decorate('callTable', table)
  app.addHook('onRoute', function ({ method, url, config }) {
    const methods = [method].flat().filter(each => each !== 'HEAD')
    for (const each of methods)
      table.push({
        method: each,
        url,
        asks: config?.query ?? [],
        takesFiles: each !== 'GET' && this.hasContentTypeParser('multipart/form-data'),
      })
  })
}
