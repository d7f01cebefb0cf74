import { appendFile, mkdir } from 'node:fs/promises'
import path from 'node:path'

/**
 * Appends a JSON line to an outbox file: what would have been sent to a person, for tests and installations without
 * a provider.
 */
export async function leaveInOutbox(dataDir: string, file: 'sms' | 'captcha', entry: object): Promise<void> {
  const folder = path.join(dataDir, 'outbox')
  await mkdir(folder, { recursive: true })
  await appendFile(
    path.join(folder, `${file}.jsonl`),
    `${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`,
  )
}
