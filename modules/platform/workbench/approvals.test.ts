import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import type { Person } from '#tests/support/story.ts'

/** 待我审批: one page for every kind, listing what each person may decide. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

type Approval = { kind: string; key: string; own: boolean; reject: string | null; amount?: string; address: string }
const waiting = async (who: Person): Promise<readonly Approval[]> =>
  (await who.client.get('/v1/business/workbench/approvals')).list as Approval[]
const cards = async (who: Person): Promise<readonly { kind: string; state: string; action: string; count: number }[]> =>
  (await who.client.get('/v1/business/workbench')).info.todo

/** A receipt that its author has submitted. */
async function submitReceipt({ hospital, d, central, inflator }: Scene): Promise<string> {
  const sn = await hospital.add('purchaseGrn', {
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    regime: 'purchased',
    lines: [lotOf(inflator, 'AP1', { quantity: '2', price: '100', tax_rate: 13 })],
  })
  await hospital.done('purchaseGrn', 'submit', sn)
  return sn
}

test('documents of every kind that wait for somebody stand on one page, and go when they are decided', async () => {
  const { hospital } = scene
  const receipt = await submitReceipt(scene)
  const mine = (await waiting(hospital)).find(({ key }) => key === receipt)
  expect(mine).toMatchObject({ kind: 'purchaseGrn', own: true, reject: 'reject', amount: '200.00' })
  await hospital.done('purchaseGrn', 'review', receipt, { reason: '数量相符' })
  expect((await waiting(hospital)).some(({ key }) => key === receipt)).toBe(false)
  const { history } = await hospital.info('purchaseGrn', receipt)
  expect(history.at(-1)).toMatchObject({ action: 'review', reason: '数量相符' })
})

test('the page has as many documents of a kind as the card of the workbench', async () => {
  const { hospital } = scene
  await submitReceipt(scene)
  const listed = await waiting(hospital)
  const reviewed = (await cards(hospital)).filter(({ state, action }) => state === 'submitted' && action === 'review')
  const [grn] = reviewed.filter(({ kind }) => kind === 'purchaseGrn')
  expect(listed.filter(({ kind }) => kind === 'purchaseGrn')).toHaveLength(grn!.count)
})

test('who may not review sees nothing to approve', async () => {
  await submitReceipt(scene)
  const nurse = await scene.person('nurse')
  expect((await waiting(nurse)).some(({ kind }) => kind === 'purchaseGrn')).toBe(false)
})

test('what four eyes forbid is known before it is pressed, in the sentence of the refusal', async () => {
  const { hospital } = scene
  await scene.rule(scene.h, 'allow_self_review', false)
  const receipt = await submitReceipt(scene)
  const { version, state } = await hospital.info('purchaseGrn', receipt)
  const { info } = await hospital.client.post('/v1/business/purchaseGrn/offers', { sn: receipt, version, state })
  expect(info.refused.review).toContain('制单人与审核人不能为同一人')
  expectMessage(await hospital.do('purchaseGrn', 'review', receipt), info.refused.review)
})
