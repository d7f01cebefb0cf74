import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deliverPending } from '#server/documents/intercompany/deliver.ts'
import { openScene, type Scene } from '#tests/support/fixture.ts'
import type { Person } from '#tests/support/story.ts'

/** Messages of a document arrive in order, whatever fails on the way: an enquiry with two suppliers proves it. */
let scene: Scene
let suppliers: string[]
beforeAll(async () => {
  scene = await openScene()
  suppliers = [scene.d, await scene.org('D02')]
  await scene.one(
    `insert into app_user (org_id, login, password_hash, name, is_administrator)
     select $1, 'second', password_hash, '负责人', true from app_user where login = 'dealer' returning 1`,
    suppliers[1]!,
  )
  await failWhereSaid()
})
afterAll(() => scene?.close())

/**
 * Deliveries of the document in `fate` fail where its bits say so: odd calls at the receiver, before anything is
 * stored there, others at the sender, after the receiver has committed, as in a crash between the two.
 */
async function failWhereSaid(): Promise<void> {
  const { owner } = scene.server.database
  await owner.unsafe(`
    create table fate (document_id bigint, bits text);
    create sequence fate_step;
    create function meet_fate(handed bigint) returns void language plpgsql security definer as $$
    begin
      if exists (
        select 1 from intercompany_message m join fate f on f.document_id = m.document_id
         where m.id = handed and substr(f.bits, nextval('fate_step')::int, 1) = '1')
      then raise exception 'the line is down'; end if;
    end $$;
    create function meet_fate_there() returns trigger language plpgsql security definer as $$
    begin perform meet_fate(new.intercompany_message_id); return new; end $$;
    create function meet_fate_here() returns trigger language plpgsql security definer as $$
    begin perform meet_fate(new.id); return new; end $$;
    create trigger fate_there before insert on intercompany_message_received
      for each row execute function meet_fate_there();
    create trigger fate_here before update on intercompany_message for each row
      when (old.delivered_at is null and new.delivered_at is not null) execute function meet_fate_here();`)
}
const fateOf = async (document: string | null, bits = '') => {
  const { owner } = scene.server.database
  await owner`delete from fate`
  await owner`alter sequence fate_step restart`
  if (document) await owner`insert into fate values (${document}, ${bits})`
}

const HOUR_MS = 3_600_000
const begun = Date.now()
const deadline = (hours: number) => new Date(begun + hours * HOUR_MS).toISOString()
const enquiry = async () => {
  const sn = await scene.hospital.add('enquiry', {
    heading: '吻合器询价',
    deadline: deadline(1),
    suppliers,
    lines: [{ specification_sn: scene.inflator, quantity: '20' }],
  })
  await scene.hospital.done('enquiry', 'submit', sn)
  const { id } = await scene.one("select id from document where org_id = $1 and sn = $2 and role = 'own'", scene.h, sn)
  return { sn, id: id as string }
}

const round = () => deliverPending(scene.server.database.app, scene.server.database.owner)
/** Everything rests no more, and nothing fails any more. */
async function drain(): Promise<void> {
  const { owner } = scene.server.database
  await fateOf(null)
  for (let turn = 0; turn < 30; turn++) {
    await owner`update intercompany_message set next_at = now() where delivered_at is null`
    await round()
  }
  const left = await owner`select payload->>'message' as message, last_error from intercompany_message
    where delivered_at is null`
  expect(left).toEqual([])
}

/** The documents at the suppliers: the copies, and the quotations that wait to be filled in. */
const heldBy = async (sn: string) =>
  (
    await scene.server.database.owner`
      select org_id, kind, role, state, fields->>'deadline' as deadline, fields->>'heading' as heading from document
       where org_id = any(${suppliers}::bigint[]) and state <> 'cancelled'
         and ((kind = 'enquiry' and sn = ${sn}) or (kind = 'quotation' and source_document_id in (
           select id from document where org_id = any(${suppliers}::bigint[]) and kind = 'enquiry' and sn = ${sn})))
       order by org_id, kind`
  ).map(row => ({ ...row }))

