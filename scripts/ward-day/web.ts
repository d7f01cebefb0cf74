import { createHash } from 'node:crypto'
import type { Key, Reply } from './device.ts'

/** A user of the hospital's pages, over the same calls the pages make. */
export async function signIn(url: string, login: string, password: string) {
  const hash = createHash('md5').update(password).digest('hex')
  const entered = await fetch(`${url}/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userName: login, password: hash }),
  })
  const cookie = entered.headers
    .getSetCookie()
    .find(each => each.startsWith('sid='))
    ?.split(';')[0]
  if (!cookie) throw new Error(`${login}不能登录：${((await entered.json()) as Reply).msg}`)
  const ask = async (method: string, path: string, body?: unknown): Promise<Reply> => {
    const reply = await fetch(`${url}/v1/business/${path}`, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: reply.status, ...((await reply.json()) as Omit<Reply, 'status'>) }
  }
  const must = (reply: Reply, what: string): Reply => {
    if (reply.code !== 0) throw new Error(`${what}：${reply.code} ${reply.msg}`)
    return reply
  }
  return {
    list: async (kind: string, query: Readonly<Record<string, string>> = {}) =>
      must(await ask('GET', `${kind}/list?${new URLSearchParams({ pageNum: '1', pageSize: '500', ...query })}`), kind)
        .list!,
    post: (call: string, body: unknown) => ask('POST', call, body),
    done: async (call: string, body: unknown) => must(await ask('POST', call, body), call).info,
  }
}
export type Web = Awaited<ReturnType<typeof signIn>>

/** A new key for a cabinet: the secret is shown in this response and never again. */
export async function newKey(
  web: Web,
  code: string,
): Promise<Key & { readonly cabinet: string; readonly store: string }> {
  const [row] = await web.list('cabinet', { code })
  if (!row) throw new Error(`没有智能柜${code}`)
  const { result: notified } = await web.done('cabinet/rotateKey', { sn: row.cabinet_sn, version: row.version })
  return { id: notified.密钥编号, secret: notified.密钥, cabinet: row.cabinet_sn, store: row.warehouse_model_inner_sn }
}
