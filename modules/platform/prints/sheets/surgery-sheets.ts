import { definePrint, type PrintColumn } from '#kernel/print/print-definition.ts'
import { column, sheet } from '#modules/platform/prints/sheets/print-columns.ts'

/** Millimetres: the maker's label is stuck into the last column. */
const LABEL_MM = 35
const SMALL_LABEL_MM = 25

const patientFacts = [
  ['住院号', 'admission_no'],
  ['患者姓名', 'patient_name'],
  ['性别', 'patient_sex'],
  ['年龄', 'patient_age'],
] as const

/**
 * 植入物信息登记表: the implants that an operation put into a patient, each with the maker's label, for the case file; and the
 * card that the patient carries. No prices.
 */
export const patientInforForm = definePrint({
  route: '/newprint/PatientInforForm',
  title: '植入物信息登记表',
  kinds: { patientImplantForm: '植入物信息登记表' },
  papers: [{ paper: 'A4', lines: 6 }],
  stacks: ['A4'],
  rowHeight: LABEL_MM,
  asksWhyAgain: true,
  header: [
    ['登记单号', 'sn'],
    ...patientFacts,
    ['身份证号', 'identity_masked'],
    ['联系电话', 'patient_phone'],
    ['科室', 'department_name'],
    ['床号', 'bed_no'],
    ['诊断', 'diagnosis'],
    ['手术日期', 'business_date'],
    ['术式', 'surgery_name'],
    ['植入部位', 'implant_site'],
    ['主刀医生', 'doctor_name'],
    ['版本', 'version_said'],
  ],
  columns: [
    { ...column.product_name, narrow: 28 },
    { ...column.specification_name, under: 'product_name' },
    { ...column.manufacturer_name, narrow: 30 },
    { name: 'supplier_name', label: '供应商', share: 12, under: 'manufacturer_name' },
    { name: 'certificate_no', label: '注册证号', share: 13, narrow: 22 },
    { ...column.lot_no, label: '批号', narrow: 18 },
    { name: 'serials', label: '序列号', share: 12, under: 'lot_no' },
    { name: 'udi_symbol', label: 'UDI', share: 12, narrow: 19, as: 'datamatrix' },
    { ...column.production_date, narrow: 17 },
    { ...column.expiry_date, under: 'production_date' },
    { ...column.quantity, label: '植入数量', narrow: 11 },
    { name: 'part_said', label: '植入部位', share: 9, narrow: 14 },
    { name: 'maker_label', label: '原厂标签粘贴处', share: 18, narrow: 33, as: 'blank' },
  ],
  closings: [],
  totals: [['植入物合计件数', 'implant_total']],
  signatures: ['主刀医生', '巡回护士', '患者/家属签字及日期', '耗材管理员'],
  carrier: 'code128',
  labels: {
    title: '患者植入卡',
    of: 'cards',
    size: { width: 85.6, height: 54 },
    name: 'title',
    code: 'link',
    opens: true,
    facts: [
      ['姓名', 'patient'],
      ['手术', 'operation'],
      ['1', 'implant_1'],
      ['2', 'implant_2'],
      ['3', 'implant_3'],
      ['4', 'implant_4'],
      ['医院', 'hospital'],
      ['登记单号', 'sn'],
    ],
  },
})

/** 手术耗材使用记录单: the goods that one operation used, signed in theatre; the basis of charge and settlement. */
export const surgicalUsage = definePrint({
  route: '/newprint/SurgicalUsageRecordsPrint',
  title: '手术耗材使用记录单',
  kinds: { surgeryUse: '手术耗材使用记录单' },
  papers: [{ paper: 'A4', lines: 10 }],
  stacks: ['A4'],
  rowHeight: SMALL_LABEL_MM,
  sortBy: 'print_order',
  header: [
    ['记录单号', 'sn'],
    ['手术日期时间', 'operated_at'],
    ['手术科室', 'department_name'],
    ['手术间', 'theatre'],
    ...patientFacts,
    ['床号', 'bed_no'],
    ['诊断', 'diagnosis'],
    ['术式', 'surgery_name'],
    ['主刀医生', 'doctor_name'],
    ['器械护士', 'scrub_nurse_name'],
    ['巡回护士', 'nurse_name'],
    ['供应商/跟台人员', 'attended_by'],
  ],
  columns: [
    { ...column.product_name, narrow: 25 },
    { ...column.specification_name, under: 'product_name' },
    { ...column.manufacturer_name, narrow: 26 },
    { name: 'supplier_name', label: '供应商', share: 12, under: 'manufacturer_name' },
    { ...column.registration_no, narrow: 21 },
    { ...column.lot_no, narrow: 17 },
    { ...column.expiry_date, under: 'lot_no' },
    { name: 'unit_codes', label: '唯一码', share: 10, narrow: 13, as: 'code' },
    { ...column.quantity, label: '使用数量', narrow: 11 },
    { ...column.unit_name, under: 'quantity' },
    { name: 'part_said', label: '植入部位', share: 8, narrow: 13 },
    { name: 'charge_code', label: '计费编码', share: 8, under: 'part_said' },
    { name: 'printed_price', label: '单价', share: 8, narrow: 15, as: 'price' },
    { name: 'printed_amount', label: '金额', share: 8, narrow: 16, as: 'amount' },
    { ...column.remark, narrow: 12 },
    { name: 'maker_label', label: '原厂标签粘贴处', share: 14, narrow: 24, as: 'blank' },
  ],
  closings: ['amount'],
  amountCalled: '合计金额',
  totals: [
    ['合计件数', 'piece_total'],
    ['植入物件数', 'implant_total'],
  ],
  signatures: ['主刀医生', '器械护士', '巡回护士', '跟台人员', '仓库核对', '患者/家属(植入物)'],
  signedAs: { surgeon: '主刀医生', nurse: '巡回护士' },
  carrier: 'code128',
})

