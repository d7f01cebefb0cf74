import { afterEach, describe, expect, it, vi } from 'vitest'
import { readLine, streamAnswer } from '#web/assistant/answer-stream.ts'
import { blocksOf, inlineOf } from '#web/assistant/markdown.ts'

const line = (body: unknown) => `data: ${JSON.stringify(body)}`
const piece = (answer: string) => line({ result: { data: [{ answer }] } })

describe('a line of the stream', () => {
  it('is a piece with its references, the end, or nothing', () => {
    const reference = [{ title: '采购订单', uri: '/hospital/purchaseOrder' }]
    const rich_text_ref = [{ id: 'a-1', content: '**寄售**' }]
    expect(readLine(line({ result: { data: [{ answer: '好', reference, rich_text_ref }] } }))).toEqual({
      answer: '好',
      reference,
      quotes: rich_text_ref,
    })
    expect(['data: [done]', 'data:[DONE]', '', ': ping', 'data: {half'].map(readLine)).toEqual([
      'done',
      'done',
      null,
      null,
      null,
    ])
  })
  it('with a code other than 0 is an error with its message', () => {
    expect(() => readLine(line({ code: 9999, msg: '智能服务暂时无法连接' }))).toThrow('智能服务暂时无法连接')
  })
})

describe('an answer', () => {
  afterEach(() => vi.unstubAllGlobals())
  const replies = (body: BodyInit, init: ResponseInit = { headers: { 'content-type': 'text/event-stream' } }) =>
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(body, init)))
  const received = async () => {
    const words: string[] = []
    for await (const { answer } of streamAnswer('问', new AbortController().signal)) words.push(answer)
    return words
  }

  it('is complete however its bytes are split, and ends at [done]', async () => {
    const bytes = new TextEncoder().encode(
      `${piece('寄售：')}\n\n${piece('货权仍归供应商')}\n\ndata: [done]\n\n${piece('不再')}\n`,
    )
    replies(
      new ReadableStream({
        start(controller) {
          for (let at = 0; at < bytes.length; at += 5) controller.enqueue(bytes.slice(at, at + 5))
          controller.close()
        },
      }),
    )
    expect(await received()).toEqual(['寄售：', '货权仍归供应商'])
  })
  it('that was refused or never arrived shows why', async () => {
    replies(JSON.stringify({ code: 2000, msg: '请输入问题' }), { headers: { 'content-type': 'application/json' } })
    await expect(received()).rejects.toThrow('请输入问题')
    replies('{}', { status: 504 })
    await expect(received()).rejects.toThrow('【504】 - 服务器异常情况，请稍后刷新页面再试。')
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no line')))
    await expect(received()).rejects.toThrow('网络超时，请检查网络后重新刷新页面再试。')
  })
})

describe('markdown', () => {
  it('has paragraphs, headings, lists, tables, code and rules', () => {
    const text =
      '# 题\n\n一段\n两行\n- 甲\n- 乙\n\n1. 子\n2. 丑\n\n| 批号 | 数量 |\n| --- | --- |\n| B1 | 2 |\n\n```\na < b\n```\n---'
    expect(blocksOf(text).map(block => block.is)).toEqual([
      'heading',
      'paragraph',
      'list',
      'list',
      'table',
      'code',
      'rule',
    ])
  })
  it('renders addresses of this web app as links, and every other as text', () => {
    expect(inlineOf('[单](/a?b=1)')).toEqual([{ is: 'link', to: '/a?b=1', parts: [{ is: 'text', text: '单' }] }])
    for (const to of ['javascript:alert', 'https://evil.example/?q=1', '//evil.example', '/\\evil', 'data:text/html,x'])
      expect(inlineOf(`[点我](${to})`)).toEqual([{ is: 'text', text: `点我（${to}）` }])
  })
  it('leaves HTML as plain text', () => {
    expect(inlineOf('<img src=x onerror=alert(1)>')).toEqual([{ is: 'text', text: '<img src=x onerror=alert(1)>' }])
  })
  it('parses nested marks, and shows unclosed marks as text', () => {
    expect(inlineOf('共 **3** 张，`CG1`')).toEqual([
      { is: 'text', text: '共 ' },
      { is: 'strong', parts: [{ is: 'text', text: '3' }] },
      { is: 'text', text: ' 张，' },
      { is: 'code', text: 'CG1' },
    ])
    expect(inlineOf('**还没写')).toEqual([{ is: 'text', text: '**还没写' }])
  })
})
