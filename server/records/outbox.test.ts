import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deliverLeftRecords } from '#server/records/outbox.ts'
import { type Client, type TestServer, openTestServer } from '#tests/support/test-server.ts'

let server: TestServer
let vendor: Client
beforeAll(async () => {
  server = await openTestServer()
  vendor = await server.as('vendor')
})
afterAll(() => server.close())

const { stop, resume } = { stop: '已终止合作', resume: '已恢复合作' }
const owner = () => server.database.owner
const left = () => deliverLeftRecords(server.database.app, owner())
const waiting = () => owner()<{ sn: string; attempts: number }[]>`select sn, attempts from record_outbox`
const isDue = () => owner()`update record_outbox set next_at = now()`

/** The process ends where it would do this to the row that waits. */
async function killedAt<T>(event: 'update' | 'delete', work: () => Promise<T>): Promise<T> {
  await owner().unsafe(`
    create function killed() returns trigger language plpgsql as $$ begin raise 'killed'; end $$;
    create trigger killed before ${event} on record_outbox for each row execute function killed();`)
  try {
    return await work()
  } finally {
    await owner().unsafe('drop function killed() cascade')
  }
}

/** How many messages of the manufacturer to the dealer say so. */
async function messagesOf(sentence: string): Promise<number> {
  const [row] = await owner()<{ n: number }[]>`
    select count(*)::int as n from message m join organisation o on o.id = m.org_id
     where o.code = 'D01' and m.title = '机构关系' and m.body like ${`%${sentence}%`}`
  return row!.n
}

async function change(action: 'stop' | 'resume'): Promise<void> {
  const { list } = await vendor.get('/v1/business/dealer/list', { pageSize: '100' })
  const row = list.find((each: { partner_code: string }) => each.partner_code === 'D01')
  const body = { sn: row.dealer_sn, version: row.version, reason: '合同到期' }
  expect(await vendor.post(`/v1/business/dealer/${action}`, body)).toMatchObject({ code: 0 })
}

describe('what follows from a record beyond its organisation', () => {
  it('is done before the reply is read, and nothing waits then', async () => {
    const before = await messagesOf(stop)
    await change('stop')
    expect(await messagesOf(stop)).toBe(before + 1)
    expect(await waiting()).toEqual([])
    await change('resume')
  })

  it('is done by a job where the process was killed before it began', async () => {
    const before = await messagesOf(stop)
    await killedAt('update', () => change('stop'))
    expect(await messagesOf(stop)).toBe(before)
    expect(await waiting()).toHaveLength(1)
    expect(await left()).toBe(1)
    expect(await messagesOf(stop)).toBe(before + 1)
    expect(await waiting()).toEqual([])
    await change('resume')
  })

  it('is not done twice where the process was killed after it', async () => {
    const before = await messagesOf(stop)
    await killedAt('delete', () => change('stop'))
    expect(await messagesOf(stop)).toBe(before + 1)
    expect(await waiting()).toHaveLength(1)
    // Another process does not take it up while it may still be under way.
    expect(await left()).toBe(0)
    await isDue()
    expect(await left()).toBe(1)
    expect(await messagesOf(stop)).toBe(before + 1)
    await change('resume')
  })

  it('is done in the order in which the record was written', async () => {
    const [stops, resumes] = [await messagesOf(stop), await messagesOf(resume)]
    await killedAt('update', () => change('stop'))
    await change('resume')
    expect([await messagesOf(stop), await messagesOf(resume)]).toEqual([stops + 1, resumes + 1])
    expect(await waiting()).toEqual([])
    const bodies = await owner()<{ body: string }[]>`
      select m.body from message m join organisation o on o.id = m.org_id
       where o.code = 'D01' and m.title = '机构关系' order by m.id desc limit 2`
    expect(bodies.map(({ body }) => (body.includes(resume) ? 'resume' : 'stop'))).toEqual(['resume', 'stop'])
  })

  it('is tried again after an error, and shown among the incidents until it is done', async () => {
    const before = await messagesOf(stop)
    await owner().unsafe(`
      create function broken() returns trigger language plpgsql as $$ begin raise '消息不能保存'; end $$;
      create trigger broken before insert on message for each row when (new.title = '机构关系') execute function broken();`)
    await change('stop')
    for (let again = 0; again < 4; again += 1) {
      await isDue()
      expect(await left()).toBe(0)
    }
    const incidents = () =>
      owner()<{ state: string; description: string }[]>`
        select state, description from error_record where source = '主数据通知'`
    expect(await incidents()).toEqual([{ state: 'waiting', description: expect.stringContaining('消息不能保存') }])
    await owner().unsafe('drop function broken() cascade')
    await isDue()
    expect(await left()).toBe(1)
    expect(await messagesOf(stop)).toBe(before + 1)
    expect(await incidents()).toMatchObject([{ state: 'done' }])
    await change('resume')
  })
})
