import { flushCompileCache } from 'node:module'
import { readConfig } from '#server/config.ts'
import { serve } from '#app/main.ts'
import { NO_PACE } from './pace.ts'

/** The whole server as a separate process, on the database its parent names; the parent may kill it at any moment. */
const { url } = await serve({
  ...readConfig({ PORT: '0', DEMO: '0', MAX_CHANGES: NO_PACE, ...process.env }),
  ...JSON.parse(process.env.SERVE_ON ?? '{}'),
})
process.send?.({ url })
// A killed process would save nothing for the next one, so flush now.
flushCompileCache?.()
