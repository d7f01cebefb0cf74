import { read, utils } from '@e965/xlsx'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boardTable, NOW } from '#kernel/wall/board-table.ts'
import { cardsFor, figuresFor, measuresFor, TOO_LONG } from '#kernel/wall/board-definition.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { type Decimal, sum } from '#kernel/values/decimal.ts'
import { addDays, today } from '#kernel/values/date.ts'
import { type Answer, isMoney, MASKED } from '#kernel/wall/wall-definition.ts'
import { biBoard } from '#modules/platform/walls/board/bi.board.ts'
import { type Client, openTestServer, type TestServer } from '#tests/support/test-server.ts'

/** The board over the demo's year: its figures are those of the lists behind them, for every reader. */
let server: TestServer
const clients = new Map<OrgType, Client>()
let hospitalId: string
const logins = { H: 'hospital', D: 'dealer', V: 'vendor', P: 'platform' } as const
const types = Object.keys(logins) as OrgType[]
beforeAll(async () => {
  server = await openTestServer({}, { demo: true })
  for (const type of types) clients.set(type, await server.as(logins[type], 'Spd@2026'))
  const [hospital] = await server.database.owner<{ id: string }[]>`select id from organisation where code = 'H01'`
  hospitalId = hospital!.id
})
afterAll(() => server?.close())

const PATH = '/v1/business/board/biScreen'
const year = { begin_date: addDays(today(), -300), end_date: today() }
type Info = { answers: Record<string, Answer>; ignored: Record<string, string[]>; compared: object | null }

async function look(type: OrgType, card: string, query: Record<string, string> = {}): Promise<Info> {
  const reply = await clients.get(type)!.get(PATH, { ...year, ...query, card })
  expect(reply.code, `${type} ${card}: ${reply.msg}`).toBe(0)
  return reply.info
}
const added = (values: readonly (string | null | undefined)[]): string =>
  sum(values.map(value => value ?? '0') as Decimal[], 3)

describe('every card', () => {
  it.each(types)('is answered for %s, each of its eight numbers with it', async type => {
    expect(figuresFor(biBoard, type)).toHaveLength(8)
    expect(cardsFor(biBoard, type)).toHaveLength(11)
    for (const { name } of cardsFor(biBoard, type)) await look(type, name)
    const { answers } = await look(type, 'figures')
    for (const { name, column, reading } of figuresFor(biBoard, type))
      if (reading) expect(answers[name]!.rows[0], name).toHaveProperty(column!)
  })

  it('shows something of the demo to each of them', async () => {
    const empty: string[] = []
    for (const type of types)
      for (const card of cardsFor(biBoard, type)) {
        const { answers } = await look(type, card.name)
        if (Object.values(answers).every(({ rows }) => rows.length === 0)) empty.push(`${type} ${card.name}`)
      }
    expect(empty).toEqual([])
  })
})

describe('a figure and the list behind it', () => {
  it.each(['H', 'D', 'V'] as const)('are one for %s, by whichever measure', async type => {
    for (const measure of measuresFor(biBoard, type, () => true)) {
      const { answers } = await look(type, 'trend', { measure: measure.name })
      const { rows, asked } = answers.all!
      const list = await clients.get(type)!.get(`/v1/report/${measure.reading.of.kind}`, { ...asked, pageSize: '1' })
      expect(list.code, `${measure.name} ${list.msg}`).toBe(0)
      const shown = added(rows.map(row => row[measure.column]))
      expect(shown, measure.name).toBe(added([list.summary[measure.column]]))
      const ranked = (await look(type, 'ranking', { measure: measure.name })).answers.all!
      if (ranked.rows.length === ranked.total) expect(added(ranked.rows.map(row => row[measure.column]))).toBe(shown)
    }
  })

  it('stay one when a bar is clicked on, and when the tree is climbed down', async () => {
    const [top] = (await look('H', 'ranking')).answers.all!.rows
    const department = { department_inner_sn: top!.department_sn! }
    const narrowed = (await look('H', 'structure', department)).answers.all!
    expect(added(narrowed.rows.map(({ amount }) => amount))).toBe(added([top!.amount]))
    const area = narrowed.rows.find(({ class_sn }) => class_sn)!
    const below = (await look('H', 'structure', { ...department, custom_type_sn: area.class_sn!, level: '1' })).answers
    expect(added(below.all!.rows.map(({ amount }) => amount))).toBe(added([area.amount]))
    const list = await clients.get('H')!.get('/v1/report/usageDetails', { ...below.all!.asked, pageSize: '1' })
    expect(added([list.summary.amount])).toBe(added([area.amount]))
  })

  it('are one for what is earned, which only its right opens', async () => {
    const { answers } = await look('D', 'figures')
    const list = await clients.get('D')!.get('/v1/report/issuedLines', { ...answers.profit!.asked, pageSize: '1' })
    expect(answers.profit!.rows[0]!.profit).toBe(list.summary.profit)
  })
})

