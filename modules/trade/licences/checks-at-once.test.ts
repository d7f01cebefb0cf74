import { afterAll, beforeAll, expect } from 'vitest'
import { licence } from '#modules/trade/licences/archive/licence.entity.ts'
import { story } from '#tests/support/steps.ts'
import { uploadPicture } from '#tests/support/picture.ts'
import { sendSheet, workbook } from '#tests/support/sheets.ts'
import { openScene, type Scene } from '#tests/support/fixture.ts'
import { day, type Person } from '#tests/support/story.ts'

/** A licence check is updated at once by every change of a licence: the hourly job does not run here. */
let scene: Scene
let platform: Person
let product: string
const PERMIT = '医疗器械经营许可证'
const path = (kind: string, call: string) => `/v1/business/${kind}/${call}`

beforeAll(async () => {
  scene = await openScene()
  platform = await scene.person('platform')
  const { dealer, d, stent, server } = scene
  const { owner } = server.database
  product = (await scene.one('select product_id as id from specification where id = $1', stent)).id
  await owner`
    update licence set status = 'disabled' where org_id = ${d} and holder_id = ${d}
      and licence_type in (${PERMIT}, '授权书', '产品授权书')`
  await owner`
    insert into warning_count (org_id, day, move_id, counted_at, moved_at)
    values (${d}, current_date, 0, now(), now()) on conflict (org_id) do update set moved_at = now()`
  await owner`
    insert into dealer_product (org_id, specification_id) values (${d}, ${stent})
    on conflict (org_id, specification_id) do update set status = 'enabled', supplier_id = null`
  await owner`
    update dealer_product set supplier_id = null where org_id = ${d}
      and specification_id in (select id from specification where product_id = ${product})`
  // The check of the product is written as soon as the row is edited.
  const [traded] = await dealer.list('dealerProduct', { specification_sn: stent })
  await change(dealer, 'dealerProduct', 'edit', traded.dealer_product_sn, { remark: '核对' })
})
afterAll(() => scene?.close())

async function change(who: Person, kind: string, call: string, sn: string, more: object = {}): Promise<void> {
  const { version } = await who.info(kind, sn)
  const reply = await who.client.post(path(kind, call), { sn, version, ...more })
  expect(reply.code, `${kind}/${call} ${reply.msg}`).toBe(0)
}

/** The light of the dealer's product; also asserts that its warnings are counted again within a minute. */
async function light(): Promise<string> {
  const [row] = await scene.server.database.owner`
    select c.scope_light, (select moved_at is null from warning_count w where w.org_id = c.dealer_id) as waits
      from dealer_check c where c.dealer_id = ${scene.d} and c.product_id = ${product}`
  expect(row!.waits).toBe(true)
  await scene.server.database.owner`update warning_count set moved_at = now() where org_id = ${scene.d}`
  return String(row!.scope_light)
}

