import { afterAll, beforeAll, expect, test } from 'vitest'
import { day, SIGNATURE } from '#tests/support/story.ts'
import { signingProof, type SigningProof } from '#tests/support/signing.ts'
import { expectMessage, lotOf, openScene, type Scene, shelf } from '#tests/support/fixture.ts'
import { md5 } from '#tests/support/test-server.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { dropUnused } from '#modules/hospital/signatures/signature.server.ts'

let scene: Scene
/** Two employees with badges, and the account of a third. */
let nurse: string
let other: string
const PIN = '246813'
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
  ] as const) {
    await signingProof(scene.server, id)
    await scene.one('update employee set badge_no = $1 where id = $2 returning 1', badge, id)
  }
  await scene.shelve(hospital, central, [lotOf(inflator, 'SG1', { quantity: '50', price: '20' })])
})
afterAll(() => scene?.close())

const capture = (sn: string, body: object, { kind = 'grantOdo', client = scene.hospital.client } = {}) =>
  client.post('/v1/business/signature/capture', { kind, sn, ...body })
const badge = (badge_no: string, pin?: string) => ({ method: 'badge', badge: badge_no, ...(pin ? { pin } : {}) })
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
  expectMessage(await sign(sn, { signature_sn: await hospital.sign('grantOdo', sn) }), '请先选择领用人，再手写签名')
  const signature_sn = await hospital.sign('grantOdo', sn)
  await hospital.done('grantOdo', 'sign', sn, { receiver_inner_sn: nurse, signature_sn })
  const info = await hospital.info('grantOdo', sn)
  expect(info).toMatchObject({ receiver_inner_sn: nurse, receiver_signed_by: expect.any(String) })
  // Inputs of the action alone are not stored on the document.
  expect(info.signature_sn ?? null).toBeNull()
  expect(info.signatures).toMatchObject([
    { role: 'receiver', method: 'drawn', name: info.receiver_signed_by, strokes: SIGNATURE, holds: true },
  ])
  expectMessage(await sign(sn, { receiver_inner_sn: nurse, signature_sn }), '领用人已签收，不能重复签收')
  const printed = await hospital.client.get('/v1/business/grantOdo/print', { sn })
  expect(JSON.stringify(printed.info ?? printed.list)).toContain('"role":"receiver"')
})

test('a badge says itself whose it is, and its PIN proves it; another than the named one is refused', async () => {
  const { hospital } = scene
  const sn = await granted()
  expectMessage(await capture(sn, badge('NO-SUCH', PIN)), '工牌号未登记，请在人力资源中登记后再扫描')
  expectMessage(await capture(sn, badge('BADGE-1')), '请输入签名PIN：仅有工牌不能签名')
  expectMessage(await capture(sn, badge('BADGE-1', '246814')), '签名PIN不正确，请重新输入')
  const signed = async () => (await capture(sn, badge(' BADGE-1 ', PIN))).info.signature_sn
  const name = (await scene.one('select name from employee where id = $1', nurse)).name
  const colleague = (await scene.one('select name from employee where id = $1', other)).name
  expectMessage(
    await sign(sn, { receiver_inner_sn: other, signature_sn: await signed() }),
    `签名人【${name}】与领用人【${colleague}】不一致`,
  )
  await hospital.done('grantOdo', 'sign', sn, { signature_sn: await signed() })
  expect(await hospital.info('grantOdo', sn)).toMatchObject({ receiver_inner_sn: nurse, receiver_signed_by: name })
  expect(await signaturesOf('grantOdo', sn)).toMatchObject([{ method: 'badge', name, strokes: null, holds: true }])
})

test('a PIN is set by whoever is signed in, with his password; its digits are not those that everybody tries', async () => {
  const client = await scene.server.as('nurse')
  const set = (password: string, pin: string) =>
    client.post('/v1/business/signature/pin', { password: md5(password), pin })
  expect((await set('wrong', '739125')).code).not.toBe(0)
  for (const pin of ['', '12345', '12345678901234', '12a456', ' 739125'])
    expectMessage(await set('Spd@2026', pin), '签名PIN应为6-12位数字')
  for (const pin of ['000000', '123456', '987654'])
    expectMessage(await set('Spd@2026', pin), '签名PIN不能是相同或连续的数字')
  expect((await set('Spd@2026', '739125')).code).toBe(0)
  const [account] = await scene.server.database.owner<{ id: string; employee_id: string | null; pin_hash: string }[]>`
    select u.id, u.employee_id, p.pin_hash from app_user u join signing_pin p on p.user_id = u.id
     where u.login = 'nurse'`
  expect(account!.pin_hash).toMatch(/^\$argon2id\$/)
  const logged = await scene.one(
    "select count(*)::int as n from operation_log where action = 'signingPin' and object_key = $1",
    account!.id,
  )
  expect(logged.n).toBe(1)
})

