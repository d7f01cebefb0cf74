import { orgId, someone, type World } from '#demo/simulation/world.ts'

type Asked = {
  readonly asker: string
  readonly owner: string
  readonly types: readonly string[]
  readonly purpose: string
  readonly stage: 'draft' | 'asked' | 'refused' | 'granted'
}

/** Recent requests for licences, with the asker, the owner and the progress. A licence that no one has is refused. */
const asked: readonly Asked[] = [
  {
    asker: 'H01',
    owner: 'D01',
    types: ['营业执照', '第二类医疗器械经营备案凭证', '受托生产协议'],
    purpose: 'first',
    stage: 'granted',
  },
  { asker: 'H01', owner: 'V01', types: ['营业执照'], purpose: 'admission', stage: 'asked' },
  { asker: 'H01', owner: 'D02', types: ['质量体系调查表'], purpose: 'tender', stage: 'refused' },
  { asker: 'H01', owner: 'D03', types: ['营业执照'], purpose: 'renewal', stage: 'draft' },
  { asker: 'D01', owner: 'V01', types: ['营业执照'], purpose: 'first', stage: 'granted' },
  { asker: 'D01', owner: 'H01', types: ['放射诊疗许可证'], purpose: 'renewal', stage: 'asked' },
  { asker: 'V01', owner: 'H01', types: ['医疗机构执业许可证'], purpose: 'renewal', stage: 'granted' },
  { asker: 'V01', owner: 'D01', types: ['营业执照'], purpose: 'renewal', stage: 'asked' },
]

/**
 * Licences requested and authorised in the last weeks, answered the next day, and one authorisation that was
 * withdrawn.
 */
export function planLicenceGrants(world: World): void {
  for (const [nth, one] of asked.entries()) {
    const [ago, hour, lane] = [
      one.stage === 'granted' ? 9 : 2,
      14.1 + (nth % 4) / 10,
      `licences ${one.asker} ${one.owner}`,
    ]
    let sn: string | null = null
    world.plan(world.calendar.ago(ago), hour, lane, async () => {
      sn = await ask(world, one)
    })
    if (one.stage === 'granted' || one.stage === 'refused')
      world.plan(world.calendar.ago(ago - 1), 9.2 + nth / 10, lane, async () => {
        if (sn !== null) await answer(world, one, sn)
      })
  }
  world.plan(world.calendar.ago(6), 15.1, 'licences unasked', () => giveUnasked(world))
}

async function ask(world: World, { asker, owner, types, purpose, stage }: Asked): Promise<string> {
  const { hands, calendar } = world
  const clerk = someone(world, asker, 'buyer')
  const sn = await hands.add(clerk, 'licenceApplication', {
    partner_sn: orgId(world, owner),
    purpose,
    period_to: calendar.ago(-180),
    may_print: purpose === 'first',
    applicant: clerk.userName,
    lines: types.map(licence_type => ({ licence_type })),
  })
  if (stage !== 'draft') await hands.act(clerk, 'licenceApplication', 'submit', sn)
  return sn
}

async function answer(world: World, { asker, owner, types, stage }: Asked, sn: string): Promise<void> {
  const { hands } = world
  const office = someone(world, owner, 'head')
  await hands.round()
  const theirs = { source_org_sn: orgId(world, asker) }
  if (stage === 'refused')
    return hands.act(office, 'licenceApplication', 'refuse', sn, { ...theirs, reason: '请先签订质量保证协议' })
  await hands.act(office, 'licenceApplication', 'toGrant', sn, theirs)
  const grant = await hands.created(orgId(world, owner), 'licenceEmpower', sn, orgId(world, asker))
  if (grant === null) return
  await hands.edit(office, 'licenceEmpower', grant, {
    lines: types.map((type, at) => ({
      line_no: at + 1,
      ...(type === '受托生产协议' ? { result: 'refuse', reason: '本机构不受托生产' } : { result: 'agree' }),
    })),
  })
  await hands.act(office, 'licenceEmpower', 'submit', grant)
  await hands.act(office, 'licenceEmpower', 'review', grant)
}

/** Granted without a request, and withdrawn when the cooperation changed. */
async function giveUnasked(world: World): Promise<void> {
  const { hands, calendar } = world
  const head = someone(world, 'D01', 'head')
  const sn = await hands.add(head, 'licenceEmpower', {
    partner_sn: orgId(world, 'H02'),
    purpose: 'tender',
    valid_to: calendar.ago(-60),
    lines: [{ licence_type: '营业执照' }],
  })
  await hands.act(head, 'licenceEmpower', 'agree', sn)
  await hands.act(head, 'licenceEmpower', 'submit', sn)
  await hands.act(head, 'licenceEmpower', 'review', sn)
  await hands.act(head, 'licenceEmpower', 'stop', sn, { reason: '投标项目已结束' })
}
