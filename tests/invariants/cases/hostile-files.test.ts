import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, type TestServer, openTestServer } from '../../support/test-server.ts'
import { sendSheet } from '../../support/sheets.ts'
import { hostileBooks, hostileUploads, longBook } from './hostile-files.ts'

const books = hostileBooks()
/** Malicious files: refused with a message, or read within limits. */
let server: TestServer
let dealer: Client
beforeAll(async () => {
  server = await openTestServer()
  dealer = await server.as('dealer')
})
afterAll(() => server.close())

describe('a workbook', () => {
  const doors = ['department/import', 'department/importMarked', 'otherGrn/import']
  test.each(books.map(file => [file.what, file] as const))('%s does no harm', async (_, { name, bytes }) => {
    for (const door of doors) {
      const reply = await sendSheet(dealer, `/v1/business/${door}`, bytes, {}, name).catch(error => ({ error }))
      // A file with a workbook signature is not JSON: that is a valid refusal as well.
      if ('error' in reply) expect(String(reply.error), door).toMatch(/JSON/)
      else
        expect([reply.status < 500, reply.code === 9999, reply.msg !== ''], `${door} ${JSON.stringify(reply)}`).toEqual(
          [true, false, reply.code !== 0],
        )
    }
  })

  test('that unpacks to more than its directory states is not unpacked to the end', async () => {
    const liar = books.find(file => file.what.includes('lies'))!
    // On a busy machine its reader may reach the limit of its memory first.
    expect((await sendSheet(dealer, '/v1/business/department/import', liar.bytes)).msg).toMatch(
      /^(文件解压后过大，请分批导入|文件内容过多，无法读取，请拆分后分批上传或导入)$/,
    )
  })

  test('that takes long is parsed outside the server process, which keeps answering', async () => {
    let isRead = false
    const reading = sendSheet(dealer, '/v1/business/department/import', longBook()).then(reply => {
      isRead = true
      return reply
    })
    for (let asked = 0; asked < 3; asked++) expect((await dealer.get('/healthz')).status).toBe(200)
    expect(isRead).toBe(false)
    expect((await reading).code).toBeGreaterThan(0)
  })
})

describe('an upload', () => {
  test.each(hostileUploads().map(file => [file.what, file] as const))('%s does no harm', async (_, { name, bytes }) => {
    const reply = await sendSheet(dealer, '/v1/file/upload', bytes, {}, name)
    expect(reply.status).toBeLessThan(500)
    if (reply.code !== 0) return expect(reply.msg).not.toBe('')
    // Accepted files get a name of our own, are served as their real type, and have a thumbnail only if they are
    // pictures.
    expect(reply.info.name).toMatch(/^[\w-]{22}\.(png|pdf)$/)
    const shown = await dealer.raw({ method: 'GET', url: `/file/${reply.info.name}` })
    expect([shown.statusCode, shown.headers['x-content-type-options']]).toEqual([200, 'nosniff'])
    expect(shown.headers['content-type']).toMatch(/^(image\/png|application\/pdf)$/)
    const small = await dealer.get(`/file/${reply.info.name}-64`)
    expect([small.status, small.code]).toEqual([200, 2106])
  })

  test('truncated forms are refused with a message', async () => {
    const head = '--B\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nabc'
    const types = [
      'multipart/form-data; boundary=B',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      `multipart/form-data; boundary=${'x'.repeat(300)}`,
    ]
    for (const url of ['/v1/file/upload', '/v1/business/department/import', '/v1/register/upload'])
      for (const type of types)
        for (const payload of ['', head, '--B--\r\n', '\u0000\u0001', `${head}\r\n--B--\r\n`]) {
          const reply = await dealer.raw({ method: 'POST', url, headers: { 'content-type': type }, payload })
          expect([reply.statusCode < 500, typeof reply.json().msg], `${url} ${type} ${payload}: ${reply.body}`).toEqual(
            [true, 'string'],
          )
          if (reply.json().code === 9999) expect.fail(`${url} ${type} ${payload}: ${reply.body}`)
        }
  })
})
