import { afterAll, beforeAll, expect } from 'vitest'
import { endGrants, passRenewalsOn } from '#modules/trade/licences/sharing/grant-expiry.server.ts'
import { deliverPending } from '#server/documents/intercompany/deliver.ts'
import { picturesOnPages, uploadPdf, uploadPicture } from '#tests/support/picture.ts'
import { attempt, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { day, type Person } from '#tests/support/story.ts'
import { story } from '#tests/support/steps.ts'

/** A dealer's licences: requested by a hospital, granted one by one, viewed, filed, renewed, withdrawn. */
let scene: Scene
let permit: string
let quality: string
let scan: string
let application: string
let grant: string
const PERMIT = '医疗器械经营许可证'
const FILING = '第二类医疗器械经营备案凭证'
const QUALITY = '质量体系认证证书'

const own = async (who: Person, licence_no: string) =>
  (await who.list('licence', { licence_no, holder_type: 'own' }))[0]
const file = (who: Person, name: string, query = '') => who.client.raw({ method: 'GET', url: `/file/${name}${query}` })
const asked = (more: object = {}) => ({
  partner_sn: scene.d,
  purpose: 'first',
  period_to: day(200),
  lines: [{ licence_type: QUALITY }, { licence_type: '其他' }],
  ...more,
})
const record = (who: Person, action: string, row: Record<string, never>, body: object = {}) =>
  who.client.post(`/v1/business/licence/${action}`, { sn: row.licence_sn, version: row.version, ...body })

beforeAll(async () => {
  scene = await openScene()
  const { dealer, d } = scene
  scan = await uploadPicture(dealer)
  quality = 'ISO-13485-1'
  await dealer.client.post('/v1/business/licence/add', {
    holder_sn: d,
    licence_type: QUALITY,
    licence_no: quality,
    valid_from: day(-100),
    valid_to: day(300),
    attachments: [scan],
  })
  permit = (await dealer.list('licence', { licence_type: PERMIT, holder_type: 'own' }))[0].licence_no
})
afterAll(() => scene?.close())

story('证照授权 from the application to the figures of grants', step => {
  step(
    'an application goes to another registered organisation, names each licence once, can be filled from requirements',
    async () => {
      const { hospital, h, d } = scene
      expectMessage(await attempt(hospital, 'licenceApplication', asked({ partner_sn: h })), '不能向本机构申请证照')
      expectMessage(
        await attempt(
          hospital,
          'licenceApplication',
          asked({ lines: [{ licence_type: QUALITY }, { licence_type: QUALITY }] }),
        ),
        `第2行：${QUALITY}重复`,
      )
      const sn = await hospital.add(
        'licenceApplication',
        asked({ partner_sn: d, lines: [{ licence_type: '营业执照' }] }),
      )
      await hospital.done('licenceApplication', 'template', sn)
      const { lines } = await hospital.info('licenceApplication', sn)
      expect(lines.map((line: { licence_type: string }) => line.licence_type)).toEqual(['营业执照', PERMIT, FILING])
      expectMessage(await hospital.do('licenceApplication', 'template', sn), '清单已包含该机构的全部必备证照')
      // A supplier without class III goods needs the filing for class II.
      const { owner } = scene.server.database
      const high = await owner<
        { id: string }[]
      >`update product set device_class = 'II' where device_class = 'III' returning id`
      const lower = await hospital.add('licenceApplication', asked({ partner_sn: d, lines: [] }))
      await hospital.done('licenceApplication', 'template', lower)
      const kinds = (await hospital.info('licenceApplication', lower)).lines.map(
        (line: { licence_type: string }) => line.licence_type,
      )
      expect(kinds).toContain(FILING)
      expect(kinds).not.toContain(PERMIT)
      await owner`update product set device_class = 'III' where id = any(${high.map(row => row.id)}::bigint[])`
      await hospital.done('licenceApplication', 'del', lower)
    },
  )

  step(
    'an application reaches the partner, is not sent twice, is chased once a day, and can be withdrawn if unanswered',
    async () => {
      const { hospital, dealer } = scene
      application = await hospital.add('licenceApplication', asked())
      await hospital.done('licenceApplication', 'submit', application)
      expect(await hospital.info('licenceApplication', application)).toMatchObject({
        asked_count: 2,
        partner_type: 'D',
      })
      expectMessage(await attempt(hospital, 'licenceApplication', asked()), `${QUALITY}已在申请或已获授权`)
      await hospital.done('licenceApplication', 'remind', application)
      expectMessage(
        await hospital.do('licenceApplication', 'remind', application),
        '今日已催办，每日限一次，请明日再催',
      )
      await deliverPending(scene.server.database.app, scene.server.database.owner)
      const { list } = await dealer.client.get('/v1/business/message/list', { pageSize: '20' })
      const said = list.map((each: { title: string }) => each.title)
      expect(said).toContain('收到证照申请，请处理')
      expect(said).toContain('催办证照申请')
      await dealer.done('licenceApplication', 'toGrant', application)
      await hospital.done('licenceApplication', 'unsubmit', application)
      expect((await dealer.list('licenceEmpower', { application_sn: application }))[0]).toMatchObject({
        state: 'cancelled',
      })
      await hospital.done('licenceApplication', 'submit', application)
      const rows = await dealer.list('licenceApplication', { role: 'counterparty', state: 'submitted' })
      expect(rows.map(row => row.sn)).toEqual([application])
    },
  )

  step('an application is refused as a whole with a reason', async () => {
    const { hospital, dealer } = scene
    const sn = await hospital.add('licenceApplication', asked({ lines: [{ licence_type: '受托生产协议' }] }))
    await hospital.done('licenceApplication', 'submit', sn)
    expectMessage(await dealer.do('licenceApplication', 'refuse', sn), '请填写拒绝原因')
    await dealer.done('licenceApplication', 'refuse', sn, { reason: '本机构无此证照' })
    expect(await hospital.info('licenceApplication', sn)).toMatchObject({
      state: 'rejected',
      answer_reason: '本机构无此证照',
      lines: [expect.objectContaining({ line_result: 'refused' })],
    })
  })

  step('an authorisation answers an application line by line, within the validity of the licences', async () => {
    const { hospital, dealer, d } = scene
    await dealer.done('licenceApplication', 'toGrant', application)
    expectMessage(await dealer.do('licenceApplication', 'toGrant', application), /^已生成授权单ZZSQ/)
    grant = (await dealer.list('licenceEmpower', { application_sn: application, state: 'draft' }))[0].sn
    const draft = await dealer.info('licenceEmpower', grant)
    expect(draft.lines[0]).toMatchObject({ licence_type: QUALITY, licence_no: quality })
    expectMessage(
      await dealer.do('licenceEmpower', 'agree', grant),
      '第2行：本机构没有有效的其他，请选择证照或改为拒绝',
    )
    expectMessage(await dealer.do('licenceEmpower', 'submit', grant), '第1行：请选择同意或拒绝')
    const edit = async (header: object, second: object = { result: 'refuse', reason: '不涉及' }) => {
      const { version, lines } = await dealer.info('licenceEmpower', grant)
      const reply = await dealer.client.post('/v1/business/licenceEmpower/edit', {
        sn: grant,
        version,
        ...header,
        lines: [
          { line_no: lines[0].line_no, result: 'agree' },
          { line_no: lines[1].line_no, ...second },
        ],
      })
      expect(reply.code, reply.msg).toBe(0)
    }
    const { version } = await dealer.info('licenceEmpower', grant)
    const twice = { sn: grant, version, lines: [{ line_no: 1 }, { line_no: 1 }] }
    expectMessage(await dealer.client.post('/v1/business/licenceEmpower/edit', twice), '第1行重复，请刷新后重试')
    await edit({ valid_to: day(400) }, { result: 'refuse' })
    expectMessage(await dealer.do('licenceEmpower', 'submit', grant), '第2行：请填写拒绝原因')
    await edit({ valid_to: day(400) })
    expectMessage(await dealer.do('licenceEmpower', 'submit', grant), `第1行：授权期限不能超过证照有效期${day(300)}`)
    await edit({ valid_to: day(200) })
    await dealer.pass('licenceEmpower', grant)
    expectMessage(await dealer.do('licenceEmpower', 'unreview', grant), '已答复对方的申请，不能反审核，请撤销授权')
    expect(await hospital.info('licenceApplication', application)).toMatchObject({
      state: 'partial',
      granted_count: 1,
      lines: [
        expect.objectContaining({ line_result: 'granted', their_licence_no: quality, scans: [scan] }),
        expect.objectContaining({ line_result: 'refused', line_reason: '不涉及' }),
      ],
    })
    const [copy] = await hospital.list('licenceEmpower', { role: 'counterparty', sn: grant })
    expect(copy).toMatchObject({ counterparty_sn: d, state: 'reviewed', granted_count: 1, may_print: false })
    expect((await hospital.info('licenceEmpower', grant)).lines).toHaveLength(1)
  })

  step('an authorisation shows the scan with a watermark and counts views; printing only where allowed', async () => {
    const { hospital, dealer, finance } = scene
    const shown = await file(hospital, scan)
    expect(shown.statusCode).toBe(200)
    expect(shown.headers).toMatchObject({ 'content-type': 'image/jpeg', 'cache-control': 'no-store' })
    const theirs = await file(dealer, scan)
    expect(theirs.headers['content-type']).toBe('image/png')
    expect((await file(hospital, scan, '?action=print')).json().msg).toBe('授权方未允许打印')
    expect((await file(hospital, `${scan}-64`)).statusCode).toBe(200)
    expect((await file(scene.vendor, scan)).json().code).not.toBe(0)
    await file(finance, scan)
    const info = await dealer.info('licenceEmpower', grant)
    expect(info).toMatchObject({ view_count: 2 })
    expect(info.lines[0]).toMatchObject({ line_views: 2 })
    const looks = await dealer.list('licenceLook', { grant_sn: grant })
    expect(looks).toHaveLength(2)
    expect(looks[0]).toMatchObject({ action: 'view', viewer_org_sn: scene.h, licence_type: QUALITY })
  })

  step('an authorisation is filed, checked by the organisation, and stays the owner’s licence', async () => {
    const { hospital, dealer } = scene
    await hospital.done('licenceApplication', 'toRecord', application)
    expectMessage(await hospital.do('licenceApplication', 'toRecord', application), /已有这些证照/)
    const filed = async (licence_no = quality) => (await hospital.list('licence', { licence_no }))[0]
    expect(await filed()).toMatchObject({ origin: 'granted', audit_state: 'pending', holder_sn: scene.d })
    expectMessage(
      await record(hospital, 'edit', await filed(), { issuer: '某局' }),
      '对方授权的证照由对方维护，不能修改',
    )
    expect((await record(hospital, 'review', await filed())).code).toBe(0)
    expect(await filed()).toMatchObject({ audit_state: 'passed', licence_state: 'valid' })
    const mine = await own(dealer, quality)
    const stray = { holder_sn: scene.d, licence_type: '营业执照', licence_no: '91320000MA00000000' }
    const ever = { ...stray, valid_from: day(-9), long_term: true }
    const added = await dealer.client.post('/v1/business/licence/add', ever)
    expectMessage(added, '证照的统一社会信用代码与机构不一致')
    expect(mine).toMatchObject({ granted_to: 1, is_granted: true })
    expectMessage(await record(dealer, 'del', mine), '证照已被授权或引用，不能删除')
  })

  // Past bug: an own licence renewed from a date already reached had no successor: 数据已被他人修改.
  step('an authorisation follows the owner’s renewal, and the partner is notified', async () => {
    const { hospital, dealer, server } = scene
    const fresh = await uploadPdf(dealer, 2)
    const renewal = { licence_no: 'ISO-13485-2', valid_from: day(-1), valid_to: day(900), attachments: [fresh] }
    const done = await record(dealer, 'renew', await own(dealer, quality), renewal)
    expect(done.code, done.msg).toBe(0)
    const { owner, app } = server.database
    // It was sent with the renewal: nothing is left for the hourly job.
    expect(await passRenewalsOn(owner)).toBe(0)
    await deliverPending(app, owner)
    const [line] = (await hospital.info('licenceEmpower', grant)).lines
    expect(line).toMatchObject({ licence_no: 'ISO-13485-2', past_no: quality, scans: [fresh, scan] })
    const [filed] = await hospital.list('licence', { licence_no: 'ISO-13485-2' })
    expect(filed).toMatchObject({ origin: 'granted', audit_state: 'pending', previous_no: quality })
    // A licence that we deleted does not come back with a renewal.
    expect((await record(hospital, 'del', filed)).code).toBe(0)
    expect(await passRenewalsOn(owner)).toBe(0)
    await deliverPending(app, owner)
    expect(await hospital.list('licence', { licence_no: 'ISO-13485-2' })).toEqual([])
    const { list } = await hospital.client.get('/v1/business/message/list', { pageSize: '20' })
    expect(list.map((each: { title: string }) => each.title)).toContain('证照已更新')
  })

  step(
    'an authorisation is extended, or withdrawn at once with a reason; what was filed under it no longer counts',
    async () => {
      const { hospital, dealer } = scene
      expectMessage(await dealer.do('licenceEmpower', 'extend', grant, { new_valid_to: day(100) }), /必须晚于/)
      expectMessage(
        await dealer.do('licenceEmpower', 'extend', grant, { new_valid_to: day(901) }),
        /授权期限不能超过证照有效期/,
      )
      await dealer.done('licenceEmpower', 'extend', grant, { new_valid_to: day(250) })
      expect(await hospital.info('licenceEmpower', grant)).toMatchObject({ valid_to: day(250) })
      expectMessage(await dealer.do('licenceEmpower', 'stop', grant), '请填写撤销原因')
      await dealer.done('licenceEmpower', 'stop', grant, { reason: '合作调整' })
      expect(await hospital.info('licenceEmpower', grant)).toMatchObject({ state: 'stopped' })
      expect((await file(hospital, scan)).json().msg).toBe('授权已撤销，不能查看扫描件')
      expect((await hospital.list('licence', { licence_no: quality }))[0]).toMatchObject({ licence_state: 'ended' })
    },
  )

  step('an authorisation can be granted without a request, for printing too, and ends with its last day', async () => {
    const { hospital, dealer, h, server } = scene
    const licence = await own(dealer, 'ISO-13485-2')
    expectMessage(await record(dealer, 'share', licence, { partner_sn: scene.d }), '不能授权给本机构')
    const body = { partner_sn: h, valid_to: day(30), may_print: true }
    expect((await record(dealer, 'share', licence, body)).code).toBe(0)
    const [draft] = await dealer.list('licenceEmpower', { partner_sn: h, state: 'draft' })
    await dealer.pass('licenceEmpower', draft.sn)
    // As long as the partner has not viewed it, its review may be undone: it disappears from the partner until it is
    // reviewed again.
    await dealer.done('licenceEmpower', 'unreview', draft.sn)
    const shown = () => hospital.list('licenceEmpower', { role: 'counterparty', sn: draft.sn, state: 'reviewed' })
    expect(await shown()).toEqual([])
    await dealer.done('licenceEmpower', 'review', draft.sn)
    expect(await shown()).toHaveLength(1)
    const [fresh] = (await hospital.info('licenceEmpower', draft.sn)).lines[0].scans
    // A PDF has the watermark on every page, viewed or printed; its owner sees it without, others cannot open it.
    expect(await picturesOnPages((await file(dealer, fresh)).rawPayload)).toEqual([0, 0])
    const seen = await file(hospital, fresh)
    expect(seen.headers).toMatchObject({ 'content-type': 'application/pdf', 'cache-control': 'no-store' })
    expect(await picturesOnPages(seen.rawPayload)).toEqual([1, 1])
    expect((await file(scene.vendor, fresh)).json().code).not.toBe(0)
    const printed = await file(hospital, fresh, '?action=print')
    expect(await picturesOnPages(printed.rawPayload)).toEqual([1, 1])
    expect(printed.headers['content-disposition']).toMatch(/^attachment/)
    expect(await dealer.info('licenceEmpower', draft.sn)).toMatchObject({ print_count: 1 })
    expectMessage(await dealer.do('licenceEmpower', 'unreview', draft.sn), '被授权机构已查看，不能反审核，请撤销授权')
    await server.database.owner`
      update document set fields = fields || ${server.database.owner.json({ valid_to: day(-1) })}
        where sn = ${draft.sn}`
    await endGrants(server.database.owner)
    expect(await hospital.info('licenceEmpower', draft.sn)).toMatchObject({ state: 'completed' })
    expect((await file(hospital, fresh)).json().msg).toBe('授权已到期，不能查看扫描件')
  })

  {
    const rows = async (who: Person, kind: string, query: Record<string, string> = {}) =>
      (await who.client.get(`/v1/report/${kind}`, { pageNum: '1', pageSize: '50', ...query })).list

    step('the statistics of requests show how much was granted, refused and is open, and how fast', async () => {
      const [mine] = await rows(scene.hospital, 'licenceApplicationCensus')
      expect(mine).toMatchObject({
        partner_sn: scene.d,
        applications: 2,
        asked: 3,
        granted: 1,
        refused: 2,
        waiting: 0,
        grant_rate: '0.3333',
      })
      const [theirs] = await rows(scene.dealer, 'licenceApplicationAnswers')
      expect(theirs).toMatchObject({ partner_sn: scene.h, asked: 3, granted: 1, refused: 2 })
      const types = await rows(scene.hospital, 'licenceApplicationCensus', { by: 'licence' })
      expect(types.map((row: { grouped: string }) => row.grouped)).toContain(QUALITY)
      expect(types).toHaveLength(3)
      const partial = await rows(scene.hospital, 'licenceApplicationCensus', { state: 'partial' })
      expect(partial).toMatchObject([{ applications: 1, asked: 2, granted: 1, refused: 1 }])
      const naming = async (licence_type: string) =>
        (await scene.hospital.list('licenceApplication', { licence_type, state: 'partial' })).map(row => row.sn)
      expect([await naming(QUALITY), await naming('营业执照')]).toEqual([[application], []])
      // 催办 of the count: everything still waiting, each once a day.
      const { hospital } = scene
      const call = (query: object) => hospital.client.post('/v1/business/licenceApplication/remindMany', { ...query })
      expectMessage(await call({}), '没有待对方处理的申请，无需催办')
      const sns: string[] = []
      for (const licence_type of ['随货同行单样式及印章备案', '受托生产协议']) {
        sns.push(await hospital.add('licenceApplication', asked({ lines: [{ licence_type }] })))
        await hospital.done('licenceApplication', 'submit', sns.at(-1)!)
      }
      await hospital.done('licenceApplication', 'remind', sns[0]!)
      expectMessage(await call({ licence_type: '营业执照' }), '没有待对方处理的申请，无需催办')
      expect((await call({ partner_sn: scene.d })).info).toEqual({
        sns: [sns[1]],
        result: '1张申请已催办，1张今日已催办',
      })
      expect(await hospital.info('licenceApplication', sns[1]!)).toMatchObject({ reminded_on: day() })
      expectMessage(await call({ partner_sn: scene.d }), '今日已催办，每日限一次，请明日再催')
      expectMessage(await scene.finance.client.post('/v1/business/licenceApplication/remindMany', {}), '没有操作权限')
      for (const sn of sns) await hospital.done('licenceApplication', 'cancel', sn, { reason: '测试结束' })
    })

    step(
      'the statistics 批量续期, 批量撤销: many are renewed or withdrawn from the statistics; failures are named by number',
      async () => {
        const { hospital, dealer, h } = scene
        const give = async (licence_no: string, valid_to: string) => {
          const licence = await own(dealer, licence_no)
          const sn = await dealer.add('licenceEmpower', {
            partner_sn: h,
            valid_to,
            lines: [{ paper_sn: licence.licence_sn, result: 'agree' }],
          })
          await dealer.pass('licenceEmpower', sn)
          return { sn, ends: licence.valid_to as string }
        }
        const call = (name: string, body: object) =>
          dealer.client.post(`/v1/business/licenceEmpower/${name}`, { ...body })
        const [short, long] = [await give('ISO-13485-2', day(9)), await give(permit, day(10))]
        expectMessage(await call('extendMany', {}), '请填写续期至')
        expectMessage(
          await call('stopMany', { partner_sn: scene.v, reason: '清理' }),
          '没有符合条件的生效中授权，请调整条件',
        )
        const beyond = day(890)
        const reply = await call('extendMany', { partner_sn: h, ends_by: day(10), new_valid_to: beyond })
        expect(reply.info.sns).toEqual([short.sn])
        expect(reply.info.result).toBe(
          `1张授权已续期，1张未处理：${long.sn}：第1行：授权期限不能超过证照有效期${long.ends}`,
        )
        expect(await hospital.info('licenceEmpower', short.sn)).toMatchObject({ state: 'reviewed', valid_to: beyond })
        const ended = await call('stopMany', { licence_type: QUALITY, reason: '证照整理' })
        expect(ended.info.result).toBe('1张授权已撤销')
        expect(await hospital.info('licenceEmpower', short.sn)).toMatchObject({ state: 'stopped' })
        expect(await hospital.info('licenceEmpower', long.sn)).toMatchObject({ state: 'reviewed' })
        // Users who may not write authorisations may not process them in bulk either.
        expectMessage(
          await scene.finance.client.post('/v1/business/licenceEmpower/stopMany', { reason: '无' }),
          '没有操作权限',
        )
        await call('stopMany', { reason: '测试结束' })
      },
    )

    step('the statistics of grants show what is valid, withdrawn or ended, and how often it was viewed', async () => {
      const [given] = await rows(scene.dealer, 'licenceEmpowerCensus')
      expect(given).toMatchObject({
        partner_sn: scene.h,
        granted: 4,
        live: 0,
        ended: 1,
        withdrawn: 3,
        views: 3,
        prints: 1,
        coverage: '0.0000',
      })
      const standing = (query: Record<string, string>) => rows(scene.dealer, 'licenceEmpowerCensus', query)
      expect(await standing({ standing: 'withdrawn' })).toMatchObject([{ granted: 3, withdrawn: 3, ended: 0 }])
      expect(await standing({ standing: 'live' })).toEqual([])
      expect(await standing({ ends_by: day(-1) })).toMatchObject([{ granted: 1, ended: 1 }])
      const [held] = await rows(scene.hospital, 'licenceEmpowerHeld')
      expect(held).toMatchObject({ partner_sn: scene.d, granted: 4, views: 3, prints: 1 })
      const wrong = await scene.dealer.client.get('/v1/report/licenceEmpowerCensus', {
        begin_date: day(),
        end_date: day(-1),
      })
      expectMessage(wrong, '结束日期不能早于开始日期')
    })

    step(
      'the statistics 覆盖率: 6 kinds required, 4 granted and valid, are 66.67 %; an expired fifth does not count',
      async () => {
        const { hospital, dealer, h, d } = scene
        const needed = [QUALITY, '质量保证协议', '开票信息/开户许可证', '其他']
        for (const licence_type of needed) {
          const [row] = await hospital.list('licenceExpirySetting', { licence_type })
          const change = { sn: row.setting_sn, version: row.version, is_required: true }
          const { code, msg } = await hospital.client.post('/v1/business/licenceExpirySetting/edit', change)
          expect([code, msg]).toEqual([0, ''])
        }
        expect(await scene.one('select count(*)::int as n from licence_required($1, $2)', h, d)).toEqual({ n: 6 })
        const licence = { holder_sn: d, valid_from: day(-300) }
        const licences = [
          { ...licence, licence_type: '质量保证协议', licence_no: 'ZB-1', valid_to: day(300) },
          { ...licence, licence_type: '其他', licence_no: 'QT-1', valid_to: day(2) },
        ]
        for (const each of licences) expect((await dealer.client.post('/v1/business/licence/add', each)).code).toBe(0)
        const business = (await dealer.list('licence', { licence_type: '营业执照', holder_type: 'own' }))[0].licence_no
        const chosen = await Promise.all([business, permit, 'ISO-13485-2', 'ZB-1', 'QT-1'].map(no => own(dealer, no)))
        const sn = await dealer.add('licenceEmpower', {
          partner_sn: h,
          valid_to: day(2),
          lines: chosen.map(({ licence_sn }) => ({ paper_sn: licence_sn, result: 'agree' })),
        })
        await dealer.pass('licenceEmpower', sn)
        await deliverPending(scene.server.database.app, scene.server.database.owner)
        const coverage = async () => (await rows(hospital, 'licenceEmpowerHeld', { standing: 'live' }))[0]?.coverage
        expect(await coverage()).toBe('0.8333')
        await scene.server.database.owner`
      update document_line l set fields = l.fields || ${scene.server.database.owner.json({ paper_to: day(-1) })}
        from document x
       where x.org_id = l.org_id and x.id = l.document_id and x.sn = ${sn} and l.fields->>'licence_no' = 'QT-1'`
        expect(await coverage()).toBe('0.6667')
      },
    )
  }
})
