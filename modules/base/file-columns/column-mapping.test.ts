import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NO_HEADINGS, placesOf, wantedOf } from '#kernel/tables/foreign-table.ts'
import { foreignTables } from '#app/modules.ts'
import { expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { paymentOver } from '#tests/support/money.ts'
import { uploadFile } from '#tests/support/picture.ts'
import type { Reply } from '#tests/support/test-server.ts'
import type { Person } from '#tests/support/story.ts'

/** 列对应: files with unknown headings are mapped by a person once, and read without a question from then on. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.one(
    `update product set is_cold_chain = true, storage_condition = '冷藏 2-15℃'
      where id = (select product_id from specification where id = $1) returning 1`,
    scene.inflator,
  )
})
afterAll(() => scene?.close())

type Importer = {
  readonly who: Person
  /** A cell of each wanted column, so that the file is of this document. */
  readonly cells: Readonly<Record<string, string>>
  readonly read: (file: string, more: object) => Promise<Reply>
  /** A user of another organisation, and a call that reads such a file for a document of that organisation. */
  readonly other: Person
  readonly otherReads: (file: string) => Promise<Reply>
  readonly tryOut: (file: string) => Promise<Reply>
}

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
const wall = (at: Date) => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

async function shipmentOf(sender: Person, customer: string, warehouse: string): Promise<string> {
  const { inflator } = scene
  await scene.shelve(sender, warehouse, [lotOf(inflator, 'LD1', { quantity: '9' })])
  const sale = await sender.add('saleOdo', {
    counterparty_sn: customer,
    warehouse_model_inner_sn: warehouse,
    delivery_address: '中山路1号',
    lines: [{ specification_sn: inflator, lot_no: 'LD1', quantity: '1', price: '10' }],
  })
  await sender.pass('saleOdo', sale)
  const sn = await sender.add('logistics', { source_type: 7, source_sn: sale, plate_no: '沪A12345', package_count: 1 })
  const cold = { departure_temperature: '4.5', temperature_logger_no: 'TL1', cold_box_no: 'BW-01' }
  const { version } = await sender.info('logistics', sn)
  await sender.client.post('/v1/business/logistics/edit', { sn, version, ...cold })
  await sender.done('logistics', 'ship', sn, { departed_at: ago(120).toISOString() })
  return sn
}

/** A reviewed batch with one payment over what was owed before. */
async function batchOf(payer: Person, reviewer: Person, payee: string) {
  const payment = await paymentOver(payer, reviewer, payee, '1000')
  const { info } = await payer.client.post('/v1/business/paymentBatch/generate', { pay_account: '工行6222' })
  await payer.done('paymentBatch', 'submit', info.sn)
  await reviewer.done('paymentBatch', 'review', info.sn)
  return { batch: info.sn as string, payment }
}

const previewOf = async (who: Person, kind: string, sn: string, action: string, more: object): Promise<Reply> => {
  const { version } = await who.info(kind, sn)
  return who.client.post(`/v1/business/${kind}/rehearse`, { sn, version, action, ...more })
}

/** The imports of each kind of file. A table that is missing here fails the test. */
const importers: Readonly<Record<string, () => Promise<Importer>>> = {
  async recorderFile() {
    const { dealer, vendor, h, d, shop } = scene
    const sn = await shipmentOf(dealer, h, shop)
    const store = (await vendor.list('warehouse'))[0]!.warehouse_model_inner_sn as string
    const others = await shipmentOf(vendor, d, store)
    return {
      who: dealer,
      cells: { time: wall(ago(60)), temperature: '41', unit: '', probe: '', humidity: '55' },
      read: (file, more) => dealer.do('logistics', 'temperature', sn, { temperature_record: [file], ...more }),
      other: vendor,
      otherReads: file => vendor.do('logistics', 'temperature', others, { temperature_record: [file] }),
      tryOut: file => previewOf(dealer, 'logistics', sn, 'temperature', { temperature_record: [file] }),
    }
  },
  async bankReturn() {
    const { hospital, finance, dealer, d, v } = scene
    const { batch, payment } = await batchOf(hospital, finance, d)
    const colleague = await scene.colleague('dealer')
    const others = await batchOf(dealer, colleague, v)
    return {
      who: hospital,
      cells: {
        state: '交易处理中',
        amount: '1000.00',
        serial: `A1 ${payment}`,
        reason: '',
        fee: '',
        day: '',
        time: '',
      },
      read: (file, more) => hospital.do('paymentBatch', 'readReturn', batch, { return_file: [file], ...more }),
      other: dealer,
      otherReads: file => dealer.do('paymentBatch', 'readReturn', others.batch, { return_file: [file] }),
      tryOut: file => previewOf(hospital, 'paymentBatch', batch, 'readReturn', { return_file: [file] }),
    }
  },
}

