import { flushCompileCache } from 'node:module'
import { readConfig } from '#server/config.ts'
import { serve } from '#server/main.ts'

/** The whole program as a process of its own, on the database that its parent names; the parent may kill it at any moment. */
const { url } = await serve({
  ...readConfig({ PORT: '0', DEMO: '0', ...process.env }),
  ...JSON.parse(process.env.SERVE_ON ?? '{}'),
})
process.send?.({ url })
// Whoever is killed keeps nothing for the next one: it is kept now.
flushCompileCache?.()
