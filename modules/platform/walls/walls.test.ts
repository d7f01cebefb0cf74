import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { add, type Decimal, sum } from '#kernel/values/decimal.ts'
import { comparedWith, comparedWords } from '#kernel/values/comparison.ts'
import { addDays, type Day, today } from '#kernel/values/date.ts'
import { type Answer, isMoney, MASKED, type Reading, type WallDefinition } from '#kernel/wall/wall-definition.ts'
import { walls } from '#modules/platform/walls/all-walls.ts'
import { type Client, type TestServer, openTestServer } from '#tests/support/test-server.ts'

/**
 * Walls over the demo's year: a figure is the total of the list behind it for every reader; money and persons are shown
 * only to readers who may see them.
 */
let server: TestServer
let hospital: Client
let platform: Client
const organisations = new Map<string, string>()
beforeAll(async () => {
  server = await openTestServer({}, { demo: true })
  hospital = await server.as('hospital', 'Spd@2026')
  platform = await server.as('platform', 'Spd@2026')
  const rows = await server.database.owner<{ code: string; id: string }[]>`select code, id from organisation`
  for (const { code, id } of rows) organisations.set(code, id)
})
afterAll(() => server?.close())

type Info = { at: string; organisation: { org_sn: string } | null; cards: Record<string, Record<string, Answer>> }
const idOf = (code: string) => organisations.get(code)!

/** The parameters without which a wall cannot be opened. */
async function neededBy({ kind }: WallDefinition): Promise<Record<string, string>> {
  if (kind !== 'screenDepartmentDetail') return {}
  const [row] = await server.database.owner<{ id: string }[]>`
    select department_id as id from document where org_id = ${idOf('H01')} and kind = 'departmentUse' limit 1`
  return { dept: row!.id }
}

async function look(who: Client, wall: WallDefinition, query: Record<string, string> = {}): Promise<Info> {
  const reply = await who.get(`/v1/business/wall/${wall.kind}`, { ...(await neededBy(wall)), ...query })
  expect(reply.code, `${wall.kind}: ${reply.msg}`).toBe(0)
  return reply.info
}

const readings = walls.flatMap(wall =>
  wall.cards.flatMap(card => Object.entries(card.reads).map(([name, reading]) => ({ wall, card, name, reading }))),
)
/** Readings of reports that a hospital has as a page. */
const listed = readings.filter(({ reading }) => reading.of.screens.some(({ orgs }) => orgs.includes('H')))
const added = (values: readonly (string | null | undefined)[]): string =>
  sum(values.map(value => value ?? '0') as Decimal[], 3)

/** Walls with readings that compare the chosen days. */
const comparing = walls.flatMap(wall => {
  const found = readings.filter(each => each.wall === wall && each.reading.span === 'asked' && each.reading.against)
  return found.length === 0 ? [] : [{ wall, found, kind: wall.kind }]
})

describe('a comparison', () => {
  it.each(comparing)('of $kind is with what the wall says of the days compared', async ({ wall, found }) => {
    const days = { begin: `${today().slice(0, 8)}01` as Day, end: today() }
    const { cards } = await look(hospital, wall, { begin_date: days.begin, end_date: days.end })
    for (const against of ['previous', 'year'] as const) {
      const then = comparedWith(days, null, against, today())
      const earlier = await look(hospital, wall, { begin_date: then.begin, end_date: then.end })
      for (const { card, name, reading } of found) {
        if (!reading.against!.includes(against)) continue
        const answer = cards[card.name]![name]!
        expect(answer.before[against], `${card.title} ${name}`).toEqual(earlier.cards[card.name]![name]!.rows)
        expect(answer.compared?.[against]).toBe(comparedWords(days, null, against, today()))
      }
    }
  })
})

