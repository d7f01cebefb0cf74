import { afterAll, beforeAll, expect } from 'vitest'
import { expectMessage, openScene, type Scene } from '#tests/support/fixture.ts'
import { story } from '#tests/support/steps.ts'
import { uploadPdf } from '#tests/support/picture.ts'
import { day, type Person } from '#tests/support/story.ts'

/**
 * 委托代运营: the platform reads organisations' documents around operations, and works in the name of those that entrusted
 * it.
 */
const KIND = 'surgeryPlan'
const NOT_ENTRUSTED = '未获得该机构委托代运营授权，不能操作'
let scene: Scene
let platform: Person
beforeAll(async () => {
  scene = await openScene()
  platform = await scene.person('platform')
})
afterAll(() => scene?.close())

const body = (more: object = {}) => ({
  department_inner_sn: scene.department,
  doctor_inner_sn: scene.surgeon,
  surgery_at: `${day(3)}T02:00:00.000Z`,
  procedure_name: '膝关节置换术',
  lines: [{ specification_sn: scene.stent, quantity: '2', supplier_sn: scene.d }],
  ...more,
})
const ofPatient = { patient_name: '诸葛静姝', admission_no: 'ZY7788', diagnosis: '膝骨关节炎', remark: '诸葛静姝过敏' }
const inNameOf = (org: string) => ({ 'x-on-behalf-of': org })
const post = (call: string, values: Record<string, unknown>, org = scene.h) =>
  platform.client.post(`/v1/business/${KIND}/${call}`, values, inNameOf(org))
const authorise = async (value: string, more: Record<string, unknown> = {}) => {
  const [row] = await platform.list('orgBusinessConfig', { holder_sn: scene.h, title: '委托代运营' })
  return platform.client.post('/v1/business/orgBusinessConfig/edit', {
    sn: row.config_sn,
    version: row.version,
    value,
    ...more,
  })
}
const scan = () => uploadPdf(platform, 1)

