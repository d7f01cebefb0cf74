import { createHash } from 'node:crypto'

/** A signed-in client over real HTTP with keep-alive. */
export class BenchClient {
  readonly #base: string
  readonly #cookie: string
  /** Token that opens the realtime connection of this session. */
  readonly realtimeToken: string
  constructor(base: string, cookie: string, realtimeToken: string) {
    this.#base = base
    this.#cookie = cookie
    this.realtimeToken = realtimeToken
  }

  static async signIn(base: string, userName: string): Promise<BenchClient> {
    const password = createHash('md5').update('Spd@2026').digest('hex')
    const reply = await fetch(`${base}/v1/login`, { method: 'POST', body: new URLSearchParams({ userName, password }) })
    const { code, msg, info } = (await reply.json()) as { code: number; msg: string; info: { r_id: string } }
    if (code !== 0) throw new Error(`${userName}: ${msg}`)
    return new BenchClient(base, (reply.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '', info.r_id)
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- a bench knows what it asked for
  async get(path: string): Promise<any> {
    return this.#read(await fetch(this.#base + path, { headers: { cookie: this.#cookie } }), path)
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- a bench knows what it asked for
  async post(path: string, body: Record<string, unknown>, requestId = crypto.randomUUID()): Promise<any> {
    const headers = { cookie: this.#cookie, 'content-type': 'application/json', 'x-request-id': requestId }
    return this.#read(await fetch(this.#base + path, { method: 'POST', headers, body: JSON.stringify(body) }), path)
  }

  async #read(reply: Response, path: string) {
    const body = (await reply.json()) as { code: number; msg: string }
    if (body.code !== 0) throw new Error(`${path}: ${body.code} ${body.msg}`)
    return body
  }
}
