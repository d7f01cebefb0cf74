import { afterAll, beforeAll, expect, test } from 'vitest'
import { day, SIGNATURE } from '../../tests/support/story.ts'
import { expectMessage, lotOf, openScene, type Scene, shelf } from '../../tests/support/fixture.ts'
import { md5 } from '../../tests/support/test-server.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { dropUnused } from '#modules/signatures/signature.server.ts'

let scene: Scene
/** Two employees with badges, and the account of a third. */
let nurse: string
let other: string
beforeAll(async () => {
  scene = await openScene()
  const { h, inflator, hospital, central } = scene
  const people = await scene.server.database.owner<{ id: string }[]>`
    select id from employee where org_id = ${h} and not is_surgeon and status = 'enabled' order by id limit 2`
  nurse = people[0]!.id
  other = people[1]!.id
  for (const [id, badge] of [
    [nurse, 'BADGE-1'],
    [other, 'BADGE-2'],
  ])
    await scene.one('update employee set badge_no = $1 where id = $2 returning 1', badge, id)
  await scene.shelve(hospital, central, [lotOf(inflator, 'SG1', { quantity: '50', price: '20' })])
})
afterAll(() => scene?.close())

const capture = (body: object, who = scene.hospital) =>
  who.client.post('/v1/business/signature/capture', body as Record<string, unknown>)
const sign = (sn: string, body: object) => scene.hospital.do('grantOdo', 'sign', sn, body)
async function granted(more: object = {}): Promise<string> {
  const { hospital, central, ward, department, inflator } = scene
  const sn = await hospital.add('grantOdo', {
    warehouse_model_inner_sn: central,
    to_warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    lines: [{ specification_sn: inflator, lot_no: 'SG1', quantity: '2' }],
    ...more,
  })
  await hospital.pass('grantOdo', sn)
  return sn
}
const signaturesOf = async (kind: string, sn: string) => (await scene.hospital.info(kind, sn)).signatures

test('whoever takes goods signs for them by hand; how, when and for what stays on record', async () => {
  const { hospital } = scene
  const sn = await granted()
  expect(await signaturesOf('grantOdo', sn)).toEqual([])
  expectMessage(await sign(sn, { receiver_inner_sn: nurse }), '请先签名')
  expectMessage(await sign(sn, { signature_sn: await hospital.sign() }), '请先选择领用人，再手写签名')
  const signature_sn = await hospital.sign()
  await hospital.done('grantOdo', 'sign', sn, { receiver_inner_sn: nurse, signature_sn })
  const info = await hospital.info('grantOdo', sn)
  expect(info).toMatchObject({ receiver_inner_sn: nurse, receiver_signed_by: expect.any(String) })
  // What is said with the action alone is written nowhere.
  expect(info.signature_sn ?? null).toBeNull()
  expect(info.signatures).toMatchObject([
    { role: 'receiver', method: 'drawn', name: info.receiver_signed_by, strokes: SIGNATURE, holds: true },
  ])
  expectMessage(await sign(sn, { receiver_inner_sn: nurse, signature_sn }), '领用人已签收，不能重复签收')
  const printed = await hospital.client.get('/v1/business/grantOdo/print', { sn })
  expect(JSON.stringify(printed.info ?? printed.list)).toContain('"role":"receiver"')
})

test('a badge says itself whose it is; another than the named one is refused', async () => {
  const { hospital } = scene
  expectMessage(await capture({ method: 'badge', badge: 'NO-SUCH' }), '工牌号未登记，请在人力资源中登记后再扫描')
  const badge = async () => (await capture({ method: 'badge', badge: ' BADGE-1 ' })).info.signature_sn
  const sn = await granted()
  const name = (await scene.one('select name from employee where id = $1', nurse)).name
  const colleague = (await scene.one('select name from employee where id = $1', other)).name
  expectMessage(
    await sign(sn, { receiver_inner_sn: other, signature_sn: await badge() }),
    `签名人【${name}】与领用人【${colleague}】不一致`,
  )
  await hospital.done('grantOdo', 'sign', sn, { signature_sn: await badge() })
  expect(await hospital.info('grantOdo', sn)).toMatchObject({ receiver_inner_sn: nurse, receiver_signed_by: name })
  expect(await signaturesOf('grantOdo', sn)).toMatchObject([{ method: 'badge', name, strokes: null, holds: true }])
})

test('a password proves its account, counts as a sign-in when it is wrong, and only of this organisation', async () => {
  const proof = (userName: string, password: string) =>
    capture({ method: 'password', userName, password: md5(password) })
  expect((await proof('nurse', 'wrong')).code).not.toBe(0)
  expectMessage(await proof('dealer', 'Spd@2026'), '该账号不属于本机构，不能签名')
  const right = await proof('nurse', 'Spd@2026')
  const sn = await granted()
  await scene.hospital.done('grantOdo', 'sign', sn, { signature_sn: right.info.signature_sn })
  expect(await signaturesOf('grantOdo', sn)).toMatchObject([{ method: 'password', name: right.info.signer_name }])
})

test('a dot, a picture or another value is no signature; a captured one is used once, soon, and by whoever gave it', async () => {
  const { hospital, finance } = scene
  for (const strokes of [[[[5, 5, 0]]], 'M0 0', [[['a', 1, 1]]], null, [[[5000, 5, 0]]]])
    expectMessage(await capture({ method: 'drawn', strokes }), '请在签名框内完整书写姓名')
  expectMessage(await capture({ method: 'stamp' }), '请选择签名方式')
  const sn = await granted()
  const fresh = await hospital.sign()
  for (const signature_sn of ['1', 'x', "1' or true", await finance.sign()])
    expectMessage(await sign(sn, { receiver_inner_sn: nurse, signature_sn }), '签名已失效，请重新签名')
  await scene.one(
    "update signature set captured_at = captured_at - interval '11 minutes' where id = $1 returning 1",
    fresh,
  )
  expectMessage(await sign(sn, { receiver_inner_sn: nurse, signature_sn: fresh }), '签名已失效，请重新签名')
  const used = await hospital.sign()
  await hospital.done('grantOdo', 'sign', sn, { receiver_inner_sn: nurse, signature_sn: used })
  const second = await granted()
  expectMessage(await sign(second, { receiver_inner_sn: nurse, signature_sn: used }), '签名已失效，请重新签名')
})

