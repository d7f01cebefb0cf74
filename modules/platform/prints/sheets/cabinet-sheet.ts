import { definePrint } from '#kernel/print/print-definition.ts'
import { column } from '#modules/platform/prints/sheets/print-columns.ts'

/**
 * 耗材柜清单: the goods behind each door, hung at the cabinet and filled in when it is counted; each door has a label. No
 * prices.
 */
export const cabinetInfo = definePrint({
  route: '/newprint/cabinetInfo',
  title: '智能耗材柜清单',
  kinds: { cabinet: '智能耗材柜清单', cupboard: '智能耗材柜清单' },
  papers: [{ paper: 'A4', lines: 30 }],
  header: [
    ['柜体名称', 'cabinet_name'],
    ['设备编号', 'cabinet_code'],
    ['科室', 'department_name'],
    ['对应仓库', 'warehouse_name'],
    ['柜门数', 'door_count'],
    ['打印时间', 'printed_moment'],
    ['责任人', 'manager_name'],
  ],
  columns: [
    { name: 'door_no', label: '柜门号', share: 6 },
    { name: 'slot', label: '层/货位', share: 12 },
    column.product_name,
    column.specification_name,
    column.manufacturer_name,
    { ...column.lot_no, label: '批号', share: 13 },
    { ...column.expiry_date, label: '最近有效期至', share: 12 },
    column.unit_name,
    { name: 'lower_limit', label: '下限', share: 5, as: 'number' },
    { name: 'upper_limit', label: '上限', share: 5, as: 'number' },
    { name: 'quantity', label: '当前库存', share: 6, as: 'quantity' },
    { name: 'counted', label: '实盘数量', share: 6, as: 'blank' },
    { name: 'difference', label: '差异', share: 6, as: 'blank' },
  ],
  groupBy: 'group',
  totals: [
    ['品种数', 'kind_count'],
    ['件数合计', 'piece_total'],
    ['近效期件数(◆近效期 ■已过期)', 'near_total'],
    ['低于下限品种数', 'short_total'],
  ],
  signatures: ['责任护士', '盘点人', '复核人', '日期'],
  carrier: 'qrcode',
  labels: {
    title: '柜门标签',
    of: 'doors',
    size: { width: 100, height: 70 },
    name: 'label',
    code: 'code',
    facts: [
      ['柜体', 'cabinet_name'],
      ['科室', 'department_name'],
      ['品种', 'products'],
    ],
  },
})