/** An action that is possible in this state; the last of a sequence may stop the enquiry. */
const actionIn = (state: string, choice: number, isLast: boolean): string => {
  if (state === 'submitted') return 'review'
  if (isLast && choice % 3 === 0) return 'stop'
  return ['extend', 'extend', 'unreview', 'remind'][choice % 4]!
}
const bodyOf = (action: string, step: number) =>
  action === 'extend'
    ? { new_deadline: deadline(step + 2) }
    : action === 'stop' || action === 'unreview'
      ? { reason: '不再采购' }
      : {}

/** The action is done in the end; one that failed on the way is repeated, as a user would. */
async function insist(who: Person, action: string, sn: string, body: object): Promise<void> {
  const first = await who.do('enquiry', action, sn, body)
  if (first.code === 0) return
  await fateOf(null)
  await who.done('enquiry', action, sn, body)
}

const stepsOf = fc.array(
  fc.record({
    choice: fc.nat(11),
    bits: fc.array(fc.constantFrom('0', '1'), { minLength: 12, maxLength: 12 }).map(bits => bits.join('')),
    delivers: fc.boolean(),
  }),
  { minLength: 3, maxLength: 7 },
)

it('copies end as they would had nothing failed, whatever was submitted, changed, withdrawn and lost on the way', {
  timeout: 240_000,
}, async () => {
  const { owner } = scene.server.database
  await fc.assert(
    fc.asyncProperty(stepsOf, async steps => {
      const [lossy, smooth] = [await enquiry(), await enquiry()]
      for (const [at, { choice, bits, delivers }] of steps.entries()) {
        const { state } = await scene.hospital.info('enquiry', smooth.sn)
        if (state === 'stopped') break
        const action = actionIn(state, choice, at === steps.length - 1)
        const body = bodyOf(action, at)
        await scene.hospital.done('enquiry', action, smooth.sn, body)
        await fateOf(lossy.id, bits)
        await insist(scene.hospital, action, lossy.sn, body)
        if (!delivers) continue
        await owner`update intercompany_message set next_at = now() where delivered_at is null`
        await round()
      }
      await drain()
      expect(await heldBy(lossy.sn)).toEqual(await heldBy(smooth.sn))
    }),
    { numRuns: 12 },
  )
})

it('an extended deadline waits for its delayed enquiry, and is not lost', async () => {
  const { owner } = scene.server.database
  const { sn, id } = await enquiry()
  await fateOf(id, '1'.repeat(50))
  await scene.hospital.done('enquiry', 'review', sn)
  await scene.hospital.done('enquiry', 'extend', sn, { new_deadline: deadline(5) })
  expect(await heldBy(sn)).toEqual([])
  const waiting = await owner`select message, attempts from intercompany_message where document_id = ${id}
    and to_org_id = ${suppliers[0]!} order by id`
  // The update is not even tried before the enquiry has arrived.
  expect(waiting.map(row => [row.message, row.attempts > 0])).toEqual([
    ['document', true],
    ['notification', false],
  ])
  await drain()
  const held = await heldBy(sn)
  expect(held.map(row => [row.kind, row.deadline])).toEqual(
    suppliers.flatMap(() => [
      ['enquiry', deadline(5)],
      ['quotation', deadline(5)],
    ]),
  )
})

it('a message without its copy is an error that is tried again, not a delivery', async () => {
  const { owner } = scene.server.database
  const { sn, id } = await enquiry()
  const [message] = await owner<{ id: string }[]>`
    insert into intercompany_message (org_id, to_org_id, message, document_id, payload)
    values (${scene.h}, ${scene.d}, 'document', ${id}, '{"message":"stopped","kind":"enquiry","sn":"XJ-nowhere"}')
    returning id`
  await round()
  const [row] = await owner`select delivered_at, attempts, last_error from intercompany_message
    where id = ${message!.id}`
  expect(row).toMatchObject({ delivered_at: null, attempts: 1 })
  expect(row!.last_error).toContain('has not arrived yet')
  await owner`delete from intercompany_message where id = ${message!.id}`
  expect(sn).toMatch(/^XJ/)
})
