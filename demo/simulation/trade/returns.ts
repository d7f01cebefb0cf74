import { sourceTypes } from '#kernel/definition/source-type.ts'
import type { ReturnLine } from '#demo/simulation/actions.ts'
import { orgId, someone, type World } from '#demo/simulation/world.ts'

/** The stage of a return: back at the supplier, back and to be shipped again on its order, in transit, or a draft. */
type Stage = 'home' | 'exchanged' | 'away' | 'draft'
const plans: readonly (readonly [buyer: string, supplier: string, stages: readonly Stage[]])[] = [
  ['H01', 'D02', ['home', 'draft', 'exchanged']],
  ['H02', 'D03', ['away']],
  ['D01', 'V01', ['home', 'away']],
  ['D03', 'V03', ['away']],
  ['V01', 'D01', ['away', 'draft']],
]
const reasons = ['外包装破损', '临床停用，未拆封退回', '标签不清']

/**
 * Recently a few receipts were partly returned: taken back by the supplier, waiting for the supplier, or not shipped
 * yet.
 */
export function planReturns(world: World): void {
  for (const [at, [buyer, supplier, stages]] of plans.entries())
    world.plan(world.calendar.ago(4 - (at % 3)), 16.2, `returns ${buyer}`, async () => {
      const open = await world.hands.returnable(orgId(world, buyer), orgId(world, supplier))
      for (const [nth, stage] of stages.entries())
        if (open[nth]) await sendBack(world, buyer, supplier, open[nth], stage, reasons[(at + nth) % 3]!)
    })
}

async function sendBack(
  world: World,
  buyer: string,
  supplier: string,
  { sn: receipt, line_no, codes }: ReturnLine,
  stage: Stage,
  reason: string,
): Promise<void> {
  const { hands } = world
  const [keeper, head] = [someone(world, buyer, 'keeper'), someone(world, buyer, 'head')]
  const pieces = codes.length > 0 ? { unit_codes: codes.slice(0, 1) } : { quantity: '1' }
  const sn = await hands.add(keeper, 'purchaseReturn', {
    source_type: sourceTypes.GRN,
    source_sn: receipt,
    return_reason: reason,
    return_type: reason.includes('停用') ? 'unused' : 'quality',
    is_exchange: stage === 'exchanged',
    lines: [{ source_line_no: line_no, ...pieces }],
  })
  if (stage === 'draft') return
  await hands.pass(keeper, head, 'purchaseReturn', sn)
  if (stage === 'away') return
  const [clerk, other] = [someone(world, supplier, 'keeper'), someone(world, supplier, 'head')]
  const created = await hands.created(other.org.id, 'saleReturn', sn, head.org.id)
  if (!created) return
  await hands.act(clerk, 'saleReturn', 'submit', created)
  await hands.act(clerk, 'saleReturn', 'inspect', created, { arrival_temperature: '4℃' })
  await hands.act(other, 'saleReturn', 'review', created)
}
