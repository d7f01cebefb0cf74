import { existsSync } from 'node:fs'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '#server/app.ts'
import { type Config, StartupRefusal } from '#server/config.ts'
import { startDelivery } from '#server/engine/deliver.ts'
import { type Database, migrate, openDatabase } from '#server/plugins/database.ts'

export type Running = { readonly url: string; readonly close: () => Promise<void> }

/** Ports tried one after another when none was asked for. */
const PORTS = 20

/** Brings the whole program up: schema, demo data, HTTP, the delivery of hand-overs. `close` ends it in good order. */
export async function serve(config: Config): Promise<Running> {
  const database = await openDatabase(config)
  const closers: (() => Promise<unknown>)[] = [() => database.close()]
  const close = async () => {
    for (const end of closers.splice(0).reverse()) await end()
  }
  try {
    await migrate(database.owner)
    if (config.demo) await seedWhenEmpty(database)
    const app = await buildApp({ config, database })
    closers.push(() => app.close())
    const url = await listen(app, config)
    closers.push(startDelivery(database))
    return { url, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Several processes may start at once on an empty database: one fills it, the others wait. */
async function seedWhenEmpty(database: Database): Promise<void> {
  const held = await database.owner.reserve()
  try {
    await held`select pg_advisory_lock(hashtext('medtrace demo'))`
    const [found] = await held`select 1 from organisation limit 1`
    if (!found) await seed(database)
  } finally {
    await held`select pg_advisory_unlock(hashtext('medtrace demo'))`
    held.release()
  }
}

async function seed(database: Database): Promise<void> {
  const { seedMasters } = await import('#server/demo/masters.ts')
  const whole = path.join(import.meta.dirname, 'demo', 'seed.ts')
  if (existsSync(whole)) await (await import(whole)).seedDemo(database)
  else await seedMasters(database.owner)
  await database.owner`analyze`
}

async function listen(app: FastifyInstance, config: Config): Promise<string> {
  for (let port = config.port; ; port++) {
    try {
      await app.listen({ port, host: config.host })
      const address = app.server.address()
      const actual = typeof address === 'object' && address ? address.port : port
      return `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${actual}`
    } catch (error) {
      const isBusy = (error as { code?: string }).code === 'EADDRINUSE'
      if (isBusy && !config.portIsFixed && port < config.port + PORTS) continue
      throw isBusy ? new StartupRefusal(`端口 ${port} 已被占用。请关闭占用它的程序，或用 PORT 另指一个端口。`) : error
    }
  }
}
