import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { asks, letAskToSignIn } from '#web/engine/actions/prompts.ts'
import { isOnline, RECONNECT_MS, watchConnection } from '#web/engine/http/connection.ts'
import { get, post } from '#web/engine/http/request.ts'

type Sent = { readonly url: string; readonly init: RequestInit }
let sent: Sent[] = []
let answers: ((call: Sent) => Response | Promise<Response>)[] = []
const json =
  (body: unknown, status = 200) =>
  () =>
    new Response(JSON.stringify(body), { status })

/** A body whose connection ends in the middle, as browsers report it. */
const brokenOff = () =>
  new ReadableStream({
    start: controller => controller.enqueue(new TextEncoder().encode('{"code":')),
    pull: controller => controller.error(new TypeError('network error')),
  })

/** A call that stays pending until cancelled. */
const endless = ({ init }: Sent): Promise<Response> =>
  new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(new Error('aborted'))))

const headerOf = (call: Sent | undefined, name: string): string | undefined =>
  (call?.init.headers as Record<string, string> | undefined)?.[name]

beforeEach(() => {
  sent = []
  answers = []
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const call = { url, init }
    sent.push(call)
    return Promise.resolve(answers.shift()?.(call) ?? json({ code: 0 })())
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('a lost connection', () => {
  const lost = () => Promise.reject(new TypeError('Failed to fetch'))

  it('is known when nothing reaches the server; what failed then does not advise to load the page again', async () => {
    vi.useFakeTimers()
    const forgetIt = watchConnection()
    answers = [lost, lost, lost, json({}, 502), json({ code: 0 })]
    await expect(post('/v1/business/x/review')).rejects.toThrow('断网，操作未完成，填写的内容已保留，重连后请再试')
    expect(isOnline()).toBe(false)
    // Neither silence nor a proxy without a server is the way back.
    await vi.advanceTimersByTimeAsync(2 * RECONNECT_MS)
    expect(isOnline()).toBe(false)
    await vi.advanceTimersByTimeAsync(RECONNECT_MS)
    expect(isOnline()).toBe(true)
    expect(sent.map(({ url }) => url)).toEqual(['/v1/business/x/review', ...Array(4).fill('/healthz')])
    forgetIt()
  })

  it('is not one call that was dropped: it says the sentence of the specification', async () => {
    const forgetIt = watchConnection()
    answers = [lost, json({ code: 0 })]
    await expect(get('/v1/business/x/list')).rejects.toThrow('网络超时，请检查网络后重新刷新页面再试。')
    expect(isOnline()).toBe(true)
    forgetIt()
  })
})

describe('a call', () => {
  it('sends a form with nested parts as JSON text, null as empty and undefined not at all', async () => {
    await post('/v1/business/x/add', { sn: 'A1', lines: [{ quantity: '1' }], remark: null, left: undefined })
    const form = new URLSearchParams(String(sent[0]?.init.body))
    expect(Object.fromEntries(form)).toEqual({ sn: 'A1', lines: '[{"quantity":"1"}]', remark: '' })
    expect(headerOf(sent[0], 'X-Request-Id')).toMatch(/^.{10,64}$/)
  })

  it('repeated while pending cancels the earlier one, under the same request id', async () => {
    answers = [endless, json({ code: 0 })]
    const first = post('/v1/business/x/review', { sn: 'A1' })
    const second = post('/v1/business/x/review', { sn: 'A1' })
    await expect(first).rejects.toThrow('频繁操作请求！')
    await expect(second).resolves.toMatchObject({ code: 0 })
    expect(headerOf(sent[0], 'X-Request-Id')).toBe(headerOf(sent[1], 'X-Request-Id'))
  })

  it('times out after a minute with the specified message', async () => {
    vi.useFakeTimers()
    answers = [endless]
    const call = expect(get('/v1/slow')).rejects.toThrow('网络超时，请检查网络后重新刷新页面再试。')
    await vi.advanceTimersByTimeAsync(60_000)
    await call
  })

  it.each([
    [json({ code: 2102, msg: '库存不足' }), '库存不足'],
    [json({ Code: 1, Msg: '验证码错误' }), '验证码错误'],
    [json({ code: 9999 }), '服务错误'],
    [json({}, 404), '【404】 - 服务器异常情况，请稍后刷新页面再试。'],
    [json({}, 504), '【504】 - 服务器异常情况，请稍后刷新页面再试。'],
    [json({ msg: '文件过大' }, 413), '【413】 - 文件过大'],
    [
      () => {
        throw new TypeError('Failed to fetch')
      },
      '网络超时，请检查网络后重新刷新页面再试。',
    ],
    [
      () => {
        throw new DOMException('The user aborted a request.', 'AbortError')
      },
      '网络超时，请检查网络后重新刷新页面再试。',
    ],
    [() => new Response(brokenOff(), { status: 200 }), '网络超时，请检查网络后重新刷新页面再试。'],
    [() => new Response('<html>', { status: 200 }), '客户端异常情况，请稍后刷新页面再试。'],
  ])('that fails says so in the words of the specification (%#)', async (answer, sentence) => {
    answers = [answer]
    await expect(get('/v1/x')).rejects.toThrow(sentence)
  })

  it('with a rejected session waits for a new sign-in and is repeated', async () => {
    answers = [json({ msg: '登录已失效' }, 401), json({ code: 0, info: 'done' })]
    const signInAgain = vi.spyOn(asks, 'signInAgain').mockResolvedValue()
    await expect(post('/v1/x', { a: 1 })).resolves.toMatchObject({ info: 'done' })
    expect(signInAgain).toHaveBeenCalledOnce()
    expect(sent).toHaveLength(2)
  })

  it('whose body says 401 goes to /Login and opens no dialog', async () => {
    const [goToSignIn, signInAgain] = [vi.spyOn(asks, 'goToSignIn'), vi.spyOn(asks, 'signInAgain')]
    signInAgain.mockClear()
    answers = [json({ code: '401', msg: '' })]
    await expect(get('/v1/x')).rejects.toMatchObject({ kind: 'signedOut', message: '用户信息错误' })
    expect(goToSignIn).toHaveBeenCalledOnce()
    expect(signInAgain).not.toHaveBeenCalled()
  })

  it('rejected after the user gave up opens no further dialog', async () => {
    const signInAgain = vi.spyOn(asks, 'signInAgain')
    signInAgain.mockClear()
    letAskToSignIn(false)
    answers = [json({}, 403)]
    await expect(get('/v1/x')).rejects.toThrow('用户信息错误')
    expect(signInAgain).not.toHaveBeenCalled()
    letAskToSignIn(true)
  })

  it('with open questions continues with the token and the reason, or not at all', async () => {
    const question = json({
      code: 2200,
      msg: '近效期',
      info: { questions: [{ rule: 'near', msg: '近效期' }], token: 't1' },
    })
    const confirm = vi.spyOn(asks, 'confirmQuestions').mockResolvedValue({ reason: '急用' })
    answers = [question, json({ code: 0 })]
    await post('/v1/x', { sn: 'A1' })
    expect(Object.fromEntries(new URLSearchParams(String(sent[1]?.init.body)))).toEqual({
      sn: 'A1',
      confirm: 't1',
      reason: '急用',
    })
    confirm.mockResolvedValue(null)
    answers = [question]
    await expect(post('/v1/x', { sn: 'A1' })).rejects.toMatchObject({ kind: 'cancelled' })
  })
})