describe('a comparison', () => {
  it('is with the same days of the month before, or the same days a year earlier, or nothing', async () => {
    const days = { begin_date: '2026-11-01', end_date: '2026-11-10' }
    expect((await look('H', 'figures', days)).compared).toEqual({ begin: '2026-10-01', end: '2026-10-10' })
    const yearly = await look('H', 'figures', { ...days, against: 'year' })
    expect(yearly.compared).toEqual({ begin: '2025-11-01', end: '2025-11-10' })
    expect((await look('H', 'figures', { ...days, against: 'none' })).compared).toBeNull()
    const before = (await look('H', 'figures', days)).answers.used!.before.previous![0]!.amount
    const then = { begin_date: '2026-10-01', end_date: '2026-10-10', against: 'none' }
    expect((await look('H', 'figures', then)).answers.used!.rows[0]!.amount).toBe(before)
  })
})

describe('a call that cannot be answered', () => {
  it.each([
    [{ begin_date: '2024-11-01', end_date: '2026-11-01' }, TOO_LONG],
    [{ begin_date: '2026-11-02', end_date: '2026-11-01' }, '开始日期不能大于结束日期'],
    [{ measure: 'nothing' }, '没有这个指标，或没有查看它的权限'],
    [{ card: 'nothing' }, '没有这张卡片'],
  ])('is refused in a sentence: %o', async (query, sentence) => {
    const reply = await clients.get('H')!.get(PATH, { card: 'trend', ...query })
    expect([reply.code, reply.msg.includes(sentence)]).toEqual([expect.any(Number), true])
    expect(reply.code).not.toBe(0)
  })

  it('is answered for twenty-four months', async () => {
    const reply = await clients.get('H')!.get(PATH, {
      card: 'trend',
      grain: 'day',
      begin_date: '2024-11-02',
      end_date: '2026-11-01',
    })
    expect(reply.code).toBe(0)
  })

  it('is refused with a filter that is another organisation’s, and a day that is none', async () => {
    const [foreign] = await server.database.owner<{ id: string }[]>`
      select w.id from warehouse w join organisation o on o.id = w.org_id where o.code = 'H02' limit 1`
    const hospital = clients.get('H')!
    expect((await hospital.get(PATH, { card: 'trend', warehouse_model_inner_sn: foreign!.id })).code).toBe(403)
    for (const query of [{ begin_date: '2026-13-01' }, { value_class: 'x' }, { against: 'x' }, { level: '-1' }]) {
      const reply = await hospital.get(PATH, { card: 'trend', ...query })
      expect(reply.code, JSON.stringify(query)).not.toBe(0)
      expect(reply.code).toBeLessThan(9999)
    }
  })
})

describe('money', () => {
  it('is nowhere on the platform’s board', async () => {
    for (const card of cardsFor(biBoard, 'P')) {
      const { answers } = await look('P', card.name)
      for (const [name, answer] of Object.entries(answers)) {
        const reading = card.reads[name]
        if (reading === undefined) continue
        const money = answer.rows.flatMap(row =>
          Object.entries(row).flatMap(([column, value]) =>
            isMoney({ ...reading, span: 'asked' }, column) ? [value] : [],
          ),
        )
        expect(new Set(money.filter(value => value !== MASKED)), `${card.name} ${name}`).toEqual(new Set())
      }
    }
  })

  it('and what was earned are hidden from who lacks the right, and are no measure of his', async () => {
    const [user] = await server.database.owner<{ id: string; org: string }[]>`
      select u.id, u.org_id as org from app_user u where u.login = 'nurse'`
    await server.database.owner`
      insert into role (org_id, id, name, flags) values (${user!.org}, 1511, '看板', ${['page:/bi1']})`
    await server.database.owner`
      insert into user_role (user_id, role_id, org_id) values (${user!.id}, 1511, ${user!.org})`
    const nurse = await server.as('nurse', 'Spd@2026')
    const reply = await nurse.get(PATH, { ...year, card: 'figures' })
    expect(reply.code, reply.msg).toBe(0)
    for (const { name, reading, column } of figuresFor(biBoard, 'H'))
      if (reading && isMoney({ ...reading, span: 'asked' }, column!))
        expect(reply.info.answers[name]?.rows[0][column!] ?? MASKED, name).toBe(MASKED)
    expect((await nurse.get(PATH, { ...year, card: 'trend', measure: 'used' })).code).not.toBe(0)
    await server.database.owner`delete from user_role where role_id = 1511`
  })
})

