import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunningHis } from '../../../../deploy/his/server.ts'
import { expectMessage, openScene, type Scene } from '#tests/support/fixture.ts'
import { startConnected } from '#tests/support/his.ts'
import { pinyinFields } from '#tests/support/pinyin-fields.ts'

/** 接口字段映射: a HIS whose fields are named by initials of pinyin is read correctly once they are mapped on the page. */
let scene: Scene
let stand: RunningHis
beforeAll(async () => {
  scene = await openScene()
  stand = await startConnected(scene.server, 'H01', 'pinyin')
})
afterAll(async () => {
  await stand?.close()
  await scene?.close()
})

const post = (call: string, body: object = {}, kind = 'hisField') =>
  scene.hospital.client.post(`/v1/business/${kind}/${call}`, body as never)
const rowOf = async (resource: string, field: string) => {
  const rows = await scene.hospital.list('hisField', { resource, field })
  return rows.find(row => row.resource === resource && row.field === field)!
}
const map = async (resource: string, field: string, path: string, codes: string | null = null) => {
  const row = await rowOf(resource, field)
  return post('edit', { sn: row.his_field_sn, version: row.version, path, codes })
}

test('every field is listed with its preset, mapped within its rules, and read from there', async () => {
  expect((await post('fill')).info.said).toMatch(/^已列出\d{2,3}个字段$/)
  expect((await post('fill')).info.said).toBe('全部字段已列出')
  expect(await rowOf('staff', 'staff_no')).toMatchObject({
    resource_label: '人员',
    field_label: 'HIS工号',
    path: 'staff_no',
    preset: 'staff_no',
    rule: '文本，必有',
  })
  expectMessage(await post('sync', {}, 'hisStaff'), /^HIS返回|^HIS的答复中没有数据/)

  expectMessage(await map('staff', 'staff_no', 'ks[].dm'), 'JSON路径应形如 data.patient.name 或 rows[0].code')
  expectMessage(await map('staff', 'address', '../admin'), '地址应为相对路径，如 api/patients，不含域名和参数')
  expectMessage(await map('staff', 'address', 'http://elsewhere/'), /^地址应为相对路径/)
  expectMessage(await map('staff', 'staff_no', 'gh', 'a=1'), '只有选项和是否可以对照代码')
  expectMessage(await map('staff', 'sex', 'xb', 'man=1'), /^代码对照应形如 male=1,female=2/)
  expectMessage(await map('staff', 'sex', 'xb', 'male=1,female=1'), '代码对照有重复的代码')

  const mapped = pinyinFields.filter(({ resource }) => resource === 'envelope' || resource === 'staff')
  for (const { resource, field, path, codes } of mapped.filter(each => each.field !== 'updated_at'))
    expect((await map(resource, field, path, codes)).code).toBe(0)
  expectMessage(await post('sync', {}, 'hisStaff'), 'HIS的人员缺少更新时间，或其内容不能识别')
  await map('staff', 'updated_at', 'gxsj')
  expect((await post('sync', {}, 'hisStaff')).info.said).toContain('新增37名')
  const [person] = await scene.hospital.list('hisStaff', { staff_no: 'HSH0117' })
  expect(person).toMatchObject({ staff_name: '薛牧野', staff_kind: 'doctor', sex: 'male' })

  const row = await rowOf('staff', 'staff_no')
  expect((await post('reset', { sn: row.his_field_sn, version: row.version })).code).toBe(0)
  expect((await rowOf('staff', 'staff_no')).path).toBe('staff_no')
  expect((await post('add', { resource: 'staff', field: 'x', path: 'x' })).code).not.toBe(0)
  expect(await scene.dealer.list('hisField')).toEqual([])
})