describe('a figure and the list behind it', () => {
  it.each(listed.map(each => ({ ...each, title: `${each.wall.kind} ${each.card.title} ${each.name}` })))(
    'are one: $title',
    async ({ wall, card, name, reading }) => {
      const year = `${today().slice(0, 5)}01-01`
      const { cards } = await look(hospital, wall, wall.ofDays ? { begin_date: year, end_date: today() } : {})
      const answer = cards[card.name]![name]!
      const list = await hospital.get(`/v1/report/${reading.of.kind}`, { ...answer.asked, pageSize: '1' })
      expect(list.code, list.msg).toBe(0)
      if (answer.rows.length < answer.total) return
      // An analysis lists groups, and has the whole in its totals.
      const counted = reading.rows ? `${answer.total}.000` : added(answer.rows.map(({ rows }) => rows))
      if (!reading.of.analysis) expect(counted).toBe(`${list.total}.000`)
      for (const column of reading.sums ?? [])
        if (reading.of.totals?.includes(column))
          expect(added(answer.rows.map(row => row[column])), column).toBe(added([list.summary[column]]))
    },
  )

  it('count the same warnings as the warning centre', async () => {
    const { cards } = await look(hospital, walls.find(({ kind }) => kind === 'screenWarning')!)
    for (const [category, title] of [
      ['CERTIFICATIONEARLY', '资质'],
      ['PRODUCTREGISTRATION', '注册证'],
      ['PRODUCTEXPIRY', '效期'],
      ['PRODUCTINVENTORY', '库存'],
    ]) {
      const { total } = await hospital.get('/v1/business/warning/list', { category: category!, state: 'open' })
      const tile = cards.categories!.open!.rows.find(row => row.category === category)
      expect([title, tile!.open]).toEqual([title, String(total)])
      expect(added(cards[category!]!.bands!.rows.map(({ warnings }) => warnings))).toBe(`${total}.000`)
    }
  })

  it('count at a station the documents that its list shows', async () => {
    const { cards } = await look(hospital, walls.find(({ kind }) => kind === 'screenProcess')!)
    const kinds = cards.river!.kinds!.rows
    expect(kinds.length).toBeGreaterThan(8)
    expect(kinds.some(({ waiting }) => waiting !== '0')).toBe(true)
    for (const { waiting_kind, waiting_states, waiting } of kinds) {
      const role = waiting_kind === 'saleOdo' ? { role: 'counterparty' } : {}
      const { total } = await hospital.get(`/v1/business/${waiting_kind}/list`, { state: waiting_states!, ...role })
      expect([waiting_kind, waiting]).toEqual([waiting_kind, String(total)])
    }
  })

  it('count what was bought once, under one contract or under none', async () => {
    const contracts = await hospital.get('/v1/report/contractExecution', { pageSize: '200' })
    const lines = (query: object) =>
      hospital.get('/v1/report/contractReceipts', { begin_date: '2020-01-01', end_date: today(), ...query })
    const all = await lines({ scope: 'executed' })
    expect(contracts.summary.executed_amount).toBe(all.summary.covered_amount)
    expect(added([all.summary.covered_amount, all.summary.uncovered_amount])).toBe(added([all.summary.amount]))
    // Each contract leads to its own lines; one is executed beyond its amount, some have none.
    const rates = contracts.list.map(({ execution_rate }: { execution_rate: string | null }) => execution_rate)
    expect(rates.some((rate: string | null) => rate !== null && rate > '1')).toBe(true)
    expect(rates).toContain(null)
    for (const row of contracts.list.slice(0, 6)) {
      const { contract_no, counterparty_sn, first_day, last_day, scope, executed_amount } = row
      const days = { begin_date: first_day, end_date: last_day }
      const behind = await lines({ contract_no, counterparty_sn, scope, ...days })
      expect([contract_no, behind.summary.amount ?? '0.00']).toEqual([contract_no, executed_amount])
    }
    // Consigned goods are bought when they are settled, not when they arrive.
    const bought = async (grn_type: string) => {
      const period = { begin_date: addDays(today(), -364), end_date: today() }
      return (await hospital.get('/v1/report/receivedLines', { ...period, grn_type })).summary.amount
    }
    const parts = [await bought('purchaseGrn'), await bought('settlementGrn')]
    expect(parts).not.toContain('0.00')
    expect(added([all.summary.amount])).toBe(added(parts))
  })

  it('compare today with yesterday by what the list says of each', async () => {
    const front = walls[0]!
    const { cards } = await look(hospital, front)
    const { rows, before, asked } = cards.used!.today!
    const day = (offset: number) => new Date(Date.parse(today()) + offset * 86_400_000).toISOString().slice(0, 10)
    expect(asked).toMatchObject({ begin_date: today(), end_date: today() })
    const yesterday = await hospital.get('/v1/report/usageDetails', { begin_date: day(-1), end_date: day(-1) })
    expect(added([before.previous![0]!.amount])).toBe(added([yesterday.summary.amount]))
    expect(rows).toHaveLength(1)
  })
})

