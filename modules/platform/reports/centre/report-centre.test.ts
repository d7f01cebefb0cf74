import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { expectMessage } from '#tests/support/fixture.ts'
import { day, openStage, type Person, type Stage } from '#tests/support/story.ts'
import type { Day } from '#kernel/values/date.ts'
import { lastPeriod } from '#kernel/values/schedule.ts'
import { runSchemes } from '#server/exports/scheduled.ts'
import { settleExports } from '#server/exports/jobs.ts'
import { diskStore } from '#server/files/store.ts'

/** 报表中心: schemes are personal; scheduled ones run with the user's rights of that day. */
let stage: Stage
let hospital: Person
let finance: Person
beforeAll(async () => {
  stage = await openStage()
  hospital = await stage.person('hospital')
  finance = await stage.person('finance')
})
afterAll(() => stage?.close())

const lastMonth = (of: Day) => {
  const { begin, end } = lastPeriod('monthly', of)
  return { begin_date: begin, end_date: end }
}
const add = (body: object, who = hospital) =>
  who.client.post('/v1/business/reportScheme/add', body as Record<string, unknown>)
const scheme = {
  name: '月度库存',
  report: 'inventorySummaryReport',
  query: 'begin_date=2026-11-01&end_date=2026-11-20',
  schedule: 'monthly',
}
const due = () =>
  runSchemes(stage.server.database.app, stage.server.database.owner, diskStore(`${stage.server.dataDir}/files`))

story('report centre, from one step to the next', step => {
  step('a scheme names a report and valid conditions; no one else sees it', async () => {
    expectMessage(await add({ ...scheme, report: 'nothing' }), /没有这个报表/)
    expectMessage(await add({ ...scheme, query: 'colour=red' }), /colour/)
    expect((await add(scheme)).msg).toBe('')
    expectMessage(await add(scheme), /方案名称【月度库存】已存在/)
    const [row] = await hospital.list('reportScheme')
    expect(row).toMatchObject({ name: '月度库存', schedule: 'monthly' })
    expect(row).toMatchObject({
      report_title: '收发存汇总报表',
      conditions: '开始日期 2026-11-01，结束日期 2026-11-20',
    })
    expect(row!.due_on > day()).toBe(true)
    expect(await finance.list('reportScheme')).toEqual([])
  })

  step('what is due is exported once and appears among the tasks of its subscriber', async () => {
    const { owner } = stage.server.database
    await owner`update report_scheme set due_on = ${day()}`
    await Promise.all([due(), due()])
    await settleExports()
    const tasks = await hospital.list('exportTask')
    expect(tasks.map(task => task.state)).toEqual(['done'])
    expect(await finance.list('exportTask')).toEqual([])
    const file = await hospital.client.raw({ method: 'GET', url: `/file/${tasks[0]!.file_name}` })
    expect(file.statusCode).toBe(200)
    const [row] = await hospital.list('reportScheme')
    expect(row!.due_on > day()).toBe(true)
    // Kept with days of November, it is about the month before the day it was due.
    const [logged] = await owner`
      select after->'conditions' as asked from operation_log
       where action = 'export' and subject = 'inventorySummaryReport' order by id desc limit 1`
    expect(logged!.asked).toMatchObject(lastMonth(day() as Day))
    // No session of it remains.
    expect(await owner`select 1 from session where agent = '定时导出'`).toHaveLength(0)
  })

  step('if the right is gone by then, this is reported and nothing is exported', async () => {
    const { owner } = stage.server.database
    const keeper = await stage.person('keeper')
    await owner`insert into report_scheme (org_id, user_id, report, name, schedule, due_on) select org_id, id,
    'salesSummary', '销售', 'daily', ${day()} from app_user where login = 'nurse'`
    await due()
    await settleExports()
    const nurse = await stage.person('nurse')
    const [tasks] = await owner`select count(*)::int as n from export_job j join app_user u on u.id = j.user_id
      where u.login = 'nurse'`
    expect(tasks!.n).toBe(0)
    const { list } = await nurse.client.get('/v1/business/message/list', { q: '定时导出' })
    expect(list[0].title).toBe('定时导出【销售】没有执行')
    const scheme = await keeper.client.get('/v1/business/reportScheme/list')
    expect(scheme.list ?? []).toEqual([])
  })
})
