import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Screen } from '#kernel/definition/screen.ts'
import { documents, entities, reports } from '#kernel/registry.ts'
import { compare } from '#kernel/values/decimal.ts'
import { hooks } from '#server/registry/hooks.ts'
import { type Client, type TestServer, openTestServer } from '#tests/support/test-server.ts'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

type Line = {
  code: number
  msg?: string
  result?: {
    data: {
      answer: string
      reference: { title: string; uri: string }[]
      rich_text_ref: { id: string; content: string }[]
    }[]
  }
}
type Received = { text: string; links: string[]; quotes: string[]; failed: string | null; lines: string[] }

/** A question, and everything received until `[done]`. */
async function ask(client: Client, content: string): Promise<Received> {
  const reply = await client.raw({ method: 'GET', url: '/v1/llm/streamChatWithWeb', query: { content } })
  expect(reply.headers['content-type']).toContain('text/event-stream')
  expect(reply.headers['x-content-type-options']).toBe('nosniff')
  const lines = reply.body.split('\n\n').filter(line => line !== '')
  expect(lines.at(-1)).toBe('data: [done]')
  const read = lines.slice(0, -1).map(line => JSON.parse(line.replace(/^data: /, '')) as Line)
  const pieces = read.flatMap(line => line.result?.data ?? [])
  return {
    text: pieces.map(piece => piece.answer).join(''),
    links: pieces.flatMap(piece => piece.reference.map(link => link.uri)),
    quotes: pieces.flatMap(piece => piece.rich_text_ref.map(quote => quote.content)),
    failed: read.find(line => line.code !== 0)?.msg ?? null,
    lines,
  }
}

let scene: Scene
let order = ''
beforeAll(async () => {
  scene = await openScene()
  const { hospital, dealer, d, stent, inflator, central, shop } = scene
  order = await hospital.add('purchaseOrder', {
    counterparty_sn: d,
    lines: [{ specification_sn: inflator, quantity: '2' }],
  })
  await hospital.done('purchaseOrder', 'submit', order)
  await scene.shelve(hospital, central, [lotOf(inflator, 'LOT-H1', { quantity: '7', expiry_date: day(30) })])
  await scene.shelve(dealer, shop, [lotOf(stent, 'LOT-D1', { unit_codes: ['AS-1'] })])
})
afterAll(() => scene?.close())

const as = (login: string) => scene.server.as(login)

describe('a question about how the system works', () => {
  it('is answered from the help pages, with the sections used', async () => {
    const { text, quotes, failed } = await ask(await as('nurse'), '什么是寄售')
    expect(failed).toBeNull()
    expect(text).toContain('货权仍归供应商')
    expect(quotes[0]).toContain('名词解释 · 寄售')
  })
  it('uses chapters that any signed-in user may read', async () => {
    const { list } = await (await as('nurse')).get('/v1/help/list')
    expect(list.map(chapter => chapter.title)).toEqual(expect.arrayContaining(['快速上手', '科室管理', '名词解释']))
    expect((await scene.server.outsider.get('/v1/help/list')).status).toBe(401)
  })
  it('that no one can answer gets a reply saying so', async () => {
    expect((await ask(await as('nurse'), '明天天气怎么样')).text).toContain('没有找到')
  })
  it('blank or too long is refused before anything is streamed', async () => {
    const nurse = await as('nurse')
    expect(await nurse.get('/v1/llm/streamChatWithWeb', { content: '  ' })).toMatchObject({
      code: 2000,
      msg: '请输入问题',
    })
    expect((await nurse.get('/v1/llm/streamChatWithWeb', { content: '长'.repeat(501) })).msg).toContain('不能超过500字')
    expect((await scene.server.outsider.get('/v1/llm/streamChatWithWeb', { content: '你好' })).status).toBe(401)
  })
})

