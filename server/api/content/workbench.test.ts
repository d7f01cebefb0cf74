import { isPositive } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStage, type Stage } from '#tests/support/story.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

type Todo = { kind: string; title: string; name: string; count: number; route: string }
const workbenchOf = async (login: string) =>
  (await (await stage.person(login)).client.get('/v1/business/workbench')).info as {
    todo: Todo[]
    figures: { title: string; value: string }[]
  }

it('the platform operator sees registrations and network figures, not a stock it does not have', async () => {
  const { todo, figures } = await workbenchOf('platform')
  expect(todo).toContainEqual(
    expect.objectContaining({
      title: '机构注册审核',
      count: expect.any(Number),
      route: '/ptm/agencyManage/RegistAudit?state=pending',
    }),
  )
  expect(figures.map(figure => figure.title)).toEqual(['医院', '经销商', '厂商', '已发布产品', '90天内到期注册证'])
  expect(isPositive(String(figures[0]!.value))).toBe(true)
})

it('users who may not act on an item do not see it waiting', async () => {
  const { todo } = await workbenchOf('vendor')
  expect(todo.some(each => each.kind === 'registrationAudit' || each.name.includes('待发布'))).toBe(false)
})
