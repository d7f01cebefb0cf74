import { afterAll, beforeAll, expect } from 'vitest'
import { addDays, type Day } from '#kernel/values/date.ts'
import { remindOfStaff } from '#modules/base/identity/staff-reminders.server.ts'
import { recountWarnings } from '#modules/goods/warnings/recount.server.ts'
import { remindOfLicences } from '#modules/trade/licences/expiry/expiry-reminders.server.ts'
import { inOrganisation } from '#server/public/database.ts'
import { expectMessage, openScene, type Scene } from '#tests/support/fixture.ts'
import { story } from '#tests/support/steps.ts'
import { day } from '#tests/support/story.ts'

/** 质量档案: who handles goods is checked once a year and trained; what ends or is missing is warned of. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const call = (kind: string, action: string, body: Record<string, unknown>) =>
  scene.dealer.client.post(`/v1/business/${kind}/${action}`, body)
const filed = (body: Record<string, unknown>) => call('staffFile', 'add', { employee_inner_sn: keeper, ...body })
let keeper = ''

const recount = () => inOrganisation(scene.server.database.owner, scene.d, '0', tx => recountWarnings(tx, scene.d))
const warned = async () => {
  await recount()
  const rows = await scene.dealer.list('warning', { code: 'QF1', state: 'open' })
  return rows.map(row => [row.object_name, row.level, row.days_left]).sort()
}
const reminders = async () =>
  (
    await scene.server.database.owner<{ body: string; kind: string | null }[]>`
      select body, kind from message where org_id = ${scene.d} and title = '人员证明到期提醒' order by id`
  ).map(({ body }) => body)

story('the quality files of an employee', step => {
  step('an employee with a quality post and without files is warned of, one without a post is not', async () => {
    const added = await call('employee', 'add', { code: 'QF1', name: '史验', quality_post: 'inspector' })
    keeper = added.info.sn
    await call('employee', 'add', { code: 'QF2', name: '旁人' })
    expect(await warned()).toEqual([
      ['史验 健康检查', 'missing', null],
      ['史验 培训记录', 'missing', null],
    ])
    expect(await scene.dealer.list('warning', { code: 'QF2' })).toEqual([])
  })

  step('a health check holds for a year at most, and not at all if it was failed', async () => {
    const done_on = addDays(day() as Day, -345)
    expectMessage(
      await filed({ subject: '市疾控中心', done_on, valid_to: addDays(day() as Day, 60) }),
      /^健康检查每年至少一次，有效期至不能晚于/,
    )
    expectMessage(await filed({ subject: '市疾控中心', done_on: day(1) }), '日期不能晚于今天')
    expect((await filed({ subject: '市疾控中心', done_on: day(), result: 'failed' })).msg).toBe('')
    expect((await warned())[0]).toEqual(['史验 健康检查', 'missing', null])
    await filed({ subject: '市疾控中心', done_on })
    const [info] = await scene.dealer.list('staffFile', { standing: 'soon' })
    const [employee] = await scene.dealer.list('employee', { code: 'QF1' })
    expect(employee).toMatchObject({ quality_post: 'inspector', health_valid_to: info.valid_to })
    expect(await warned()).toEqual([
      ['史验 健康检查', expect.stringMatching(/^(soon|urgent)$/), info.days_left],
      ['史验 培训记录', 'missing', null],
    ])
  })

  step('its end is told of once, and daily in the last week; pages of licences show nothing of it', async () => {
    const { owner } = scene.server.database
    await remindOfStaff(owner)
    await remindOfStaff(owner)
    expect(await reminders()).toEqual([expect.stringMatching(/^【史验 健康检查】将于.*到期，剩余\d+天，请安排$/)])
    await remindOfLicences(owner)
    const licences = await scene.dealer.list('licenceValidityWarning', {})
    expect(licences.filter(row => row.code === 'QF1')).toEqual([])
    await owner`
      update warning set expiry_date = ${day(5)}, reminded_on = ${day(-1)}
       where org_id = ${scene.d} and code = 'QF1' and level <> 'missing'`
    await remindOfStaff(owner)
    await remindOfStaff(owner)
    expect((await reminders()).slice(1)).toEqual([expect.stringContaining('剩余5天')])
  })

  step('a new check and a training close the warnings, the old check is replaced', async () => {
    await filed({ subject: '市疾控中心', done_on: day() })
    await filed({ file_kind: 'training', subject: '冷链管理', done_on: day() })
    expect(await warned()).toEqual([])
    const standing = await scene.dealer.list('staffFile', { standing: 'replaced' })
    expect(standing.map(row => row.employee_code)).toEqual(['QF1'])
    const [employee] = await scene.dealer.list('employee', { code: 'QF1' })
    expect(employee).toMatchObject({ last_training: `${day()} 冷链管理` })
    expectMessage(
      await call('employee', 'del', { sn: keeper, version: employee.version }),
      '员工有质量档案，不能删除，请办理离职',
    )
  })
})
