import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { isPositive } from '#kernel/values/decimal.ts'

const given = { readOnly: true } as const
const goods = [
  'sale_no',
  'counterparty_sn',
  'product_sn',
  'specification_sn',
  'lot_no',
  'unit_name',
  'quantity',
  'open_quantity',
] as const
const rest = [
  'unit_codes',
  'turned_quantity',
  'returned_quantity',
  'handler_inner_sn',
  'business_date',
  'line_no',
] as const
const filters = [
  'sale_no',
  'counterparty_sn',
  'handler_inner_sn',
  'business_date',
  'product_name',
  'specification_name',
  'lot_no',
  'unit_codes',
] as const

/**
 * 预销售明细: each line with goods at a customer; finance confirms its price, the salesperson records what the customer
 * used of it.
 */
export const advanceLine = defineEntity({
  kind: 'advanceLine',
  title: '预销售明细',
  table: 'advance_line_shown',
  key: 'advance_line_sn',
  scope: 'organisation',
  writers: 'DV',
  display: 'sale_no',
  sort: '-sale_no,line_no',
  fields: {
    sale_no: f.text('预销售单号', { ...given, width: 150 }),
    counterparty_sn: f.ref('客户', 'organisation', given),
    handler_inner_sn: f.ref('业务员', 'employee', given),
    business_date: f.day('发出日期', given),
    settle_date: f.day('预计结清日期', given),
    line_no: f.count('行号', given),
    product_sn: f.ref('产品名称', 'product', given),
    specification_sn: f.ref('规格型号', 'specification', given),
    lot_no: f.lot('批号', given),
    unit_codes: f.codes('院内码', given),
    unit_inner_sn: f.ref('单位', 'unitTree', given),
    quantity: f.quantity('发出数量', given),
    turned_quantity: f.quantity('已转销售数量', given),
    returned_quantity: f.quantity('已退回数量', given),
    open_quantity: f.quantity('未结清数量', given),
    price: f.price('预计单价', given),
    tax_rate: f.taxRate('税率', given),
    line_price_state: f.pick('价格确认状态', { '1': '未确认', '2': '已确认' }, given),
    line_confirmed_by: f.text('确认人', given),
    used_quantity: f.quantity('已使用数量', given),
    used_codes: f.codes('已使用院内码', given),
    used_on: f.day('使用日期', given),
    use_state: f.pick('使用状态', { none: '未使用', used: '已使用' }, { ...given, tones: { used: 'warning' } }),
  },
  extras: {
    unit_name: f.text('单位', { width: 60 }),
    cost_price: f.unitCost('成本单价'),
    open_cost: f.cost('未结清成本金额'),
  },
  search: ['sale_no', 'product_name', 'specification_name', 'lot_no', 'counterparty_name'],
  tone: row => (row.use_state === 'used' && isPositive(String(row.open_quantity ?? '0')) ? 'warning' : undefined),
  actions: {
    priceConfirm: {
      label: '确认价格',
      tone: 'primary',
      asks: { price: f.price('确认单价', { min: '0.0001', hint: '含税，留空为预计单价' }) },
    },
    priceUnconfirm: { label: '取消确认' },
    noteUse: {
      label: '登记使用',
      tone: 'primary',
      asks: {
        used_on: f.day('使用日期', { required: true }),
        used_codes: f.pieces('使用的院内码', { hint: '一物一码的货物填写' }),
        used_quantity: f.quantity('使用数量', { min: '0.001', hint: '没有院内码的货物填写' }),
      },
    },
    forgetUse: { label: '撤销使用登记' },
  },
  links: [{ label: '查看单据', to: '/commonView/advanceSale', tab: '预销售单', with: { sn: '$sale_no' } }],
  screens: [
    {
      route: '/commonView/advanceSaleFinance',
      tab: '价格确认',
      title: '预销售财务',
      orgs: 'DV',
      menu: '销售管理',
      purpose: '逐行确认预销售的含税单价；要求财务确认时，未确认的行不能转销售',
      columns: [
        ...goods,
        'cost_price',
        'open_cost',
        'price',
        'tax_rate',
        'line_price_state',
        'line_confirmed_by',
        'use_state',
        ...rest,
      ],
      filters: [...filters, 'line_price_state', 'use_state'],
      actions: ['priceConfirm', 'priceUnconfirm'],
    },
    {
      route: '/commonView/advanceSale',
      tab: '使用登记',
      title: '预销售',
      orgs: 'DV',
      menu: '销售管理',
      purpose: '登记客户处货物的使用：只记医院和日期；已使用的不能退回，只能转销售',
      columns: [...goods, 'use_state', 'used_quantity', 'used_on', 'used_codes', 'settle_date', ...rest],
      filters: [...filters, 'settle_date', 'use_state'],
      actions: ['noteUse', 'forgetUse'],
    },
  ],
})
