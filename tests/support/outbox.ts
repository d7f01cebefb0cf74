import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { TestServer } from './test-server.ts'

type Line = { at: string; id: string; answer: string | number; phone: string; template: string; code: string }

/** The entries in the server's outbox, oldest first. */
export function outboxOf(server: TestServer, file: 'sms' | 'captcha'): Line[] {
  const at = path.join(server.dataDir, 'outbox', `${file}.jsonl`)
  if (!existsSync(at)) return []
  return readFileSync(at, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Line)
}

export const answerOf = (server: TestServer, id: string): string =>
  String(outboxOf(server, 'captcha').find(line => line.id === id)?.answer)
export const lastCode = (server: TestServer, phone: string): string =>
  outboxOf(server, 'sms').findLast(line => line.phone === phone)?.code ?? ''

/** A text captcha with its answer. */
export async function solved(server: TestServer): Promise<{ id: string; answer: string }> {
  const { info } = await server.outsider.get('/v1/captcha/code')
  return { id: info.id, answer: answerOf(server, info.id) }
}

/** Sends a registration code and returns it. */
export async function registerCode(server: TestServer, phone: string): Promise<string> {
  const reply = await server.outsider.post('/v1/register/sendMsg', { phone, ...(await solved(server)) })
  if (reply.code !== 0) throw new Error(reply.msg)
  return lastCode(server, phone)
}

/** Lets the one-minute wait between two codes for a phone elapse. */
export const minuteLater = (server: TestServer) =>
  server.database.owner`update sms_code set sent_at = sent_at - interval '61 seconds'`
