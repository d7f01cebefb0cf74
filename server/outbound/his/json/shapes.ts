/**
 * What a plain JSON HIS is asked and told: the fields of each resource under the names of the contract, what each may
 * be, and what people call it. The adapter reads and writes by this table, and the page 接口字段映射 shows it.
 */
export type Shape =
  | { readonly is: 'text' | 'decimal' | 'moment' | 'day' | 'flag' | 'count' }
  | { readonly is: 'pick'; readonly of: Readonly<Record<string, string>> }
  /** Rows of another resource within this one. */
  | { readonly is: 'rows'; readonly of: string }
export type FieldShape = Shape & { readonly label: string; readonly needed: boolean }
export type Resource = {
  readonly label: string
  /** The address for reads or writes, relative to that of the HIS; none: the resource is part of another. */
  readonly address?: string
  readonly fields: Readonly<Record<string, FieldShape>>
}

const text = (label: string): FieldShape => ({ is: 'text', label, needed: true })
const maybe = (label: string): FieldShape => ({ is: 'text', label, needed: false })
const a = (is: 'decimal' | 'moment' | 'day' | 'flag' | 'count', label: string, needed = true): FieldShape => ({
  is,
  label,
  needed,
})
const pick = (label: string, of: Readonly<Record<string, string>>, needed = true): FieldShape => ({
  is: 'pick',
  of,
  label,
  needed,
})
const rows = (of: string): FieldShape => ({ is: 'rows', of, label: '明细', needed: true })

const sexes = { male: '男', female: '女', other: '其他', unknown: '未知' }
const visitClasses = { inpatient: '住院', outpatient: '门诊', emergency: '急诊' }
const receiptKinds = { purchase: '采购入库', settlement: '结算入库', return: '采购退货', grant: '科室发放' }
const changed = a('moment', '更新时间')

const item = {
  material_code: maybe('HIS编码'),
  specification: maybe('规格'),
  unit: maybe('单位'),
  manufacturer: maybe('生产厂家'),
  insurance_code: maybe('医保耗材编码'),
  udi_di: maybe('UDI-DI'),
}
const goods = {
  line_no: a('count', '行号'),
  material_code: text('HIS编码'),
  item_name: maybe('品名'),
  specification: maybe('规格'),
  lot_no: maybe('批号'),
  expiry_date: a('day', '有效期至', false),
  quantity: a('decimal', '数量'),
  price: a('decimal', '单价'),
  amount: a('decimal', '金额'),
}

/** Resources that are read. */
const read = {
  patient: {
    label: '患者',
    address: 'patients',
    fields: {
      patient_no: text('患者编号'),
      patient_name: text('患者姓名'),
      sex: pick('性别', sexes),
      birth_date: a('day', '出生日期', false),
      wristband: maybe('腕带号'),
      updated_at: changed,
    },
  },
  visit: {
    label: '就诊',
    address: 'visits',
    fields: {
      visit_no: text('住院号/门诊号'),
      patient_no: text('患者编号'),
      visit_class: pick('就诊类型', visitClasses),
      state: pick('就诊状态', { planned: '预约', active: '在院', finished: '已结束', cancelled: '已取消' }),
      is_account_open: a('flag', '未结账'),
      department_code: maybe('科室编码'),
      bed_no: maybe('床号'),
      doctor_no: maybe('主管医生工号'),
      began_at: a('moment', '入院时间', false),
      ended_at: a('moment', '出院时间', false),
      updated_at: changed,
    },
  },
  operation: {
    label: '手术',
    address: 'operations',
    fields: {
      surgery_no: text('手术号'),
      visit_no: text('住院号/门诊号'),
      patient_no: text('患者编号'),
      surgery_name: text('手术名称'),
      state: pick('手术状态', { planned: '计划', started: '进行中', done: '已完成', cancelled: '已取消' }),
      planned_at: a('moment', '计划时间', false),
      started_at: a('moment', '开始时间', false),
      ended_at: a('moment', '结束时间', false),
      department_code: maybe('科室编码'),
      theatre: maybe('手术间'),
      surgeon_no: maybe('主刀工号'),
      surgeon_name: maybe('主刀姓名'),
      updated_at: changed,
    },
  },
  staff: {
    label: '人员',
    address: 'staff',
    fields: {
      staff_no: text('HIS工号'),
      staff_name: text('姓名'),
      sex: pick('性别', sexes),
      department_code: maybe('科室编码'),
      department_name: maybe('科室名称'),
      staff_kind: pick('人员类别', {
        doctor: '医生',
        nurse: '护士',
        technician: '技师',
        pharmacist: '药师',
        administrative: '行政',
        other: '其他',
      }),
      professional_title: maybe('职称'),
      position: maybe('职务'),
      mobile: maybe('手机号'),
      is_active: a('flag', '在职'),
      updated_at: changed,
    },
  },
  department: {
    label: '科室',
    address: 'departments',
    fields: {
      department_code: text('科室编码'),
      department_name: text('科室名称'),
      parent_code: maybe('上级科室编码'),
      is_active: a('flag', '在用'),
      updated_at: changed,
    },
  },
  charge_item: {
    label: '收费目录',
    address: 'items',
    fields: {
      item_code: text('收费项目编码'),
      item_name: text('项目名称'),
      ...item,
      price: a('decimal', '单价'),
      is_active: a('flag', '在用'),
      updated_at: changed,
    },
  },
  charge: {
    label: '计费',
    address: 'charges',
    fields: {
      charge_no: text('计费流水号'),
      charge_kind: pick('计费或退费', { charge: '计费', refund: '退费' }),
      refunded_charge_no: maybe('所退计费流水号'),
      request_key: maybe('请求号'),
      request_line_no: a('count', '请求行号', false),
      patient_no: text('患者编号'),
      patient_name: maybe('患者姓名'),
      visit_no: text('住院号/门诊号'),
      visit_class: pick('就诊类型', visitClasses, false),
      department_code: maybe('执行科室编码'),
      item_code: text('收费项目编码'),
      item_name: maybe('项目名称'),
      quantity: a('decimal', '数量'),
      price: a('decimal', '单价'),
      amount: a('decimal', '金额'),
      unit_code: maybe('院内码'),
      charged_at: a('moment', '计费时间'),
    },
  },
  receipt: {
    label: '入库',
    address: 'receipts',
    fields: {
      receipt_no: text('HIS入库单号'),
      receipt_kind: pick('单据类型', receiptKinds),
      sn: maybe('SPD单号'),
      request_key: maybe('请求号'),
      supplier_code: maybe('供应商编码'),
      warehouse_code: maybe('仓库编码'),
      booked_at: a('moment', '入账时间'),
      is_reversed: a('flag', '已冲销'),
      amount: a('decimal', '金额'),
      lines: rows('receipt_line'),
    },
  },
  receipt_line: { label: '入库明细', fields: goods },
} as const satisfies Record<string, Resource>

