import type { FastifyInstance } from 'fastify'

/** A call as registered: its method and its address with the names of its parts. */
export type KnownCall = { readonly method: string; readonly url: string }

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
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) if (each !== 'HEAD') table.push({ method: each, url })
  })
}
