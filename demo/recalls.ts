import { today } from '#kernel/values/date.ts'
import { deliverRecalls } from '#modules/goods/quality/recall-delivery.server.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import type { DemoDatabase, Hands } from '#demo/simulation/actions.ts'
import { someone, type World } from '#demo/simulation/world.ts'

/** A lot of a maker held by both a dealer and a hospital, with the smallest quantity: recalled stock is put on hold. */
async function rareLot(
  { owner }: DemoDatabase,
  world: World,
): Promise<{ specification: string; lot_no: string } | null> {
  const id = (code: string) => world.masters.organisations.get(code)!
  const [row] = await owner<{ specification: string; lot_no: string }[]>`
    select t.specification_id as specification, t.lot_no from lot t
      join specification s on s.id = t.specification_id join product p on p.id = s.product_id
        and p.manufacturer_id = ${id('V01')}
      join stock_balance b on b.lot_id = t.id and b.quality_state = 'qualified'
     where (select count(*) from lot_org o
       where o.lot_id = t.id and o.org_id = any(${['V01', 'D01', 'H01'].map(id)}::bigint[])) = 3
     group by t.id having bool_or(b.org_id = ${id('H01')}) order by sum(b.quantity), t.id limit 1`
  return row ?? null
}

/**
 * A maker recalls a lot that its dealer and a hospital have: one has answered, the others have not yet. Other makers
 * have drafts.
 */
export async function recallSomething(database: DemoDatabase, world: World, hands: Hands): Promise<void> {
  const lot = await rareLot(database, world)
  if (lot === null) return
  const body = {
    heading: '外包装密封不良批次召回',
    recall_level: 'second',
    recall_reason: '留样复检发现个别外包装热封边不完整，无菌屏障可能失效',
    business_date: today(),
    lines: [{ specification_sn: lot.specification, lot_no: lot.lot_no, requirement: '立即停用，清点后退回' }],
  }
  for (const code of ['D01', 'H01']) await hands.add(someone(world, code, 'head'), 'recall', body)
  const [platform] = await database.owner<{ id: string }[]>`
    select id::text as id from organisation where system_type = 0 order by id limit 1`
  await hands.add(await systemSessionOf(database.app, platform!.id), 'recall', body)
  const [writer, head] = [someone(world, 'V01', 'keeper'), someone(world, 'V01', 'head')]
  const sn = await hands.add(writer, 'recall', body)
  await hands.pass(writer, head, 'recall', sn)
  await hands.act(head, 'recall', 'publish', sn)
  await deliverRecalls(database.app, database.owner)
  await database.owner`
    update recall_feedback set state = 'answered', answered_by = '演示', answered_at = now(), note = '已清点并停用',
      version = version + 1 where org_id = ${world.masters.organisations.get('D01')!}`
  await deliverRecalls(database.app, database.owner)
}
