import { zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendSheet, workbook } from '../support/sheets.ts'
import { type Client, openTestServer, type TestServer } from '../support/test-server.ts'
import { allCalls, type CallShape } from './cases/calls.ts'

/** One who sends too much is answered shortly, and nobody waits for it. */
let server: TestServer
let dealer: Client
let calls: CallShape[]
beforeAll(async () => {
  server = await openTestServer()
  dealer = await server.as('dealer')
  calls = allCalls(server)
})
afterAll(() => server.close())

const KB = 1024
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const send = (client: Client, url: string, payload: string, headers: Record<string, string> = FORM) =>
  client.raw({ method: 'POST', url, headers, payload })

describe('an open call', () => {
  /** Calls that a client without a session reaches: any answer but that it must sign in. */
  const openCalls = async () => {
    const reached: string[] = []
    for (const { method, url } of calls.filter(each => each.method === 'POST')) {
      const reply = await server.outsider.raw({ method: 'POST', url: url.replaceAll(/:\w+/g, '1'), payload: {} })
      if (reply.statusCode !== 401 && method === 'POST') reached.push(url.replaceAll(/:\w+/g, '1'))
    }
    return reached
  }

  it('takes at most 64 KB, whichever it is', async () => {
    const open = await openCalls()
    expect(open).toEqual(expect.arrayContaining(['/v1/login', '/v1/register/org', '/v1/user/change_password']))
    const big = `userName=${'x'.repeat(65 * KB)}`
    for (const url of open) {
      const reply = await send(server.outsider, url, big)
      expect([reply.statusCode, reply.json().msg], url).toEqual([413, '提交内容过大，请分批提交'])
    }
  })

  it('answers a form of unknown names with a short refusal', async () => {
    const names = Array.from({ length: 6000 }, (_, at) => `a${at}=1`).join('&')
    const reply = await send(server.outsider, '/v1/login', names.slice(0, 60 * KB))
    expect([reply.json().code, reply.json().msg]).toEqual([2000, '提交的字段过多，一次最多2000个'])
    expect(reply.body.length).toBeLessThan(KB)
  })
})

describe('a signed-in person', () => {
  it.each([
    ['a form', FORM, (at: number) => `a${at}=1`, '&', '', ''],
    ['JSON', { 'content-type': 'application/json' }, (at: number) => `"a${at}":1`, ',', '{', '}'],
  ] as const)('%s with half a million names is refused at once', async (_what, headers, name, between, open, close) => {
    const body = open + Array.from({ length: 500_000 }, (_each, at) => name(at)).join(between) + close
    const reply = await send(dealer, '/v1/business/department/add', body, headers)
    expect(reply.json().msg).toBe('提交的字段过多，一次最多2000个')
    expect(reply.body.length).toBeLessThan(KB)
  })

  it('is not sent his own text back at length', async () => {
    const long = '很长'.repeat(100_000)
    for (const body of [{ [long]: '1' }, { code: long }, { name: long, code: '1' }, { parent_sn: long }]) {
      const reply = await dealer.raw({ method: 'POST', url: '/v1/business/department/add', payload: body })
      expect(reply.json().code).not.toBe(0)
      expect(reply.body.length).toBeLessThan(4 * KB)
    }
    const list = await dealer.raw({ method: 'GET', url: `/v1/business/department/list?${'x'.repeat(8000)}=1` })
    expect(list.body.length).toBeLessThan(4 * KB)
  })
})

describe('a workbook that unpacks to a lot', () => {
  const sheet = (bytes: number) => {
    const rows = `<row><c t="inlineStr"><is><t>${'0'.repeat(bytes)}</t></is></c></row>`
    const parts = { 'xl/worksheets/sheet1.xml': Buffer.from(`<worksheet><sheetData>${rows}</sheetData></worksheet>`) }
    return Buffer.from(zipSync(parts, { level: 1 }))
  }
  const door = '/v1/business/department/import'

  it('more than fits is refused by what the file says of itself, before anything is unpacked', async () => {
    // Unpacked it would be small: its table of contents alone is read.
    const claiming = sheet(KB)
    claiming.writeUInt32LE(120 * KB * KB, claiming.indexOf(Buffer.from('PK\u0001\u0002', 'latin1')) + 24)
    const reply = await sendSheet(dealer, door, claiming)
    expect(reply.msg).toBe('文件解压后过大，请分批导入')
  })

  it('is read beside: other calls go on, two of one organisation at once, twenty wait, more are refused', async () => {
    const big = sheet(2 * KB * KB)
    let isRead = false
    const reading = Promise.all(Array.from({ length: 26 }, () => sendSheet(dealer, door, big))).finally(() => {
      isRead = true
    })
    // A server that unpacks by itself would answer nobody before it is done.
    for (let asked = 0; asked < 3; asked++) expect((await dealer.get('/healthz')).status).toBe(200)
    expect(isRead).toBe(false)
    const other = await server.as('hospital')
    expect(
      (
        await sendSheet(
          other,
          door,
          workbook([
            ['科室编码*', '科室名称*'],
            ['K1', '科室甲'],
          ]),
        )
      ).status,
    ).toBe(200)
    expect(isRead).toBe(false)
    const refused = (await reading).filter(({ status }) => status === 429)
    expect(refused.map(({ msg }) => msg)).toEqual(Array(4).fill('正在读取的文件过多，请等前面的文件读完后再试'))
  })
})