/** Resources that are sent. */
const sent = {
  charge_order: {
    label: '计费请求',
    address: 'charges',
    fields: {
      sn: text('使用单号'),
      patient_no: text('患者编号'),
      visit_no: text('住院号/门诊号'),
      surgery_no: maybe('手术号'),
      department_code: maybe('执行科室编码'),
      staff_no: maybe('登记人工号'),
      used_at: a('moment', '使用时间'),
      lines: rows('charge_order_line'),
    },
  },
  charge_order_line: {
    label: '计费请求明细',
    fields: {
      line_no: a('count', '行号'),
      item_code: text('收费项目编码'),
      quantity: a('decimal', '数量'),
      price: a('decimal', '单价'),
      amount: a('decimal', '金额'),
      unit_code: maybe('院内码'),
      udi_di: maybe('UDI-DI'),
      lot_no: maybe('批号'),
    },
  },
  refund_order: {
    label: '退费请求',
    address: 'refunds',
    fields: {
      sn: text('使用单号'),
      reason: text('退费原因'),
      staff_no: maybe('登记人工号'),
      lines: rows('refund_order_line'),
    },
  },
  refund_order_line: {
    label: '退费请求明细',
    fields: {
      line_no: a('count', '行号'),
      charge_no: text('计费流水号'),
      quantity: a('decimal', '数量'),
    },
  },
  receipt_order: {
    label: '入库请求',
    address: 'receipts',
    fields: {
      receipt_kind: pick('单据类型', receiptKinds),
      sn: text('SPD单号'),
      supplier_code: maybe('供应商编码'),
      supplier_name: maybe('供应商名称'),
      warehouse_code: text('仓库编码'),
      department_code: maybe('领用科室编码'),
      reviewed_at: a('moment', '审核时间'),
      amount: a('decimal', '金额'),
      lines: rows('receipt_order_line'),
    },
  },
  receipt_order_line: { label: '入库请求明细', fields: goods },
  reversal_order: {
    label: '冲销请求',
    address: 'reversals',
    fields: { receipt_no: text('HIS入库单号'), sn: text('SPD单号'), reason: text('冲销原因') },
  },
  item_order: {
    label: '目录推送',
    address: 'items',
    fields: {
      specification_code: text('产品编码'),
      item_name: text('产品名称'),
      specification: text('规格型号'),
      unit: text('单位'),
      price: a('decimal', '价格', false),
      manufacturer: maybe('生产厂家'),
      insurance_code: maybe('医保耗材编码'),
      udi_di: maybe('UDI-DI'),
    },
  },
} as const satisfies Record<string, Resource>

export type ReadResource = keyof typeof read
export type SentResource = keyof typeof sent
export type ResourceName = ReadResource | SentResource
export const hisResources: Readonly<Record<ResourceName, Resource>> = { ...read, ...sent }
/** The places of an answer's rows, of the name of its next page, and of the words of a refusal. */
export const hisEnvelope = {
  rows: { label: '数据所在', path: 'rows' },
  next: { label: '下一页', path: 'next' },
  state: { label: '结果代码', path: 'code' },
  words: { label: '结果说明', path: 'msg' },
} as const
export type EnvelopePart = keyof typeof hisEnvelope
/** Codes of a result that mean success, where the HIS says 200 to everything. */
export const SUCCESS = ['0', '1', '200', 'true', 'success', 'ok']
