import { definePrint } from '#kernel/print.ts'
import { column } from '#modules/prints/print-columns.ts'

/** 采购计划单: what is to be bought and why, for whoever approves it. */
export const purchasePlan = definePrint({
  route: '/newprint/planOrder',
  title: '采购计划单',
  kinds: { purchasePlan: null },
  papers: [{ paper: 'A4L', lines: 18 }],
  header: [
    ['计划单号', 'sn'],
    ['计划日期', 'business_date'],
    ['计划类型', 'plan_type'],
    ['需求仓库', 'warehouse_name'],
    ['计划期间', 'period'],
    ['需求日期', 'expected_date'],
    ['经办人', 'handler_name'],
    ['备注', 'remark'],
  ],
  columns: [
    { name: 'specification_code', label: '产品编码', share: 8 },
    column.product_name,
    column.specification_name,
    { ...column.manufacturer_name, share: 10 },
    { name: 'supplier_name', label: '供应商', share: 10 },
    column.unit_name,
    { name: 'available_quantity', label: '当前库存', share: 6, as: 'quantity' },
    { name: 'coming_quantity', label: '在途数量', share: 6, as: 'quantity' },
    { name: 'used_30_days', label: '近30天用量', share: 6, as: 'quantity' },
    { name: 'min_quantity', label: '下限', share: 5, as: 'quantity' },
    { name: 'max_quantity', label: '上限', share: 5, as: 'quantity' },
    { name: 'proposed_quantity', label: '建议数量', share: 6, as: 'quantity' },
    { ...column.quantity, label: '计划数量' },
    { ...column.price, label: '参考单价' },
    column.amount,
    column.remark,
  ],
  signatures: ['制单人', '申请部门负责人', '库管员', '采购负责人', '分管领导'],
  carrier: 'code128',
})
