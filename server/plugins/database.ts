import postgres from 'postgres'
import { asTransaction } from '../database/in-transaction.ts'
import { type Config, StartupError } from '../config.ts'
import { appRoleOf, createAppRole, refusePrivileged } from './app-role.ts'

export type Sql = postgres.Sql
export type TransactionSql = postgres.TransactionSql

export interface Database {
  /** The role of the URL: migrations, seed and ledger:check. */
  owner: Sql
  /** Every request: a role that owns nothing and is subject to the row policies. */
  app: Sql
  /** The same role, for reports: documents are posted in parallel however many reports wait. */
  slow: Sql
  /** The same role, for exports, which take as long as the client reads: reports run in parallel. */
  exports: Sql
  databaseName: string
  close(): Promise<void>
}

export type DatabaseAddress = Pick<Config, 'databaseUrl' | 'socket'> &
  Partial<Pick<Config, 'poolSize' | 'reportPoolSize' | 'exportPoolSize'>>

/** Timeouts of a statement in a call that a user waits for, and of one in a report. */
const APP_PATIENCE_MS = 30_000
const REPORT_PATIENCE_MS = 60_000
/**
 * The memory for each step of a report that sorts or sums: PostgreSQL's 4 MB are meant for many small statements at
 * once.
 */
const REPORT_MEMORY = '32MB'

const OLDEST_VERSION = 150_000
const DUPLICATE_DATABASE = '42P04'
const UNIQUE_VIOLATION = '23505'

/** Opens both pools; creates the embedded database and the application's role when they are missing. */
export async function openDatabase(config: DatabaseAddress): Promise<Database> {
  if (config.socket) await createEmbeddedDatabase(config)
  // One for each background job that runs at once, and some for their leases and the program's start.
  const owner = connect(config, { max: 5, connection: { application_name: 'medtrace owner' } })
  const requests: Sql[] = []
  try {
    const databaseName = await identify(owner)
    const role = appRoleOf(databaseName)
    await createAppRole(owner, role)
    const pool = (name: string, max: number, patience: number, settings: Record<string, string> = {}): Sql =>
      connect(config, {
        max,
        // The role as a start-up parameter: the connection never had another role, and RESET ROLE returns to it.
        connection: {
          application_name: name,
          role,
          statement_timeout: patience,
          idle_in_transaction_session_timeout: 60_000,
          ...settings,
        },
      })
    const roomy = { work_mem: REPORT_MEMORY }
    const app = pool('medtrace', config.poolSize ?? 10, APP_PATIENCE_MS)
    const slow = pool('medtrace reports', config.reportPoolSize ?? 1, REPORT_PATIENCE_MS, roomy)
    const exports = pool('medtrace exports', config.exportPoolSize ?? 2, REPORT_PATIENCE_MS, roomy)
    requests.push(app, slow, exports)
    await refusePrivileged(app, role)
    const pools = [owner, ...requests]
    return { owner, app, slow, exports, databaseName, close: async () => void (await Promise.all(pools.map(end))) }
  } catch (error) {
    await Promise.all([owner, ...requests].map(end))
    throw explain(error)
  }
}

const end = (sql: Sql) => sql.end({ timeout: 5 })

type Options = postgres.Options<Record<string, postgres.PostgresType>>

/** A pool on this address, with the program's value types. */
export function connect({ databaseUrl, socket }: DatabaseAddress, options: Options): Sql {
  const all: Options = {
    prepare: true,
    connect_timeout: 10,
    onnotice: () => {},
    types: VALUE_TYPES,
    ...options,
    connection: { TimeZone: 'UTC', ...options.connection },
  }
  // The driver's type parameter describes custom types, and all of ours arrive as strings.
  if (databaseUrl) return marked(postgres(databaseUrl, all) as unknown as Sql)
  if (!socket) throw new StartupError('未配置数据库：请设置 DATABASE_URL，或用 npm start 启动自带的数据库。')
  const place = {
    host: socket.folder,
    port: 5432,
    user: socket.user,
    password: socket.password,
    database: socket.database,
    ssl: false,
  }
  return marked(postgres({ ...place, ...all }) as unknown as Sql)
}

