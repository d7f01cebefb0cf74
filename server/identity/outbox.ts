import { appendFile, mkdir } from 'node:fs/promises'
import path from 'node:path'

/** Adds a line of JSON to a file of the outbox: what would have gone to a person, for tests and for a house without a provider. */
export async function leaveInOutbox(dataDir: string, file: 'sms' | 'captcha', entry: object): Promise<void> {
  const folder = path.join(dataDir, 'outbox')
  await mkdir(folder, { recursive: true })
  await appendFile(
    path.join(folder, `${file}.jsonl`),
    `${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`,
  )
}
