import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { narrowing } from '#modules/platform/reports/item-columns.ts'
import { bookMonth } from '#modules/platform/reports/stock/warehouse-consumption.report.ts'

/**
 * 卫生材料收发存月报: the accounting month of a hospital's own consumables by accounting class, valued at receipt price
 * with tax, which a public hospital does not reclaim. 期末 = 期初 + 入库合计 − 出库合计. Settled goods come in and are spent
 * in the same month. In yuan.
 */
export const hygienicMaterials = defineReport({
  kind: 'hygienicMaterials',
  title: '卫生材料收发存月报',
  sqlFile: 'platform/reports/stock/hygienic-materials.sql',
  parameters: {
    period: bookMonth,
    warehouse_model_inner_sn: narrowing.warehouse_model_inner_sn,
    class_name: f.text('财务分类'),
    with_wards: f.flag('含科室二级库'),
  },
  columns: {
    period: f.text('会计月份', { width: 90 }),
    account_code: f.text('财务科目编码'),
    class_name: f.text('财务分类', { width: 160 }),
    opening_value: f.cost('期初金额'),
    purchase_in: f.cost('自有入库', { hint: '买断货物采购入库的成本；退货另列，寄售结算见结算入库' }),
    settled_in: f.cost('结算入库'),
    overflow_in: f.cost('报溢'),
    other_in: f.cost('其他入库'),
    total_in: f.cost('入库合计'),
    issued_out: f.cost('科室领用'),
    sent_back: f.cost('采购退货'),
    lost: f.cost('报损报废'),
    other_out: f.cost('其他出库'),
    total_out: f.cost('出库合计'),
    closing_value: f.cost('期末金额'),
  },
  totals: [
    'opening_value',
    'purchase_in',
    'settled_in',
    'overflow_in',
    'other_in',
    'total_in',
    'issued_out',
    'sent_back',
    'lost',
    'other_out',
    'total_out',
    'closing_value',
  ],
  signatures: ['制表人', '仓库负责人', '财务复核'],
  screens: [
    {
      route: '/hospital/hygienicMaterials',
      title: '卫生材料收发存月报',
      orgs: 'H',
      menu: '报表中心',
      purpose: '自有耗材按财务分类的会计月报：期初、入库、出库与期末金额，供库存物品与卫生材料费记账',
      columns: [
        'account_code',
        'class_name',
        'opening_value',
        'purchase_in',
        'settled_in',
        'overflow_in',
        'other_in',
        'total_in',
        'issued_out',
        'sent_back',
        'lost',
        'other_out',
        'total_out',
        'closing_value',
      ],
      keyColumns: ['class_name', 'opening_value', 'total_in', 'issued_out', 'total_out', 'closing_value'],
      filters: [],
    },
  ],
})
