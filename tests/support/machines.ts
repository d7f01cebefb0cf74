import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import type { Config } from '../../server/config.ts'

/** One process of the program, as if on a machine of its own. */
export interface Machine {
  readonly url: string
  /** kill -9. */
  kill(): Promise<void>
}

/**
 * Starts one on the database of the configuration, with a data folder of its own; `env` adds to its environment. `checkout`:
 * of another version.
 */
export async function startMachine(
  config: Config,
  dataDir: string,
  env: Record<string, string> = {},
  checkout = path.resolve(import.meta.dirname, '../..'),
): Promise<Machine> {
  const { databaseUrl, socket } = config
  const child = fork(path.join(checkout, 'tests', 'support', 'server-child.ts'), {
    cwd: checkout,
    env: { ...process.env, ...env, SERVE_ON: JSON.stringify({ databaseUrl, socket, dataDir }) },
    stdio: 'ignore',
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', message => resolve((message as { url: string }).url))
    child.once('exit', code => reject(new Error(`the server ended with ${code} before it served`)))
  })
  return { url, kill: () => end(child) }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}
