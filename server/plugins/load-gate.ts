import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Overloaded, RateLimited } from '#server/access/overload.ts'

/** How much this process takes on before it says so. */
export type LoadLimits = {
  /** Calls under way, waiting ones included. */
  readonly calls: number
  /** Reports and exports under way, of everybody and of one person. */
  readonly reports: number
  readonly reportsOfOne: number
}

/** Above this the process answers late whatever it does: what it does not begin is not late. */
const LONGEST_LAG_MS = 1000
const LOOK_EVERY_MS = 1000
/** Looks in a row that must agree: a start, or one heavy piece of work, is no overload. */
const LOOKS = 3
/** Whoever runs the program is always answered: that is how it is known to live. */
const always = /^\/(healthz|readyz|metrics|ws)$/
const heavy = /^\/v1\/report\/|\/export$/

/** Refuses what cannot be done in time, at once and with the time to come again, instead of answering everybody late. Must be added before sessions are looked up. */
export function addLoadGate(app: FastifyInstance, limits: LoadLimits, lag: () => number = loopLag(app)): void {
  const under = { calls: 0, reports: 0 }
  app.addHook('onRequest', async (request, reply) => {
    const { url = '' } = request.routeOptions
    if (always.test(url)) return
    const line = heavy.test(url) ? 'reports' : 'calls'
    if (under[line] >= limits[line]) throw line === 'reports' ? new RateLimited(10) : new Overloaded(2)
    if (lag() > LONGEST_LAG_MS) throw new Overloaded(2)
    under[line] += 1
    // Answered, or the caller went away: either ends it.
    reply.raw.once('close', () => (under[line] -= 1))
  })
  addFairShare(app, limits.reportsOfOne)
}

/** One person's reports do not fill the line of all. */
function addFairShare(app: FastifyInstance, most: number): void {
  const each = new Map<string, number>()
  app.addHook('preValidation', async (request: FastifyRequest, reply) => {
    const user = request.signedIn?.userId
    if (user === undefined || !heavy.test(request.routeOptions.url ?? '')) return
    const before = each.get(user) ?? 0
    if (before >= most) throw new RateLimited(10)
    each.set(user, before + 1)
    reply.raw.once('close', () => {
      const left = (each.get(user) ?? 1) - 1
      if (left > 0) each.set(user, left)
      else each.delete(user)
    })
  })
}

/** How late the event loop came to its work within the last seconds: the least of the averages of each. */
function loopLag(app: FastifyInstance): () => number {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  let looks: readonly number[] = []
  const timer = setInterval(() => {
    looks = [delay.count > 0 ? delay.mean / 1e6 : 0, ...looks].slice(0, LOOKS)
    delay.reset()
  }, LOOK_EVERY_MS)
  timer.unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    delay.disable()
  })
  return () => (looks.length < LOOKS ? 0 : Math.min(...looks))
}