story('a licence check at once', step => {
  /** Calls of a licence that were tested, each with the light after it; and those that change no light. */
  const played = new Set<string>()
  const still = ['share', 'apply', 'remind', 'reject']

  step('follows every call that a licence has', async () => {
    const { dealer } = scene
    const scan = [await uploadPicture(dealer)]
    const play = async (call: string, run: () => Promise<unknown>, expected: string) => {
      await run()
      played.add(call)
      expect(await light(), call).toBe(expected)
    }
    let sn = ''
    const audit = async (call: string, more: object = {}) => {
      const [waiting] = await platform.list('licenceAudit', { state: 'pending' })
      await change(platform, 'licenceAudit', call, waiting.audit_sn, more)
    }
    await play(
      'add',
      async () => {
        sn = await dealer.add('licence', {
          holder_sn: scene.d,
          licence_type: PERMIT,
          licence_no: 'XK-1',
          valid_from: day(-9),
          valid_to: day(300),
          attachments: scan,
        })
      },
      'bad',
    )
    await play('edit', () => change(dealer, 'licence', 'edit', sn, { remark: '新' }), 'bad')
    await play('submit', () => change(dealer, 'licence', 'submit', sn), 'bad')
    await play('unsubmit', () => change(dealer, 'licence', 'unsubmit', sn), 'bad')
    await change(dealer, 'licence', 'submit', sn)
    await play('reject', () => audit('reject', { reason: '不清' }), 'bad')
    await change(dealer, 'licence', 'submit', sn)
    await play('review', () => audit('review'), 'ok')
    await play('disable', () => change(dealer, 'licence', 'disable', sn), 'bad')
    await play('enable', () => change(dealer, 'licence', 'enable', sn), 'ok')
    const renewal = { licence_no: 'XK-2', valid_from: day(-1), valid_to: day(900), attachments: scan }
    await play('renew', () => change(dealer, 'licence', 'renew', sn, renewal), 'ok')
    const [next] = await dealer.list('licence', { licence_no: 'XK-2' })
    await change(dealer, 'licence', 'submit', next.licence_sn)
    await audit('review')
    expect(await light()).toBe('ok')
    // An authorisation that nobody reviews may be deleted, even if the dealer's chain depends on it.
    const chain = async () =>
      (
        await scene.one(
          'select chain_light as l from dealer_check where dealer_id = $1 and product_id = $2',
          scene.d,
          product,
        )
      ).l
    expect(await chain()).toBe('bad')
    const granted = await dealer.add('licence', {
      holder_sn: scene.d,
      licence_type: '授权书',
      licence_no: 'SQ-1',
      grantor_sn: scene.v,
      grantee_sn: scene.d,
      valid_from: day(-9),
      valid_to: day(300),
    })
    expect(await chain()).toBe('ok')
    await play('del', () => change(dealer, 'licence', 'del', granted), 'ok')
    expect(await chain()).toBe('bad')
    const calls = ['add', 'edit', 'del', 'enable', 'disable', ...Object.keys(licence.actions ?? {})]
    expect(calls.filter(call => !played.has(call) && !still.includes(call))).toEqual([])
  })

  step('follows a workbook of licences, and one of renewals', async () => {
    const { dealer } = scene
    const imported = await sendSheet(
      dealer.client,
      path('licence', 'import'),
      workbook([
        ['持有机构', '证照类型', '证照编号', '有效期起', '有效期至'],
        [
          (await scene.one('select name from organisation where id = $1', scene.d)).name,
          '质量体系认证证书',
          'ZL-9',
          day(-9),
          day(200),
        ],
      ]),
    )
    expect(imported.code, JSON.stringify(imported)).toBe(0)
    expect(await light()).toBe('ok')
    const renewed = await sendSheet(
      dealer.client,
      path('licenceRenewal', 'import'),
      workbook([
        ['证照类型', '原证照编号', '新证照编号', '有效期起'],
        ['质量体系认证证书', 'ZL-9', 'ZL-10', day(-1)],
      ]),
    )
    expect(renewed.code, JSON.stringify(renewed)).toBe(0)
    expect(await light()).toBe('ok')
  })

  step('follows every authorisation that a maker gives: entered, changed, stopped, and from a workbook', async () => {
    const { vendor, d } = scene
    const { owner } = scene.server.database
    await owner`update licence set status = 'disabled' where org_id = ${d} and licence_type in ('授权书', '产品授权书')`
    await owner`update dealer_authorisation set status = 'disabled', version = version + 1 where status = 'enabled'`
    const relation = (await vendor.list('dealer', { partner_code: 'D01' }))[0]
    const given = { authorisation_no: 'CP-1', product_sn: product, valid_from: day(-3), valid_to: day(300) }
    const chain = async () =>
      (await owner`select chain_light as l from dealer_check where dealer_id = ${d} and product_id = ${product}`)[0]!.l
    const sn = await vendor.add('dealerAuthorisation', { ...given, dealer_sn: relation.dealer_sn })
    expect(await chain()).toBe('ok')
    await change(vendor, 'dealerAuthorisation', 'disable', sn)
    expect(await chain()).toBe('bad')
    await change(vendor, 'dealerAuthorisation', 'enable', sn)
    expect(await chain()).toBe('ok')
    await change(vendor, 'dealerAuthorisation', 'edit', sn, { valid_from: day(-9), valid_to: day(-1) })
    expect(await chain()).toBe('bad')
    const { name } = await scene.one('select name from product where id = $1', product)
    const sheet = workbook([
      ['经销商', '授权产品', '授权书编号', '开始日期', '结束日期'],
      [relation.partner_name, name, 'CP-2', day(-3), day(300)],
    ])
    const imported = await sendSheet(vendor.client, path('dealerAuthorisation', 'import'), sheet)
    expect(imported.code, JSON.stringify(imported)).toBe(0)
    expect(await chain()).toBe('ok')
    await change(vendor, 'dealer', 'stop', relation.dealer_sn, { reason: '合同到期' })
    expect(await chain()).toBe('bad')
    await change(vendor, 'dealer', 'resume', relation.dealer_sn)
  })

  step('follows the first approval of the product', async () => {
    const { dealer, stent, v, d } = scene
    const [row] = await platform.list('orgBusinessConfig', { holder_sn: d, title: '首营审批控制' })
    await change(platform, 'orgBusinessConfig', 'edit', row.config_sn, { value: '仅警告' })
    const first = async () =>
      (
        await scene.one(
          'select first_light as l from dealer_check where dealer_id = $1 and product_id = $2',
          d,
          product,
        )
      ).l
    const { owner } = scene.server.database
    await owner`
      insert into licence (org_id, holder_id, licence_type, licence_no, valid_from, long_term)
      values (${d}, ${d}, ${PERMIT}, 'XK-8', ${day(-9)}, true)`
    await change(
      dealer,
      'dealerProduct',
      'edit',
      (await dealer.list('dealerProduct', { specification_sn: stent }))[0].dealer_product_sn,
      {
        remark: '再核对',
      },
    )
    expect(await first()).toBe('bad')
    const scan = [await uploadPicture(dealer)]
    const sn = await dealer.add('firstSellProduct', {
      product_sn: product,
      counterparty_sn: v,
      apply_reason: '临床需要',
      paper_certificate: scan,
      paper_manual: scan,
      paper_label: scan,
      paper_report: scan,
      paper_authorisation: scan,
      lines: [{ specification_sn: stent }],
    })
    await dealer.done('firstSellProduct', 'submit', sn)
    await scene.dealer2.done('firstSellProduct', 'review', sn, { quality_opinion: '同意' })
    expect(await first()).toBe('ok')
  })
})
