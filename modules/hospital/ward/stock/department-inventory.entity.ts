import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

const goods = [
  'department_inner_sn',
  'warehouse_model_inner_sn',
  'product_code',
  'product_name',
  'specification_sn',
  'unit_name',
  'manufacturer_name',
  'supplier_name',
  'ownership',
] as const
const limits = ['max_quantity', 'min_quantity'] as const
const money = ['price', 'amount', 'received_on'] as const
const filters = [
  'department_inner_sn',
  'warehouse_model_inner_sn',
  'q',
  'custom_type',
  'code',
  'is_high_value',
  'ownership',
  'expiry_state',
  'stock_state',
] as const
const page = { route: '/hospital/hDepartmentInventory', title: '科室库存', orgs: 'H', menu: '科室管理' } as const

/** 科室库存: the stock of each department's store and cabinets now, by product, by lot, or piece by piece. */
export const departmentInventory = defineEntity({
  kind: 'departmentInventory',
  title: '科室库存',
  table: 'department_stock',
  key: 'department_inventory_sn',
  scope: 'organisation',
  readOnly: true,
  display: 'lot_no',
  sort: 'warehouse_model_inner_sn,specification_sn,expiry_date',
  sums: ['quantity', 'amount'],
  // Expired goods are returned at once, goods that expire soon are used first, goods in short supply are requested.
  tone: row =>
    row.expiry_state === 'expired'
      ? 'danger'
      : row.expiry_state === 'near'
        ? 'warning'
        : row.stock_state === 'low' || row.stock_state === 'zero'
          ? 'info'
          : undefined,
  fields: {
    display: f.pick('显示方式', { product: '按产品', lot: '按批次', unit: '按单品码' }),
    department_inner_sn: f.ref('科室', 'department', { width: 110 }),
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse'),
    product_sn: f.ref('产品', 'product', { shows: { product_code: 'code' } }),
    specification_sn: f.ref('规格型号', 'specification', {
      shows: { specification_code: 'code', unit_name: 'unit_name' },
    }),
    lot_no: f.lot('批号'),
    expiry_date: f.day('有效期至'),
    owner_org_sn: f.ref('货主', 'organisation'),
    quantity: f.quantity('库存数量'),
    available: f.quantity('可用数量', { hint: '库存数量减占用和冻结；已过期、已召回的不可用' }),
  },
  extras: {
    manufacturer_name: f.text('生产厂家', { width: 160 }),
    supplier_name: f.text('供应商', { width: 160 }),
    ownership: f.pick('货权方式', { own: '买断', consigned: '寄售', both: '买断与寄售' }),
    custom_type: f.text('产品分类'),
    is_high_value: f.flag('高值标识'),
    days_left: f.count('剩余天数'),
    expiry_state: f.pick('效期状态', { normal: '正常', near: '近效期', expired: '已过期', none: '无有效期' }),
    unit_code: f.text('院内码/定数包码', { width: 150 }),
    trace_code: f.text('追溯码'),
    max_quantity: f.quantity('上限'),
    min_quantity: f.quantity('下限'),
    quota_left: f.quantity('月度定额剩余', { hint: '仓库产品的月度定额减本月已申领' }),
    stock_state: f.pick('库存状态', { low: '低于下限', normal: '正常', high: '超上限', zero: '零库存' }),
    supply_days: f.count('可用天数', { hint: '可用数量除以近30天日均用量；没有用量时不计' }),
    price: f.price('单价(含税)'),
    amount: f.amount('金额(含税)'),
    received_on: f.day('入库日期'),
  },
  parameters: { code: f.piece('院内码/定数包码') },
  search: ['product_name', 'specification_name', 'product_code', 'lot_no'],
  goneMessage: '科室库存已变动，请刷新后重试',
  calls: {
    use: {
      label: '登记使用',
      rows: true,
      tone: 'primary',
      asks: { each: f.quantity('每行使用数量', { min: '0.001', default: '1', hint: '有院内码的按码登记' }) },
    },
    replenish: { label: '补货申领', rows: true, asks: {} },
    returnOdo: {
      label: '科室退库',
      rows: true,
      asks: {
        return_reason: f.text('退库原因', { required: true, max: 200 }),
        each: f.quantity('每行退库数量', { min: '0.001', hint: '留空为可退的全部数量' }),
      },
    },
    borrow: {
      label: '科室借用',
      rows: 'one',
      asks: {
        lender_sn: f.ref('借出仓库', 'warehouse', { required: true, named: 'its people review the loan' }),
        each: f.quantity('借用数量', { required: true, min: '0.001' }),
        due_date: f.day('预计归还日期', { required: true }),
        transfer_reason: f.text('借用原因', { max: 200 }),
      },
    },
    takeStock: { label: '生成盘点单', rows: true, asks: {} },
  },
  links: [
    {
      label: '追溯',
      to: { lot: '/hospital/traceabilityManage', unit: '/hospital/traceabilityManage' },
      by: 'display',
      with: { code: '$trace_code' },
    },
  ],
  screens: [
    {
      ...page,
      tab: '按产品',
      leads: true,
      purpose: '各科室二级库与智能柜的现有库存：数量、上下限与可用天数',
      where: { display: 'product' },
      columns: [...goods, 'quantity', 'available', ...limits, 'supply_days', 'stock_state', 'quota_left', ...money],
      keyColumns: [
        'product_name',
        'specification_sn',
        'quantity',
        'available',
        'min_quantity',
        'supply_days',
        'stock_state',
        'warehouse_model_inner_sn',
      ],
      filters: filters.filter(name => name !== 'code'),
    },
    {
      ...page,
      tab: '按批次',
      purpose: '各科室库存的批号、货主与有效期',
      where: { display: 'lot' },
      columns: [
        ...goods,
        'lot_no',
        'expiry_date',
        'days_left',
        'quantity',
        'available',
        ...limits,
        'supply_days',
        ...money,
      ],
      keyColumns: [
        'product_name',
        'specification_sn',
        'lot_no',
        'expiry_date',
        'quantity',
        'available',
        'warehouse_model_inner_sn',
      ],
      filters: [...filters.slice(0, 4), 'lot_no', ...filters.slice(4)],
    },
    {
      ...page,
      tab: '按单品码',
      purpose: '科室库存中逐件、逐包管理的院内码与定数包码',
      where: { display: 'unit' },
      columns: [...goods, 'unit_code', 'lot_no', 'expiry_date', 'days_left', 'quantity', 'available', ...money],
      keyColumns: [
        'unit_code',
        'product_name',
        'specification_sn',
        'lot_no',
        'expiry_date',
        'quantity',
        'available',
        'warehouse_model_inner_sn',
      ],
      filters: [...filters.slice(0, 4), 'lot_no', ...filters.slice(4, 8)],
    },
  ],
})
