import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

export const restoreTypes = {
  RESTOREPRODUCT: '产品',
  RESTOREVENDER: '厂商',
  RESTORESPECIFICATION: '规格',
  RESTOREDEALER: '经销商',
  RESTOREHOSPITAL: '医院',
} as const

/** 数据恢复: deleted or stopped master data, and how it is restored. */
export const dataRestore = defineEntity({
  kind: 'dataRestore',
  title: '数据恢复',
  table: 'recycle_bin',
  key: 'data_restore_sn',
  scope: 'shared',
  writers: 'P',
  display: 'name',
  sort: '-data_restore_sn',
  fields: {
    restore_type: f.pick('恢复类型', restoreTypes, { readOnly: true }),
    name: f.text('名称', { readOnly: true }),
    code: f.text('编码', { readOnly: true }),
    holder_sn: f.ref('所属机构', 'organisation', { readOnly: true }),
    operation: f.pick('操作类型', { delete: '删除', disable: '停用', merge: '合并' }, { readOnly: true }),
    deleted_by: f.text('删除人', { readOnly: true }),
    deleted_at: f.instant('删除时间', { readOnly: true }),
    delete_reason: f.text('删除原因', { readOnly: true }),
    related_count: f.count('关联数据数', { readOnly: true }),
    reason: f.text('恢复原因', { readOnly: true }),
    restored_by: f.text('恢复人', { readOnly: true }),
    restored_at: f.instant('恢复时间', { readOnly: true }),
    state: f.pick('恢复状态', { waiting: '未恢复', restored: '已恢复' }, { readOnly: true }),
  },
  extras: {
    conflict: f.text('冲突提示', { hint: '不能恢复的原因' }),
    related: f.longText('关联数据', { hint: '随之恢复的数据' }),
  },
  search: ['name', 'code'],
  actions: { restore: { label: '恢复', asksReason: true } },
  screens: [
    {
      route: '/ptm/restoreData',
      title: '数据恢复',
      orgs: 'P',
      menu: '系统设置',
      purpose: '恢复误删、误停用或误合并的产品、厂商、规格、经销商与医院；不含单据与账簿',
      columns: [
        'restore_type',
        'name',
        'code',
        'holder_sn',
        'operation',
        'deleted_by',
        'deleted_at',
        'delete_reason',
        'related_count',
        'conflict',
        'restored_by',
        'restored_at',
        'state',
      ],
      filters: ['restore_type', 'name', 'code', 'holder_name', 'deleted_by', 'deleted_at', 'state'],
      actions: ['restore'],
    },
  ],
})