describe.each(foreignTables.map(table => [table.title, table] as const))('%s', (_title, table) => {
  const wanted = wantedOf(table)
  const headings = ['序号', ...wanted.map((_each, at) => `栏位${'甲乙丙丁戊己庚辛壬癸'[at]}`)]
  const picks = Object.fromEntries(
    wanted
      .filter(({ name }) => name !== 'unit')
      .map(({ name }) => [name, [headings[wanted.findIndex(each => each.name === name) + 1]!]]),
  )
  const units = Object.fromEntries(
    wanted.flatMap(({ name, unit }) => (unit ? [[name, Object.keys(unit.choices).at(-1)!]] : [])),
  )
  const choice = { kind: table.kind, headings, picks, units }

  test('is mapped once, previewed before, remembered for the organisation alone, changed and forgotten', async () => {
    const { who, cells, read, other, otherReads, tryOut } = await importers[table.kind]!()
    const line = ['1', ...wanted.map(({ name }) => cells[name] ?? '')]
    const bytes = Buffer.from(['某某公司导出', '', headings.join(','), line.join(',')].join('\n'))
    const upload = (by: Person) => uploadFile(by, '导出.csv', bytes)
    const file = await upload(who)
    const labels = wanted.filter(({ required }) => required).map(({ label }) => label)
    const list = () => who.list('columnMapping', { file_kind: table.kind })

    // The user is asked, with the file's headings and the wanted columns; nothing is written.
    const asked = await read(file, {})
    expectMessage(asked, `文件【导出.csv】没有认出${labels.join('、')}所在的列，请指定`)
    expect(asked.code).toBe(2201)
    expect(asked.info.columns).toMatchObject({ kind: table.kind, file: '导出.csv', wanted, row: 2, preview: null })
    expect(asked.info.columns.headings[2]).toEqual(headings)
    expect(asked.info.columns.rows[3]).toEqual(expect.arrayContaining(line.filter(Boolean)))
    expect((await tryOut(file)).info).toMatchObject({ refusals: [], questions: [{ rule: 'columns' }] })

    // Columns that are missing or unknown in a mapping are refused in words, and so is a value that is no mapping.
    const { [wanted.find(({ required }) => required)!.name]: _, ...less } = picks
    expectMessage(await read(file, { columns: [{ ...choice, picks: less }] }), /^请选择.+所在的列$/)
    for (const columns of [
      'x',
      [1],
      [{ ...choice, headings: '甲' }],
      [{ ...choice, picks: { time: 1 } }],
      [{ kind: table.kind }],
    ])
      expect((await read(file, { columns })).code, JSON.stringify(columns)).not.toBe(9999)
    expect((await read(file, { columns: [{ ...choice, more: 1 }] })).msg).toContain('没有“more”这个字段')
    expect(await list()).toEqual([])

    // The result is previewed; only then the file is read, and the mapping stored.
    const shown = await read(file, { columns: [{ ...choice, preview: true }] })
    expect(shown.code).toBe(2201)
    expect(shown.info.columns.preview).toMatchObject({ refused: null, rows: [expect.any(Array)] })
    expect(await list()).toEqual([])
    const done = await read(file, { columns: [choice] })
    expect(done.code, done.msg).toBe(0)
    expect(done.info.notes).toMatchObject([{ msg: '已记住文件【导出.csv】的列对应，列名相同的文件以后直接读取' }])
    const [kept] = await list()
    expect(kept).toMatchObject({ headings: headings.join('\n') })
    for (const label of labels) expect(kept!.columns_text).toContain(label)

    // From now on the file is read without a question, with a note; another organisation is asked.
    const again = await read(await upload(who), {})
    expect(again.code, again.msg).toBe(0)
    expect(again.info.notes[0].msg).toMatch(/^文件【导出.csv】按.+于\d{4}-\d\d-\d\d记住的列对应读取$/)
    expect(again.info.notes[0].pages.length).toBeGreaterThan(0)
    expect((await otherReads(await upload(other))).code).toBe(2201)

    // The mapping is changed on its page, within the file's columns; and deleted.
    const body = { sn: kept!.column_mapping_sn, version: kept!.version }
    const edit = (columns: string) => who.client.post('/v1/business/columnMapping/edit', { ...body, columns })
    expectMessage(await edit('{'), '列对应的格式有误')
    expectMessage(await edit(JSON.stringify({ picks: less, units })), /^请选择.+所在的列$/)
    const changed = await edit(JSON.stringify({ picks, units }))
    expect(changed.code, changed.msg).toBe(0)
    expectMessage(
      await who.client.post('/v1/business/columnMapping/add', { columns: '{}' }),
      /不能直接新增|没有操作权限/,
    )
    const [now] = await list()
    const gone = await who.client.post('/v1/business/columnMapping/del', {
      sn: now!.column_mapping_sn,
      version: now!.version,
    })
    expect(gone.code, gone.msg).toBe(0)
    expect((await read(await upload(who), {})).code).toBe(2201)
  })

  test('without headings is mapped by the places of its columns, and remembered so', async () => {
    const { who, cells, read, other, otherReads } = await importers[table.kind]!()
    const bytes = Buffer.from(
      ['某某公司导出', ['1', ...wanted.map(({ name }) => cells[name] ?? ''), '甲'].join(',')].join('\n'),
    )
    const file = await uploadFile(who, '无列名.csv', bytes)
    const asked = await read(file, {})
    expect(asked.code, asked.msg).toBe(2201)
    expect(asked.info.columns).toMatchObject({
      row: NO_HEADINGS,
      places: placesOf([['1', ...wanted.map(() => ''), '甲']]),
    })
    const { places } = asked.info.columns
    const at = (name: string) => places[wanted.findIndex(each => each.name === name) + 1] as string
    const byPlace = Object.fromEntries(Object.keys(picks).map(name => [name, [at(name)]]))
    const done = await read(file, { columns: [{ ...choice, headings: places, picks: byPlace }] })
    expect(done.code, done.msg).toBe(0)
    expect(done.info.notes[0].msg).toBe('已记住文件【无列名.csv】的列对应，没有列名、列数相同的文件以后直接读取')
    const again = await read(await uploadFile(who, '又一份.csv', bytes), {})
    expect(again.code, again.msg).toBe(0)
    expect(again.info.notes[0].msg).toMatch(/^文件【又一份.csv】按.+记住的列对应读取$/)
    expect((await otherReads(await uploadFile(other, '无列名.csv', bytes))).code).toBe(2201)
  })
})

