import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fields, rightsToRead } from '#kernel/definition/field.ts'
import { type AnyReport, carried, columnField } from '#kernel/definition/report.ts'
import { boards, entities, entityOf, reports, walls } from '#kernel/registry.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { cardsFor } from '#kernel/wall/board-definition.ts'
import { type Answer, MASKED, type Reading, rightsOf } from '#kernel/wall/wall-definition.ts'
import { WHOLE_ONLY } from '#server/access/data-scope.ts'
import type { Session } from '#server/access/session.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'
import { sessionNow } from '#server/identity/sessions.ts'
import { exportReport, runReport } from '#server/reports/report.ts'
import { listRecords } from '#server/records/read.ts'
import { readBoardCall, readRun, runsOf } from '#server/walls/board.ts'
import { readWall, readWallCall } from '#server/walls/wall.ts'
import { reader } from '#server/walls/who-looks.ts'
import { day } from '#tests/support/story.ts'
import { openTestServer, type TestServer } from '#tests/support/test-server.ts'

/** Readers who are bound to a part, and readers without a right, do not see the rest: every report, wall and board. */
let server: TestServer
const sessions = new Map<OrgType, Session>()
const logins: Partial<Record<OrgType, string>> = { H: 'hospital', D: 'dealer', V: 'vendor' }
beforeAll(async () => {
  server = await openTestServer({}, { demo: true })
  for (const [type, login] of Object.entries(logins) as [OrgType, string][]) {
    const [user] = await server.database.owner<{ id: string; org_id: string }[]>`
      select id, org_id from app_user where login = ${login}`
    sessions.set(type, (await sessionNow(server.database.app, { userId: user!.id, orgId: user!.org_id, agent: '' }))!)
  }
})
afterAll(() => server?.close())

const VALUES: Readonly<Record<string, string>> = {
  begin_date: day(-300),
  end_date: day(),
  period: day().slice(0, 7),
  batch_no: 'FKPC1',
}
/** The parameters of a report: its days, its month, and a partner where it is about one. */
const queryOf = (session: Session, asked: Fields): Record<string, string> => ({
  ...Object.fromEntries(Object.keys(asked).flatMap(name => (VALUES[name] ? [[name, VALUES[name]]] : []))),
  ...(asked.counterparty_sn?.required
    ? { counterparty_sn: sessions.get(session.org.type === 'H' ? 'D' : 'H')!.org.id }
    : {}),
  pageSize: '20',
})
const within = <T>(who: Session, work: (tx: Tx) => Promise<T>) =>
  inOrganisation(server.database.slow, who.org.id, who.userId, work)
const isFor = (session: Session, { screens }: AnyReport) => screens.some(({ orgs }) => orgs.includes(session.org.type))

/** The required filters of a wall: a row of the reader's organisation, or a lot. */
async function requiredOf(who: Session, filters: Fields): Promise<Record<string, string>> {
  const asked: Record<string, string> = {}
  for (const [name, { required, target }] of Object.entries(filters)) {
    if (!required) continue
    const table = target === undefined ? undefined : entityOf(target)?.table
    const rows = table
      ? await within(who, tx => tx`select id from ${tx(table)} where org_id = ${who.org.id} limit 1`)
      : []
    asked[name] = String(rows[0]?.id ?? 'LOT-1')
  }
  return asked
}

