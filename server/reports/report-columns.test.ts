import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AnyReport, carried } from '#kernel/definition/report.ts'
import { boards, reports, walls } from '#kernel/registry.ts'
import { boardReports } from '#kernel/wall/board-definition.ts'
import { ownReports } from '#kernel/wall/wall-definition.ts'
import { statementOf } from '#server/reports/report-sql.ts'
import { columnsOf } from '#server/reports/select-list.ts'
import { openTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server?.close())

const every = (): readonly AnyReport[] => [...reports(), ...ownReports(walls()), ...boardReports(boards())]

test('the columns that the boot reads in the SQL of a report are those that PostgreSQL describes', async () => {
  const wrong: string[] = []
  for (const report of every()) {
    if (report.analysis) continue
    const { text, written } = statementOf(report, report.groupOnlyColumns ?? [])
    const { columns } = await server.database.owner.unsafe(text).describe()
    const described = columns.map(({ name }) => name).join()
    const read = columnsOf(written)
      .map(({ name }) => name)
      .join()
    if (described !== read) wrong.push(`${report.kind}: ${described} is read as ${read}`)
  }
  expect(wrong).toEqual([])
})

test('what leaves the server with a row and is shown on no page says nothing of a patient', () => {
  const named = every().flatMap(report =>
    carried(report)
      .filter(name => (report.columns[name] ?? report.beside?.[name])?.masked === true && !(name in report.columns))
      .map(name => `${report.kind}.${name}`),
  )
  expect(named).toEqual([])
})
