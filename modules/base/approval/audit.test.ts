import { multiply } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { lotOf, openScene, expectMessage, type Scene, shelf } from '#tests/support/fixture.ts'
import { remindApprovers } from './remind.server.ts'
import type { Person } from '#tests/support/story.ts'
import { proves } from '#tests/support/proves.ts'
import { story } from '#tests/support/steps.ts'

/** A hospital in which a buyer creates, a storekeeper signs first and finance signs large amounts. */
let at: Scene
const people = {} as Record<'buyer' | 'keeper' | 'finance' | 'nurse', Person>
const ids = {} as Record<'buyer' | 'keeper' | 'finance' | 'nurse', string>
let setting: string

const call = (kind: string, action: string, body: Record<string, unknown>) =>
  at.hospital.client.post(`/v1/business/${kind}/${action}`, body)
const change = async (kind: string, key: string, sn: string, body: Record<string, unknown>) => {
  const { info } = await at.hospital.client.get(`/v1/business/${kind}/info`, { sn })
  return call(kind, 'edit', { sn: info[key], version: info.version, ...body })
}
/** An order of the given amount, in pieces at 0.01 each. */
const order = (amount: string) =>
  people.buyer.add('purchaseOrder', {
    counterparty_sn: at.d,
    lines: [{ specification_sn: at.inflator, quantity: multiply(amount, '100', 0) }],
  })
const submitted = async (price: string) => {
  const sn = await order(price)
  await people.buyer.done('purchaseOrder', 'submit', sn)
  return sn
}
const waiting = async (who: Person, kind = 'purchaseOrder') =>
  ((await who.client.get('/v1/business/workbench')).info.todo as { kind: string; state: string; count: number }[]).find(
    row => row.kind === kind && row.state === 'submitted',
  )?.count ?? 0

beforeAll(async () => {
  at = await openScene()
  // The agreed price is 0.01 per piece, so the number of pieces is the amount in cents.
  await at.server.database.owner`update price_agreement set price = 0.01 where specification_id = ${at.inflator}`
  await at.rule(at.h, 'allow_self_review', false)
  const kinds = ['purchaseOrder', 'openingStock']
  const actions = ['add', 'edit', 'submit', 'unsubmit', 'review', 'reject', 'unreview', 'cancel']
  const flags = ['price', ...kinds.flatMap(kind => actions.map(action => `${kind}.${action}`))]
  flags.push('page:/hospital/purchaseOrder', 'page:/hospital/hInitialInventory')
  const role = await call('role', 'add', { name: '单据人', flags })
  expect(role).toMatchObject({ code: 0 })
  for (const login of ['buyer', 'keeper', 'finance', 'nurse'] as const) {
    const [row] = await at.hospital.list('user', { login })
    ids[login] = row.user_inner_sn
    await change('user', 'user_inner_sn', ids[login], { roles: [role.info.sn] })
    people[login] = await at.person(login)
  }
})
afterAll(() => at?.close())

