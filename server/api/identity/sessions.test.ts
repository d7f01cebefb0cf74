import { afterAll, beforeAll, expect, it } from 'vitest'
import { deviceName } from '#server/identity/devices.ts'
import { type Client, type TestServer, openTestServer } from '#tests/support/test-server.ts'

/** 登录设备: where a user is signed in, and remote sign-out. */
let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

const fresh = (who = 'nurse') => server.as(who, 'Spd@2026')
const alive = async (client: Client) => (await client.get('/v1/user/user_info')).status === 200

it('lists every sign-in, this one first', async () => {
  const [one] = [await fresh('buyer'), await fresh('buyer')]
  const { list, total } = await one!.get('/v1/user/sessions')
  expect(total).toBe(2)
  expect(list.map(row => row.is_current)).toEqual([true, false])
  expect(list[0]).toMatchObject({ address: '127.0.0.1', device: expect.any(String), seen_at: expect.any(String) })
  expect(JSON.stringify(list)).not.toContain('r_id')
})

it('ends one, the others, or all', async () => {
  const [one, other, third] = [await fresh('finance'), await fresh('finance'), await fresh('finance')]
  const { list } = await one.get('/v1/user/sessions')
  const newest = (await third.get('/v1/user/sessions')).list[0].session_sn
  expect(list.length).toBe(3)
  expect((await one.post('/v1/user/sessions/end', { sn: newest })).code).toBe(0)
  expect([await alive(one), await alive(other), await alive(third)]).toEqual([true, true, false])
  expect((await one.post('/v1/user/sessions/end', { scope: 'others' })).code).toBe(0)
  expect([await alive(one), await alive(other)]).toEqual([true, false])
  expect((await one.post('/v1/user/sessions/end', { scope: 'all' })).code).toBe(0)
  expect(await alive(one)).toBe(false)
})

it('does not affect other users', async () => {
  const [nurse, keeper] = [await fresh(), await fresh('keeper')]
  const { list } = await keeper.get('/v1/user/sessions')
  expect((await nurse.post('/v1/user/sessions/end', { sn: list[0].session_sn })).code).toBe(2106)
  expect((await nurse.post('/v1/user/sessions/end', {})).msg).toBe('请选择要退出的设备')
  expect(await alive(keeper)).toBe(true)
})

it('names a device in familiar words', () => {
  const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36'
  expect(deviceName(windows)).toBe('Chrome · Windows')
  expect(deviceName(`${windows} Edg/131.0`)).toBe('Edge · Windows')
  expect(deviceName('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1')).toBe(
    'Safari · iOS',
  )
  expect(deviceName('curl/8')).toBe('其他客户端')
})
