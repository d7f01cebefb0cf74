import { buildApp } from '#app/app.ts'
import { readConfig } from '#server/config.ts'
import { seedMasters } from '#demo/masters/masters.ts'
import { type Database, openDatabase } from '#server/plugins/database.ts'
import { migrate } from '#app/schema.ts'
import { benchContention } from './contention.ts'
import { benchLists } from './lists.ts'
import { benchPolicies } from './policies.ts'
import { benchPosting } from './posting.ts'
import { benchScale } from './scale.ts'
import { benchTrace } from './tracing.ts'
import { BenchClient } from './client.ts'
import { checked } from './stopwatch.ts'
import { NO_PACE } from '#tests/support/pace.ts'

export type Where = {
  readonly databaseUrl: string | null
  readonly socket: { folder: string; user: string; password: string; database: string } | null
  readonly only: readonly string[]
  /** Share of the full network size to fill; null runs the single benchmarks instead. */
  readonly scale: number | null
}
export type Bench = {
  readonly database: Database
  readonly client: (login: string) => Promise<BenchClient>
  readonly one: <T>(text: string, ...values: unknown[]) => Promise<T>
}

/** Runs every benchmark on one machine; only ratios between lines of the same run are meaningful. */
export async function bench(where: Where): Promise<void> {
  const config = {
    ...readConfig({ MAX_CHANGES: NO_PACE, ...process.env, PORT: '0', DEMO: '0' }),
    databaseUrl: where.databaseUrl,
    socket: where.socket,
  }
  const database = await openDatabase(config)
  await migrate(database.owner)
  const [stands] = await database.owner`select 1 from organisation limit 1`
  if (!stands) {
    await seedMasters(database.owner)
    await database.owner`analyze`
  }
  const app = await buildApp({ config, database, logger: false })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const port = (app.server.address() as { port: number }).port
  const server: Bench = {
    database,
    client: login => BenchClient.signIn(`http://127.0.0.1:${port}`, login),
    one: async (text, ...values) => (await database.owner.unsafe(text, values as never[]))[0] as never,
  }
  console.log(
    `${'figure'.padEnd(52)} ${'ours'.padStart(10)}                  ${'raw SQL'.padStart(10)}  ` +
      `${'ratio'.padStart(7)}  goal`,
  )
  const failed = where.scale !== null ? await benchScale(server, where.scale) : await benchParts(server, where.only)
  await app.close()
  await database.close()
  if (failed.length > 0) throw new Error(`goals missed twice, by more than a quarter:\n${failed.join('\n')}`)
}

/** Each part prepares its data once, then measures. */
const parts = {
  posting: benchPosting,
  contention: benchContention,
  trace: benchTrace,
  lists: benchLists,
  policies: benchPolicies,
}

async function benchParts(server: Bench, only: readonly string[]): Promise<string[]> {
  const failed: string[] = []
  for (const [name, prepare] of Object.entries(parts))
    if (only.length === 0 || only.includes(name)) failed.push(...(await checked(await prepare(server))))
  return failed
}