test('a file that is another one says so: a statement of an account, and a file of another kind', async () => {
  const { hospital, finance, dealer, d, h, shop } = scene
  const { batch } = await batchOf(hospital, finance, d)
  const read = async (text: string) =>
    hospital.do('paymentBatch', 'readReturn', batch, {
      return_file: [await uploadFile(hospital, '明细.csv', Buffer.from(text))],
    })
  const statement = await read('交易日,借方金额,贷方金额,余额,摘要\n20261126,1000.00,,9000.00,货款')
  expect(statement.code).toBe(2201)
  expectMessage(
    statement,
    /^文件【明细.csv】像是账户流水（对账单），不是银行回盘文件，没有交易状态列。请改用网银批量转账结果/,
  )
  expectMessage(
    await read('记录时间,温度\n2026-11-26 08:00,4.5'),
    /^文件【明细.csv】像是温度记录文件，不是银行回盘文件，没有交易状态、金额列/,
  )
  // A list of one column cannot be one at all.
  expectMessage(await read('备注\n甲\n乙'), /没有认出交易状态、金额所在的列，请使用网银批量转账结果中下载的/)
  const sn = await shipmentOf(dealer, h, shop)
  expectMessage(
    await dealer.do('logistics', 'temperature', sn, {
      temperature_record: [await uploadFile(dealer, '回盘.csv', Buffer.from('账号,金额,交易状态\n6222,10,成功'))],
    }),
    /^文件【回盘.csv】像是银行回盘文件，不是温度记录文件/,
  )
})