test('guesses are counted for the signer, for the caller and for the device, and then nothing is judged', async () => {
  const sn = await granted()
  const guess = (no: string, pin: string, address: string, client = scene.hospital.client) =>
    client.raw({
      method: 'POST',
      url: '/v1/business/signature/capture',
      payload: { kind: 'grantOdo', sn, ...badge(no, pin) },
      headers: { 'x-forwarded-for': address },
    })
  const answers = async (n: number, of: (at: number) => ReturnType<typeof guess>) => {
    const replies: string[] = []
    for (let at = 0; at < n; at++) replies.push((await of(at)).json().msg)
    return replies
  }
  const limited = expect.stringMatching(/^签名验证失败次数过多，请\d+分钟后再试$/)
  const [victim] = await scene.server.database.owner<{ id: string }[]>`
    insert into employee (org_id, code, name) values (${scene.h}, 'SG-VICTIM', '被猜的人') returning id`
  const proof = await signingProof(scene.server, victim!.id)
  const right = (client: typeof scene.hospital.client, address: string) =>
    guess(proof.badge, proof.pin, address, client)
  const callers = await Promise.all(
    ['one', 'two', 'three'].map(async login => {
      const flags = ['page:/hospital/grantOdo', 'grantOdo.sign']
      return (await scene.clerk('hospital', `guess.${login}`, flags)).client
    }),
  )
  // The limit by signer: five wrong PINs, from any caller; after that not even the right PIN is judged, from anywhere.
  const ofSigner = await answers(5, at => guess(proof.badge, '111222', '10.8.0.1', callers[at % 2]!))
  expect(new Set(ofSigner)).toEqual(new Set(['签名PIN不正确，请重新输入']))
  expect((await right(callers[2]!, '10.8.0.2')).json().msg).toEqual(limited)
  // The limit by caller: ten attempts with any badges; 300 guesses are no more than ten.
  const ofCaller = await answers(40, at => guess(`GUESS-${at}`, '111222', `10.8.1.${at}`, callers[0]!))
  expect(ofCaller.filter(msg => msg.startsWith('工牌号未登记')).length).toBeLessThan(10)
  expect(ofCaller.at(-1)).toEqual(limited)
  // Another goes on to sign.
  await scene.one('delete from allowance where true returning 1')
  expect((await right(callers[2]!, '10.8.0.2')).json().code).toBe(0)
})

test('a signature is given by whoever may sign, for one document as it stands, and for no other', async () => {
  const { hospital } = scene
  const [sn, another] = [await granted(), await granted()]
  const reader = await scene.clerk('hospital', 'sign.reader', ['page:/hospital/grantOdo'])
  expect((await capture(sn, badge('BADGE-1', PIN), { client: reader.client })).code).toBe(403)
  expect((await capture('GF000000', badge('BADGE-1', PIN))).code).not.toBe(0)
  expectMessage(await capture(sn, badge('BADGE-1', PIN), { kind: 'purchaseGrn' }), '请在需要签名的单据上签名')
  const held = (await capture(sn, badge('BADGE-1', PIN))).info.signature_sn
  expectMessage(await sign(another, { receiver_inner_sn: nurse, signature_sn: held }), '签名已失效，请重新签名')
  const { owner } = scene.server.database
  await owner`update document_line set quantity = 1 where document_id = (select id from document where sn = ${sn})`
  expectMessage(await sign(sn, { signature_sn: held }), '单据内容在签名后有变更，请核对后重新签名')
  await owner`update document_line set quantity = 2 where document_id = (select id from document where sn = ${sn})`
  await hospital.done('grantOdo', 'sign', sn, { signature_sn: held })
})

test('a password proves its account, counts as a sign-in when it is wrong, and only of this organisation', async () => {
  const sn = await granted()
  const proof = (userName: string, password: string) =>
    capture(sn, { method: 'password', userName, password: md5(password) })
  expect((await proof('nurse', 'wrong')).code).not.toBe(0)
  expectMessage(await proof('dealer', 'Spd@2026'), '该账号不属于本机构，不能签名')
  const { owner } = scene.server.database
  await owner`update app_user set must_change = true where login = 'nurse'`
  expectMessage(await proof('nurse', 'Spd@2026'), '该账号还在使用初始密码，请本人登录修改密码后再签名')
  await owner`update app_user set must_change = false where login = 'nurse'`
  const right = await proof('nurse', 'Spd@2026')
  await scene.hospital.done('grantOdo', 'sign', sn, { signature_sn: right.info.signature_sn })
  expect(await signaturesOf('grantOdo', sn)).toMatchObject([{ method: 'password', name: right.info.signer_name }])
})

