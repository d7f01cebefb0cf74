import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import type { DatabaseAddress } from '#server/plugins/database.ts'

/** One server process, as if on its own machine. */
export interface Machine {
  readonly url: string
  /** kill -9. */
  kill(): Promise<void>
}

/**
 * Starts one on the database at this address, with its own data folder; `env` adds to its environment. `checkout`:
 * another version's checkout.
 */
export async function startMachine(
  { databaseUrl, socket }: DatabaseAddress,
  dataDir: string,
  env: Record<string, string> = {},
  checkout = path.resolve(import.meta.dirname, '../..'),
): Promise<Machine> {
  const child = fork(path.join(checkout, 'tests', 'support', 'server-process.ts'), {
    cwd: checkout,
    // Shares the compile cache between processes: startup takes a third of the time.
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: path.join(checkout, 'node_modules', '.cache', 'compiled'),
      ...env,
      SERVE_ON: JSON.stringify({ databaseUrl, socket, dataDir }),
    },
    // CRASH_TELL=1: print the server's error output.
    stdio: process.env.CRASH_TELL ? ['ignore', 'inherit', 'inherit', 'ipc'] : ['ignore', 'ignore', 'ignore', 'ipc'],
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
