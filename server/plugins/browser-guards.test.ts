import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendSheet } from '#tests/support/sheets.ts'
import { type Client, md5, openTestServer, type TestServer } from '#tests/support/test-server.ts'

/** The headers that say what a browser may keep, must forget, and may connect to. */
let server: TestServer
let hospital: Client
let picture: Buffer
beforeAll(async () => {
  server = await openTestServer()
  hospital = await server.as('hospital')
  picture = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#0c7f79' } })
    .png()
    .toBuffer()
})
afterAll(() => server?.close())

const OVER_HTTPS = { 'x-forwarded-proto': 'https', host: 'spd.example.cn' }
const signIn = (headers: Record<string, string> = {}) =>
  server.outsider.raw({
    method: 'POST',
    url: '/v1/login',
    headers,
    payload: { userName: 'hospital', password: md5('Spd@2026') },
  })
const get = (client: Client, url: string, headers: Record<string, string> = {}) =>
  client.raw({ method: 'GET', url, headers })

const upload = async (client: Client, name: string, bytes: Buffer) =>
  (await sendSheet(client, '/v1/file/upload', bytes, {}, name)).info as { name: string; original_name: string }

describe('the session cookie', () => {
  it('is bound to this host over https, and opens the session under that name alone', async () => {
    const [cookie] = (await signIn(OVER_HTTPS)).cookies
    expect(cookie).toMatchObject({ name: '__Host-sid', path: '/', secure: true, httpOnly: true, sameSite: 'Lax' })
    expect(cookie).not.toHaveProperty('domain')
    const ask = (name: string, headers: Record<string, string>) =>
      get(server.outsider, '/v1/user/user_info', { ...headers, cookie: `${name}=${cookie!.value}` })
    expect((await ask('__Host-sid', OVER_HTTPS)).statusCode).toBe(200)
    // Another host of the domain could have set it.
    expect((await ask('sid', OVER_HTTPS)).statusCode).toBe(401)
  })

  it('has the plain name over plain http, where browsers refuse the other', async () => {
    expect((await signIn()).cookies[0]).toMatchObject({ name: 'sid', httpOnly: true })
  })

  it('is taken at sign-out, with what the browser kept', async () => {
    const [cookie] = (await signIn(OVER_HTTPS)).cookies
    const reply = await server.outsider.raw({
      method: 'POST',
      url: '/v1/logout',
      headers: { ...OVER_HTTPS, cookie: `__Host-sid=${cookie!.value}` },
    })
    expect(reply.cookies[0]).toMatchObject({ name: '__Host-sid', value: '', secure: true })
    expect(reply.headers['clear-site-data']).toBe('"cache"')
  })
})

describe('every reply', () => {
  it('keeps a browser on https, for all hosts below', async () => {
    for (const url of ['/', '/v1/user/user_info', '/healthz', '/docs'])
      expect((await get(server.outsider, url, OVER_HTTPS)).headers['strict-transport-security'], url).toBe(
        'max-age=31536000; includeSubDomains',
      )
    expect((await get(server.outsider, '/healthz')).headers['strict-transport-security']).toBeUndefined()
  })

  it('lets pages talk to their own host alone', async () => {
    const policyOf = async (host: string) =>
      String((await get(server.outsider, '/docs', { host })).headers['content-security-policy'])
    expect(await policyOf('spd.example.cn:8443')).toContain(
      "connect-src 'self' ws://spd.example.cn:8443 wss://spd.example.cn:8443;",
    )
    expect(await policyOf('x; script-src *')).toContain("connect-src 'self';")
  })
})

describe('a file', () => {
  it('is not kept by the browser, whole, in part or small, unless the whole network may see it', async () => {
    const { name } = await upload(hospital, '验收照片.png', picture)
    for (const [url, headers] of [
      [`/file/${name}`, {}],
      [`/file/${name}`, { range: 'bytes=0-9' }],
      [`/file/${name}-64`, {}],
    ] as const)
      expect((await get(hospital, url, headers)).headers['cache-control']).toBe('private, no-store')
    const shared = await upload(await server.as('platform'), '产品.png', picture)
    expect((await get(hospital, `/file/${shared.name}`)).headers['cache-control']).toContain('immutable')
  })

  it.each([
    ['a.png.exe', 'a.png'],
    ['a.exe', 'a.png'],
    ['照片.PNG', '照片.PNG'],
    ['没有后缀', '没有后缀.png'],
    ['2026.11.24 收货', '2026.11.24 收货.png'],
  ])('has the extension of what it is: %s is %s', async (given, kept) => {
    const { name, original_name } = await upload(hospital, given, picture)
    expect(original_name).toBe(kept)
    expect((await get(hospital, `/file/${name}`)).headers['content-disposition']).toContain(encodeURIComponent(kept))
  })

  it('has thumbnails for many who ask at once', async () => {
    for (let round = 0; round < 3; round++) {
      const { name } = await upload(hospital, '验收照片.png', picture)
      const replies = await Promise.all(Array.from({ length: 20 }, () => get(hospital, `/file/${name}-200`)))
      expect(new Set(replies.map(({ statusCode, headers }) => `${statusCode} ${headers['content-type']}`))).toEqual(
        new Set(['200 image/webp']),
      )
    }
  })
})

it('every page address is the page for those who do not ask for html, and nothing else is', async () => {
  const status = async (url: string, accept?: string) => {
    const reply = await get(server.outsider, url, accept === undefined ? {} : { accept })
    return [reply.statusCode, String(reply.headers['content-type']).split(';')[0]]
  }
  const page = await status('/Login', 'text/html')
  for (const url of ['/', '/Login', '/hospital/purchaseOrder', '/01/06901234567892/10/LOT.1?17=281231'])
    for (const accept of [undefined, '*/*', 'application/json', 'text/plain'])
      expect(await status(url, accept), `${url} ${accept}`).toEqual(page)
  for (const url of ['/v1/nothing', '/assets/nothing.js', '/wp-login.php', '/.env', '/robots.txt'])
    expect((await status(url))[0], url).toBe(404)
})

it('words are added to a list by whoever writes something with such words', async () => {
  const nurse = await server.as('nurse')
  const { owner } = server.database
  const roles = await owner<{ id: string; flags: string[] }[]>`
    select r.id, r.flags from role r join user_role g on g.role_id = r.id join app_user u on u.id = g.user_id
     where u.login = 'nurse'`
  const add = (name: string) => nurse.post('/v1/business/ownWord/add', { dictionary_code: 'job_title', name })
  await owner`update role set flags = array_remove(array_remove(flags, 'employee.add'), 'employee.edit')
    where id = any(${roles.map(role => role.id)})`
  expect(await add('麻醉技师')).toMatchObject({ code: 403, msg: '没有操作权限' })
  await owner`update role set flags = flags || '{employee.edit}'::text[] where id = ${roles[0]!.id}`
  expect((await add('麻醉技师')).code).toBe(0)
})