test('a dot, a picture or another value is no signature; a captured one is used once, soon, and by whoever gave it', async () => {
  const { hospital } = scene
  const sn = await granted()
  const colleague = await scene.clerk('hospital', 'sign.colleague', ['page:/hospital/grantOdo', 'grantOdo.sign'])
  for (const strokes of [[[[5, 5, 0]]], 'M0 0', [[['a', 1, 1]]], null, [[[5000, 5, 0]]]])
    expectMessage(await capture(sn, { method: 'drawn', strokes }), '请在签名框内完整书写姓名')
  expectMessage(await capture(sn, { method: 'stamp' }), '请选择签名方式')
  const fresh = await hospital.sign('grantOdo', sn)
  const theirs = (await capture(sn, { method: 'drawn', strokes: SIGNATURE }, colleague)).info.signature_sn
  for (const signature_sn of ['1', 'x', "1' or true", theirs])
    expectMessage(await sign(sn, { receiver_inner_sn: nurse, signature_sn }), '签名已失效，请重新签名')
  await scene.one(
    "update signature set captured_at = captured_at - interval '6 minutes' where id = $1 returning 1",
    fresh,
  )
  expectMessage(await sign(sn, { receiver_inner_sn: nurse, signature_sn: fresh }), '签名已失效，请重新签名')
  const used = await hospital.sign('grantOdo', sn)
  await hospital.done('grantOdo', 'sign', sn, { receiver_inner_sn: nurse, signature_sn: used })
  const second = await granted()
  expectMessage(await sign(second, { receiver_inner_sn: nurse, signature_sn: used }), '签名已失效，请重新签名')
})

test('what was signed cannot be rewritten, and what changed afterwards shows', async () => {
  const { hospital, server } = scene
  const sn = await granted()
  await hospital.done('grantOdo', 'sign', sn, {
    receiver_inner_sn: nurse,
    signature_sn: await hospital.sign('grantOdo', sn),
  })
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
  await hospital.done('grantOdo', 'sign', waiting, {
    receiver_inner_sn: nurse,
    signature_sn: await hospital.sign('grantOdo', waiting),
  })
  expect(await held()).toBe(before)
  await receives(true)
  const sn = await granted()
  expect((await hospital.info('grantOdo', sn)).state).toBe('reviewed')
  await hospital.done('grantOdo', 'sign', sn, {
    receiver_inner_sn: nurse,
    signature_sn: await hospital.sign('grantOdo', sn),
  })
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
  const drawn = (sn: string, proof?: SigningProof) => hospital.sign('surgeryUse', sn, proof)
  const nurseProof = { badge: 'BADGE-1', pin: PIN }
  const bare = await report({ surgery_no: 'SG-1' })
  expectMessage(await give(bare, 'nurse', await drawn(bare)), '请先选择巡回护士，再手写签名')
  const same = await report({ surgery_no: 'SG-2', nurse_inner_sn: nurse, doctor_inner_sn: nurse })
  // A colleague who is signed in cannot draw for the nurse: she proves herself.
  const name = (await scene.one('select name from employee where id = $1', nurse)).name
  expectMessage(
    await give(same, 'nurse', await drawn(same)),
    `巡回护士【${name}】未登录，请由本人用工牌和签名PIN，或登录账号和密码签名`,
  )
  expectMessage(
    await give(same, 'nurse', await drawn(same, { badge: 'BADGE-2', pin: PIN })),
    `巡回护士【${name}】未登录，请由本人用工牌和签名PIN，或登录账号和密码签名`,
  )
  expect((await give(same, 'nurse', await drawn(same, nurseProof))).code).toBe(0)
  expectMessage(await give(same, 'surgeon', await drawn(same, nurseProof)), '巡回护士与主刀医生不能为同一人')
  const sn = await report({ surgery_no: 'SG-3', nurse_inner_sn: nurse, doctor_inner_sn: surgeon })
  const signed = await capture(sn, badge('BADGE-1', PIN), { kind: 'surgeryUse' })
  expect((await give(sn, 'nurse', signed.info.signature_sn)).code).toBe(0)
  // The nurse is signed in herself, so she draws and needs no PIN.
  const own = await scene.one("select employee_id as id from app_user where login = 'hospital'")
  const ours = await report({ surgery_no: 'SG-4', nurse_inner_sn: own.id })
  expect((await give(ours, 'nurse', await drawn(ours))).code).toBe(0)
  await hospital.done('surgeryUse', 'unsign', sn, { reason: '漏登记一件' })
  expect(await signaturesOf('surgeryUse', sn)).toMatchObject([{ role: 'nurse', withdrawn_reason: '漏登记一件' }])
  expectMessage(await hospital.do('surgeryUse', 'submit', sn), '巡回护士未签字，不能提交')
})

test('what was captured and never used is dropped after a day; what was signed stays', async () => {
  const { hospital, server } = scene
  const { owner } = server.database
  const sn = await granted()
  const fresh = await hospital.sign('grantOdo', sn)
  const old = await hospital.sign('grantOdo', sn)
  await owner`update signature set captured_at = captured_at - interval '2 days' where id = ${old}`
  expect(await dropUnused(owner)).toBeGreaterThan(0)
  const left = await owner<{ id: string }[]>`select id from signature where id in (${fresh}, ${old})`
  expect(left.map(row => row.id)).toEqual([fresh])
})
