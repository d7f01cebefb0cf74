import postgres from 'postgres'
import { appRoleOf } from '#server/plugins/app-role.ts'
import { connect, type DatabaseAddress, openDatabase, type Sql } from '#server/plugins/database.ts'

/** The same server, another database. */
export function at({ databaseUrl, socket }: DatabaseAddress, database: string): DatabaseAddress {
  if (socket) return { databaseUrl: null, socket: { ...socket, database } }
  const url = new URL(databaseUrl ?? '')
  url.pathname = `/${encodeURIComponent(database)}`
  return { databaseUrl: url.href, socket: null }
}

async function withMaintenance<T>(maintenance: DatabaseAddress, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = connect(maintenance, { max: 1 })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

export function createDatabase(maintenance: DatabaseAddress, name: string): Promise<void> {
  return withMaintenance(maintenance, async sql => {
    // Not template1: its locale is unknown, and Chinese letters need a UTF-8 one.
    await sql`create database ${sql(name)} template template0 encoding 'UTF8'`
  })
}

/** Blocks new connections to a template, so that it can be copied at any moment. */
export function sealTemplate(maintenance: DatabaseAddress, name: string): Promise<void> {
  return withMaintenance(maintenance, async sql => {
    await sql`alter database ${sql(name)} with is_template true allow_connections false`
  })
}

/** A copy whose application role inherits the grants the migrations gave to the template's. */
export function cloneDatabase(
  maintenance: DatabaseAddress,
  template: string,
  name: string,
  grantedRole: string,
): Promise<void> {
  return withMaintenance(maintenance, sql => clone(sql, template, name, grantedRole))
}

async function clone(sql: Sql, template: string, name: string, grantedRole: string): Promise<void> {
  // Not through the log: nothing here has to survive a crash.
  await sql`create database ${sql(name)} template ${sql(template)} strategy file_copy`
  const role = appRoleOf(name)
  await sql`create role ${sql(role)} nologin nobypassrls`
  await sql`grant ${sql(grantedRole)} to ${sql(role)}`
}

/**
 * Builds a seeded template once for all workers of a run; the first to ask builds it, the others wait. The seed's
 * return value is stored as the database comment, for those who copy it.
 */
export function seededTemplate(
  maintenance: DatabaseAddress,
  template: string,
  what: string,
  seed: Seed,
): Promise<string> {
  const name = `${template}_${what}`
  return withMaintenance(maintenance, async sql => {
    await sql`select pg_advisory_lock(hashtext(${name}))`
    const [found] = await sql<
      { ready: boolean }[]
    >`select datistemplate as ready from pg_database where datname = ${name}`
    if (found?.ready) return name
    if (found) await dropDatabase(sql, name)
    await clone(sql, template, name, appRoleOf(template))
    const database = await openDatabase(at(maintenance, name))
    try {
      const given = JSON.stringify((await seed(database)) ?? null)
      await database.owner`analyze`
      await sql.unsafe(`comment on database ${name} is '${given.replaceAll("'", "''")}'`)
    } finally {
      await database.close()
    }
    await sql`alter database ${sql(name)} with is_template true allow_connections false`
    return name
  })
}

export type Seed = (database: Awaited<ReturnType<typeof openDatabase>>) => Promise<unknown>

/** The return value of a template's seed. */
export function givenWith(maintenance: DatabaseAddress, name: string): Promise<unknown> {
  return withMaintenance(maintenance, async sql => {
    const [row] = await sql<{ given: string }[]>`
      select shobj_description(oid, 'pg_database') as given from pg_database where datname = ${name}`
    return JSON.parse(row?.given ?? 'null')
  })
}

/** Removes every database and role whose name starts with the prefix. */
export function dropDatabases(maintenance: DatabaseAddress, prefix: string): Promise<void> {
  return withMaintenance(maintenance, async sql => {
    const names = await sql<{ name: string }[]>`
      select datname as name from pg_database where starts_with(datname, ${prefix}) order by length(datname) desc`
    for (const { name } of names) await dropDatabase(sql, name)
  })
}

const dropOne = (maintenance: DatabaseAddress, name: string) =>
  withMaintenance(maintenance, sql => dropDatabase(sql, name))
export { dropOne as dropDatabase }

async function dropDatabase(sql: Sql, name: string): Promise<void> {
  try {
    await sql`alter database ${sql(name)} with is_template false`
  } catch (error) {
    if (error instanceof postgres.PostgresError && error.code === '3D000') return
    throw error
  }
  await sql`drop database ${sql(name)} with (force)`
  await sql`drop role if exists ${sql(appRoleOf(name))}`
}
