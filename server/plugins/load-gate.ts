import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Overloaded, RateLimited } from '#server/access/overload.ts'

/** The limits of this process, beyond which it refuses. */
export type LoadLimits = {
  /** Running calls, waiting ones included. */
  readonly calls: number
  /** Running reports and exports, in total and per user. */
  readonly reports: number
  readonly reportsOfOne: number
  /** Changes of one person in a minute. */
  readonly changesOfOne: number
}

/** Above this the process answers late in any case: refused calls at least are not late. */
const LONGEST_LAG_MS = 1000
const LOOK_EVERY_MS = 1000
/** Consecutive measurements that must agree: a start, or one heavy piece of work, is not an overload. */
const LOOKS = 3
/** The operator's checks are always answered: they show that the process is alive. */
const always = /^\/(healthz|readyz|metrics|ws)$/
const heavy = /^\/v1\/report\/|\/export$/

/**
 * Refuses what cannot be done in time, at once and with a retry time, instead of answering everyone late. Must be
 * added before sessions are looked up.
 */
export function addLoadGate(app: FastifyInstance, limits: LoadLimits, lag: () => number = loopLag(app)): void {
  const under = { calls: 0, reports: 0 }
  app.addHook('onRequest', async (request, reply) => {
    const { url = '' } = request.routeOptions
    if (always.test(url)) return
    const line = heavy.test(url) ? 'reports' : 'calls'
    if (under[line] >= limits[line]) throw line === 'reports' ? new RateLimited(10) : new Overloaded(2)
    if (lag() > LONGEST_LAG_MS) throw new Overloaded(2)
    under[line] += 1
    // Answered, or the caller disconnected: both end it.
    reply.raw.once('close', () => (under[line] -= 1))
  })
  addFairShare(app, limits.reportsOfOne)
  addPace(app, limits.changesOfOne)
}

/** One user's reports do not fill the common queue. */
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

/**
 * Limits the pace of a user's posts to that of hands and scanners: a program that runs wild under a user's name must
 * wait.
 */
function addPace(app: FastifyInstance, most: number): void {
  let minute = 0
  const made = new Map<string, number>()
  app.addHook('preValidation', async (request: FastifyRequest) => {
    const user = request.signedIn?.userId
    if (user === undefined || request.method === 'GET') return
    const second = Math.floor(Date.now() / 1000)
    if (Math.floor(second / 60) !== minute) made.clear()
    minute = Math.floor(second / 60)
    const count = (made.get(user) ?? 0) + 1
    if (count > most) throw new RateLimited(60 - (second % 60))
    made.set(user, count)
  })
}

/** The event loop lag in the last seconds: the lowest of the averages of each. */
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
