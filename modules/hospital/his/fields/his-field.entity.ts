import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

/**
 * 接口字段映射: the path of each field of the interface in the plain JSON of a hospital's HIS. One row for every field, with
 * the preset until somebody changes it; a HIS with FHIR needs none.
 */
export const hisField = defineEntity({
  kind: 'hisField',
  title: '接口字段映射',
  table: 'his_field',
  key: 'his_field_sn',
  scope: 'organisation',
  writers: 'H',
  display: 'field',
  sort: 'his_field_sn',
  fields: {
    resource: f.text('数据', { readOnly: true, width: 130 }),
    field: f.text('字段', { readOnly: true, width: 150 }),
    path: f.text('JSON路径', { required: true, max: 120, width: 180, hint: '如 data.patient.name、ks[0].dm' }),
    codes: f.text('代码对照', { max: 300, width: 180, hint: '选项和是否的代码，如 male=1,female=2' }),
    changed_by: f.text('修改人', { readOnly: true }),
    changed_at: f.instant('修改时间', { readOnly: true }),
  },
  extras: {
    resource_label: f.text('数据名称', { width: 130 }),
    field_label: f.text('字段名称', { width: 150 }),
    rule: f.text('要求', { width: 220 }),
    preset: f.text('默认路径', { width: 150 }),
  },
  search: ['resource', 'field', 'path'],
  actions: { reset: { label: '恢复默认' } },
  calls: { fill: { label: '列出全部字段', asks: {}, tone: 'primary' } },
  screens: [
    {
      route: '/hospital/hisFieldMapping',
      title: '接口字段映射',
      orgs: 'H',
      menu: 'HIS对接',
      purpose: 'HIS以JSON提供接口时，各字段在其报文中的位置和代码；未修改的按默认路径读取',
      columns: [
        'resource_label',
        'field_label',
        'field',
        'path',
        'preset',
        'codes',
        'rule',
        'changed_by',
        'changed_at',
      ],
      keyColumns: ['resource_label', 'field_label', 'path', 'codes'],
      filters: ['q', 'resource', 'field', 'path'],
      actions: ['edit', 'fill', 'reset'],
    },
  ],
})