story('委托代运营, from one step to the next', step => {
  step('reads the documents of all organisations, without prices, remarks and files, and changes none', async () => {
    const sn = await scene.hospital.add(KIND, body(ofPatient))
    const [row] = await platform.list(KIND, { sn })
    expect(row).toMatchObject({ sn, org_sn: scene.h, state: 'draft', remark: null, patient_name: null })
    const { info } = await platform.client.get(`/v1/business/${KIND}/info`, { sn, source_org_sn: scene.h })
    expect(info).toMatchObject({ sn, actions: [], remark: null, lines: [{ quantity: '2.000' }] })
    expect(JSON.stringify(info)).not.toMatch(/诸葛|ZY7788|骨关节炎/)
    expect((await platform.list(KIND, { q: sn })).map(found => found.sn)).toEqual([sn])
    const version = String((await scene.hospital.info(KIND, sn)).version)
    for (const call of ['submit', 'del', 'edit'])
      expectMessage(await platform.client.post(`/v1/business/${KIND}/${call}`, { sn, version }), NOT_ENTRUSTED)
    expectMessage(await platform.client.post(`/v1/business/${KIND}/add`, body()), NOT_ENTRUSTED)
    expectMessage(await post('add', body()), NOT_ENTRUSTED)
    expect((await platform.client.get('/v1/user/entrusting')).list).toEqual([])
  })

  step('is entrusted in writing and until a day, by each organisation for itself', async () => {
    expectMessage(await authorise('是'), '委托代运营请填写失效日期')
    expectMessage(await authorise('是', { valid_to: day(30) }), '委托代运营请上传授权书')
    expectMessage(
      await authorise('是', { valid_to: day(-1), authorisation: [await scan()] }),
      '失效日期不能早于生效日期',
    )
    expectMessage(await authorise('也许', { valid_to: day(30) }), '委托代运营只能填写：否、是、是（含审核）')
    expect((await authorise('是', { valid_to: day(30), authorisation: [await scan()] })).msg).toBe('')
    expect((await platform.client.get('/v1/user/entrusting')).list).toMatchObject([
      { org_sn: scene.h, may_review: false },
    ])
    const [row] = await platform.list('orgBusinessConfig', { holder_sn: scene.h, title: '委托代运营' })
    const copied = await platform.client.post('/v1/business/orgBusinessConfig/copy', {
      sn: row.config_sn,
      version: row.version,
      org_sn: scene.v,
    })
    expectMessage(copied, '委托代运营须由每个机构分别授权，不能复制到其他机构')
    expectMessage(await post('add', body(), scene.d), NOT_ENTRUSTED)
    expectMessage(
      await scene.hospital.client.post(`/v1/business/${KIND}/add`, body(), inNameOf(scene.d)),
      NOT_ENTRUSTED,
    )
  })

  step('works as the organisation, which reviews it, and the history says who', async () => {
    const { info: made } = await post('add', body())
    const sn = (made as { sn: string }).sn
    const own = await scene.hospital.info(KIND, sn)
    expect(own).toMatchObject({ sn, state: 'draft', created_by_name: '平台代办' })
    expect((await post('submit', { sn, version: own.version })).msg).toBe('')
    const { version, history } = await scene.hospital.info(KIND, sn)
    expect(history.map((row: { actor_name: string }) => row.actor_name)).toEqual([
      expect.stringMatching(/^平台代办：/),
      expect.stringMatching(/^平台代办：/),
    ])
    expectMessage(await post('review', { sn, version }), '平台代办单据须由机构自行审核')
    await scene.hospital.done(KIND, 'review', sn)
    expect((await platform.list(KIND, { sn }))[0]).toMatchObject({ state: 'reviewed' })
    const log = await platform.list('operationLog', { action_kind: 'onBehalf' })
    expect(log[0]).toMatchObject({ subject_name: '平台代办', object_name: expect.any(String) })
  })

  step(
    'has no other right there: neither other documents nor prices nor the settings of the organisation',
    async () => {
      const other = await platform.client.raw({
        method: 'GET',
        url: '/v1/business/purchaseOrder/list',
        headers: inNameOf(scene.h),
      })
      expect(other.json()).toMatchObject({ code: 403 })
      const listed = await platform.client.raw({
        method: 'GET',
        url: `/v1/business/${KIND}/list`,
        headers: inNameOf(scene.h),
      })
      expect(listed.json().list.length).toBeGreaterThan(0)
      expect(JSON.stringify(listed.json().list)).not.toMatch(/ZY7788|骨关节炎/)
      expect(listed.json().list.every((row: { patient_name: unknown }) => row.patient_name === null)).toBe(true)
      const users = await platform.client.raw({
        method: 'GET',
        url: '/v1/business/user/list',
        headers: inNameOf(scene.h),
      })
      expect(users.json().code).toBe(403)
    },
  )

  step('keeps the paths and kits of whoever entrusted it, and passes none of them', async () => {
    const record = (path: string, values: Record<string, unknown>, org = scene.h) =>
      platform.client.post(`/v1/business/${path}`, values, inNameOf(org))
    const path = { code: 'DB-01', name: '代办膝关节置换', lead_hours: '24', department_name: '骨科' }
    expectMessage(await record('operationPath/add', path, scene.d), NOT_ENTRUSTED)
    const added = await record('operationPath/add', path)
    expect(added.msg).toBe('')
    const [own] = await scene.hospital.list('operationPath', { code: 'DB-01' })
    expect(own).toMatchObject({ name: '代办膝关节置换', origin: 'own' })
    const at = { sn: own.operation_path_sn, version: own.version }
    expect((await record('operationPath/edit', { ...at, name: '代办全膝置换' })).msg).toBe('')
    expect((await record('operationPath/review', { ...at, version: own.version + 1 })).code).toBe(403)
    // Without the name of the organisation its records can only be read.
    expect((await platform.client.post('/v1/business/operationPath/edit', { ...at, name: '平台改名' })).code).not.toBe(
      0,
    )
    const log = await scene.hospital.list('operationLog', { object_name: '代办全膝置换' })
    expect(JSON.stringify(log)).toContain('平台代办')
  })

  step('ends with its day, and an authorisation that includes review lets another of the platform review', async () => {
    expect((await authorise('是（含审核）', { valid_to: day(30), authorisation: [await scan()] })).msg).toBe('')
    const sn = await scene.hospital.add(KIND, body())
    await scene.hospital.done(KIND, 'submit', sn)
    const { version } = await scene.hospital.info(KIND, sn)
    expect((await post('review', { sn, version })).msg).toBe('')
    await scene.one(
      "update org_config set valid_from = $2, valid_to = $3 where org_id = $1 and name = 'on_behalf' returning id",
      scene.h,
      day(-9),
      day(-1),
    )
    expectMessage(await post('add', body()), NOT_ENTRUSTED)
  })
})
