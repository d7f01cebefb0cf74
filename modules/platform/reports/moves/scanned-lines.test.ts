import { afterAll, beforeAll, expect } from 'vitest'
import { processWall } from '#modules/platform/walls/process/process.wall.ts'
import { biBoard } from '#modules/platform/walls/board/bi.board.ts'
import { purgeExpired } from '#server/jobs/purge-expired.ts'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { sendSheet, workbook } from '#tests/support/sheets.ts'
import { story } from '#tests/support/steps.ts'
import { day, type Person } from '#tests/support/story.ts'

/** 扫码率: lines of coded goods that came by scans; attempts to fake a scan do not count. */
let scene: Scene
const codes = Array.from({ length: 14 }, (_, at) => `SCAN-${at}`)
beforeAll(async () => {
  scene = await openScene()
  const { hospital, ward, balloon, d } = scene
  await scene.shelve(hospital, ward, [lotOf(balloon, 'SC1', { unit_codes: codes, owner_org_sn: d })])
})
afterAll(() => scene?.close())

const scan = async (code: string, who: Person = scene.hospital, trial = false) => {
  const reply = await who.client.post('/v1/code/parse', { code, ...(trial ? { trial: 'true' } : {}) })
  expect(reply.code, reply.msg).toBe(0)
}
const body = (unit_codes: readonly string[]) => ({
  warehouse_model_inner_sn: scene.ward,
  department_inner_sn: scene.department,
  use_type: 'consume',
  lines: [{ specification_sn: scene.balloon, lot_no: 'SC1', owner_org_sn: scene.d, unit_codes }],
})
const draft = (...unit_codes: string[]) => scene.hospital.add('departmentUse', body(unit_codes))
const period = { begin_date: day(), end_date: day() }
const wayOf = async (sn: string) => {
  const { list } = await scene.hospital.client.get('/v1/report/scannedLines', { ...period, pageSize: '100' })
  return list.find((row: { document_sn: string }) => row.document_sn === sn)?.entry_way
}
async function used(...unit_codes: string[]): Promise<string> {
  const sn = await draft(...unit_codes)
  await scene.hospital.pass('departmentUse', sn)
  return wayOf(sn)
}

story('lines that came by a scan', step => {
  step('are those of which every code was scanned by whoever saved them', async () => {
    expect(await used('SCAN-0')).toBe('hand')
    await scan('SCAN-1')
    expect(await used('SCAN-1')).toBe('scan')
    await scan('SCAN-2')
    const half = await draft('SCAN-2', 'SCAN-3')
    await scan('SCAN-3')
    await scene.hospital.done('departmentUse', 'edit', half, body(['SCAN-2', 'SCAN-3']))
    await scene.hospital.pass('departmentUse', half)
    expect(await wayOf(half)).toBe('scan')
    await scan('SCAN-4')
    expect(await used('SCAN-4', 'SCAN-5')).toBe('hand')
  })

  step('a scan is of one document, of one person, and of one day', async () => {
    await scan('SCAN-6')
    const first = await draft('SCAN-6')
    await scene.hospital.done('departmentUse', 'del', first)
    expect(await used('SCAN-6')).toBe('hand')
    await scan('SCAN-7', await scene.colleague('hospital'))
    expect(await used('SCAN-7')).toBe('hand')
    await scan('SCAN-8')
    const { owner } = scene.server.database
    await owner`update code_scan set scanned_at = now() - interval '25 hours' where code = 'SCAN-8'`
    expect(await used('SCAN-8')).toBe('hand')
    await purgeExpired(owner)
    expect(await owner`select 1 from code_scan where code = 'SCAN-8'`).toHaveLength(0)
    await scan('SCAN-9', scene.hospital, true)
    expect(await used('SCAN-9')).toBe('hand')
  })

  step('nobody says so himself, and a file is no scanner', async () => {
    const { hospital } = scene
    const claims = await hospital.client.post('/v1/business/departmentUse/add', {
      ...body(['SCAN-10']),
      lines: JSON.stringify([{ ...body(['SCAN-10']).lines[0], entry_way: 'scan' }]),
    })
    if (claims.code === 0) {
      await hospital.pass('departmentUse', claims.info.sn)
      expect(await wayOf(claims.info.sn)).toBe('hand')
    } else expect(claims.msg).not.toBe('服务错误')
    await scan('SCAN-11')
    const [goods] = await hospital.list('specification', { specification_sn: scene.balloon })
    const { lines: _lines, ...header } = body([])
    const sheet = workbook([
      ['产品编码', '批号', '院内码', '使用数量', '数量'],
      [goods.code, 'SC1', 'SCAN-11', 1, 1],
    ])
    const imported = await sendSheet(hospital.client, '/v1/business/departmentUse/import', sheet, header)
    const { owner } = scene.server.database
    const claimed = await owner`select 1 from code_scan where code = 'SCAN-11' and document_id is not null`
    expect([claimed.length, typeof imported.code]).toEqual([0, 'number'])
  })

  step('are counted on the wall as on the list, and by the platform over all organisations', async () => {
    const { summary, list } = await scene.hospital.client.get('/v1/report/scannedLines', { ...period })
    const scanned = list.filter((row: { entry_way: string }) => row.entry_way === 'scan').length
    expect(scanned).toBe(2)
    expect([`${summary.scanned}`, `${summary.coded}`]).toEqual([`${scanned}`, `${list.length}`])
    const { info } = await scene.hospital.client.get(`/v1/business/wall/${processWall.kind}`, period)
    expect(info.cards.scanned.lines.rows).toMatchObject([{ scanned: `${scanned}`, coded: `${list.length}` }])
    const platform = await scene.person('platform')
    const board = await platform.client.get(`/v1/business/board/${biBoard.kind}`, { ...period, card: 'figures' })
    expect(board.info.answers.scanned.rows).toMatchObject([
      { scanned_lines: `${scanned}`, coded_lines: `${list.length}` },
    ])
    // Nobody else reads over organisations.
    const found = await scene.one('select count(*)::int as n from network_coded_line')
    expect(found.n).toBe(0)
    const only = await scene.hospital.client.get('/v1/report/scannedLines', { ...period, entry_way: 'scan' })
    expect(only.total).toBe(scanned)
  })
})