const reported: readonly PrintColumn[] = [
  { name: 'kit_place', label: '套包/层/孔位', share: 9, optional: true },
  { name: 'kit_code', label: '套包编号', share: 14, as: 'bars', optional: true },
  column.product_name,
  column.specification_name,
  { ...column.manufacturer_name, share: 12 },
  column.lot_no,
  { ...column.expiry_date, share: 9 },
  column.unit_name,
  { name: 'brought', label: '送达数量', share: 6, as: 'number' },
  { name: 'counted_before', label: '术前清点', share: 6, as: 'number' },
  { name: 'used', label: '使用数量', share: 6, as: 'number' },
  { name: 'counted_after', label: '术后清点', share: 6, as: 'number' },
  { name: 'returned', label: '退回数量', share: 6, as: 'number' },
  { name: 'difference', label: '差异', share: 5, as: 'number' },
  { name: 'charge_mark', label: '计费标志', share: 6 },
  column.remark,
]

/** 手术报台单: the goods that were brought, used and returned, per dealer and kit; a dealer's copy names no patient. */
export const surgicalReport = definePrint({
  route: '/newprint/SurgicalReportFormPrint',
  title: '手术报台单',
  kinds: { surgeryUse: '手术报台单' },
  besides: '打印报台单',
  papers: [{ paper: 'A4L', lines: 18 }],
  groupBy: 'dealer_group',
  newPages: true,
  sortBy: 'dealer_order',
  header: [
    ['报台单号', 'sn'],
    ['手术日期', 'business_date'],
    ['手术间', 'theatre'],
    ['手术科室', 'department_name'],
    ['术式', 'surgery_name'],
    ['住院号', 'admission_no'],
    ['患者姓名', 'patient_name'],
    ['主刀医生', 'doctor_name'],
    ['供应商', 'dealer_names'],
    ['跟台人员', 'attended_by'],
    ['套包编号', 'kit_codes'],
    ['送达时间', 'brought_at'],
    ['消毒批次', 'sterilised_in'],
  ],
  columns: reported,
  closings: [],
  totals: [
    ['送达合计', 'brought_total'],
    ['使用合计', 'used_total'],
    ['退回合计', 'returned_total'],
    ['差异合计', 'difference_total'],
    ['使用金额', 'used_amount'],
  ],
  copies: [
    {
      name: 'supplier',
      label: '副本(供应商)',
      paper: 'A4L',
      sortBy: 'dealer_order',
      columns: reported,
      per: 'dealer_name',
      leaves: [
        'surgery_name',
        'admission_no',
        'patient_name',
        'doctor_name',
        'department_name',
        'used_amount',
        'signatures',
      ],
    },
  ],
  signatures: ['跟台人员', '消毒供应中心', '器械护士(术前/术后)', '巡回护士', '主刀医生', '耗材科'],
  signedAs: { surgeon: '主刀医生', nurse: '巡回护士' },
  carrier: 'qrcode',
})

const counts = [
  { name: 'standard_quantity', label: '应有', share: 6, as: 'quantity' },
  { name: 'held_quantity', label: '实有', share: 6, as: 'quantity' },
  { name: 'missing_quantity', label: '缺', share: 5, as: 'quantity' },
  { name: 'counted', label: '清点', share: 6, as: 'blank' },
] as const
const totals = [
  ['应有合计', 'standard_total'],
  ['实有合计', 'held_total'],
  ['缺件合计', 'missing_total'],
  ['已确认缺件', 'confirmed_total'],
  ['缺件确认人', 'confirmed_by'],
] as const
const header = [
  ['编号', 'sn'],
  ['名称', 'kit_name'],
  ['适用手术', 'surgery_name'],
  ['仓库', 'warehouse_name'],
  ['跟台计划单号', 'plan_no'],
  ['最近清点', 'counted_on'],
  ['打印时间', 'printed_moment'],
] as const

/**
 * 工具包清点单: the instruments that a set should contain, contains and lacks, to be counted by in the theatre. No prices.
 */
export const toolsKitSheet = definePrint({
  route: '/newprint/toolsKitList',
  title: '工具包清点单',
  kinds: { toolsKit: '工具包清点单' },
  papers: sheet,
  header,
  columns: [
    { name: 'tray', label: '盒/层', share: 8 },
    { name: 'tool_code', label: '工具编码', share: 12 },
    { name: 'item_name', label: '工具名称', share: 18 },
    { name: 'model', label: '型号', share: 12, optional: true },
    { name: 'key_mark', label: '关键件', share: 6 },
    { name: 'codes_text', label: '唯一码', share: 25 },
    ...counts,
  ],
  totals,
  signatures: ['清点人', '复核人', '日期'],
  carrier: 'qrcode',
})

/**
 * 套包清单: the goods that a numbered kit of implants should contain, contains by lot and lacks; with prices for those who
 * may read them.
 */
export const implantKitSheet = definePrint({
  route: '/newprint/implantKitList',
  title: '套包清单',
  kinds: { implantKit: '套包清单' },
  papers: sheet,
  header,
  columns: [
    { name: 'tray', label: '盒/层', share: 8 },
    column.product_name,
    column.specification_name,
    { ...column.lot_no, label: '批号（有效期至）', share: 24 },
    column.unit_name,
    ...counts,
    { ...column.price, label: '单价', optional: true },
    { ...column.amount, optional: true },
  ],
  closings: ['amount'],
  amountCalled: '套包金额',
  totals,
  signatures: ['清点人', '复核人', '日期'],
  carrier: 'qrcode',
})