/** The answers of all walls and boards, each with its reading and where it stands. */
async function shownTo(who: Session): Promise<readonly { at: string; reading: Reading; answer: Answer }[]> {
  const shown: { at: string; reading: Reading; answer: Answer }[] = []
  for (const wall of walls().filter(({ screen }) => screen.orgs.includes(who.org.type))) {
    const filters = await requiredOf(who, wall.filters)
    const read = await within(who, tx => readWall(tx, wall, readWallCall(wall, filters), reader(who), true))
    for (const { name, reads } of wall.cards)
      for (const [of, reading] of Object.entries(reads))
        shown.push({ at: `${wall.kind}.${name}.${of}`, reading, answer: read[name]![of]! })
  }
  for (const board of boards().filter(({ screen }) => screen.orgs.includes(who.org.type))) {
    const asked = readBoardCall(board, who, { begin_date: day(-300), end_date: day() })
    for (const card of cardsFor(board, who.org.type))
      for (const [of, run] of runsOf(board, card, asked).own) {
        const answer = await within(who, tx => readRun(tx, run, asked, reader(who), true))
        shown.push({ at: `${board.kind}.${card.name}.${of}`, reading: { ...run, span: 'asked' }, answer })
      }
  }
  return shown
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === MASKED || /^-?0*(\.0+)?$/.test(String(value))
/** True if a column is a figure of the organisation: a price of the catalogue is everybody's. */
const isFigure = (report: AnyReport, name: string): boolean =>
  report.unscoped === undefined && ['amount', 'quantity'].includes(columnField(report, name)?.as ?? '')

/** Bound to a store, or to a department, where nothing ever happened. */
const bound = (session: Session): Readonly<Record<string, Session>> => ({
  store: { ...session, warehouses: new Set(['1']) },
  department: { ...session, departments: new Set(['1']) },
})

test('whoever is bound to a ward reads of no report what others did, nor what adds up over all', async () => {
  const wrong: string[] = []
  let answered = 0
  for (const session of sessions.values())
    for (const report of reports().filter(one => isFor(session, one)))
      for (const [how, who] of Object.entries(bound(session)))
        try {
          const { list, summary } = await within(who, tx =>
            runReport(tx, who, report, queryOf(session, report.parameters)),
          )
          answered++
          const read = [...list, summary].flatMap(row =>
            Object.entries(row).filter(([name, value]) => isFigure(report, name) && !isNothing(value)),
          )
          if (read.length > 0) wrong.push(`${session.org.type} ${how} ${report.kind} ${JSON.stringify(read[0])}`)
        } catch (thrown) {
          const isWhole = thrown instanceof BusinessError && thrown.message.endsWith(WHOLE_ONLY)
          if (!isWhole || report.wholeOnly === undefined)
            wrong.push(`${session.org.type} ${how} ${report.kind}: ${(thrown as Error).message}`)
        }
  expect(answered).toBeGreaterThan(150)
  expect(wrong).toEqual([])
})

test('nor of any wall or board; what is withheld says so, and is no zero', async () => {
  const wrong: string[] = []
  const withheld = new Set<string>()
  for (const session of sessions.values())
    for (const [how, who] of Object.entries(bound(session)))
      for (const { at, reading, answer } of await shownTo(who)) {
        if (answer.withheld !== undefined) withheld.add(reading.of.kind)
        const read = answer.rows.flatMap(row =>
          Object.entries(row).filter(([name, value]) => isFigure(reading.of, name) && !isNothing(value)),
        )
        if (read.length > 0) wrong.push(`${session.org.type} ${how} ${at} ${JSON.stringify(read[0])}`)
        if ((reading.of.wholeOnly !== undefined) !== (answer.withheld !== undefined))
          wrong.push(`${how} ${at} withheld`)
      }
  expect(withheld).toContain('wallPayables')
  expect(wrong).toEqual([])
})

/** Everybody's rights but one. */
const without = (session: Session, right: string): Session => ({
  ...session,
  flags: Object.assign(new Set<string>(), { has: (flag: string) => flag !== right }),
})

test.each(['price', 'profit'] as const)(
  'whoever lacks the right %s reads it in no report and no export',
  async right => {
    const wrong: string[] = []
    const kept = new Set<string>()
    for (const session of sessions.values()) {
      const who = without(session, right)
      for (const report of reports().filter(one => isFor(session, one))) {
        const isKept = (name: string) => {
          const field = columnField(report, name)
          return field !== undefined && rightsToRead(field, session.org.type).includes(right)
        }
        const query = queryOf(session, report.parameters)
        const { list, summary } = await within(who, tx => runReport(tx, who, report, query))
        const { pageSize: _size, ...whole } = query
        const titles = new Set(exportReport(who, report, whole).columns.map(({ title }) => title))
        const labelled = (keeps: boolean) => Object.entries(report.columns).filter(([name]) => isKept(name) === keeps)
        const ofOthers = new Set(labelled(false).map(([, { label }]) => label))
        const exported = labelled(true).filter(([, { label }]) => titles.has(label) && !ofOthers.has(label))
        const read = [...list, summary].flatMap(row => Object.keys(row))
        const leaked = [...read.filter(isKept), ...exported.map(([name]) => `${name} (exported)`)]
        if (leaked.length > 0) wrong.push(`${session.org.type} ${report.kind} tells ${leaked[0]}`)
        for (const name of [...Object.keys(report.columns), ...carried(report)].filter(isKept)) kept.add(name)
      }
    }
    expect(kept.size).toBeGreaterThan(5)
    expect(wrong).toEqual([])
  },
)

test.each(['price', 'profit'] as const)('whoever lacks the right %s reads it on no wall and no board', async right => {
  const wrong: string[] = []
  let kept = 0
  for (const session of sessions.values())
    for (const { at, reading, answer } of await shownTo(without(session, right)))
      for (const row of [...answer.rows, ...Object.values(answer.before).flat()])
        for (const [name, value] of Object.entries(row)) {
          if (!rightsOf(reading, name, session.org.type).includes(right)) continue
          kept++
          if (value !== null && value !== MASKED) wrong.push(`${session.org.type} ${at} tells ${name}`)
        }
  expect(kept).toBeGreaterThan(10)
  expect(wrong).toEqual([])
})

/** Lists over ledgers; a part is read with the row that it is part of. */
const ledgers = () => entities().filter(one => one.readOnly && one.scope === 'organisation' && one.under === undefined)

test('whoever is bound to a ward reads no money of others in any list over a ledger', async () => {
  const wrong: string[] = []
  const refused = new Set<string>()
  // A user who is bound to a department sees its stores.
  for (const session of sessions.values())
    for (const definition of ledgers())
      for (const [how, who] of Object.entries(bound({ ...session, warehouses: new Set() })))
        try {
          const { list, summary = {} } = await within(who, tx => listRecords(tx, who, definition, { pageSize: '20' }))
          const money = Object.entries({ ...definition.fields, ...definition.extras })
            .filter(([, { as }]) => as === 'amount')
            .flatMap(([name]) => [...list, summary].map(row => row[name]))
          if (!money.every(isNothing)) wrong.push(`${session.org.type} ${how} ${definition.kind}`)
        } catch (thrown) {
          const isWhole = thrown instanceof BusinessError && thrown.message.endsWith(WHOLE_ONLY)
          if (!isWhole || definition.wholeOnly === undefined)
            wrong.push(`${definition.kind}: ${(thrown as Error).message}`)
          refused.add(definition.kind)
        }
  expect(refused).toContain('accountBalance')
  expect(wrong).toEqual([])
})
