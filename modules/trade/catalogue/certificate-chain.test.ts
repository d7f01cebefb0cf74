import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { attempt, lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { uploadPicture } from '#tests/support/picture.ts'
import { day, type Person } from '#tests/support/story.ts'

/** 延续 and 变更 of registration certificates. */
let scene: Scene
let platform: Person
beforeAll(async () => {
  scene = await openScene()
  platform = await scene.person('platform')
})
afterAll(() => scene?.close())

const call = async (who: Person, action: string, sn: string, more: object = {}) => {
  const { version } = await who.info('registrationCertificate', sn)
  return who.client.post(`/v1/business/registrationCertificate/${action}`, { sn, version, ...more })
}
const certificateOf = async (specification: string) =>
  scene.one(
    `select c.id, c.certificate_no from specification s
      join registration_certificate c on c.id = s.registration_certificate_id where s.id = $1`,
    specification,
  )

story('certificate chain, from one step to the next', step => {
  step('a renewal replaces its certificate: sizes move on its first day, once the platform approves it', async () => {
    const { vendor, inflator } = scene
    const old = await certificateOf(inflator)
    const begins = { new_no: '国械注准20262029999', new_from: day(), new_to: day(1700) }
    expectMessage(await call(vendor, 'renew', old.id, { ...begins, new_to: day(2000) }), /^注册证有效期最长5年/)
    expectMessage(await call(vendor, 'renew', old.id, { ...begins, new_no: 'X' }), '注册证号格式异常，请核对')
    expect((await call(vendor, 'renew', old.id, begins)).code).toBe(0)
    expectMessage(await call(vendor, 'renew', old.id, begins), '该注册证已延续为国械注准20262029999')
    expect((await certificateOf(inflator)).id).toBe(old.id)
    const [next] = await platform.list('registrationCertificate', {
      audit_state: 'pending',
      certificate_no: '20262029999',
    })
    expect(next).toMatchObject({ previous_certificate_no: old.certificate_no, is_renewal: true })
    expect((await call(vendor, 'review', next.registration_certificate_sn)).code).toBe(403)
    const sn = next.registration_certificate_sn
    // A certificate without a scan cannot be approved.
    expectMessage(await call(platform, 'review', sn), '没有注册证扫描件，不能审核通过，请驳回并说明')
    expect((await call(vendor, 'edit', sn, { attachments: [await uploadPicture(vendor)] })).code).toBe(0)
    expect((await call(platform, 'review', sn)).code).toBe(0)
    expect((await certificateOf(inflator)).certificate_no).toBe('国械注准20262029999')
    expect((await platform.list('registrationCertificate', { certificate_no: old.certificate_no }))[0]).toMatchObject({
      certificate_state: 'replaced',
      successor_no: '国械注准20262029999',
    })
    expect((await scene.hospital.list('registrationCertificate', { certificate_no: '20262029999' })).length).toBe(1)
  })

  step('what was judged and is changed is judged again: another scan, another name; a note is not', async () => {
    const { vendor, inflator } = scene
    const { id: sn } = await certificateOf(inflator)
    const stateAfter = async (more: object) => {
      expect((await call(vendor, 'edit', sn, more)).msg).toBe('')
      return (await platform.info('registrationCertificate', sn)).audit_state
    }
    const { product_name } = await vendor.info('registrationCertificate', sn)
    expect(await stateAfter({ product_name })).toBe('passed')
    for (const more of [
      { attachments: [await uploadPicture(vendor)] },
      { product_name: '另一种压力泵' },
      { product_name },
    ]) {
      expect(await stateAfter(more)).toBe('pending')
      // A product that was reviewed with a certificate does not accept another one that still waits for its review.
      const bound = await call(vendor, 'bindSpec', sn, { specification_sn: inflator })
      expectMessage(bound, '注册证尚未审核通过，不能关联已提交的产品')
      expect((await call(platform, 'review', sn)).code).toBe(0)
    }
  })

  step('goods made between two certificates are refused; those made under the old one are not', async () => {
    const { hospital, central, inflator, d } = scene
    const { id } = await certificateOf(inflator)
    await scene.one('update registration_certificate set valid_from = $2 where id = $1 returning 1', id, day(-10))
    await scene.one(
      `update registration_certificate set valid_to = $2 where id = (select previous_id
      from registration_certificate where id = $1) returning 1`,
      id,
      day(-40),
    )
    const receipt = (made: string) => ({
      counterparty_sn: d,
      warehouse_model_inner_sn: central,
      lines: [{ ...lotOf(inflator, `ZS${made}`), quantity: '1', price: '1', production_date: made }],
    })
    expectMessage(await attempt(hospital, 'purchaseGrn', receipt(day(-20))), /生产日期超出注册证有效期/)
    expect((await attempt(hospital, 'purchaseGrn', receipt(day(-60)))).code).toBe(0)
  })

  step(
    'changes are recorded on the certificate, once each; a size is bound to a certificate of its class',
    async () => {
      const { vendor, inflator, stent } = scene
      const { id } = await certificateOf(inflator)
      const noted = {
        changed_on: day(-3),
        document_no: 'BG-1',
        item: '生产地址',
        before_text: '甲路1号',
        after_text: '乙路2号',
      }
      expect((await call(vendor, 'change', id, noted)).code).toBe(0)
      expectMessage(await call(vendor, 'change', id, noted), '变更文件号【BG-1】的该事项已登记')
      expect(await vendor.info('registrationCertificate', id)).toMatchObject({ change_count: 1 })
      expect((await vendor.list('certificateChange', { registration_certificate_sn: id }))[0]).toMatchObject({
        item: '生产地址',
      })
      expectMessage(
        await call(vendor, 'bindSpec', id, { specification_sn: stent }),
        '只能关联本企业、管理类别相同的规格',
      )
      expect((await call(vendor, 'bindSpec', id, { specification_sn: inflator })).code).toBe(0)
    },
  )

  step(
    'a dealer adds the certificate of its own product; only the platform checks it, no one else sees it',
    async () => {
      const { dealer, hospital, inflator } = scene
      const made = (
        await dealer.client.post('/v1/business/registrationCertificate/add', {
          certificate_no: '国械注进20223146001',
          product_name: '进口穿刺针',
          device_class: 'III',
          valid_from: day(-100),
          valid_to: day(900),
          holder_org_sn: scene.v,
        })
      ).info.sn
      const mine = async (who: Person, query: Record<string, string> = {}) =>
        (await who.list('registrationCertificate', { certificate_no: '20223146001', ...query })).length
      expect(await dealer.info('registrationCertificate', made)).toMatchObject({ audit_state: 'pending' })
      expect([await mine(dealer), await mine(hospital), await mine(hospital, { scope: 'passed' })]).toEqual([1, 0, 0])
      expectMessage(await call(hospital, 'edit', made, { product_name: 'x' }), '该注册证由厂商或平台维护，只能查看')
      expect((await call(dealer, 'edit', made, { product_name: '一次性进口穿刺针' })).code).toBe(0)
      expect((await call(dealer, 'renew', made, { new_no: 'X', new_from: day(), new_to: day(9) })).code).toBe(403)
      expect((await call(platform, 'reject', made, { reason: '请上传扫描件' })).code).toBe(0)
      expect(await dealer.info('registrationCertificate', made)).toMatchObject({ audit_reason: '请上传扫描件' })
      const scan = { attachments: [await uploadPicture(dealer)] }
      expect((await call(dealer, 'edit', made, { product_name: '进口穿刺针', ...scan })).code).toBe(0)
      expect((await call(platform, 'review', made)).code).toBe(0)
      const notified = await scene.one(
        'select title, body from message where org_id = $1 order by id desc limit 1',
        scene.d,
      )
      expect(notified).toMatchObject({ title: '注册证审核通过', body: '国械注进20223146001已通过平台审核' })
      expectMessage(await call(dealer, 'edit', made, { product_name: 'x' }), '注册证已审核通过，不能修改，请联系平台')
      expect(await mine(hospital, { scope: 'passed' })).toBe(1)
      // Certificates of released goods in the caller's catalogue are readable there, but the caller cannot change them.
      const { id } = await certificateOf(inflator)
      expectMessage(await call(dealer, 'edit', id, { product_name: 'x' }), '该注册证由厂商或平台维护，只能查看')
    },
  )

  step('of a manufacturer: a class that none of its permits covers gives a warning, also in the list', async () => {
    const { vendor, v } = scene
    const { owner } = scene.server.database
    const mayMake = (scope: string) =>
      owner`update licence set scope = ${scope} where org_id = ${v} and holder_id = ${v} and licence_type = '医疗器械生产许可证'`
    await mayMake('三类：08 呼吸、麻醉和急救器械')
    const [known] = await owner<{ no: string; head: string }[]>`
    select certificate_no as no, left(class_code, 2) as head from registration_certificate
      where holder_org_id = ${v} and class_code like '03%' order by id limit 1`
    const body = {
      holder_sn: v,
      licence_type: '医疗器械注册证/备案凭证',
      licence_no: known!.no,
      valid_from: day(-3),
      valid_to: day(900),
    }
    const asked = await vendor.client.post('/v1/business/licence/add', body)
    expect(asked).toMatchObject({
      code: 2200,
      msg: `分类${known!.head}不在本企业生产许可证的生产范围内，请核对，是否仍然保存？`,
    })
    expect((await vendor.client.post('/v1/business/licence/add', { ...body, confirm: asked.info.token })).code).toBe(0)
    const noted = async () => (await vendor.list('licence', { licence_no: known!.no }))[0]?.production_note
    expect(await noted()).toBe('分类03不在生产范围内')
    await mayMake('三类：03 神经和心血管手术器械')
    expect(await noted()).toBeNull()
  })
})
