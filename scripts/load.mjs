// npm run load -- --minutes 10 --users 200: many users at mixed work on a throw-away copy of the demo, with durable
// settings.
import { numberOf } from './options.mjs'
import { onThrowAway } from './throw-away.mjs'

await onThrowAway('load', async socket => {
  const { load } = await import('../bench/load.ts')
  await load({ socket, minutes: numberOf('minutes', 10), users: numberOf('users', 200) })
})
