import { expect, it } from 'vitest'
import { openPlatform } from '#server/identity/first-platform.ts'
import { openDatabase } from '#server/plugins/database.ts'
import { buildApp } from '#app/app.ts'
import { freshDatabase } from '#tests/support/database.ts'
import { md5 } from '#tests/support/test-server.ts'

it('an empty network starts with its platform, whose administrator must choose a password', async () => {
  const fresh = await freshDatabase()
  const database = await openDatabase(fresh.config)
  try {
    const opened = await Promise.all([openPlatform(database.owner), openPlatform(database.owner)])
    const notified = opened.filter(account => account !== null)
    expect(notified).toHaveLength(1)
    const app = await buildApp({ config: fresh.config, database, logger: false })
    const login = (password: string) =>
      app.inject({
        method: 'POST',
        url: '/v1/login',
        payload: { userName: notified[0]!.login, password: md5(password) },
      })
    expect((await login(notified[0]!.password)).json()).toMatchObject({
      code: 0,
      info: { user_info: { must_change: true, system_type: 0, org_name: '平台运营方' } },
    })
    expect(await openPlatform(database.owner)).toBeNull()
    await app.close()
  } finally {
    await database.close()
    await fresh.drop()
  }
})
