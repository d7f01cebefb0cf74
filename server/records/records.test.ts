import { unzipSync, strFromU8 } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FieldSpec } from '#kernel/definition/field.ts'
import { entities } from '#app/modules.ts'
import { type Client, type TestServer, openTestServer } from '#tests/support/test-server.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { listColumnsOf } from '#server/lists/query.ts'
import { isThorough, sampled } from '#tests/support/thorough.ts'

let server: TestServer
const people = ['hospital', 'platform', 'dealer', 'vendor'] as const
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

const path = (kind: string, call: string) => `/v1/business/${kind}/${call}`

/** A valid filter value for this kind. */
function someValue(field: FieldSpec): string {
  switch (field.as) {
    case 'day':
    case 'instant':
      return '2026-01-31'
    case 'flag':
      return 'true'
    case 'pick':
      return Object.keys(field.choices ?? {})
        .slice(0, 2)
        .join(',')
    case 'text':
    case 'longText':
    case 'files':
    case 'codes':
      return 'a'
    case 'taxRate':
      return '13'
    default:
      return '1'
  }
}

/** The key of a row that a reference of the hospital may name; null: there is none. */
async function someRow({ target = '' }: FieldSpec): Promise<string | null> {
  const to = entities.find(({ kind }) => kind === target)
  if (!to) return '1'
  const org = await hospitalId()
  const [row] = await inOrganisation(
    server.database.app,
    org,
    '0',
    tx => tx<{ id: string }[]>`
      select id from ${tx(to.table)} ${to.scope === 'organisation' ? tx`where org_id = ${org}` : tx``} limit 1`,
  )
  return row?.id ?? null
}
let hospital: string | undefined
async function hospitalId(): Promise<string> {
  const { owner } = server.database
  hospital ??= (await owner<{ id: string }[]>`select id from organisation where code = 'H01'`)[0]!.id
  return hospital
}

