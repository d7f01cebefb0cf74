import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

const columns = ['headings', 'columns_text', 'changed_by', 'changed_at'] as const
const shared = {
  purpose: '读取文件时指定并记住的列对应；更改后按新的读取，删除后下次重新指定',
  columns,
  filters: ['q'],
  actions: ['edit', 'del'],
} as const

/**
 * 列对应: the columns that a user chose for files with these headings. A row is created by reading such a file; each table
 * that a module names has its list on the pages where its files are read.
 */
export const columnMapping = defineEntity({
  kind: 'columnMapping',
  title: '列对应',
  table: 'column_mapping',
  key: 'column_mapping_sn',
  scope: 'organisation',
  display: 'headings',
  sort: '-changed_at',
  fields: {
    file_kind: f.text('文件种类', { readOnly: true }),
    headings: f.longText('文件的列名', { readOnly: true, width: 320 }),
    columns: f.longText('列对应', { required: true }),
    changed_by: f.text('指定人', { readOnly: true }),
    changed_at: f.instant('指定时间', { readOnly: true }),
  },
  extras: { columns_text: f.text('读取的列', { width: 360 }) },
  search: ['headings'],
  deletedFromList: true,
  screens: [
    {
      ...shared,
      route: '/commonView/paymentAttachment/paymentOrder',
      title: '付款单',
      tab: '回盘列对应',
      orgs: 'HDV',
      menu: '财务管理',
      where: { file_kind: 'bankReturn' },
    },
    {
      ...shared,
      route: '/commonView/logisticsManage',
      title: '物流管理',
      tab: '温度记录列对应',
      orgs: 'PDV',
      menu: '仓储租赁',
      where: { file_kind: 'recorderFile' },
    },
    {
      ...shared,
      route: '/hospital/incomingShipments',
      title: '收货物流',
      tab: '温度记录列对应',
      orgs: 'H',
      menu: '采购管理',
      where: { file_kind: 'recorderFile' },
    },
  ],
})