story('审核设置 with two levels, and the documents that pass them', step => {
  step(
    'approval settings are saved once per document kind, with levels that have at least one possible approver',
    async () => {
      const made = await call('auditSetting', 'add', { document_kind: 'purchaseOrder' })
      expect(made).toMatchObject({ code: 0 })
      setting = made.info.sn
      expect((await at.hospital.list('auditSetting', { document_kind: 'purchaseOrder' }))[0]).toMatchObject({
        level_count: 1,
        level_1: '有审核权限者',
      })
      expectMessage(await call('auditSetting', 'add', { document_kind: 'purchaseOrder' }), '该单据类型已存在审核设置')
      const level = (level_no: number, from_amount: string, users: string[]) =>
        call('auditLevel', 'add', { audit_setting_sn: setting, level_no, from_amount, users })
      expectMessage(await level(1, '0', []), '第1级没有可用的审核人')
      expect(await level(1, '0', [ids.keeper])).toMatchObject({ code: 0 })
      expect(await level(2, '5000', [ids.finance])).toMatchObject({ code: 0 })
      expectMessage(await level(3, '100', [ids.nurse]), '金额起点应随级次递增：第2级为5000.00')
      expect((await at.hospital.list('auditSetting', { document_kind: 'purchaseOrder' }))[0]).toMatchObject({
        level_count: 2,
        category: 'procurement',
        thresholds: '0.00 / 5000.00',
      })
      expect(await at.hospital.list('auditSetting', { category: 'procurement', level_count: '2' })).toHaveLength(1)
      expect((await at.hospital.list('auditSetting', { category: 'finance' })).map(row => row.document_kind)).toEqual([
        'payment',
      ])
    },
  )

  step('approval settings never let the system or the author approve intercompany documents', async () => {
    proves('document.alwaysOtherPerson')
    await at.one("delete from audit_setting where org_id = $1 and document_kind = 'payment' returning 1", at.h)
    expectMessage(
      await call('auditSetting', 'add', { document_kind: 'payment', allow_self: true }),
      '付款单必须由他人审核',
    )
    expectMessage(
      await call('auditSetting', 'add', { document_kind: 'payment', needs_review: false }),
      '付款单必须由他人审核',
    )
    for (const [document_kind, title] of [
      ['stopSale', '停售单'],
      ['scrap', '报废单'],
      ['loss', '报损单'],
    ])
      expectMessage(await call('auditSetting', 'add', { document_kind, allow_self: true }), `${title}必须由他人审核`)
    for (const document_kind of ['firstSellProduct', 'firstTierOrg'])
      expectMessage(
        await call('auditSetting', 'add', { document_kind, allow_self: true }),
        /必须由他人审核$|本机构没有/,
      )
    for (const document_kind of ['inboundInvoice', 'purchaseGrn', 'settlementGrn'])
      expectMessage(
        await call('auditSetting', 'add', { document_kind, is_automatic: true }),
        '该单据涉及往来记账，不能设为自动审核',
      )
  })

  step('the approval settings page opens from the finance menu with the finance kinds selected', async () => {
    const { list } = await at.hospital.client.get('/v1/user/get_user_menu/yrtweb')
    const group = list.find((node: { title: string }) => node.title === '财务管理')
    const link = group.children.find((node: { title: string }) => node.title === '审核设置')
    expect(link).toMatchObject({
      uri: '/commonView/auditSetting?category=finance',
      flag: 'page:/commonView/auditSetting',
    })
    await call('auditSetting', 'add', { document_kind: 'payment' })
    const narrowed = await at.hospital.list('auditSetting', { category: 'finance' })
    expect(narrowed.map(row => row.document_kind)).toContain('payment')
    expect(narrowed.map(row => row.document_kind)).not.toContain('purchaseOrder')
  })

  step(
    'a document that needs several approvals needs both levels at 5,000.00, only the first at 4,999.99',
    async () => {
      const small = await submitted('4999.99')
      await people.keeper.done('purchaseOrder', 'review', small)
      expect(await at.hospital.info('purchaseOrder', small)).toMatchObject({ state: 'reviewed' })
      const large = await submitted('5000')
      expect(await people.keeper.done('purchaseOrder', 'review', large)).toMatchObject({ state: 'submitted' })
      expect(await people.finance.done('purchaseOrder', 'review', large)).toMatchObject({ state: 'reviewed' })
    },
  )

  step(
    'a document of several approvals shows the pending level and for whom; no one else approves or returns it',
    async () => {
      const sn = await submitted('8000')
      expect((await at.hospital.list('purchaseOrder', { sn }))[0]).toMatchObject({
        state: 'submitted',
        state_name: '待一审',
      })
      const refusal = /待一审，当前审批人：.+，您不是本级审核人/
      for (const action of ['review', 'reject'])
        expectMessage(await people.finance.do('purchaseOrder', action, sn, { reason: '试' }), refusal)
      // Not even the administrator may review it, because the settings name other people.
      expectMessage(await at.hospital.do('purchaseOrder', 'review', sn), refusal)
      expect((await people.finance.info('purchaseOrder', sn)).actions).not.toContain('review')
      expect((await people.keeper.info('purchaseOrder', sn)).actions).toEqual(
        expect.arrayContaining(['review', 'reject']),
      )
      await people.keeper.done('purchaseOrder', 'review', sn)
      const info = await people.finance.info('purchaseOrder', sn)
      expect(info).toMatchObject({ state_name: '待二审', review_level: 2, review_levels: 2 })
      expect(info.review_steps.map((step: { state: string }) => step.state)).toEqual(['signed', 'waiting'])
      expect(info.current_approvers).toBe((await at.one('select name from app_user where id = $1', ids.finance)).name)
      expectMessage(await people.keeper.do('purchaseOrder', 'review', sn), /待二审/)
      await people.finance.done('purchaseOrder', 'review', sn)
      const { history } = await at.hospital.info('purchaseOrder', sn)
      expect(history.map((entry: { label: string }) => entry.label)).toEqual(['新增', '提交', '一级审核', '二级审核'])
    },
  )

  step('a document that needs several approvals counts on the workbench of its pending approvers only', async () => {
    const before = [await waiting(people.keeper), await waiting(people.finance), await waiting(at.hospital)]
    const sn = await submitted('6000')
    expect([await waiting(people.keeper), await waiting(people.finance)]).toEqual([before[0]! + 1, before[1]])
    await people.keeper.done('purchaseOrder', 'review', sn)
    expect([await waiting(people.keeper), await waiting(people.finance), await waiting(at.hospital)]).toEqual([
      before[0],
      before[1]! + 1,
      before[2],
    ])
    await people.finance.done('purchaseOrder', 'review', sn)
  })

  step('a document of several approvals restarts at the first level once returned or undone', async () => {
    const sn = await submitted('7000')
    await people.keeper.done('purchaseOrder', 'review', sn)
    await people.finance.done('purchaseOrder', 'reject', sn, { reason: '太贵' })
    expect(await people.buyer.info('purchaseOrder', sn)).toMatchObject({ state: 'rejected', review_level: 0 })
    await people.buyer.done('purchaseOrder', 'submit', sn)
    expect((await people.buyer.info('purchaseOrder', sn)).state_name).toBe('待一审')
    await people.keeper.done('purchaseOrder', 'review', sn)
    await people.finance.done('purchaseOrder', 'review', sn)
  })

  step(
    'a document that needs several approvals keeps the levels it was submitted with, even if the settings change later',
    async () => {
      const sn = await submitted('8000')
      const levels = await at.hospital.list('auditLevel', { audit_setting_sn: setting })
      const second = levels.find(level => level.level_no === 2)
      expect(
        await change('auditLevel', 'audit_level_sn', second.audit_level_sn, { from_amount: '9000' }),
      ).toMatchObject({
        code: 0,
      })
      await people.keeper.done('purchaseOrder', 'review', sn)
      expect((await at.hospital.info('purchaseOrder', sn)).state_name).toBe('待二审')
      await people.finance.done('purchaseOrder', 'review', sn)
      const later = await submitted('8000')
      expect(await people.keeper.done('purchaseOrder', 'review', later)).toMatchObject({ state: 'reviewed' })
    },
  )

  step(
    'the history shows who changed the setting of several approvals and its levels, with values before and after',
    async () => {
      await change('auditSetting', 'audit_setting_sn', setting, { unreview_days: 5 })
      const log = async (of: string) =>
        (await at.hospital.client.get('/v1/business/operationLog/list', { audit_setting_sn: of })).list
      const rows = await log(setting)
      expect(rows.map(row => [row.subject_name, row.action_name])).toEqual([
        ['审核设置', '编辑'],
        ['审核级次', '编辑'],
        ['审核级次', '新增'],
        ['审核级次', '新增'],
        ['审核设置', '新增'],
      ])
      expect(rows[0]).toMatchObject({ login: 'hospital', action_kind: 'permission', summary: '修改：允许反审核天数' })
      expect(rows[0].before).not.toContain('允许反审核天数')
      expect(rows[0].after).toContain('允许反审核天数：5')
      expect([rows[1].before, rows[1].after]).toEqual([
        expect.stringContaining('金额起点：5000'),
        expect.stringContaining('金额起点：9000'),
      ])
      expect(await at.hospital.client.get('/v1/business/operationLog/list', { audit_setting_sn: '1' })).toMatchObject({
        msg: expect.stringContaining('不存在'),
      })
      await change('auditSetting', 'audit_setting_sn', setting, { unreview_days: null })
    },
  )

  step('a document that needs several approvals reminds the pending approver once when it is overdue', async () => {
    await change('auditSetting', 'audit_setting_sn', setting, { remind_hours: 2 })
    const sn = await submitted('20')
    const { owner } = at.server.database
    expect(await remindApprovers(owner)).toBe(0)
    await owner`update document set submitted_at = now() - interval '3 hours' where sn = ${sn} and org_id = ${at.h}`
    expect(await remindApprovers(owner)).toBe(1)
    expect(await remindApprovers(owner)).toBe(0)
    const notified = async (who: Person) =>
      (await who.client.get('/v1/business/message/list', { q: sn })).list.map(row => row.title)
    expect(await notified(people.keeper)).toEqual(['单据待您审核'])
    expect(await notified(people.finance)).toEqual([])
    await people.keeper.done('purchaseOrder', 'review', sn)
  })

  step('a document that needs several approvals is approved by a deputy in the deputy’s own name', async () => {
    const [first] = await at.hospital.list('auditLevel', { audit_setting_sn: setting })
    await change('auditLevel', 'audit_level_sn', first.audit_level_sn, { deputy_sn: ids.nurse })
    const sn = await submitted('10')
    await people.nurse.done('purchaseOrder', 'review', sn)
    const { history } = await at.hospital.info('purchaseOrder', sn)
    const named = (await at.one('select name from app_user where id = $1', ids.keeper)).name
    expect(history.at(-1)).toMatchObject({ label: `代${named}审核` })
  })

  step(
    'a document that needs several approvals asks for an opinion, and needs everyone named where the level requires it',
    async () => {
      const [first] = await at.hospital.list('auditLevel', { audit_setting_sn: setting })
      const both = { users: [ids.keeper, ids.nurse], mode: 'all', needs_opinion: true, deputy_sn: null }
      expect(await change('auditLevel', 'audit_level_sn', first.audit_level_sn, both)).toMatchObject({ code: 0 })
      const sn = await submitted('10')
      expectMessage(await people.nurse.do('purchaseOrder', 'review', sn), '请填写审核意见')
      expect(await people.nurse.done('purchaseOrder', 'review', sn, { reason: '同意' })).toMatchObject({
        state: 'submitted',
      })
      expectMessage(
        await people.nurse.do('purchaseOrder', 'review', sn, { reason: '再来' }),
        '本级您已审核，请等待其他审核人',
      )
      expect(await people.keeper.done('purchaseOrder', 'review', sn, { reason: '同意' })).toMatchObject({
        state: 'reviewed',
      })
    },
  )

  step('a document that posts posts at the last level only, and returns to the first level when undone', async () => {
    const made = await call('auditSetting', 'add', { document_kind: 'openingStock' })
    for (const [level_no, user] of [ids.keeper, ids.finance].entries())
      await call('auditLevel', 'add', { audit_setting_sn: made.info.sn, level_no: level_no + 1, users: [user] })
    const sn = await people.buyer.add('openingStock', {
      warehouse_model_inner_sn: at.central,
      lines: [lotOf(at.inflator, 'LEVELS', { quantity: '3' })],
    })
    await people.buyer.done('openingStock', 'submit', sn)
    const previewed = await people.keeper.client.post('/v1/business/openingStock/rehearse', {
      sn,
      version: (await people.keeper.info('openingStock', sn)).version,
      action: 'review',
    })
    expect(previewed.info).toMatchObject({ refusals: [], moves: [{ quantity: '3.000' }] })
    await people.keeper.done('openingStock', 'review', sn)
    expect(await shelf(at.hospital, at.central, at.inflator)).toEqual({})
    await people.finance.done('openingStock', 'review', sn)
    expect(await shelf(at.hospital, at.central, at.inflator)).toEqual({ LEVELS: '3.000' })
    await people.finance.done('openingStock', 'unreview', sn)
    expect(await shelf(at.hospital, at.central, at.inflator)).toEqual({})
    expect(await at.hospital.info('openingStock', sn)).toMatchObject({ state: 'submitted', state_name: '待一审' })
    await call('auditSetting', 'disable', { sn: made.info.sn, version: 1 })
  })

  step(
    'a document that posts is reviewed by the system if no review is required, and waits for a person if that fails',
    async () => {
      await call('auditSetting', 'disable', { sn: setting, version: 1 })
      const made = await call('auditSetting', 'add', {
        document_kind: 'openingStock',
        warehouse_model_inner_sn: at.ward,
        is_automatic: true,
        automatic_limit: '500',
      })
      expect(made).toMatchObject({ code: 0 })
      const add = (lot: string, quantity: string) =>
        people.buyer.add('openingStock', {
          warehouse_model_inner_sn: at.ward,
          lines: [lotOf(at.inflator, lot, { quantity })],
        })
      const cheap = await add('CHEAP', '5')
      expect(await people.buyer.done('openingStock', 'submit', cheap)).toMatchObject({ state: 'reviewed' })
      const { history } = await at.hospital.info('openingStock', cheap)
      expect(history.at(-1)).toMatchObject({ label: '系统自动审核', actor_name: '系统' })
      const dear = await add('DEAR', '6')
      expect(await people.buyer.done('openingStock', 'submit', dear)).toMatchObject({ state: 'submitted' })
      expect(await shelf(at.hospital, at.ward, at.inflator)).toEqual({ CHEAP: '5.000' })
    },
  )

  step(
    'a document that posts lets the author approve if the setting of its kind allows it, despite the general rule',
    async () => {
      const sn = await people.buyer.add('openingStock', {
        warehouse_model_inner_sn: at.central,
        lines: [lotOf(at.inflator, 'SELF', { quantity: '1' })],
      })
      await people.buyer.done('openingStock', 'submit', sn)
      expectMessage(await people.buyer.do('openingStock', 'review', sn), '制单人与审核人不能为同一人，请由他人审核')
      await call('auditSetting', 'add', {
        document_kind: 'openingStock',
        warehouse_model_inner_sn: at.central,
        allow_self: true,
      })
      await people.buyer.done('openingStock', 'review', sn)
    },
  )
})
