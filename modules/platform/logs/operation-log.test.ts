import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { md5 } from '#tests/support/test-server.ts'
import { lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** The log records who did what, when, from where, before and after. */
let at: Scene
const log = async (query: Record<string, string> = {}) =>
  (await at.hospital.client.get('/v1/business/operationLog/list', query)).list
const call = (kind: string, action: string, body: Record<string, unknown>) =>
  at.hospital.client.post(`/v1/business/${kind}/${action}`, body)

beforeAll(async () => {
  at = await openScene()
})
afterAll(() => at?.close())

story('the log of an organisation', step => {
  step('keeps every change of a record with values before and after, in the words of its page', async () => {
    const { info } = await call('department', 'add', { code: 'LOG', name: '日志科' })
    await call('department', 'edit', { sn: info.sn, version: 1, cost_centre: 'CC1' })
    await call('department', 'disable', { sn: info.sn, version: 2 })
    await call('department', 'del', { sn: info.sn, version: 3 })
    const rows = await log({ object_name: '日志科' })
    expect(rows.map(row => [row.subject_name, row.action_kind, row.action_name])).toEqual([
      ['科室', 'del', '删除'],
      ['科室', 'other', '停用'],
      ['科室', 'edit', '编辑'],
      ['科室', 'add', '新增'],
    ])
    expect(rows[2]).toMatchObject({ summary: '修改：成本中心', result: 'done', login: 'hospital' })
    expect(rows[2].before).not.toContain('成本中心')
    expect(rows[2].after).toContain('成本中心：CC1')
    expect(rows[0].before).toContain('科室名称：日志科')
  })

  step('keeps every action on a document, and what an edit changed line by line', async () => {
    const sn = await at.hospital.add('openingStock', {
      warehouse_model_inner_sn: at.ward,
      lines: [lotOf(at.inflator, 'LOGGED', { quantity: '5' })],
    })
    const edited = await at.hospital.do('openingStock', 'edit', sn, { lines: [{ line_no: 1, quantity: '4' }] })
    expect(edited.code).toBe(0)
    await at.hospital.pass('openingStock', sn)
    await at.hospital.done('openingStock', 'unreview', sn)
    const rows = await log({ object_name: sn })
    expect(rows.map(row => row.action_kind)).toEqual(['unreview', 'review', 'submit', 'edit', 'add'])
    expect(rows[1]).toMatchObject({ before: '状态：待审核', after: '状态：已审核', subject_name: '期初库存' })
    expect(rows[3].before).toContain('第1行：')
    expect(rows[3].before).toContain('数量：5.000')
    expect(rows[3].after).toContain('数量：4')
    expect(rows[3].after).not.toContain('批号')
  })

  step('keeps what was refused, and to whom', async () => {
    const sn = await at.hospital.add('openingStock', { warehouse_model_inner_sn: at.ward, lines: [] })
    expectMessage(
      await at.hospital.client.post('/v1/business/openingStock/review', { sn, version: 1 }),
      '当前单据状态不允许该操作',
    )
    expectMessage(
      await at.hospital.client.post('/v1/business/openingStock/submit', { sn, version: 9 }),
      '单据已被他人修改，请刷新后重试',
    )
    const rows = await log({ object_key: sn, result: 'failed' })
    expect(rows.map(row => row.error)).toEqual(['单据已被他人修改，请刷新后重试', '当前单据状态不允许该操作'])
  })

  step('keeps what a rule of the business refused, and who wanted to read what is not his', async () => {
    const sn = await at.hospital.add('openingStock', { warehouse_model_inner_sn: at.ward, lines: [] })
    const refused = await at.hospital.do('openingStock', 'submit', sn)
    expect(refused.code).toBe(2110)
    expect((await log({ object_key: sn, result: 'failed' }))[0]).toMatchObject({
      error: refused.msg,
      action_kind: 'submit',
    })
    // A preview that fails is not logged as a refusal.
    await at.hospital.client.post('/v1/business/openingStock/rehearse', { sn, version: 1, action: 'submit' })
    expect(await log({ object_key: sn, result: 'failed' })).toHaveLength(1)
    const nurse = await at.server.as('nurse')
    expect((await nurse.get('/v1/business/purchaseOrder/list')).code).toBe(403)
    expect((await log({ login: 'nurse', result: 'failed' }))[0]).toMatchObject({
      subject_name: '采购订单',
      error: '没有操作权限',
    })
  })

  step('a batch in which one document breaks tells what became of the others', async () => {
    const lines = [lotOf(at.inflator, 'BROKEN', { quantity: '1' })]
    const body = { warehouse_model_inner_sn: at.ward, lines }
    const sns = [await at.hospital.add('openingStock', body), await at.hospital.add('openingStock', body)]
    await at.server.database.owner.unsafe(`
      create function break_one() returns trigger language plpgsql as $$ begin
        if new.sn = '${sns[1]}' then raise exception 'broken' using errcode = 'XX000'; end if; return new; end $$;
      create trigger break_one before update on document for each row execute function break_one()`)
    const items = sns.map(sn => ({ sn, version: 1 }))
    const { list } = await at.hospital.client.post('/v1/business/openingStock/batch', { action: 'submit', items })
    await at.server.database.owner.unsafe('drop trigger break_one on document; drop function break_one()')
    expect(list).toMatchObject([
      { sn: sns[0], code: 0, info: { state: 'submitted' } },
      { sn: sns[1], code: 9999, msg: '服务错误' },
    ])
    expect((await at.hospital.info('openingStock', sns[1]!)).state).toBe('draft')
  })

  step('keeps refusals in a batch per document, and the duration of everything', async () => {
    const sn = await at.hospital.add('openingStock', { warehouse_model_inner_sn: at.ward, lines: [] })
    const items = [{ sn, version: 1 }]
    const reply = await at.hospital.client.post('/v1/business/openingStock/batch', { action: 'review', items })
    expect(reply.list[0].msg).toBe('当前单据状态不允许该操作')
    const rows = await log({ object_key: sn })
    expect(rows.map(row => [row.action_kind, row.result, row.error])).toEqual([
      ['review', 'failed', '当前单据状态不允许该操作'],
      ['add', 'done', null],
    ])
    for (const row of rows) expect(row.took_ms).toBeGreaterThanOrEqual(0)
  })

  step('keeps sign-ins and sign-outs, successful or not, and never a password', async () => {
    const wrong = md5('not-this')
    await at.server.outsider.post('/v1/login', { userName: 'nurse', password: wrong })
    const nurse = await at.server.as('nurse', 'Spd@2026')
    await nurse.post('/v1/logout')
    const rows = await log({ login: 'nurse', action_kind: 'login,logout,loginFailed' })
    expect(rows.slice(0, 3).map(row => row.action_kind)).toEqual(['logout', 'login', 'loginFailed'])
    expect(rows[2]).toMatchObject({ result: 'failed', error: '账号或密码错误', address: expect.any(String) })
    const all = await at.server.database
      .owner`select before::text || after::text || coalesce(summary, '') as text from operation_log`
    expect(all.filter(row => String(row.text).includes(wrong))).toEqual([])
  })

  step('cannot be forged by a login, a browser or a number with line breaks and escape codes', async () => {
    const evil = 'hospital\n2026-01-01 管理员\u001b[2J\u202e成功\u009b\u200b'
    const headers = { 'user-agent': 'Chrome\u009b2J\u00ad' }
    await at.server.outsider.post('/v1/login', { userName: evil, password: md5('x') }, headers)
    await at.server.outsider.post('/v1/login', { userName: 'hospital', password: md5('x') }, headers)
    await at.hospital.client.post('/v1/business/openingStock/submit', { sn: evil, version: 1 }, headers)
    const rows = await at.server.database.owner<Record<string, string>[]>`
      select login, agent, object_key, object_name, summary, error, actor_name from operation_log
       order by id desc limit 9`
    const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/u
    expect(rows.flatMap(row => Object.values(row)).filter(value => value !== null && unseen.test(value))).toEqual([])
    expect(JSON.stringify(rows)).toContain('hospital 2026-01-01 管理员〔U+001B〕[2J〔U+202E〕成功〔U+009B〕')
    expect(JSON.stringify(rows)).toContain('Chrome〔U+009B〕2J〔U+00AD〕')
    // A text of several lines does not look like further fields either.
    const remark = '甲\n状态：已审核'
    const sn = await at.hospital.add('openingStock', { warehouse_model_inner_sn: at.ward, lines: [] })
    expect((await at.hospital.do('openingStock', 'edit', sn, { remark })).code).toBe(0)
    const [edited] = await log({ object_key: sn })
    expect(edited.after).toBe('备注：甲 状态：已审核')
  })

  step('keeps exports and prints, because they take data out', async () => {
    const sn = await at.shelve(at.hospital, at.ward, [lotOf(at.inflator, 'PRINTED', { quantity: '1' })])
    await at.hospital.client.get('/v1/business/openingStock/print', { sn })
    await at.hospital.client.raw({ method: 'GET', url: '/v1/business/openingStock/export?lot_no=PRINTED' })
    await at.hospital.client.raw({ method: 'GET', url: '/v1/business/department/export' })
    const rows = await log({ action_kind: 'print,export' })
    expect(rows.map(row => [row.action_kind, row.subject_name])).toEqual([
      ['export', '科室'],
      ['export', '期初库存'],
      ['print', '期初库存'],
    ])
    expect(rows[1].after).toBe('行数：1\n查询条件：批号：PRINTED')
    expect(rows[2].object_name).toBe(sn)
  })

  step(
    'names fields and things in Chinese, without ids: what is referred to, who was refused, what is gone',
    async () => {
      const [head] = await at.hospital.list('department', { name: '骨科' })
      const { info } = await call('department', 'add', { code: 'LOG2', name: '引用科' })
      await call('department', 'edit', { sn: info.sn, version: 1, parent_sn: head.department_inner_sn })
      const [edited] = await log({ object_name: '引用科', action_kind: 'edit' })
      expect(edited.after).toContain('：骨科')
      await call('role', 'add', { name: '引用角色', flags: ['page:/commonView/logView', 'purchaseOrder.add'] })
      const [role] = await log({ object_name: '引用角色' })
      expect(role.after).toMatch(/权限：操作日志、采购订单·新增/)
      // A refused call contains only the key: the log finds the name of its record.
      expectMessage(await call('department', 'edit', { sn: info.sn, version: 1, name: '旧版本' }), /已被他人修改/)
      const [refused] = await log({ object_key: info.sn, result: 'failed' })
      expect(refused).toMatchObject({ object_name: '引用科', subject_name: '科室', action_name: '编辑' })
      // The object of a session's log is the account that signed in.
      const all = (await log({ pageSize: '500' })).filter(row => row.subject !== 'session')
      const shown = all.flatMap(row => [
        row.subject_name,
        row.action_name,
        row.object_name,
        row.summary,
        ...String(row.before ?? '').split('\n'),
        ...String(row.after ?? '').split('\n'),
      ])
      expect(shown.filter(text => /_sn|inner_sn|[{}"]|[a-z]+_[a-z]+/.test(String(text ?? '')))).toEqual([])
      expect(shown.filter(text => /^[a-zA-Z]+$|：\d{12,}(，|$)/.test(String(text ?? '')))).toEqual([])
    },
  )

  step('labels a change of rights as such', async () => {
    await call('role', 'add', { name: '记在日志里的角色', flags: [] })
    expect((await log({ object_name: '记在日志里的角色' }))[0]).toMatchObject({ action_kind: 'permission' })
  })

  step('masks patients', async () => {
    await at.hospital.add('departmentUse', {
      warehouse_model_inner_sn: at.ward,
      department_inner_sn: at.department,
      patient_name: '王某某',
      lines: [],
    })
    const sn = (await at.hospital.list('departmentUse'))[0].sn
    await at.hospital.do('departmentUse', 'edit', sn, { patient_name: '李某某' })
    const rows = await at.server.database
      .owner`select before::text || after::text as text from operation_log where object_key = ${sn}`
    expect(rows.map(row => row.text).join()).not.toMatch(/某某/)
    expect(rows.map(row => row.text).join()).toContain('******')
  })

  step('is searched by user, action, key and time, at most 92 days at once, paged by key', async () => {
    expectMessage(
      await at.hospital.client.get('/v1/business/operationLog/list', { begin_at: day(-92), end_at: day() }),
      '查询时间范围不能超过92天',
    )
    const all = await log({ begin_at: day(-91), end_at: day(), pageSize: '500' })
    expect(all.length).toBeGreaterThan(10)
    const first = await log({ pageSize: '4' })
    const next = await log({ pageSize: '4', after_sn: first.at(-1).operation_log_sn })
    expect([...first, ...next].map(row => row.operation_log_sn)).toEqual(
      all.slice(0, 8).map(row => row.operation_log_sn),
    )
    expect(await log({ begin_at: day(1) })).toEqual([])
  })

  step(
    'is read only with permission, written by no one, and never shows money to users without price rights',
    async () => {
      const { info } = await call('role', 'add', { name: '看日志', flags: ['page:/commonView/logView'] })
      const nurse = await at.person('nurse')
      expect((await nurse.client.get('/v1/business/operationLog/list')).code).toBe(403)
      const [user] = await at.hospital.list('user', { login: 'nurse' })
      await call('user', 'edit', { sn: user.user_inner_sn, version: user.version, roles: [info.sn] })
      const rows = (await nurse.client.get('/v1/business/operationLog/list', { subject_name: '期初库存' })).list
      expect(rows.length).toBeGreaterThan(3)
      expect(JSON.stringify(rows)).not.toMatch(/taxed_amount|单价/)
      for (const action of ['add', 'edit', 'del'])
        expect(
          (await at.hospital.client.raw({ method: 'POST', url: `/v1/business/operationLog/${action}`, payload: {} }))
            .statusCode,
        ).toBe(404)
    },
  )
})

describe('the platform', () => {
  it('sees its own actions and everyone’s sign-ins, and no business data', async () => {
    const platform = await at.person('platform')
    const { list } = await platform.client.get('/v1/business/operationLog/list', { pageSize: '500' })
    expect(new Set(list.map(row => row.subject))).toEqual(new Set(['session']))
    expect(list.map(row => row.actor_org_name)).toContain(
      (await at.one('select name from organisation where id = $1', at.h)).name,
    )
    const outsider = await platform.client.get('/v1/business/operationLog/list', { subject: 'department' })
    expect(outsider.list).toEqual([])
  })
})