describe("a question about the user's own figures", () => {
  it('counts documents by state and time, with a link to exactly these', async () => {
    const { text, links } = await ask(scene.hospital.client, '本月还有几张采购订单待审核')
    expect(text).toMatch(/共 \*\*1\*\* 张/)
    expect(text).toContain(`(/hospital/purchaseOrder/${order})`)
    expect(decodeURIComponent(links[0]!)).toMatch(
      /^\/hospital\/purchaseOrder\?tab=采购订单&state=submitted&begin_date=\d{4}-\d\d-01&end_date=/,
    )
  })
  it('names every kind that a general word means', async () => {
    const { text } = await ask(scene.hospital.client, '还有几张入库单待审核')
    expect(text).toContain('待审核的入库单共 **0** 张')
  })
  it("shows a document's state, what happened and who did it", async () => {
    const { text, links } = await ask(scene.hospital.client, `${order}到哪了`)
    expect(text).toContain('现在是 **待审核**')
    expect(text).toContain('提交')
    expect(links).toEqual([`/hospital/purchaseOrder/${order}`])
  })
  it('finds where a lot is stored', async () => {
    const found = await ask(scene.hospital.client, '批号 LOT-H1 在哪里')
    expect(found.text).toContain('批号 **LOT-H1** 在 1 处有库存')
    expect(found.text).toMatch(/LOT-H1 \|.*\| 7 \| 7 \|/)
    expect(found.links[0]).toMatch(/^\/commonView\/inventory\?tab=[^&]+&lot_no=LOT-H1&in_transit=1$/)
    const { text, links } = await ask(scene.hospital.client, '批号 NOSUCHLOT1 在哪里')
    expect(text).toContain('没有批号“NOSUCHLOT1”的库存')
    expect(links[0]).toBe('/hospital/traceabilityManage?code=NOSUCHLOT1')
  })
  it('shows stock below or above its limits', async () => {
    const { owner } = scene.server.database
    await owner`update hospital_product set minimum = null, maximum = null`
    expect((await ask(scene.hospital.client, '哪些产品低于安全库存')).text).toBe(
      '本机构的产品目录里还没有设置库存下限。',
    )
    const h = { org_id: scene.h }
    const [row] = await owner<{ specification_id: string }[]>`
      select specification_id from stock_balance b join warehouse w on w.org_id = b.org_id and w.id = b.warehouse_id
       where b.org_id = ${h.org_id} and w.model not in ('transit', 'consumed') group by 1 having sum(quantity) = 7
         limit 1`
    await owner`update hospital_product set minimum = 8, maximum = 100
      where org_id = ${h.org_id} and specification_id = ${row!.specification_id}`
    const below = await ask(scene.hospital.client, '哪些产品低于安全库存')
    expect(below.text).toMatch(/库存低于下限的规格共 \*\*1\*\* 个：[^]*\| 7 \| 8 \|/)
    expect(below.links[0]).toMatch(/^\/hospital\/hProductDetails/)
    expect((await ask(scene.hospital.client, '哪些超过上限')).text).toContain('没有高于上限的')
    await owner`update hospital_product set minimum = null, maximum = 6
      where org_id = ${h.org_id} and specification_id = ${row!.specification_id}`
    expect((await ask(scene.hospital.client, '哪些超过上限')).text).toMatch(/\| 7 \| 6 \|/)
    await owner`update hospital_product set maximum = null where org_id = ${h.org_id}`
  })
  it.each(['库存不足的有哪些', '90天内到期的库存有哪些', '应付余额有多少', '我有哪些待办'])(
    'answers “%s” without a failure',
    async question => {
      const { text, failed } = await ask(scene.hospital.client, question)
      expect(failed).toBeNull()
      expect(text).not.toBe('')
    },
  )
})

