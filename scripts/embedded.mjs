// The database a command works on: that of DATABASE_URL, or the embedded cluster under DATA_DIR.
import { OWNER, startPg } from './pg.mjs'

const DATABASE = 'medtrace'

/** Completes the configuration with a running database and a function to leave it. */
export async function withCluster(config, log = console.log) {
  if (config.databaseUrl) return { config, stop: async () => {} }
  const { sock, password, stop } = await startPg({ dataRoot: config.dataDir, log })
  return { config: { ...config, socket: { folder: sock, user: OWNER, password, database: DATABASE } }, stop }
}