const each = entities.map((definition, at) => [definition.kind, definition, at] as const)
describe.each(each)('%s', (kind, definition, at) => {
  const listed = listColumnsOf(definition)

  it.each(sampled(people, 2))('lists for %s, a page and its total', async who => {
    const client = await server.as(who)
    const reply = await client.get(path(kind, 'list'), { pageNum: '1', pageSize: '3' })
    expect(reply).toMatchObject({ status: 200, code: 0, page_num: 1, page_size: 3 })
    expect(reply.list.length).toBe(Math.min(3, reply.total))
    for (const row of reply.list) {
      expect(row[definition.key]).toBeTypeOf('string')
      if (!definition.readOnly) expect(row.version).toBeTypeOf('number')
    }
  })

  it('can be filtered and sorted by every column it shows', async () => {
    const client = await server.as('hospital')
    const asks = (query: Record<string, string>) => client.get(path(kind, 'list'), query)
    const columns = Object.entries(listed.columns).filter(([name]) => !Object.hasOwn(listed.parameters, name))
    // All at once, since a table has dozens: a failed answer shows in its text which one it was.
    const filled = await Promise.all(
      columns.map(
        async ([name, field]) => [name, field.as === 'ref' ? await someRow(field) : someValue(field)] as const,
      ),
    )
    const values = Object.fromEntries(filled.flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
    expect(await asks(values)).toMatchObject({ status: 200, code: 0 })
    const ranges = columns.filter(([, { as }]) => ['day', 'quantity', 'instant'].includes(as)).map(([name]) => name)
    // A log refuses ranges that are too wide: each end is sent with the other.
    const ends = ranges.flatMap(name => [`begin_${name}`, `end_${name}`].map(end => [end, values[name] as string]))
    expect(await asks(Object.fromEntries(ends))).toMatchObject({ status: 200, code: 0 })
    const sorted = columns
      .filter(([, { as }]) => !['longText', 'files', 'codes'].includes(as))
      .map(([name]) => `-${name}`)
    expect(await asks({ sort: sorted.join() })).toMatchObject({ status: 200, code: 0 })
    expect(await asks({ q: '管' })).toMatchObject({ status: 200, code: 0 })
  })

  it('names in its screens only what it has', () => {
    for (const screen of definition.screens) {
      for (const name of [...screen.columns, ...screen.filters, ...Object.keys(screen.where ?? {})]) {
        expect(
          // Every list is searched by `q`.
          name === 'q' || Object.hasOwn(listed.columns, name) || Object.hasOwn(listed.parameters, name),
          `${screen.route} ${name}`,
        ).toBe(true)
      }
    }
  })

  it('shows its fixed filters to users who have the screen', async () => {
    const of = { P: 'platform', H: 'hospital', D: 'dealer', V: 'vendor' } as const
    for (const screen of definition.screens) {
      for (const org of screen.orgs) {
        const client = await server.as(of[org as keyof typeof of])
        expect({ route: screen.route, ...(await client.get(path(kind, 'list'), screen.where ?? {})) }).toMatchObject({
          route: screen.route,
          code: 0,
        })
      }
    }
  })

  it('opens each listed row, with its owner and permitted actions', async () => {
    for (const who of people) {
      const client = await server.as(who)
      const [row] = (await client.get(path(kind, 'list'), { pageSize: '1' })).list
      if (!row || (who === 'platform' && 'of_org_sn' in listed.parameters)) continue
      const { info } = await client.get(path(kind, 'info'), { sn: row[definition.key] })
      expect(info[definition.key]).toBe(row[definition.key])
      expect(info.org_sn).toMatch(/^\d+$/)
      expect(Array.isArray(info.actions)).toBe(true)
    }
  })

  it('answers for a missing row as for one that never existed', async () => {
    const client = await server.as('hospital')
    for (const sn of ['999999999', '0', 'abc', '', "1' or '1'='1"]) {
      expect((await client.get(path(kind, 'info'), { sn })).code).toBe(2106)
    }
  })

  // Exports of all lists are read by tests/invariants/exports.test.ts: here the workbook is opened.
  it.skipIf(!isThorough && at % 5 > 0)('exports as a workbook', async () => {
    const client = await server.as('hospital')
    // Counted before: the export log contains this export afterwards.
    const total = (await client.get(path(kind, 'list'), { pageSize: '1' })).total
    const reply = await client.raw({ method: 'GET', url: path(kind, 'export') })
    const parts = unzipSync(new Uint8Array(reply.rawPayload))
    const sheet = strFromU8(parts['xl/worksheets/sheet1.xml'] as Uint8Array)
    expect(sheet).toContain('state="frozen"')
    expect(sheet).not.toContain('<f>')
    expect(sheet.match(/<row\b/g)?.length).toBe(total + 1)
  })
})

describe('rows of others', () => {
  const own: [string, string, string][] = [
    ['department', 'hospital', 'dealer'],
    ['employee', 'dealer', 'hospital'],
    ['warehouse', 'hospital', 'vendor'],
    ['user', 'vendor', 'dealer'],
    ['role', 'hospital', 'dealer'],
    ['licence', 'dealer', 'hospital'],
    ['hospitalProduct', 'hospital', 'dealer'],
    ['dealerProduct', 'dealer', 'vendor'],
    ['orgRelation', 'hospital', 'dealer'],
  ]
  const firstOf = async (client: Client, kind: string) =>
    (await client.get(path(kind, 'list'), { pageSize: '1' })).list[0]

  it.each(own)('a %s of %s does not exist for %s', async (kind, keeper, other) => {
    const definition = entities.find(entity => entity.kind === kind)
    const row = await firstOf(await server.as(keeper), kind)
    const [key, outsider] = [definition?.key ?? '', await server.as(other)]
    expect((await outsider.get(path(kind, 'info'), { sn: row[key] })).code).toBe(2106)
    for (const call of ['edit', 'del', 'disable']) {
      const reply = await outsider.post(path(kind, call), { sn: row[key], version: row.version })
      expect([call, reply.status, [2106, 403, 404].includes(reply.code)]).toEqual([call, reply.status, true])
    }
    const [stored] = await server.database
      .owner`select version from ${server.database.owner(definition?.table ?? '')} where id = ${row[key]}`
    expect(stored?.version).toBe(row.version)
  })

  it('cannot be referenced', async () => {
    const foreign = await firstOf(await server.as('dealer'), 'department')
    const hospital = await server.as('hospital')
    const reply = await hospital.post(path('employee', 'add'), {
      code: 'X1',
      name: '张三',
      department_inner_sn: foreign.department_inner_sn,
    })
    expect(reply).toMatchObject({
      code: 2000,
      errors: [{ field: 'department_inner_sn', msg: '【所属部门】不存在，请重新选择' }],
    })
  })

  it('are not returned by the tables themselves either', async () => {
    await server.database.app.begin(async tx => {
      await tx`select act_as(${server.masters.organisations.get('H01') ?? ''}, 0)`
      const [row] = await tx`select count(*)::int as foreign from department
          where org_id <> ${server.masters.organisations.get('H01') ?? ''}`
      expect(row?.foreign).toBe(0)
    })
  })
})
