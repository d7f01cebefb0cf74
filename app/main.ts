import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp, storeOf } from '#app/app.ts'
import { type Config, StartupError } from '#server/config.ts'
import { registerModules } from '#app/composition.ts'
import { hooks } from '#server/registry/hooks.ts'
import { openPlatform } from '#server/identity/first-platform.ts'
import { engineJobs } from '#server/engine-jobs.ts'
import { startJobs } from '#server/jobs/runner.ts'
import { listenHl7 } from '#server/outbound/his/hl7/listen.ts'
import { reportErrorsTo } from '#server/audit/reported-errors.ts'
import { isDemo, seedDemoOnce } from '#demo/once.ts'
import { type Database, openDatabase } from '#server/plugins/database.ts'
import { noteOnSameNames } from '#app/operations/same-names.ts'
import { migrate } from '#app/schema.ts'

export type Running = { readonly url: string; readonly close: () => Promise<void> }

/** Ports tried one after another when none was configured. */
const PORTS = 20

/** The stand-in of the demo hospital's HIS, and of its laboratory's system. */
type DemoHis = {
  readonly addresses: Config['his']
  readonly lis: NonNullable<Config['lis']>
  readonly close: () => Promise<void>
}

/** The stand-in of a provider of electronic invoices. */
type DemoEInvoice = { readonly standIn: Config['einvoice']['standIn']; readonly close: () => Promise<void> }

/**
 * Starts the whole program: schema, demo data, HTTP, intercompany delivery. `close` shuts it down in order.
 * `startDemoHis`: only where the database holds the demo; the HIS of a real hospital is that of the environment.
 */
export async function serve(
  config: Config,
  startDemoHis: (config: Config) => Promise<DemoHis | null> = async () => null,
  startDemoEInvoice: (config: Config) => Promise<DemoEInvoice | null> = async () => null,
): Promise<Running> {
  registerModules()
  const database = await openDatabase(config)
  const closers: (() => Promise<unknown>)[] = [() => database.close()]
  const close = async () => {
    for (const end of closers.splice(0).reverse()) await end()
  }
  try {
    const applied = await migrate(database.owner, { freshStart: freshStart(config) })
    const note = applied.length > 0 ? await noteOnSameNames(database.owner) : null
    if (note !== null) console.log(note)
    if (!config.demo) await begin(database)
    const holdsDemo = config.demo && (await seedWhenEmpty(database, config))
    const his = holdsDemo ? await startDemoHis(config) : null
    if (his) closers.push(his.close)
    const invoices = holdsDemo ? await startDemoEInvoice(config) : null
    if (invoices) closers.push(invoices.close)
    const app = await buildApp({
      config: {
        ...config,
        ...(his ? { his: his.addresses, lis: config.lis ?? his.lis } : {}),
        ...(invoices ? { einvoice: { ...config.einvoice, standIn: invoices.standIn } } : {}),
      },
      database,
    })
    closers.push(() => app.close())
    const url = await listen(app, config)
    reportErrorsTo((facts, text) => app.log.error(facts, text))
    const resources = { ...database, store: storeOf(config) }
    closers.push(await listenHl7(database.app, config.hl7))
    closers.push(await startJobs(resources, [...engineJobs, ...hooks().jobs], app.log))
    if (config.demo) await announceDemo(database)
    if (holdsDemo) await bringHisOf(database)
    return { url, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The advice for a database of a former program; the program deletes nothing of it. */
const freshStart = ({ socket, dataDir }: Config): string =>
  socket
    ? `请把数据目录 ${path.resolve(dataDir)} 改名留存（确认不再需要时可删除），再运行 npm start，程序会新建数据库`
    : '请新建一个空的数据库，把 DATABASE_URL 指向它后重新启动'

/**
 * Several processes may start at once on an empty database: one fills it, the others wait. Whether the database holds
 * the demo then.
 */
async function seedWhenEmpty(database: Database, config: Config): Promise<boolean> {
  const held = await database.owner.reserve()
  try {
    await held`select pg_advisory_lock(hashtext('medtrace demo'))`
    await seedDemoOnce(database)
    const holdsDemo = await isDemo(database.owner)
    if (holdsDemo) {
      const { bringPictures } = await import('#demo/pictures.ts')
      if (await bringPictures(database, storeOf(config))) {
        const { bringProofs } = await import('#demo/proofs.ts')
        await bringProofs(database, storeOf(config))
      }
    }
    return holdsDemo
  } finally {
    await held`select pg_advisory_unlock(hashtext('medtrace demo'))`
    held.release()
  }
}

/** A real network starts with the platform; its password is shown once, here. */
async function begin(database: Database): Promise<void> {
  const opened = await openPlatform(database.owner)
  if (opened) console.log(`平台账号：${opened.login}，初始密码 ${opened.password}，首次登录须修改`)
}

/** The data that the demo's hospitals get from their HIS. */
async function bringHisOf(database: Database): Promise<void> {
  const { bringHis } = await import('#demo/his.ts')
  await bringHis(database)
}

/** Prints the demo's accounts at start; silent on a database without the demo. */
async function announceDemo(database: Database): Promise<void> {
  const { demoAccounts, demoPassword } = await import('#demo/masters/people.ts')
  const logins = demoAccounts.map(account => account.login)
  // A demo of an earlier version has fewer.
  const found = await database.owner<{ login: string }[]>`
    select u.login from app_user u join organisation o on o.id = u.org_id
     where u.login = any(${logins}::text[]) and o.name like '%演示%' order by array_position(${logins}::text[], u.login)`
  if (found.length > 0) console.log(`演示账号：${found.map(({ login }) => login).join('、')}，密码均为 ${demoPassword}`)
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
      throw isBusy ? new StartupError(`端口 ${port} 已被占用。请关闭占用它的程序，或用 PORT 另指一个端口。`) : error
    }
  }
}
