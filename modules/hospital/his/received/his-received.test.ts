import { afterAll, beforeAll, expect } from 'vitest'
import { incomeMessages } from '../../../../deploy/his/incomes.ts'
import { compare, type Decimal } from '#kernel/values/decimal.ts'
import { biBoard } from '#modules/platform/walls/board/bi.board.ts'
import { moneyWall } from '#modules/platform/walls/money/money.wall.ts'
import { parseMessage } from '#server/outbound/his/hl7/message.ts'
import { receiveFrame } from '#server/outbound/his/hl7/receive.ts'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { story } from '#tests/support/steps.ts'
import { day, type Person } from '#tests/support/story.ts'

/** 医疗收入 of departments as the HIS sends it, and the goods used against it. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  const { hospital, ward, inflator } = scene
  await scene.shelve(hospital, ward, [lotOf(inflator, 'INC1', { quantity: '3000', price: '145' })])
})
afterAll(() => scene?.close())

const month = day().slice(0, 7)
const short = month.replace('-', '')
const period = { begin_date: `${month}-01`, end_date: day() }

let control = 0
/** Sends a message of ZIN segments that was written at `at`. */
async function send(at: string, lines: readonly string[], id = `I${++control}`): Promise<readonly [string, string]> {
  const text = [`MSH|^~\\&|HIS|H01|SPD|H01|${at}||ZIN^Z01|${id}|P|2.5`, `EVN|Z01|${at}`, ...lines].join('\r')
  const [answer = ''] = await receiveFrame(scene.server.database.app, scene.h, Buffer.from(text))
  // The bytes of MLLP around it are removed here.
  const msa = parseMessage(answer.replaceAll(/[\x0b\x1c]/g, '')).first('MSA')!
  return [msa.text(1), msa.text(3)]
}
const codeOf = async (department: string) => {
  const { his_code } = await scene.one('select his_code from department where id = $1', department)
  return his_code as string
}
const zin = (when: string, department: string, income: string, drugs = '') =>
  `ZIN|1|${when}|${department}|${income}|${drugs}`
const stored = (who: Person = scene.hospital) => who.list('hisIncome', { pageSize: '100' })
const share = async (query: Record<string, string> = {}) =>
  scene.hospital.client.get('/v1/report/departStatistical', { ...period, group_by: 'department_name', ...query })

/** The wall and the board cache their readings for a while, so each look uses other days. */
let looks = 0
const wall = async () => {
  looks += 1
  const query = { begin_date: `${month}-01`, end_date: day(looks) }
  return (await scene.hospital.client.get(`/v1/business/wall/${moneyWall.kind}`, query)).info.cards.income.all.rows[0]
}
const board = async (who: Person = scene.hospital) => {
  const { info } = await who.client.get(`/v1/business/board/${biBoard.kind}`, { ...period, card: 'figures' })
  return info.answers.share.rows[0]
}

