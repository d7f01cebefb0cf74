import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Client, md5, type Reply, type TestServer } from './test-server.ts'

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

/** The first password that was sent to a phone. */
export function firstPassword(server: TestServer, phone: string): string {
  const sent = outboxOf(server, 'sms').findLast(line => line.phone === phone && line.template === 'FIRST_PASSWORD')
  if (!sent) throw new Error(`no first password was sent to ${phone}`)
  return sent.code
}

/** Signs in with the first password that was sent to the phone, chooses one, and signs in with that. */
export async function enterFirst(
  server: TestServer,
  { login, phone, chosen = 'Mine@2026' }: { login?: string; phone: string; chosen?: string },
): Promise<Client> {
  const first = firstPassword(server, phone)
  const client = await server.as(login ?? phone, first)
  const reply = await client.post('/v1/user/change_my_password', { old: md5(first), password: md5(chosen) })
  if (reply.code !== 0) throw new Error(reply.msg)
  return server.as(login ?? phone, chosen)
}

/** Sends the code that changing a registrant's first password asks for, and returns it. */
export async function changeCode(server: TestServer, phone: string): Promise<string> {
  const { id, answer } = await solved(server)
  await minuteLater(server)
  const reply = await server.outsider.post('/v1/sendMsg', { phone, tempID: 'change_pwd', id, captchaResult: answer })
  if (reply.code !== 0) throw new Error(reply.msg)
  return lastCode(server, phone)
}

/** Signs a registrant in with his phone number, chooses a password with a code, and signs in with that. */
export async function enterRegistrant(server: TestServer, phone: string, chosen = 'Mine@2026'): Promise<Client> {
  const client = await server.as(phone, phone)
  const VerifyCode = await changeCode(server, phone)
  const reply = await client.post('/v1/user/change_my_password', { old: md5(phone), password: md5(chosen), VerifyCode })
  if (reply.code !== 0) throw new Error(reply.msg)
  return server.as(phone, chosen)
}

/** The reply to a sign-in with a code sent to the phone. */
export async function enterByCode(server: TestServer, phone: string): Promise<Reply> {
  const { id, answer } = await solved(server)
  const asked = await server.outsider.get(`/v1/user/get_login_code/${phone}`, { id, captchaResult: answer })
  if (asked.code !== 0) throw new Error(asked.msg)
  return server.outsider.post('/v1/loginByVerifyCode', { UserName: phone, VerifyCode: lastCode(server, phone) })
}
