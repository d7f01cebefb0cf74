import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { columnOf, type FieldSpec } from '#kernel/definition/field.ts'
import { entities } from '#kernel/registry.ts'
import { sameName } from '#kernel/values/same-name.ts'
import { rulesOf } from '#server/registry/hooks.ts'
import { rows } from '../support/records.ts'
import { type Client, md5, openTestServer, type TestServer } from '../support/test-server.ts'

/** A name in another spelling is the same name, for every column that the database compares so. */
let server: TestServer
let hospital: Client
let compared: { table_name: string; field: string; form: string; among: string }[]
beforeAll(async () => {
  server = await openTestServer({}, { demo: true })
  hospital = await server.as('hospital')
  compared = await server.database.owner`select table_name, field, form, among from compared_name order by 1, 2`
})
afterAll(() => server?.close())

const wide = (text: string) => text.replace(/[!-~]/g, letter => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))
const otherCase = (text: string) => (text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase())
const spellings = [wide, otherCase, (text: string) => [...text].join(' '), (text: string) => `${text}\u3000`]

/** Columns that are unique and compared exactly, with the reason. */
const EXACT: readonly [RegExp, string][] = [
  [
    /\.(udi_di|sn|source_sn|call_key|unit_code|lot_no|label_code|bare|record_key)$/,
    'numbers of GS1, or of the program',
  ],
  [
    /\.(token|token_hash|r_id|node_key|flag|storage_key|sha256|request_id|event_id|session_no|serial_no)$/,
    'keys of the program',
  ],
  [/^(product_barcode|reagent|made_kit|shelf_slot)\.code$/, 'what a scanner reads'],
]

test('every unique name, login and code is compared so, or exactly for a reason', async () => {
  const known = new Set(compared.map(({ table_name, field }) => `${table_name}.${field}`))
  const missing = entities().flatMap(definition =>
    (definition.unique ?? []).flat().flatMap(name => {
      const field = definition.fields[name] as FieldSpec
      const column = `${rulesOf(definition.kind).table ?? definition.table}.${columnOf(name, field)}`
      const isPart =
        !['code', 'name'].includes(name) && definition.unique?.some(names => names.length > 1 && names.includes(name))
      return field.as !== 'text' || known.has(column) || isPart || EXACT.some(([exact]) => exact.test(column))
        ? []
        : [column]
    }),
  )
  expect(missing).toEqual([])
})

test('the database refuses another spelling in each of them', async () => {
  const { owner } = server.database
  const untried: string[] = []
  for (const { table_name: table, field, form, among } of compared) {
    // A row that is compared with another one like itself.
    const found = await owner.unsafe<{ row: Record<string, unknown> }[]>(
      `select to_jsonb(t) as row from ${table} t cross join lateral (select t.*) n
        where ${among} and t.${field} ~ '[A-Za-z0-9]' order by length(t.${field}) desc limit 1`,
    )
    const row = found[0]?.row
    if (!row) {
      untried.push(`${table}.${field}`)
      continue
    }
    const written = String(row[field])
    const others = [
      ...spellings.map(spell => spell(written)),
      ...(form === 'same_place' ? [written.replace(/(?<!\d)(\d+)/, '00$1')] : []),
    ].filter(other => other !== written)
    for (const other of others) {
      const beside = { ...row, id: null, [field]: other, sn: undefined }
      const columns = Object.keys(row).filter(name => name !== 'id')
      const refused = owner.unsafe(
        `insert into ${table} (id, ${columns.map(name => `"${name}"`).join(', ')}) overriding user value
         select (select max(id) + 1 from ${table}), ${columns.map(name => `n."${name}"`).join(', ')}
           from jsonb_populate_record(null::${table}, $1::jsonb) n`,
        [owner.json(beside as never)],
      )
      await expect(refused, `${table}.${field} ${other}`).rejects.toMatchObject({
        code: '23505',
        constraint_name: `${table}_${field}_apart`,
        message: expect.stringContaining('与已有的'),
      })
    }
  }
  // Columns of which the demo has no row.
  expect(untried.length, untried.join()).toBeLessThan(compared.length / 4)
})

test('both sides compare alike', async () => {
  for (const written of ['ＲＡ 同名', 'Ⅷ号库', 'ﬁlter１', '甲\u3000乙', 'ÀB'])
    expect((await server.database.owner`select same_name(${written}) as it`)[0]!.it).toBe(sameName(written))
})