/** A question for each tool. */
const QUESTIONS: Readonly<Record<string, () => string>> = {
  operations_lacking_goods: () => '哪些手术今天还缺器械',
  operations_of_lot: () => '批号 LOT-H2 用在了哪些手术',
  find_document: () => `${order}到哪了`,
  find_lot: () => '批号 LOT-H1 在哪里',
  expiring_stock: () => '90天内到期的库存有哪些',
  stock_limits: () => '哪些产品低于安全库存',
  short_stock: () => '库存不足的有哪些',
  balance_with: () => '应付余额有多少',
  my_duties: () => '我有哪些待办',
  count_documents: () => '本月有几张采购订单',
  stock_of: () => `${goodsName}还有多少`,
}
/** The end of the name of goods, as people say it. */
let goodsName = ''

/** The rows of the page of an address, as many as its list says. */
async function rowsBehind(who: Client, uri: string): Promise<number> {
  const { pathname, searchParams } = new URL(uri, 'http://localhost')
  const { tab, ...query } = Object.fromEntries(searchParams)
  const found = [...documents(), ...entities(), ...reports()].flatMap(definition =>
    (definition.screens as readonly Screen[]).flatMap(screen =>
      screen.route === pathname && screen.tab === tab && screen.orgs.includes('H') ? [{ definition, screen }] : [],
    ),
  )
  expect(found, uri).toHaveLength(1)
  const { definition, screen } = found[0]!
  const path = definition.is === 'report' ? `/v1/report/${definition.kind}` : `/v1/business/${definition.kind}/list`
  const states = screen.states && query.state === undefined ? { state: screen.states.join(',') } : {}
  return (await who.get(path, { ...screen.where, ...states, ...query, pageSize: '1' })).total
}

describe('a figure in an answer', () => {
  // Another user of the hospital: nobody may ask more than twenty times a minute.
  let asker: Client
  beforeAll(async () => {
    asker = (await scene.colleague('hospital')).client
    const [row] = await scene.server.database.owner<{ name: string }[]>`
      select p.name from specification s join product p on p.id = s.product_id where s.id = ${scene.inflator}`
    goodsName = row!.name.slice(-4)
  })
  const counted = [
    'operations_lacking_goods',
    'operations_of_lot',
    'find_lot',
    'expiring_stock',
    'stock_limits',
    'my_duties',
    'count_documents',
    'stock_of',
  ]

  it('is asked for with every tool', async () => {
    expect(Object.keys(QUESTIONS).toSorted()).toEqual(
      hooks()
        .assistantTools.map(({ name }) => name)
        .toSorted(),
    )
    for (const [name, question] of Object.entries(QUESTIONS))
      expect(hooks().assistantTools.find(tool => tool.matches(question()) !== null)?.name, question()).toBe(name)
  })

  it.each(counted)('of %s is the number of rows of the page that it names', async name => {
    if (name === 'operations_lacking_goods') await plannedToday()
    if (name === 'operations_of_lot') await usedInOperation()
    if (name === 'stock_limits') await atLimit()
    const { text, links } = await ask(asker, QUESTIONS[name]!())
    // Lines with a link of their own count what it opens; else the answer counts what its first link opens.
    const lines = [...text.matchAll(/\[[^\]]+\]\(([^)]+)\) \*\*(\d+)\*\* 张/g)].map(([, uri, n]) => [uri!, n!] as const)
    const [, whole] = /(?:共|有|在|在了) \*{0,2}(\d+)\*{0,2} [条处台张个]/.exec(text) ?? []
    const figures = lines.length > 0 ? lines : [[links[0]!, whole!] as const]
    for (const [uri, n] of figures) {
      expect(n, text).toMatch(/^[1-9]\d*$/)
      expect(String(await rowsBehind(asker, uri)), `${text} ${uri}`).toBe(n)
    }
  })

  it('of stock against what left or a limit is that of the report, row by row', async () => {
    const { list } = await asker.get('/v1/report/inventorySummaryReport', {
      begin_date: day(-29),
      end_date: day(),
      pageSize: '500',
    })
    const short = list.filter(
      row => compare(row.total_out, '0') > 0 && compare(row.closing_quantity, row.total_out) < 0,
    ).length
    const { text } = await ask(asker, QUESTIONS.short_stock!())
    expect(text).toMatch(short === 0 ? /没有库存少于/ : new RegExp(`共 \\*\\*${short}\\*\\* 个`))
  })
})

