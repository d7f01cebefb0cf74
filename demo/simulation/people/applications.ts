import { addDays, today } from '#kernel/values/date.ts'
import { goodsOf } from '#demo/simulation/levels.ts'
import { orgId, someone, type World } from '#demo/simulation/world.ts'

/** Recent requests of suppliers to hospitals: one waits, one is under review, some were answered, one is a draft. */
export function planApplications(world: World): void {
  for (const [supplier, hospital, stages] of [
    ['D01', 'H01', ['answered', 'asked', 'answered']],
    ['V03', 'H01', ['accepted', 'draft']],
    ['D02', 'H02', ['asked', 'answered']],
    ['V01', 'H01', ['accepted', 'draft']],
  ] as const)
    world.plan(world.calendar.ago(2), 16.6, `applications ${supplier}`, async () => {
      for (const [nth, stage] of stages.entries()) await apply(world, supplier, hospital, nth, stage)
    })
}

async function apply(
  world: World,
  supplier: string,
  hospital: string,
  nth: number,
  stage: 'draft' | 'asked' | 'accepted' | 'answered',
): Promise<void> {
  const { hands } = world
  const [clerk, office] = [someone(world, supplier, 'keeper'), someone(world, hospital, 'head')]
  const good = goodsOf(world, supplier).filter(
    each => each.tradableUntil === null || each.tradableUntil > world.calendar.ago(-30),
  )[nth]
  if (!good) return
  const sn = await hands.add(clerk, 'supplierApplication', {
    counterparty_sn: orgId(world, hospital),
    application_type: nth === 0 ? 'price' : 'change',
    apply_reason: nth === 0 ? '原材料价格变化' : '外包装规格调整',
    applicant: clerk.userName,
    lines: [
      nth === 0
        ? { specification_sn: good.id, old_price: '100', new_price: '95' }
        : nth === 2
          ? { specification_sn: good.id, changed_field: '挂网编码', new_value: 'JSGW009921' }
          : { specification_sn: good.id, changed_field: '包装规格', old_value: '10件/盒', new_value: '20件/盒' },
    ],
  })
  if (stage === 'draft') return
  await hands.act(clerk, 'supplierApplication', 'submit', sn)
  if (stage === 'asked') return
  const theirs = { source_org_sn: orgId(world, supplier) }
  await hands.act(office, 'supplierApplication', 'accept', sn, { ...theirs, answer_by: addDays(today(), 7) })
  if (stage === 'accepted') return
  await hands.act(office, 'supplierApplication', 'lineDecide', sn, {
    ...theirs,
    decide_lines: '1',
    decide_result: 'passed',
  })
  await hands.act(office, 'supplierApplication', 'review', sn, { ...theirs, opinion: '同意' })
}
