import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { storageConditions } from '#modules/base/vocabulary/storage-conditions.ts'

const page = { route: '/commonView/lesseeManage', title: '承租方管理', orgs: 'PD', menu: '仓储租赁' } as const
const given = { readOnly: true } as const

export const contractStates = {
  waiting: '未生效',
  running: '履约中',
  ending: '即将到期',
  ended: '已到期',
  stopped: '已停租',
} as const
/** The quantity by which a fee is charged. */
export const chargedBy = { area: '面积', pallet: '托盘', volume: '体积', throughput: '出入库量' } as const

/** 承租方: a tenant of a shared warehouse, with the contract. */
export const lessee = defineEntity({
  kind: 'lessee',
  title: '承租方',
  table: 'lease_contract',
  key: 'lease_contract_sn',
  scope: 'organisation',
  writers: 'PD',
  display: 'contract_no',
  deletedFromList: true,
  sort: '-lease_contract_sn',
  unique: [['contract_no']],
  search: ['contract_no', 'lessee_name'],
  tone: row => (row.contract_state === 'ending' ? 'warning' : row.contract_state === 'ended' ? 'danger' : undefined),
  fields: {
    lessee_sn: f.ref('承租方', 'organisation', {
      required: true,
      optionsFilter: { scope: 'all' },
    }),
    contract_no: f.text('合同编号', { required: true, max: 60 }),
    valid_from: f.day('合同起', { required: true }),
    valid_to: f.day('合同至', { required: true }),
    warehouse_model_inner_sn: f.ref('租赁仓库', 'warehouse', { required: true }),
    charged_by: f.pick('计费方式', chargedBy, { required: true, default: 'area' }),
    price: f.price('单价', { min: '0', hint: '每㎡、每托盘、每m³每月，或每件出入库' }),
    deposit: f.amount('押金', { min: '0' }),
    settle_cycle: f.pick('结算周期', { month: '月', quarter: '季', year: '年' }, { required: true, default: 'month' }),
    storage_conditions: f.many('储存条件', storageConditions),
    device_scope: f.text('允许经营范围', { max: 200, hint: '68分类编码，用逗号隔开，如 6846,6877；留空为不限' }),
    quality_manager: f.text('承租方质量负责人', { max: 40 }),
    contact: f.text('联系人', { max: 40 }),
    phone: f.text('联系电话', { max: 30 }),
    storage_files: f.files('委托储存协议附件'),
    quality_files: f.files('质量保证协议附件'),
    remark: f.text('备注', { max: 200 }),
    stopped_on: f.day('停租日期', given),
    stop_reason: f.text('停租原因', given),
    // A contract leases nothing before somebody enabled it: then the licences are checked.
    status: f.pick('启用状态', { enabled: '启用', disabled: '停用' }, { readOnly: true, default: 'disabled' }),
  },
  extras: {
    social_credit_code: f.text('统一社会信用代码'),
    lessee_code: f.text('承租方编码'),
    lessee_type: f.pick('机构类型', { 2: '经销商', 3: '厂商' }),
    days_left: f.count('剩余天数'),
    area_names: f.text('租赁库区', { width: 160 }),
    area_m2: f.quantity('租赁面积(㎡)'),
    month_amount: f.amount('月租金'),
    stock_count: f.count('当前库存品规数'),
    contract_state: f.pick('合同状态', contractStates, {
      tones: { ending: 'warning', ended: 'danger', running: 'success' },
    }),
  },
  guards: [row => row.valid_to >= row.valid_from || '合同至不能早于合同起'],
  actions: {
    renew: {
      label: '续签',
      tone: 'primary',
      asks: {
        new_contract_no: f.text('新合同编号', { max: 60, hint: '留空为沿用原编号' }),
        new_valid_to: f.day('合同至', { required: true }),
        new_price: f.price('单价', { min: '0', hint: '留空为不变' }),
      },
    },
    stop: { label: '停租', tone: 'danger', asksReason: true, reasonMsg: '请填写停租原因' },
  },
  calls: {
    bill: {
      label: '生成费用',
      asks: {
        month: f.text('月份', { required: true, match: /^\d{4}-(0[1-9]|1[0-2])$/, matchMsg: '月份应如 2026-06' }),
      },
    },
  },
  prints: [{ route: '/newprint/leaseContract', label: '打印合同', by: 'sn' }],
  links: [
    { label: '费用明细', to: page.route, tab: '费用明细', with: { lease_contract_sn: '$lease_contract_sn' } },
    { label: '租赁明细', to: page.route, tab: '租赁明细', with: { lease_contract_sn: '$lease_contract_sn' } },
  ],
  screens: [
    {
      ...page,
      tab: '承租方',
      leads: true,
      purpose: '共享仓库的承租合同：库区、费用、经营范围与联系人，到期或资质失效即停',
      columns: [
        'lessee_code',
        'lessee_sn',
        'lessee_type',
        'social_credit_code',
        'contract_no',
        'valid_from',
        'valid_to',
        'days_left',
        'area_names',
        'area_m2',
        'charged_by',
        'month_amount',
        'stock_count',
        'contact',
        'phone',
        'contract_state',
      ],
      keyColumns: ['lessee_sn', 'contract_no', 'valid_to', 'area_names', 'contract_state'],
      filters: ['lessee_sn', 'lessee_type', 'contract_no', 'valid_to', 'area_names', 'charged_by', 'contract_state'],
    },
  ],
})

