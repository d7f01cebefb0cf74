import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'

/** 检验仪器: on which reagents are loaded, and under which name the laboratory's system knows it. */
export const analyser = defineEntity({
  kind: 'analyser',
  title: '检验仪器',
  table: 'analyser',
  key: 'analyser_sn',
  scope: 'organisation',
  writers: 'H',
  display: 'name',
  unique: [['code']],
  search: ['code', 'name', 'model'],
  fields: {
    code: f.text('仪器编号', { required: true, max: 40 }),
    name: f.text('仪器名称', { required: true, max: 60 }),
    model: f.text('型号', { max: 60 }),
    manufacturer: f.text('生产厂家', { max: 60 }),
    department_inner_sn: f.ref('所在科室', 'department'),
    lis_code: f.text('LIS仪器码', { max: 40, hint: 'LIS里的仪器代码，读取测试数时使用' }),
    remark: f.text('备注', { max: 200 }),
    status: statusField,
  },
  extras: { loaded_bottles: f.count('在机瓶数') },
  screens: [
    {
      route: '/hospital/reagentTraceabilityManage',
      title: '试剂追溯',
      orgs: 'H',
      menu: '使用追溯',
      tab: '检验仪器',
      purpose: '上机用的检验仪器及其LIS代码',
      columns: [
        'code',
        'name',
        'model',
        'manufacturer',
        'department_inner_sn',
        'lis_code',
        'loaded_bottles',
        'status',
        'remark',
      ],
      filters: ['q', 'department_inner_sn', 'status'],
    },
  ],
})