test('a file with a probe or a recorder in each row is read by it, in words', async () => {
  const { dealer, h, shop, d } = scene
  const sn = await shipmentOf(dealer, h, shop)
  const read = async (rows: readonly string[], more: object = {}) =>
    dealer.do('logistics', 'temperature', sn, {
      temperature_record: [await uploadFile(dealer, 'p.csv', Buffer.from(rows.join('\n')))],
      ...more,
    })
  const at = [119, 80, 40, 1].map(minutes => wall(ago(minutes)))
  const probes = [`${at[0]},前,4`, `${at[1]},前,5`, `${at[1]},后,21`, `${at[2]},前,4`, `${at[3]},前,4`]
  const choice = {
    kind: 'recorderFile',
    headings: ['记录点', '哪里', '数值'],
    picks: { time: ['记录点'], probe: ['哪里'], temperature: ['数值'] },
    units: { temperature: 'celsius' },
  }
  const done = await read(['记录点,哪里,数值', ...probes], { columns: [choice] })
  expect(done.code, done.msg).toBe(0)
  const doc = await dealer.info('logistics', sn)
  expect(doc.abnormal_note).toMatch(/^在途温度超出2～15℃：.+后为21℃，共1次/)
  // The probe at the back has no readings before and after that.
  expect(doc.temperature_range).toMatch(/^4～21℃，超标，缺记录1段（最长4\d分钟）$/)
  const kept = await scene.one(
    `select array_agg(distinct r.probe order by r.probe) as probes
       from temperature_reading r join document d on d.org_id = r.org_id and d.id = r.document_id
      where d.org_id = $1 and d.sn = $2`,
    d,
    sn,
  )
  expect(kept).toEqual({ probes: ['前', '后'] })
  const several = ['设备编号,时间,温度', `TL-1,${at[1]},5`, `TL-2,${at[1]},40`]
  const own = await read(several)
  expect(own.info.notes[0].msg).toBe('文件【p.csv】有2个记录仪，只读取了记录仪TL1的1条')
  expect((await dealer.info('logistics', sn)).temperature_range).toMatch(/^5～5℃/)
  expectMessage(
    await read([several[0]!, several[2]!, `TL-3,${at[1]},40`]),
    '文件【p.csv】来自记录仪TL-2、TL-3，与物流单的记录仪TL1不一致',
  )
})

test('the unit that was named is the one in which it is read, and rows that cannot be read are counted', async () => {
  const { dealer, h, shop } = scene
  const sn = await shipmentOf(dealer, h, shop)
  const rows = ['记录点,数值A,数值B', `${wall(ago(60))},41,50`, '昨天,热,热', `${wall(ago(30))},39.2,50`]
  const file = await uploadFile(dealer, 'f.csv', Buffer.from(rows.join('\n')))
  const columns = [
    {
      kind: 'recorderFile',
      headings: ['记录点', '数值A', '数值B'],
      picks: { time: ['记录点'], temperature: ['数值A', '数值B'] },
      units: { temperature: 'fahrenheit' },
    },
  ]
  const read = (more: object) => dealer.do('logistics', 'temperature', sn, { temperature_record: [file], ...more })
  const { info } = await read({ columns: [{ ...columns[0], preview: true }] })
  expect(info.columns.preview).toMatchObject({ said: '读到4条，1行未能读取' })
  expect(info.columns.preview.rows.map(([, celsius]: string[]) => celsius)).toEqual(['5℃', '10℃', '4℃', '10℃'])
  expect((await read({ columns })).code).toBe(0)
  const doc = await dealer.info('logistics', sn)
  expect(doc.temperature_range).toContain('4～10℃')
  expect(doc.temperature_range).toContain('1行未能读取')
  expect(JSON.stringify(doc.history)).toContain('已记住文件【f.csv】的列对应')
  // A mapping under which nothing can be read is refused and not remembered.
  const other = await uploadFile(dealer, 'g.csv', Buffer.from('无用甲,无用乙\n热,冷\n热,冷'))
  const useless = {
    kind: 'recorderFile',
    headings: ['无用甲', '无用乙'],
    picks: { time: ['无用甲'], temperature: ['无用乙'] },
    units: { temperature: 'celsius' },
  }
  const refused = await dealer.do('logistics', 'temperature', sn, { temperature_record: [other], columns: [useless] })
  expectMessage(refused, '文件【g.csv】：文件中没有可读取的温度数据')
  expect(await dealer.list('columnMapping', { q: '无用甲' })).toEqual([])
})