const moneyIn = (reading: Reading, { rows }: Answer): readonly (string | null)[] =>
  rows.flatMap(row => Object.entries(row).flatMap(([name, value]) => (isMoney(reading, name) ? [value] : [])))

/** Every amount that a caller reads, by card. */
async function amounts(who: Client, query: Record<string, string>): Promise<Map<string, readonly (string | null)[]>> {
  const found = new Map<string, readonly (string | null)[]>()
  for (const wall of walls) {
    const { cards } = await look(who, wall, query)
    for (const { card, name, reading } of readings.filter(each => each.wall === wall))
      found.set(`${wall.kind} ${card.name} ${name}`, moneyIn(reading, cards[card.name]![name]!))
  }
  return found
}

const grant = (code: string, figure: string) => server.database.owner`
  insert into hospital_rule (org_id, id, name, figure, changed_by)
  values (${idOf(code)}, 1460, 'wallAmounts', ${figure}, '测试')
  on conflict (org_id, id) do update set figure = excluded.figure`
const ungrant = () => server.database.owner`delete from hospital_rule where name = 'wallAmounts'`

describe('money across organisations', () => {
  it('is *** for the platform until the hospital gives 大屏金额授权, quantities are not', async () => {
    await ungrant()
    const hidden = [...(await amounts(platform, { org: idOf('H01') })).values()].flat().filter(value => value !== null)
    expect(hidden.length).toBeGreaterThan(20)
    expect(new Set(hidden)).toEqual(new Set([MASKED]))
    const { cards } = await look(platform, walls[0]!, { org: idOf('H01') })
    expect(cards.stock!.stock!.rows.every(({ quantity }) => quantity !== MASKED)).toBe(true)
  })

  it('with suppliers is read where both let it; the hospital itself reads all of it', async () => {
    await ungrant()
    await grant('H01', '是')
    const query = { org: idOf('H01'), begin_date: `${today().slice(0, 5)}01-01`, end_date: today() }
    const bySupplier = async (who: Client) => {
      const { cards } = await look(who, walls[0]!, query)
      return cards.suppliers!.suppliers!.rows
    }
    const shown = await look(platform, walls[0]!, query)
    expect(shown.cards.stock!.stock!.rows.map(({ amount }) => amount)).not.toContain(MASKED)
    expect((await bySupplier(platform)).every(({ amount }) => amount === MASKED)).toBe(true)
    await grant('D01', '是')
    const open = (await bySupplier(platform)).filter(({ amount }) => amount !== MASKED)
    expect(open.every(({ counterparty_sn }) => counterparty_sn === idOf('D01'))).toBe(true)
    expect((await bySupplier(hospital)).some(({ amount }) => amount === MASKED)).toBe(false)
    await ungrant()
  })

  it('does not leave the server for a user of the hospital who may not see prices', async () => {
    const front = walls[0]!
    const nurse = await server.as('nurse', 'Spd@2026')
    const [user] = await server.database.owner<{ id: string; org: string }[]>`
      select u.id, u.org_id as org from app_user u where u.login = 'nurse'`
    await server.database.owner`
      insert into role (org_id, id, name, flags) values (${user!.org}, 1461, '大屏', ${[`page:${front.screen.route}`]})`
    await server.database.owner`
      insert into user_role (user_id, role_id, org_id) values (${user!.id}, 1461, ${user!.org})`
    const { cards } = await look(nurse, front)
    const [row] = cards.used!.today!.rows
    expect(Object.keys(row!).toSorted()).toEqual(['quantity', 'rows'])
    await server.database.owner`delete from user_role where role_id = 1461`
  })
})