/** A plan of an operation today that its supplier has not taken. */
async function plannedToday(): Promise<void> {
  const { hospital, d, department, stent, surgeon } = scene
  const plan = await hospital.add('bonePlan', {
    counterparty_sn: d,
    department_inner_sn: department,
    doctor_inner_sn: surgeon,
    surgery_at: `${day()}T15:59:00.000Z`,
    procedure_name: '髋关节置换术',
    patient_name: '百里长歌',
    admission_no: 'ZY0001',
    lines: [{ specification_sn: stent, quantity: '1' }],
  })
  await hospital.pass('bonePlan', plan)
}

/** A use in an operation of a lot, of which there is still stock. */
async function usedInOperation(): Promise<void> {
  const { hospital, ward, department, stent, surgeon } = scene
  await scene.shelve(hospital, ward, [lotOf(stent, 'LOT-H2', { unit_codes: ['AH-1', 'AH-2'] })])
  const use = await hospital.add('surgeryUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    doctor_inner_sn: surgeon,
    surgery_name: '冠状动脉支架置入术',
    implant_site: '左前降支',
    patient_no: 'LH1',
    patient_name: '甲',
    admission_no: 'ZYLH1',
    lines: [{ unit_codes: ['AH-1'] }],
  })
  await hospital.pass('surgeryUse', use)
}

/** Goods of which the hospital has less than their limit, goods of which it has none, and goods with enough. */
async function atLimit(): Promise<void> {
  const { owner } = scene.server.database
  const { h, inflator, balloon, stent } = scene
  for (const [size, minimum] of [
    [inflator, 100],
    [balloon, 200],
    [stent, 0],
  ] as const)
    await owner`update hospital_product set minimum = ${minimum}, maximum = 900
      where org_id = ${h} and specification_id = ${size}`
}

describe('it never sees what its user may not see', () => {
  it('a lot of another organisation is not visible', async () => {
    expect((await ask(scene.hospital.client, '批号 LOT-D1 在哪里')).text).toContain('没有批号“LOT-D1”的库存')
    expect((await ask(scene.dealer.client, '批号 LOT-D1 在哪里')).text).toContain('在 1 处有库存')
  })
  it('a document of another organisation answers like one that does not exist', async () => {
    const own = await ask(await as('dealer2'), `${order}到哪了`)
    expect(own.text).toContain('没有找到单号')
    expect(own.text).not.toContain('待审核')
  })
  it('the nurse is shown no money, the accountant is', async () => {
    expect((await ask(await as('nurse'), '应付余额有多少')).text).toBe('您没有查看这项数据的权限，需要时请联系管理员。')
    expect((await ask(await as('finance'), '应付余额有多少')).text).toMatch(/往来余额/)
  })
  it('the nurse does not read purchase orders, whose page she does not have', async () => {
    const nurse = await as('nurse')
    for (const question of [`${order}到哪了`, '还有几张采购订单待审核'])
      expect((await ask(nurse, question)).text).toBe('您没有查看这项数据的权限，需要时请联系管理员。')
  })
  it('the accountant does not read the wards’ stock through it', async () => {
    const { text } = await ask(await as('finance'), '批号 NOSUCHLOT1 在哪里')
    expect(text).toBe('您没有查看这项数据的权限，需要时请联系管理员。')
  })
  it('a user may ask at most twenty times a minute', async () => {
    const keeper = await as('keeper')
    const asked = { method: 'GET', url: '/v1/llm/streamChatWithWeb', query: { content: '你好' } } as const
    for (let times = 0; times < 20; times++) expect((await keeper.raw(asked)).statusCode).toBe(200)
    const refused = await keeper.raw(asked)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60'])
  })
  it('text from the books cannot become a link or a table', async () => {
    const { text } = await ask(scene.hospital.client, '批号 [x](http://evil) 在哪里')
    expect(text).not.toContain('](http://evil)')
  })
})

