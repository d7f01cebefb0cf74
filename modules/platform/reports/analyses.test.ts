import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Analysis, crossed, PERIOD } from '#kernel/definition/analysis.ts'
import type { AnyReport } from '#kernel/definition/report.ts'
import { addDays, clock, type Day, today } from '#kernel/values/date.ts'
import { compare, round, sum } from '#kernel/values/decimal.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { reports } from '#app/modules.ts'
import { type Client, openTestServer, type TestServer } from '#tests/support/test-server.ts'
import { isThorough, sampled } from '#tests/support/thorough.ts'

/**
 * Every analysis, over a year of business: however its reader groups it, its rows add up to its totals, and these to
 * the report whose rows it sums. Fields that its organisation does not see are in no answer and no grouping.
 */
let server: TestServer
const clients = new Map<OrgType, Client>()
beforeAll(async () => {
  server = await openTestServer({}, { demo: true })
  const logins = { H: 'hospital', D: 'dealer', V: 'vendor', P: 'platform' } as const
  for (const [type, login] of Object.entries(logins)) clients.set(type as OrgType, await server.as(login))
  // The clock is stopped, so that durations until now are the same in every answer.
  clock.at = new Date()
})
afterAll(async () => {
  clock.at = null
  await server?.close()
})

const period = { begin_date: addDays(today(), -300), end_date: today() as Day }
const analyses = reports.flatMap((report, place) =>
  report.analysis
    ? [...new Set(report.screens.flatMap(({ orgs }) => [...orgs] as OrgType[]))].map((type, at, types) => ({
        name: `${report.kind} of ${type}`,
        report: report as AnyReport,
        analysis: report.analysis as Analysis,
        type,
        /** In `npm test` one organisation of each report adds up, in turn: the statement is the same for all. */
        isLeftOut: !isThorough && at !== place % types.length,
      }))
    : [],
)
const isFor = (report: AnyReport, name: string, type: OrgType) =>
  (report.columns[name]?.orgs?.includes(type) ?? true) &&
  !report.screens.some(screen => screen.orgs.includes(type) && screen.without?.[type]?.includes(name))

describe.each(analyses)('$name', ({ report, analysis, type, isLeftOut }) => {
  const ask = async (kind: string, query: object) => {
    const reply = await clients.get(type)!.get(`/v1/report/${kind}`, { pageSize: '500', ...period, ...query } as never)
    expect(reply.code, JSON.stringify(reply)).toBe(0)
    return reply
  }
  const sums = Object.entries(analysis.measures).flatMap(([name, measure]) =>
    'sum' in measure && measure.within === undefined && isFor(report, name, type) ? [[name, measure.sum] as const] : [],
  )
  const dimensions = [PERIOD, ...Object.keys(analysis.dimensions)].filter(
    name => name === PERIOD || isFor(report, name, type),
  )

  test.skipIf(isLeftOut)('adds up to its totals by every dimension, and to the report behind it', async () => {
    const whole = await ask(report.kind, {})
    expect(whole.total).toBeGreaterThan(0)
    const { summary: behind } = await ask(analysis.of.kind, {})
    for (const [name, column] of sums)
      if (analysis.of.totals?.includes(column)) expect([name, whole.summary[name]]).toEqual([name, behind[column]])
    for (const dimension of sampled(dimensions, 3)) {
      const { list, summary, total } = await ask(report.kind, { group_by: dimension })
      expect(summary).toEqual(whole.summary)
      // Whatever is counted happened on some day.
      if (dimension === PERIOD)
        expect(list.map((row: Record<string, string>) => row.period).filter((each: unknown) => !each)).toEqual([])
      if (total > list.length) continue
      for (const [name] of sums)
        expect([
          dimension,
          name,
          sum(
            list.map((row: Record<string, string>) => row[name] ?? '0'),
            2,
          ),
        ]).toEqual([dimension, name, round(String(whole.summary[name] ?? '0'), 2)])
    }
  })

  test.skipIf(isLeftOut)('crossed by any other dimension it has the same sums, column by column', async () => {
    const [down] = analysis.standard.filter(name => dimensions.includes(name))
    const across = dimensions.find(name => name !== down)
    if (crossed(analysis) === null || down === undefined || across === undefined) return
    const { list, summary, total, info } = await ask(report.kind, { group_by: down, across })
    const { list: plain, total: groups } = await ask(report.kind, { group_by: down })
    expect([info.across.length > 0, total]).toEqual([true, groups])
    const cells = (row: Record<string, string>) =>
      sum(
        info.across.map(({ name }: { name: string }) => row[name] ?? '0'),
        2,
      )
    expect(cells(summary)).toBe(round(String(summary[analysis.main]), 2))
    for (const row of list) expect(cells(row)).toBe(round(row[analysis.main] ?? '0', 2))
    if (total <= list.length)
      expect(
        sum(
          list.map((row: Record<string, string>) => row[analysis.main] ?? '0'),
          2,
        ),
      ).toBe(
        sum(
          plain.map((row: Record<string, string>) => row[analysis.main] ?? '0'),
          2,
        ),
      )
    const same = await clients.get(type)!.get(`/v1/report/${report.kind}`, { ...period, group_by: down, across: down })
    expect(same.msg).toBe('交叉表的维度不能与统计维度相同')
  })

  test.skipIf(isLeftOut)('leads from each group to exactly its rows', async () => {
    for (const [name, { key }] of sampled(Object.entries(analysis.dimensions), 2)) {
      const column = analysis.measures[analysis.main]
      if (!key || !column || !('sum' in column) || !isFor(report, name, type)) continue
      if (!analysis.of.totals?.includes(column.sum)) continue
      const { list } = await ask(report.kind, { group_by: name })
      const row = list.find(
        (one: Record<string, string>) => one[key[1]] && compare(one[analysis.main] ?? '0', '0') !== 0,
      )
      if (!row) continue
      const { summary } = await ask(analysis.of.kind, { [key[0]]: row[key[1]] })
      expect([name, summary[column.sum]]).toEqual([name, row[analysis.main]])
    }
  })

  test('neither shows nor groups by what its organisation does not see', async () => {
    const hidden = Object.keys(report.columns).filter(name => name !== PERIOD && !isFor(report, name, type))
    const { list } = await ask(report.kind, {})
    for (const row of list) expect(Object.keys(row).filter(name => hidden.includes(name))).toEqual([])
    for (const name of hidden.filter(each => each in analysis.dimensions && !analysis.standard.includes(each))) {
      const reply = await clients.get(type)!.get(`/v1/report/${report.kind}`, { ...period, group_by: name } as never)
      expect(reply.msg).toBe(`${report.title}不能按【${report.columns[name]!.label}】分组`)
    }
  })
})

/** Rows with their sums of one reading, of two, and an analysis. */
test.each(['issuedLines', 'stockFlow', 'issuedStat'])(
  '%s: every page continues the one before and says the same whole, and beyond the last there is no row',
  async kind => {
    const ask = (pageNum: number, pageSize: number) =>
      clients.get('H')!.get(`/v1/report/${kind}`, { ...period, pageNum: `${pageNum}`, pageSize: `${pageSize}` })
    const whole = await ask(1, 10)
    expect([whole.code, whole.list.length]).toEqual([0, 10])
    const halves = [await ask(1, 5), await ask(2, 5)]
    expect(halves.flatMap(({ list }) => list)).toEqual(whole.list)
    const beyond = await ask(whole.total + 1, 5)
    expect(beyond.list).toEqual([])
    for (const { total, summary } of [...halves, beyond])
      expect({ total, summary }).toEqual({
        total: whole.total,
        summary: whole.summary,
      })
  },
)
