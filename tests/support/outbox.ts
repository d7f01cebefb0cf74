import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { House } from './house.ts'

type Line = { at: string; id: string; answer: string | number; phone: string; template: string; code: string }

/** The lines that the house left in its outbox, oldest first. */
export function outboxOf(house: House, file: 'sms' | 'captcha'): Line[] {
  const at = path.join(house.dataDir, 'outbox', `${file}.jsonl`)
  if (!existsSync(at)) return []
  return readFileSync(at, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Line)
}

export const answerOf = (house: House, id: string): string =>
  String(outboxOf(house, 'captcha').find(line => line.id === id)?.answer)
export const lastCode = (house: House, phone: string): string =>
  outboxOf(house, 'sms').findLast(line => line.phone === phone)?.code ?? ''

/** A captcha of characters together with its answer. */
export async function solved(house: House): Promise<{ id: string; answer: string }> {
  const { info } = await house.stranger.get('/v1/captcha/code')
  return { id: info.id, answer: answerOf(house, info.id) }
}

/** Sends the code of a registration and gives it. */
export async function registerCode(house: House, phone: string): Promise<string> {
  const reply = await house.stranger.post('/v1/register/sendMsg', { phone, ...(await solved(house)) })
  if (reply.code !== 0) throw new Error(reply.msg)
  return lastCode(house, phone)
}

/** A minute goes by for a phone that was sent a code. */
export const minuteLater = (house: House) =>
  house.database.owner`update sms_code set sent_at = sent_at - interval '61 seconds'`