/** A service that implements the OpenAI protocol: each call is answered by the next script. */
type Delta = Record<string, unknown>
let service: Server
let calls: {
  headers: Record<string, unknown>
  body: {
    model: string
    stream: boolean
    tools: { function: { name: string } }[]
    messages: { role: string; content: string }[]
  }
}[] = []
let scripts: (Delta[] | number)[] = []
let server: TestServer
beforeAll(async () => {
  service = createServer((request, response) => {
    let text = ''
    request.on('data', part => (text += part))
    request.on('end', () => {
      calls.push({ headers: request.headers, body: JSON.parse(text) })
      const script = scripts.shift() ?? []
      if (typeof script === 'number') return script === 0 ? breakOff(response) : response.writeHead(script).end('{}')
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const delta of script) response.write(`data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`)
      return response.end('data: [DONE]\n\n')
    })
  })
  await new Promise<void>(resolve => service.listen(0, '127.0.0.1', resolve))
  const { port } = service.address() as AddressInfo
  server = await openTestServer({
    LLM_BASE_URL: `http://127.0.0.1:${port}/v1/`,
    LLM_API_KEY: 'secret',
    LLM_MODEL: 'some-model',
  })
})
afterAll(async () => {
  await server?.close()
  service?.close()
})

/** Starts an answer, then the connection breaks. */
function breakOff(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: '一半' } }] })}\n\n`, () => response.destroy())
}

const calling = (name: string, args: object): Delta[] => [
  { tool_calls: [{ index: 0, id: 'c1', function: { name, arguments: '' } }] },
  // arguments arrive in pieces
  ...(JSON.stringify(args).match(/.{1,7}/g) ?? []).map(piece => ({
    tool_calls: [{ index: 0, function: { arguments: piece } }],
  })),
]

describe('with a language model', () => {
  it('streams the words as they come, in the same lines', async () => {
    calls = []
    scripts = [[{ content: '您好，' }, { content: '有什么可以帮您？' }]]
    const { text, lines } = await ask(await server.as('nurse'), '你好')
    expect(text).toBe('您好，有什么可以帮您？')
    expect(lines).toHaveLength(3)
    expect(calls[0]?.headers.authorization).toBe('Bearer secret')
    expect(calls[0]?.body).toMatchObject({ model: 'some-model', stream: true })
    expect(calls[0]?.body.tools.map(tool => tool.function.name)).toContain('count_documents')
  })

  it('queries the system with the same tools, as the same user', async () => {
    calls = []
    scripts = [calling('balance_with', {}), [{ content: '您没有权限。' }]]
    await ask(await server.as('nurse'), '我们欠供应商多少钱')
    expect(calls[1]?.body.messages.at(-1)).toMatchObject({ role: 'tool' })
    expect(calls[1]?.body.messages.at(-1)?.content).toContain('您没有查看这项数据的权限')
    calls = []
    scripts = [calling('count_documents', { document: '采购订单', state: 'submitted' }), [{ content: '一共没有。' }]]
    const { text, links } = await ask(await server.as('hospital'), '采购订单还有几张待审核')
    expect(calls[1]?.body.messages.at(-1)?.content).toContain('共 **0** 张')
    expect(text).toBe('一共没有。')
    expect(links.map(decodeURIComponent)).toEqual(['/hospital/purchaseOrder?tab=采购订单&state=submitted'])
  })

  it('that is down, or loops, is reported in a sentence', async () => {
    scripts = [503]
    expect((await ask(await server.as('nurse'), '你好')).failed).toBe('智能服务返回错误（503），请稍后再试')
    scripts = [0]
    expect(await ask(await server.as('nurse'), '你好')).toMatchObject({
      text: '一半',
      failed: '智能服务的回答中断，请稍后再试',
    })
    scripts = Array.from({ length: 4 }, () => calling('no_such_tool', {}))
    expect((await ask(await server.as('nurse'), '你好')).failed).toBe('智能服务没有给出答案，请换个说法再试')
  })
})