story('income of departments from the HIS', step => {
  step('without any, the ratio is not known', async () => {
    const { hospital, ward, department, inflator } = scene
    const sn = await hospital.add('departmentUse', {
      warehouse_model_inner_sn: ward,
      department_inner_sn: department,
      use_type: 'consume',
      lines: [{ specification_sn: inflator, lot_no: 'INC1', quantity: '1000' }],
    })
    await hospital.pass('departmentUse', sn)
    const { list, summary } = await share()
    expect(list).toMatchObject([{ used_amount: '145000.00', income: '0.00', income_share: null }])
    expect(summary.income).toBe('0.00')
    expect((await board()).income_share).toBeNull()
    expect(await wall()).toMatchObject({ income: '0.00' })
  })

  step('145,000 used of 580,000 brought in without drugs are 25.00%, of a quota of 154,666.67 93.75%', async () => {
    const { hospital, department } = scene
    const code = await codeOf(department)
    await hospital.add('departmentQuota', {
      department_inner_sn: department,
      amount: '154666.67',
      valid_from: `${month}-01`,
    })
    expect(await send(`${short}01080000`, [zin(short, code, '580000.00', '990000')])).toEqual(['AA', ''])
    const { list } = await share()
    expect(list).toMatchObject([{ income: '580000.00', income_share: '0.2500', budget_rate: '0.9375' }])
    expect((await board()).income_share).toBe('0.2500')
    expect(await wall()).toMatchObject({ used_amount: '145000.00', income: '580000.00' })
    expect(await stored()).toMatchObject([{ income: '580000.00', drug_income: '990000.00', grain: 'month' }])
    // For one class of goods, the used amount of that class is divided by the whole income.
    expect((await share({ is_high_value: 'false' })).list).toMatchObject([{ used_amount: '0.00', income: '580000.00' }])
  })

  step('another message under a used number is refused, a later one replaces, an earlier one is too late', async () => {
    const code = await codeOf(scene.department)
    const used = '控制号I1已用于另一报文，请用新的控制号重发'
    expect(await send(`${short}02080000`, [zin(short, code, '1')], 'I1')).toEqual(['AE', used])
    expect(await stored()).toMatchObject([{ income: '580000.00' }])
    expect(await send(`${short}03080000`, [zin(short, code, '290000')])).toEqual(['AA', ''])
    expect(await send(`${short}02080000`, [zin(short, code, '7')])).toEqual(['AA', ''])
    expect(await stored()).toMatchObject([{ income: '290000.00', drug_income: null }])
    expect((await share()).list).toMatchObject([{ income_share: '0.5000' }])
  })

  step('nothing of a message is taken in which a department is unknown, and its failure names it', async () => {
    const code = await codeOf(scene.department)
    const lines = [zin(short, code, '5'), zin(short, 'ZZ9^流动门诊', '5')]
    const refusal = '科室ZZ9 流动门诊未对照，请先在【HIS科室】完成科室对照后重发'
    expect(await send(`${short}04080000`, lines, 'BAD')).toEqual(['AE', refusal])
    expect(await stored()).toMatchObject([{ income: '290000.00' }])
    expect(await scene.hospital.list('hisMessage', { state: 'failed' })).toMatchObject([
      { control_id: 'BAD', message_type: 'ZIN^Z01', error: refusal },
    ])
    // Once the department is known, the same message is taken.
    await scene.one(
      `insert into his_department (org_id, his_department_code, his_department_name, department_id, is_active,
         changed_at, read_at)
       select $1, 'ZZ9', '流动门诊', id, true, now(), now() from department where org_id = $1 and id <> $2
        and parent_id is null and status = 'enabled' order by id limit 1 returning 1`,
      scene.h,
      scene.department,
    )
    expect(await send(`${short}04080000`, lines, 'BAD')).toEqual(['AA', ''])
    expect(await scene.hospital.list('hisMessage', { state: 'failed' })).toEqual([])
    expect(await stored()).toHaveLength(2)
    // Two departments of the HIS that are mapped to one of ours add up, and do not replace each other.
    await scene.one(
      `insert into his_department (org_id, his_department_code, his_department_name, department_id, is_active,
         changed_at, read_at)
       select $1, 'ZZ8', '流动门诊二', department_id, true, now(), now() from his_department
        where org_id = $1 and his_department_code = 'ZZ9' returning 1`,
      scene.h,
    )
    await send(`${short}04090000`, [zin(short, 'ZZ8', '8')])
    const { summary } = await share()
    expect(summary.income).toBe('18.00')
  })

  step('refuses in words what is no income', async () => {
    const code = await codeOf(scene.department)
    const said = async (...lines: string[]) => (await send(`${short}05080000`, lines))[1]
    expect(await said()).toBe('缺少ZIN段')
    expect(await said(zin(short, code, '-1'))).toBe('ZIN-4医疗收入不能为负数')
    expect(await said(zin(short, code, '1', '-1'))).toBe('ZIN-5药品收入不能为负数')
    expect(await said(zin(short, code, '1.001'))).toBe('ZIN-4医疗收入不是金额，应为最多2位小数的数字')
    expect(await said(zin(short, code, '一百'))).toBe('ZIN-4医疗收入不是金额，应为最多2位小数的数字')
    expect(await said(zin(short, code, '9'.repeat(17)))).toBe('ZIN-4医疗收入过大，请核对单位')
    expect(await said(zin(short, code, ''))).toBe('缺少ZIN-4医疗收入')
    expect(await said(zin(short, '', '1'))).toBe('缺少ZIN-3科室编码')
    expect(await said(zin('202613', code, '1'))).toBe('ZIN-2收入期间应为yyyyMM或yyyyMMdd')
    expect(await said(zin('20260230', code, '1'))).toBe('ZIN-2收入期间应为yyyyMM或yyyyMMdd')
    expect(await said(zin('209901', code, '1'))).toBe('收入期间2099-01尚未开始，请核对')
    expect(await said(zin(short, code, '1'), zin(short, code, '2'))).toBe('同一科室同一期间的ZIN段重复')
    expect((await stored()).map(row => row.income).sort()).toEqual(['5.00', '5.00', '8.00'])
  })

  step('days of a month add up, and a whole month takes their place', async () => {
    const code = await codeOf(scene.department)
    const [year = '', number = ''] = day(-60).split('-')
    const past = year + number
    await send(`${short}06080000`, [zin(`${past}01`, code, '10')])
    await send(`${short}06080000`, [zin(`${past}02`, code, '20')])
    const ofPast = { begin_date: `${year}-${number}-01`, end_date: `${year}-${number}-28` }
    expect((await share(ofPast)).list).toMatchObject([{ income: '30.00' }])
    await send(`${short}07080000`, [zin(past, code, '45')])
    expect((await share(ofPast)).list).toMatchObject([{ income: '45.00' }])
    expect(await send(`${short}08080000`, [zin(`${past}03`, code, '1')])).toEqual([
      'AE',
      `科室${code}${year}-${number}的收入已按月上报，请按月更正`,
    ])
    // The same month sent several times at once is one income.
    await Promise.all([1, 2, 3].map(at => send(`${short}0${at + 6}120000`, [zin(past, code, `5${at}`)])))
    expect((await share(ofPast)).list).toMatchObject([{ income: '53.00' }])
  })

  step('a parent adds its children, at any depth', async () => {
    const parent = await scene.one(
      `select p.id, p.name from department d join department p on p.org_id = d.org_id and p.id = d.parent_id
        where d.id = $1`,
      scene.department,
    )
    const top = await scene.one(
      `with recursive up as (
         select id, parent_id from department where id = $1
         union all select p.id, p.parent_id from up u join department p on p.id = u.parent_id)
       select id from up where parent_id is null`,
      scene.department,
    )
    const sumOf = async (department_inner_sn: string, with_children: string) =>
      (await share({ department_inner_sn, with_children })).summary?.income ?? '0.00'
    expect(parent === undefined || (await sumOf(parent.id, 'true')) === '5.00').toBe(true)
    expect(await sumOf(top.id, 'true')).toMatch(/^(5|18)\.00$/)
  })

  step('whoever sees one department sees what that one brought in, on the list, the report and the board', async () => {
    const clerk = await scene.clerk('hospital', 'income-clerk', [
      'page:/hospital/departStatisticalReport',
      'page:/bi1',
      'price',
    ])
    const [user] = await scene.server.database.owner<{ id: string }[]>`
      update app_user set data_scope = 'chosen' where login = 'income-clerk' returning id`
    await scene.server.database.owner`
      insert into user_department (org_id, user_id, department_id)
      values (${scene.h}, ${user!.id}, ${scene.department})`
    expect(await stored(clerk)).toMatchObject([{ income: '5.00' }, { income: '53.00' }])
    const { list } = await clerk.client.get('/v1/report/departStatistical', { ...period, group_by: 'department_name' })
    expect(list).toMatchObject([{ income: '5.00' }])
    expect((await board(clerk)).income).toBe('5.00')
  })

  step('what the stand-in of the demo sends is taken, twelve months of it', async () => {
    const { app, owner } = scene.server.database
    const { h2 } = await scene.one("select id as h2 from organisation where code = 'H02'")
    const messages = incomeMessages('H02')
    expect(messages).toHaveLength(12)
    for (const message of [...messages, ...messages])
      expect(await receiveFrame(app, h2, Buffer.from(message))).toEqual([expect.stringContaining('MSA|AA')])
    const [sum] = await owner<{ months: number; least: string }[]>`
      select count(distinct period_on)::int as months, min(income) as least from his_income where org_id = ${h2}`
    expect(sum).toMatchObject({ months: 12 })
    expect(compare(sum!.least as Decimal, '100000')).toBe(1)
    for (const message of incomeMessages('H01'))
      expect(await receiveFrame(app, scene.h, Buffer.from(message))).toEqual([expect.stringContaining('MSA|AA')])
  })
})