/** Marks the work of a transaction: see `isInTransaction`. */
function marked(sql: Sql): Sql {
  const begin = sql.begin.bind(sql) as (...given: unknown[]) => Promise<never>
  return Object.assign(sql, { begin: (...given: unknown[]) => asTransaction(() => begin(...given)) })
}

// The driver passes a parser the word NULL for an empty array element.
const keep = (text: string) => (text === 'NULL' ? null : text)
const iso = (text: string) => keep(text)?.replace(' ', 'T').replace('+00', 'Z')
const asIs = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value))

/** 1700 numeric, 20 bigint and 1082 date stay text; 1114 and 1184 become ISO 8601 with every digit kept. */
const VALUE_TYPES: Record<string, postgres.PostgresType> = {
  numeric: { to: 1700, from: [1700], serialize: asIs, parse: keep },
  bigint: { to: 20, from: [20], serialize: asIs, parse: keep },
  day: { to: 1082, from: [1082], serialize: (day: unknown) => asIs(day).slice(0, 10), parse: keep },
  localTime: { to: 1114, from: [1114], serialize: asIs, parse: iso },
  // Named like the driver's own, whose Date it replaces.
  date: { to: 1184, from: [1184], serialize: asIs, parse: iso },
}

async function createEmbeddedDatabase({ socket }: DatabaseAddress): Promise<void> {
  if (!socket) return
  const sql = connect({ databaseUrl: null, socket: { ...socket, database: 'postgres' } }, { max: 1 })
  try {
    const [found] = await sql`select 1 from pg_database where datname = ${socket.database}`
    if (!found) await sql`create database ${sql(socket.database)}`
  } catch (error) {
    const alreadyThere =
      error instanceof postgres.PostgresError && [DUPLICATE_DATABASE, UNIQUE_VIOLATION].includes(error.code)
    if (!alreadyThere) throw explain(error)
  } finally {
    await end(sql)
  }
}

async function identify(owner: Sql): Promise<string> {
  const [server] = await owner<{ name: string; version: number; shown: string }[]>`
    select current_database() as name, current_setting('server_version_num')::int as version,
      current_setting('server_version') as shown`
  if (!server) throw new StartupError('数据库没有应答，请检查后重新启动。')
  if (server.version < OLDEST_VERSION) {
    throw new StartupError(`数据库是 PostgreSQL ${server.shown}，需要 15 或更高版本。请升级后重新启动。`)
  }
  if (Buffer.byteLength(appRoleOf(server.name)) > 63)
    throw new StartupError(`数据库名“${server.name}”过长，请不超过 59 个字节。`)
  return server.name
}

const CAUSES: Record<string, string> = {
  ECONNREFUSED: '连不上数据库，请确认它已启动、地址和端口正确',
  ENOTFOUND: '找不到数据库的主机，请检查 DATABASE_URL 里的地址',
  ENOENT: '找不到数据库的套接字，请确认数据库已启动',
  ETIMEDOUT: '连接数据库超时，请检查网络',
  CONNECT_TIMEOUT: '连接数据库超时，请检查网络',
  '28P01': '数据库用户名或密码不对，请检查 DATABASE_URL',
  '28000': '数据库不接受这个用户，请检查 DATABASE_URL 和 pg_hba.conf',
  '3D000': '数据库不存在，请先创建，或改正 DATABASE_URL',
  '42501': '数据库用户的权限不够：它须拥有该数据库并可创建角色（CREATEROLE）',
  '53300': '数据库连接数已满，请稍后重试或提高 max_connections',
}

function explain(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const cause = CAUSES[code]
  return cause ? new StartupError(`${cause}，然后重新启动。（${(error as Error).message}）`, { cause: error }) : error
}