/** 租赁明细: the areas that a contract leases, the size of each and its days. */
export const leaseLine = defineEntity({
  kind: 'leaseLine',
  title: '租赁明细',
  table: 'lease_line',
  key: 'lease_line_sn',
  scope: 'organisation',
  writers: 'PD',
  under: 'lessee',
  display: 'remark',
  sort: 'lease_contract_sn,lease_area_sn,start_on',
  search: ['lease_area_name'],
  fields: {
    lease_contract_sn: f.ref('租赁合同', 'lessee', { required: true }),
    lease_area_sn: f.ref('库区', 'leaseArea', { required: true }),
    area_m2: f.quantity('面积(㎡)', { required: true, min: '0.001' }),
    pallets: f.quantity('托盘位数', { min: '0' }),
    volume_m3: f.quantity('体积(m³)', { min: '0' }),
    start_on: f.day('起租日期', { required: true }),
    end_on: f.day('退租日期', { hint: '留空为合同到期日' }),
    price: f.price('单价', { min: '0', hint: '留空为合同单价' }),
    remark: f.text('备注', { max: 200 }),
  },
  extras: {
    area_code: f.text('库区编码'),
    storage_condition: f.pick('储存条件', storageConditions),
    lessee_name: f.text('承租方', { width: 180 }),
  },
  guards: [row => row.end_on === null || row.end_on >= row.start_on || '退租日期不能早于起租日期'],
  screens: [
    {
      ...page,
      tab: '租赁明细',
      purpose: '各合同租用的库区、面积、起租与退租日期',
      columns: [
        'lessee_name',
        'lease_contract_sn',
        'area_code',
        'lease_area_sn',
        'storage_condition',
        'area_m2',
        'pallets',
        'start_on',
        'end_on',
        'price',
        'remark',
      ],
      filters: ['lease_contract_sn', 'lease_area_sn', 'lessee_name', 'start_on', 'end_on'],
    },
  ],
})

/** 费用明细: the fee of a leased area for each month. */
export const leaseFee = defineEntity({
  kind: 'leaseFee',
  title: '费用明细',
  table: 'lease_fee',
  key: 'lease_fee_sn',
  scope: 'organisation',
  writers: 'PD',
  under: 'lessee',
  display: 'month',
  sort: '-month,-lease_fee_sn',
  sums: ['amount'],
  search: ['month'],
  fields: {
    lease_contract_sn: f.ref('租赁合同', 'lessee', given),
    lease_line_sn: f.ref('租赁明细', 'leaseLine', given),
    month: f.text('月份', given),
    charged_by: f.pick('计费方式', chargedBy, given),
    measure: f.quantity('计费数量', given),
    price: f.price('单价', given),
    days: f.count('天数', given),
    month_days: f.count('当月天数', given),
    amount: f.amount('金额', given),
    fee_state: f.pick('状态', { open: '待确认', confirmed: '已确认' }, { ...given, default: 'open' }),
    confirmed_by: f.text('确认人', given),
    confirmed_at: f.instant('确认时间', given),
  },
  extras: {
    lessee_name: f.text('承租方', { width: 180 }),
    area_code: f.text('库区编码'),
  },
  actions: { confirm: { label: '确认', tone: 'primary' } },
  screens: [
    {
      ...page,
      tab: '费用明细',
      purpose: '每月每个库区的费用：数量 × 单价 × 租用天数 ÷ 当月天数',
      columns: [
        'month',
        'lessee_name',
        'lease_contract_sn',
        'area_code',
        'charged_by',
        'measure',
        'price',
        'days',
        'month_days',
        'amount',
        'fee_state',
        'confirmed_by',
        'confirmed_at',
      ],
      filters: ['month', 'lease_contract_sn', 'lessee_name', 'charged_by', 'fee_state'],
      actions: ['confirm'],
    },
  ],
})