describe('who looks', () => {
  const address = `/v1/business/wall/${walls[0]!.kind}`

  it('is refused another organisation, an unknown one, and a wall that his menu has not', async () => {
    const refused = { status: 200, code: 403, msg: '没有操作权限' }
    expect(await hospital.get(address, { org: idOf('H02') })).toMatchObject(refused)
    expect(await hospital.get(address, { org: idOf('H01') })).toMatchObject({ code: 0 })
    expect(await platform.get(address, { org: '1' })).toMatchObject(refused)
    expect(await platform.get(address, { org: idOf('D01') })).toMatchObject(refused)
    expect(await platform.get(address, { org: 'x' })).toMatchObject(refused)
    for (const who of ['dealer', 'nurse'])
      expect(await (await server.as(who, 'Spd@2026')).get(address)).toMatchObject(refused)
    const [ward] = await server.database.owner<{ id: string }[]>`
      select id from department where org_id <> ${idOf('H01')} limit 1`
    const detail = '/v1/business/wall/screenDepartmentDetail'
    expect(await hospital.get(detail, { dept: ward!.id })).toMatchObject(refused)
  })

  it('reads in a sentence what is wrong with what he asked', async () => {
    const ask = (query: Record<string, string>) => hospital.get(address, query)
    expect(await ask({ begin_date: '2026-03-02', end_date: '2026-03-01' })).toMatchObject({
      code: 2000,
      msg: '开始日期不能大于结束日期',
    })
    expect(await ask({ begin_date: '2024-01-01', end_date: '2026-01-01' })).toMatchObject({
      code: 2000,
      msg: '查询区间不能超过12个月',
    })
    expect((await ask({ begin_date: 'x' })).code).toBe(2000)
    expect((await ask({ colour: 'red' })).msg).toContain('colour')
    expect((await hospital.get('/v1/business/wall/screenDepartmentDetail')).msg).toBe('请选择科室')
  })

  it('of the platform reads all hospitals as the sum of each', async () => {
    const entry = await platform.get('/v1/business/walls')
    const each = entry.info.organisations as { org_sn: string }[]
    expect(each.length).toBeGreaterThan(1)
    expect(entry.list).toHaveLength(walls.length)
    expect((await hospital.get('/v1/business/walls')).info.organisations).toEqual([])
    const piecesOf = ({ cards }: Info) => added(cards.stock!.stock!.rows.map(({ quantity }) => quantity))
    const whole = await look(platform, walls[0]!)
    expect(whole.organisation).toBeNull()
    let pieces = '0' as Decimal
    for (const { org_sn } of each) pieces = add(pieces, piecesOf(await look(platform, walls[0]!, { org: org_sn })), 3)
    expect(piecesOf(whole)).toBe(pieces)
  })

  it('finds no patient, no doctor and nobody who handled it on any wall', async () => {
    const people = await server.database.owner<{ name: string }[]>`
      select distinct fields ->> 'patient_name' as name from document
       where org_id = ${idOf('H01')} and fields ->> 'patient_name' <> ''
      union select name from employee where org_id = ${idOf('H01')} and length(name) > 1`
    expect(people.length).toBeGreaterThan(10)
    for (const wall of walls) {
      const text = JSON.stringify(await look(hospital, wall))
      expect(people.filter(({ name }) => text.includes(`"${name}"`))).toEqual([])
    }
  })
})

describe('a box that is followed', () => {
  const follow = (who: Client, code: string) => who.get('/v1/business/wall/screenProcess/trace', { code })

  it('passes over the organisations, without whom it was used on and who handled it', async () => {
    // A code of the maker passed over the organisations; one that a hospital printed begins there.
    const printed = await server.database.owner<{ kind: string; bare: string }[]>`
      select distinct on (c.kind) c.kind, c.bare
        from trace_event e join unit_code c on c.lot_id = e.lot_id and c.unit_id = e.unit_id
       where e.step = 'use' and e.org_id = ${idOf('H01')} and c.ended is null and c.kind in ('udi', 'inhouse')
       order by c.kind, c.bare`
    expect(printed.map(({ kind }) => kind)).toEqual(['inhouse', 'udi'])
    for (const { kind, bare } of printed) {
      const { info, list, msg } = await follow(hospital, bare)
      expect(msg, bare).toBe('')
      expect(list.length, bare).toBeGreaterThan(2)
      expect(info.now.status_name).toBe('已使用')
      const passed = new Set(list.map(({ org_name }: { org_name: string }) => org_name)).size
      expect(passed).toBeGreaterThan(kind === 'udi' ? 1 : 0)
      for (const event of list) {
        expect(Object.keys(event)).not.toContain('actor')
        expect(Object.keys(event).some(name => name.startsWith('patient'))).toBe(false)
      }
      expect(Object.keys(info)).not.toContain('patient')
    }
  })

  it('that nobody knows is said to be unknown, or without a trace', async () => {
    expect((await follow(hospital, '')).msg).toBe('请扫描或输入条码、批号、单号')
    expect((await follow(hospital, 'x'.repeat(401))).msg).toBe('条码过长，请核对后重新扫描')
    expect((await follow(hospital, 'NOSUCHLOT0')).msg).toBe('未查询到追溯信息')
    expect((await follow(hospital, '(01)12345678901234')).msg).toMatch(/^未识别的条码：|^未查询到追溯信息$/)
  })
})
