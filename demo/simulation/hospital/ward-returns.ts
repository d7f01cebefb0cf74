import { sourceTypes } from '#kernel/definition/source-type.ts'
import { orgId, someone, type World } from '#demo/simulation/world.ts'

/** A ward of each hospital returned something recently, and has more to return. */
export function planWardReturns(world: World): void {
  for (const hospital of ['H01', 'H02'])
    world.plan(world.calendar.ago(1), 16.4, `ward returns ${hospital}`, () => giveBack(world, hospital))
}

async function giveBack(world: World, hospital: string): Promise<void> {
  const { hands } = world
  const org = orgId(world, hospital)
  const [keeper, head] = [someone(world, hospital, 'keeper'), someone(world, hospital, 'head')]
  const open = await hands.grantedTo(org)
  for (const [nth, { sn, line_no }] of open.slice(0, 3).entries()) {
    const doc = await hands.add(head, 'grantReturn', {
      source_type: sourceTypes.GRANT,
      source_sn: sn,
      return_reason: nth === 0 ? '病人出院，未使用' : '多领',
      lines: [{ source_line_no: line_no, quantity: '1' }],
    })
    if (nth === 2) return
    await hands.act(head, 'grantReturn', 'submit', doc)
    if (nth === 1) continue
    await hands.act(keeper, 'grantReturn', 'inspect', doc)
    await hands.act(head, 'grantReturn', 'review', doc)
  }
}
