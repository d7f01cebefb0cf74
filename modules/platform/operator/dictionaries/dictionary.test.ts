import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recountWords } from '#modules/platform/operator/dictionaries/dictionary-usage.server.ts'
import { type Client, type TestServer, openTestServer } from '#tests/support/test-server.ts'

/** 字典: value lists of the platform, and the values organisations keep beside them. */
let server: TestServer
let platform: Client
let hospital: Client
let dealer: Client
beforeAll(async () => {
  server = await openTestServer()
  ;[platform, hospital, dealer] = await Promise.all([server.as('platform'), server.as('hospital'), server.as('dealer')])
})
afterAll(() => server.close())

const path = (kind: string, call: string) => `/v1/business/${kind}/${call}`
const rows = async (who: Client, kind: string, query: Record<string, string> = {}) =>
  (await who.get(path(kind, 'list'), query)).list
const add = (who: Client, kind: string, body: Record<string, unknown>) => who.post(path(kind, 'add'), body)
const act = async (who: Client, kind: string, call: string, sn: string, body: Record<string, unknown> = {}) => {
  const { info } = await who.get(path(kind, 'info'), { sn })
  return who.post(path(kind, call), { sn, version: info?.version ?? 1, ...body })
}

describe('dictionaries', () => {
  it('offer their items to every organisation, by code; a system dictionary keeps its codes', async () => {
    const { info } = await add(platform, 'dictionary', { code: 'colour', name: '颜色' })
    const item = await add(platform, 'dictionaryItem', { dictionary_sn: info.sn, code: '1', name: '红' })
    expect(item).toMatchObject({ code: 0 })
    expect(await add(platform, 'dictionaryItem', { dictionary_sn: info.sn, code: '1', name: '绿' })).toMatchObject({
      code: 2105,
      msg: '字典项编码已存在',
    })
    expect((await rows(hospital, 'dictionaryItem', { dictionary_code: 'colour' })).map(row => row.name)).toEqual(['红'])
    expect((await add(hospital, 'dictionaryItem', { dictionary_sn: info.sn, code: '2', name: '蓝' })).code).toBe(403)
    await server.database.owner`update dictionary set is_system = true where id = ${info.sn}`
    expect(await act(platform, 'dictionary', 'edit', info.sn, { code: 'color' })).toMatchObject({
      msg: '系统字典不能修改编码',
    })
    expect(await act(platform, 'dictionary', 'edit', info.sn, { name: '颜色表' })).toMatchObject({ code: 0 })
    expect(await act(platform, 'dictionaryItem', 'edit', item.info.sn, { name: '大红' })).toMatchObject({ code: 0 })
    expect(await act(platform, 'dictionaryItem', 'edit', item.info.sn, { sort_no: 9 })).toMatchObject({
      msg: '系统字典项只能修改名称和简称',
    })
  })

  it('of the system match the code: rates, relations, sources, documents, warnings, payments, restoring', async () => {
    const words = async (dictionary_code: string) =>
      (await rows(hospital, 'dictionaryItem', { dictionary_code, pageSize: '50' })).map(row => row.code)
    expect(await words('tax_rate')).toEqual(['0', '1', '3', '6', '9', '13'])
    expect(await words('relation_code')).toEqual(['DD', 'DV', 'DH', 'HH', 'HD', 'HV'])
    expect(await words('source_type')).toEqual(Array.from({ length: 14 }, (_, at) => String(at)))
    expect(await words('bill_type')).toHaveLength(12)
    expect(await words('warning_category')).toEqual([
      'CERTIFICATIONEARLY',
      'PRODUCTREGISTRATION',
      'PRODUCTEXPIRY',
      'PRODUCTINVENTORY',
    ])
    expect(await words('payment_status')).toEqual(['1', '2', '3'])
    expect(await words('restore_type')).toHaveLength(5)
  })

  it('have items under items of the same list; a used item or one with children cannot be deleted', async () => {
    const { info: list } = await add(platform, 'dictionary', { code: 'unused', name: '另一表' })
    const { info: other } = await add(platform, 'dictionaryItem', { dictionary_sn: list.sn, code: '1', name: '别处' })
    const [titles] = await rows(platform, 'dictionary', { code: 'job_title' })
    const item = (more: object) => add(platform, 'dictionaryItem', { dictionary_sn: titles.dictionary_sn, ...more })
    const { info: doctors } = await item({ code: 'D', name: '医师系列' })
    const { info: resident } = await item({ code: 'D1', name: '住院医师', parent_sn: doctors.sn })
    expect((await item({ code: 'D2', name: '实习', parent_sn: other.sn })).msg).toBe('上级项须属于同一字典')
    expect(await act(platform, 'dictionaryItem', 'edit', doctors.sn, { parent_sn: resident.sn })).toMatchObject({
      msg: '上级项不能是自己或自己的下级',
    })
    expect(await act(platform, 'dictionaryItem', 'del', doctors.sn)).toMatchObject({
      msg: '【医师系列】下还有字典项，请先删除或移走',
    })
    const [found] = await rows(platform, 'dictionaryItem', { name: '住院医师' })
    expect(found).toMatchObject({ parent_name: '医师系列', pinyin: expect.stringMatching(/^zyys$/i), uses: 0 })
    const [somebody] = await rows(hospital, 'employee', { pageSize: '1' })
    await act(hospital, 'employee', 'edit', somebody.employee_inner_sn, { title: '住院医师' })
    expect(await act(platform, 'dictionaryItem', 'del', resident.sn)).toMatchObject({
      msg: '【住院医师】已被引用1次，不能删除，请停用',
    })
    expect((await platform.post(path('dictionary', 'refresh'))).info.said).toMatch(/^已刷新，[1-9]\d*个字典项/)
    expect((await rows(platform, 'dictionaryItem', { name: '住院医师' }))[0].uses).toBe(1)
    await act(hospital, 'employee', 'edit', somebody.employee_inner_sn, { title: null })
    await recountWords(server.database.owner)
    expect((await rows(platform, 'dictionaryItem', { name: '住院医师' }))[0].uses).toBe(0)
    expect((await rows(platform, 'dictionaryItem', { name: '主任医师' }))[0].uses).toBeGreaterThan(0)
    expect(await act(platform, 'dictionaryItem', 'del', resident.sn)).toMatchObject({ code: 0 })
  })

  it('accept private items of an organisation where the platform allows it, invisible to others', async () => {
    const own = (who: Client, name: string, dictionary_code = 'job_title') =>
      who.post('/v1/business/ownWord/add', { dictionary_code, name })
    const seen = async (who: Client, name: string) =>
      (await rows(who, 'dictionaryItem', { dictionary_code: 'job_title', status: 'enabled', name })).map(
        row => row.is_own,
      )
    expect((await own(hospital, '麻醉技师')).code).toBe(0)
    expect(await seen(hospital, '麻醉技师')).toEqual([true])
    expect(await seen(dealer, '麻醉技师')).toEqual([])
    expect(await seen(platform, '麻醉技师')).toEqual([])
    expect((await own(dealer, '麻醉技师')).code).toBe(0)
    expect((await own(hospital, '护师')).msg).toBe('【护师】已在职称中')
    expect((await own(hospital, '')).msg).toBe('请填写1至60个字的项名称')
    expect((await own(hospital, 'a<b')).msg).toBe('不能输入特殊字符')
    expect((await own(hospital, '红', 'colour')).msg).toBe('该字典不允许机构扩展，请联系平台')
    expect((await own(platform, '红')).code).not.toBe(0)
    const [word] = await rows(hospital, 'dictionaryItem', { name: '麻醉技师' })
    const leave = (who: Client) => who.post('/v1/business/ownWord/del', { sn: word.dictionary_item_sn })
    expect((await leave(dealer)).code).toBe(2106)
    expect((await leave(hospital)).code).toBe(0)
    expect(await seen(hospital, '麻醉技师')).toEqual([])
    expect((await own(hospital, '麻醉技师')).code).toBe(0)
    expect(await seen(hospital, '麻醉技师')).toEqual([true])
  })
})