test('what was signed cannot be rewritten, and what changed afterwards shows', async () => {
  const { hospital, server } = scene
  const sn = await granted()
  await hospital.done('grantOdo', 'sign', sn, { receiver_inner_sn: nurse, signature_sn: await hospital.sign() })
  const { app, owner } = server.database
  for (const write of ['update document_signature set signer_name = signer_name', 'delete from signature'])
    await expect(inOrganisation(app, scene.h, '0', tx => tx.unsafe(write))).rejects.toThrow(/permission denied/)
  await owner`update document_line set quantity = 1 where document_id = (select id from document where sn = ${sn})`
  expect(await signaturesOf('grantOdo', sn)).toMatchObject([{ holds: false }])
  await owner`update document_line set quantity = 2 where document_id = (select id from document where sn = ${sn})`
  await hospital.done('grantOdo', 'unreview', sn, { reason: '发错' })
  expect(await hospital.info('grantOdo', sn)).toMatchObject({
    receiver_signed_by: null,
    signatures: [{ holds: true, withdrawn_reason: '发错', withdrawn_by: expect.any(String) }],
  })
})

test('签收即收货: for a department without a receipt of its own the signature is the receipt', async () => {
  const { hospital, department, ward, inflator } = scene
  const receives = async (receives_by_signature: boolean) => {
    const { version } = await hospital.info('department', department)
    await hospital.client.post('/v1/business/department/edit', { sn: department, version, receives_by_signature })
  }
  const held = async () => (await shelf(hospital, ward, inflator)).SG1 ?? '0.000'
  const before = await held()
  const waiting = await granted()
  await hospital.done('grantOdo', 'sign', waiting, { receiver_inner_sn: nurse, signature_sn: await hospital.sign() })
  expect(await held()).toBe(before)
  await receives(true)
  const sn = await granted()
  expect((await hospital.info('grantOdo', sn)).state).toBe('reviewed')
  await hospital.done('grantOdo', 'sign', sn, { receiver_inner_sn: nurse, signature_sn: await hospital.sign() })
  expect((await hospital.info('grantOdo', sn)).state).toBe('completed')
  expect(await held()).not.toBe(before)
  const receipt = await hospital.from('wardReceipt', sn)
  const by = (await hospital.info('grantOdo', sn)).receiver_signed_by
  expect((await hospital.info('wardReceipt', receipt.sn)).history).toEqual(
    expect.arrayContaining([expect.objectContaining({ action: 'review', actor_name: `${by}（签收）` })]),
  )
  await receives(false)
})

test('nurse and surgeon of an operation sign themselves, one person never for both; withdrawn ones stay on record', async () => {
  const { hospital, ward, department, surgeon, inflator } = scene
  await scene.shelve(hospital, ward, [lotOf(inflator, 'SG2', { quantity: '5', price: '20' })])
  const report = (more: object) =>
    hospital.add('surgeryUse', {
      form_type: 'report',
      warehouse_model_inner_sn: ward,
      department_inner_sn: department,
      surgery_name: '球囊扩张术',
      patient_no: 'P1',
      patient_name: '林乔',
      admission_no: 'ZY1',
      used_at: `${day()}T01:00:00Z`,
      lines: [{ specification_sn: inflator, lot_no: 'SG2', quantity: '1' }],
      ...more,
    })
  const give = async (sn: string, signer: string, signature_sn: string) =>
    hospital.do('surgeryUse', 'sign', sn, { signer, signature_sn })
  const bare = await report({ surgery_no: 'SG-1' })
  expectMessage(await give(bare, 'nurse', await hospital.sign()), '请先选择巡回护士，再手写签名')
  const same = await report({ surgery_no: 'SG-2', nurse_inner_sn: nurse, doctor_inner_sn: nurse })
  expect((await give(same, 'nurse', await hospital.sign())).code).toBe(0)
  expectMessage(await give(same, 'surgeon', await hospital.sign()), '巡回护士与主刀医生不能为同一人')
  const sn = await report({ surgery_no: 'SG-3', nurse_inner_sn: nurse, doctor_inner_sn: surgeon })
  expect((await give(sn, 'nurse', (await capture({ method: 'badge', badge: 'BADGE-1' })).info.signature_sn)).code).toBe(
    0,
  )
  await hospital.done('surgeryUse', 'unsign', sn, { reason: '漏登记一件' })
  expect(await signaturesOf('surgeryUse', sn)).toMatchObject([{ role: 'nurse', withdrawn_reason: '漏登记一件' }])
  expectMessage(await hospital.do('surgeryUse', 'submit', sn), '巡回护士未签字，不能提交')
})

test('what was captured and never used is dropped after a day; what was signed stays', async () => {
  const { hospital, server } = scene
  const { owner } = server.database
  const fresh = await hospital.sign()
  const old = await hospital.sign()
  await owner`update signature set captured_at = captured_at - interval '2 days' where id = ${old}`
  expect(await dropUnused(owner)).toBeGreaterThan(0)
  const left = await owner<{ id: string }[]>`select id from signature where id in (${fresh}, ${old})`
  expect(left.map(row => row.id)).toEqual([fresh])
})
