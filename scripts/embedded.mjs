// The database that a command works on: the one of DATABASE_URL, or the embedded cluster under DATA_DIR.
import { OWNER, startPg } from './pg.mjs'

const DATABASE = 'medtrace'

/** The configuration completed with a database that runs, and how to leave it. */
export async function withCluster(config, log = console.log) {
  if (config.databaseUrl) return { config, stop: async () => {} }
  const { sock, password, stop } = await startPg({ dataRoot: config.dataDir, log })
  return { config: { ...config, socket: { folder: sock, user: OWNER, password, database: DATABASE } }, stop }
}