describe('the platform', () => {
  it('narrows what flows to a class of the national catalogue, by its name or by a click', async () => {
    const all = (await look('P', 'structure')).answers.all!.rows
    const one = all.find(({ class_key }) => class_key)!
    const named = (await look('P', 'structure', { catalogue: one.class_name! })).answers.all!.rows
    const clicked = (await look('P', 'structure', { class_key: one.class_key! })).answers.all!.rows
    expect(named.map(({ quantity }) => quantity)).toEqual([one.quantity])
    expect(clicked).toEqual(named)
  })

  it('counts what an organisation received of others as this one does', async () => {
    const ranked = (await look('P', 'ranking')).answers.all!.rows
    const own = ranked.find(({ taker_sn }) => taker_sn === hospitalId)!
    const [{ quantity } = { quantity: '' }] = await server.database.owner<{ quantity: string }[]>`
      select sum(case when e.step = 'return' then -e.quantity else e.quantity end)::numeric(18, 3)::text as quantity
        from trace_event e
       where e.step in ('receive', 'transfer_in', 'return') and e.from_org_id <> e.to_org_id
         and ${hospitalId} = case when e.step = 'return' then e.from_org_id else e.to_org_id end
         and e.at >= ${year.begin_date}::timestamp at time zone 'Asia/Shanghai'
         and not exists (select 1 from trace_event u where u.lot_id = e.lot_id and u.unit_id = e.unit_id
           and u.undo_of = e.seq)`
    expect(own.quantity).toBe(quantity)
  })

  it('reads a chosen organisation, and counts its goods as this one does', async () => {
    const own = (await look('H', 'expiry')).answers.all!.rows
    const seen = (await look('P', 'expiry', { party_sn: hospitalId })).answers.all!.rows
    const byBand = (rows: Answer['rows']) =>
      Object.fromEntries(rows.map(({ expiry_band, quantity }) => [expiry_band, quantity]))
    expect(byBand(seen)).toEqual(byBand(own))
  })
})

/** The rows of the board's workbook below its heading, and how the cells of each column are written. */
async function sheetOf(client: Client) {
  const reply = await client.raw({ method: 'GET', url: `${PATH}/export`, query: year })
  expect(reply.statusCode).toBe(200)
  const book = read(reply.rawPayload, { cellNF: true })
  const sheet = book.Sheets[book.SheetNames[0]!]!
  const rows = utils.sheet_to_json<Record<string, string | number>>(sheet, { range: 3 })
  const titles = utils.sheet_to_json<string[]>(sheet, { header: 1, range: 3 })[0]!
  const formats = Object.fromEntries(
    titles.map((title, column) => {
      const cells = Array.from({ length: rows.length }, (_, at) => sheet[utils.encode_cell({ r: at + 4, c: column })])
      return [title, cells.find(cell => cell?.t === 'n')?.z]
    }),
  )
  return { rows, formats }
}

describe('the workbook', () => {
  it('has every figure of every card with the format of its kind', async () => {
    const { rows, formats } = await sheetOf(clients.get('H')!)
    expect(rows.length).toBeGreaterThan(100)
    expect(formats).toMatchObject({ 数量: '#,##0.000', 金额: '#,##0.00', 比率: '0.00%' })
    const used = rows.find(row => row.卡片 === '核心指标' && row.项目 === '使用额' && row.指标 === '数值')!
    const { answers } = await look('H', 'figures')
    expect(added([String(used.金额)])).toBe(added([answers.used!.rows[0]!.amount]))
  })

  it('has no money for the platform', async () => {
    const { rows } = await sheetOf(clients.get('P')!)
    expect(rows.filter(row => typeof row.金额 === 'number')).toEqual([])
  })
})

it('a table of each card has the rows that were read', async () => {
  for (const type of types)
    for (const card of cardsFor(biBoard, type)) {
      const { answers } = await look(type, card.name)
      const [measure] = measuresFor(biBoard, type, () => true)
      const choice = { org: type, against: null, measure: measure!, grain: 'month', level: 0 } as const
      const days = { begin: year.begin_date, end: year.end_date } as never
      const table = boardTable({ board: biBoard, card, choice, answers, days, compared: null, place: null })
      expect(table.rows.length, `${type} ${card.name}`).toBeGreaterThan(0)
      expect(table.columns.length).toBeGreaterThan(0)
      for (const { cells } of table.rows)
        for (const { name } of table.columns.filter(column => column.name === NOW)) expect(cells).toHaveProperty(name)
    }
})