describe('on the pages', () => {
  const add = (kind: string, body: Record<string, unknown>, who = hospital) =>
    who.post(`/v1/business/${kind}/add`, body)

  it('a role of the same name in full-width letters is a duplicate, marked at its field', async () => {
    expect((await add('role', { name: 'RA同名' })).msg).toBe('')
    for (const name of ['ＲＡ同名', 'ra同名', 'RA 同名', 'RA\u00a0同名']) {
      const reply = await add('role', { name })
      expect(reply, name).toMatchObject({ code: 2105, errors: [{ field: 'name' }] })
      expect(reply.msg).toContain('【RA同名】')
    }
  })

  it('of two at the same moment one is refused', async () => {
    const both = await Promise.all([add('role', { name: 'Both同时' }), add('role', { name: 'ｂｏｔｈ同时' })])
    expect(both.map(reply => reply.code).sort()).toEqual([0, 2105])
  })

  it('a login is one, however it is typed, at sign-in too; other spellings are no further guesses', async () => {
    const account = { name: '某人', phone: '13800019901' }
    expect((await add('user', { ...account, login: 'Same.Login' })).msg).toBe('')
    for (const login of ['same.login', 'SAME.LOGIN', 'Same.login'])
      expect((await add('user', { ...account, login, phone: '13800019902' })).code, login).toBe(2105)
    const enter = (userName: string, password: string) =>
      server.outsider.post('/v1/login', { userName, password: md5(password) })
    expect((await enter('ＨＯＳＰＩＴＡＬ', 'Spd@2026')).info.user_info.user_name).toBe('hospital')
    const guesses = ['same.login', 'Same.login', 'SAME.login', 'sAme.login', 'saMe.login', 'samE.login']
    const replies = []
    for (const guess of guesses) replies.push((await enter(guess, 'wrong')).code)
    expect(replies.at(-1)).not.toBe(1001)
  })

  it('places are one without their leading zeros', async () => {
    const store = { name: '编号库1', code: 'N1', model: 'central' }
    expect((await add('warehouse', store)).msg).toBe('')
    expect((await add('warehouse', { ...store, name: '别名库', code: 'n01' })).code).toBe(2105)
    expect((await add('warehouse', { ...store, name: '编号库０１', code: 'N2' })).code).toBe(2105)
    expect((await add('warehouse', { ...store, name: '编号库10', code: 'N10' })).msg).toBe('')
  })

  it('is still refused when a row is renamed, and not when something else of it changes', async () => {
    await add('role', { name: 'Renamed甲' })
    await add('role', { name: 'Renamed乙' })
    const [row] = await rows(hospital, 'role', { name: 'Renamed乙' })
    const edit = (more: object) =>
      hospital.post('/v1/business/role/edit', { sn: row.role_sn ?? row.sn, version: row.version, ...more })
    expect((await edit({ name: 'renamed甲' })).code).toBe(2105)
    expect((await edit({ description: '只改说明' })).code).toBe(0)
  })

  it('what nobody sees is refused with its place', async () => {
    for (const unseen of ['\u200b', '\u200d', '\u202e', '\ufeff', '\u2066', '\u00ad'])
      expect(await add('role', { name: `看${unseen}不见` })).toMatchObject({
        code: 2000,
        msg: '【角色名称】第2个字是看不见的特殊字符，请删除后重新输入',
      })
    expect((await add('role', { name: '响\u0007铃' })).code).toBe(2000)
  })

  it('what only looks the same is asked about and may stay', async () => {
    expect((await add('role', { name: 'Scope人员' })).msg).toBe('')
    const cyrillic = 'Sсоре人员'
    const asked = await add('role', { name: cyrillic })
    expect(asked).toMatchObject({ code: 2200 })
    expect(asked.msg).toContain('形近')
    expect((await add('role', { name: cyrillic, confirm: asked.info.token })).msg).toBe('')
  })
})

test('names from before stay, are listed, and a backup brings them back', async () => {
  const { owner } = server.database
  const [role] = await owner<{ org_id: string }[]>`select org_id from role where name = 'RA同名'`
  await owner.begin(async tx => {
    await tx`set local medtrace.restoring = 'on'`
    await tx`insert into role (org_id, name) values (${role!.org_id}, 'ＲＡ同名')`
  })
  const listed = await owner`select table_name, first_name, other_name from same_names()`
  expect(listed).toContainEqual({ table_name: 'role', first_name: 'RA同名', other_name: 'ＲＡ同名' })
  const [row] = await rows(hospital, 'role', { name: 'ＲＡ同名' })
  const body = { sn: row.role_sn ?? row.sn, version: row.version, description: '旧名称' }
  expect((await hospital.post('/v1/business/role/edit', body)).code).toBe(0)
})
