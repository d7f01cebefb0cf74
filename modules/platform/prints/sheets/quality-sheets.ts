import { definePrint } from '#kernel/print/print-definition.ts'
import { column } from '#modules/platform/prints/sheets/print-columns.ts'

const formats = [
  { paper: 'A4', lines: 20 },
  { paper: 'A4L', lines: 12 },
] as const
/** The people who sign a first approval. Source: 医疗器械经营质量管理规范, 首营审核. */
const signatures = ['申请人', '采购负责人', '质量管理员', '质量负责人', '企业负责人']

/** 首营企业审批表: the new partner, its licences, and the opinion of quality. */
export const firstTierOrgSheet = definePrint({
  route: '/newprint/firstTierOrg',
  title: '首营企业审批表',
  kinds: { firstTierOrg: '首营企业审批表' },
  papers: formats,
  header: [
    ['审批单号', 'sn'],
    ['申请日期', 'business_date'],
    ['企业名称', 'partner_name'],
    ['关系类型', 'direction'],
    ['企业类型', 'partner_type'],
    ['统一社会信用代码', 'social_credit_code'],
    ['许可证/备案号', 'permit_no'],
    ['许可证有效期', 'permit_valid_to'],
    ['经营/生产范围', 'scope'],
    ['注册地址', 'registered_address'],
    ['经营/生产地址', 'works_address'],
    ['法定代表人', 'legal_person'],
    ['企业负责人', 'manager'],
    ['质量负责人', 'quality_manager'],
    ['业务员', 'salesperson'],
    ['业务员电话', 'salesperson_phone'],
    ['委托书有效期', 'mandate_valid_to'],
    ['考察日期', 'visited_on'],
    ['实地考察结论', 'visit_result'],
    ['申请原因', 'apply_reason'],
    ['质量意见', 'quality_opinion'],
    ['申请人', 'handler_name'],
  ],
  columns: [
    { name: 'licence_type', label: '证照类型', share: 22 },
    { name: 'licence_no', label: '证照编号', share: 22 },
    { name: 'issuer', label: '发证机关', share: 20, optional: true },
    { name: 'valid_from', label: '发证日期', share: 12 },
    { name: 'valid_to', label: '有效期至', share: 12 },
    { name: 'checked', label: '核对', share: 12, as: 'blank' },
  ],
  signatures,
  carrier: 'code128',
})

/** 首营品种审批表: the product, its certificate and its sizes, and the opinion of quality. */
export const firstSellProductSheet = definePrint({
  route: '/newprint/firstSellProduct',
  title: '首营品种审批表',
  kinds: { firstSellProduct: '首营品种审批表' },
  papers: formats,
  header: [
    ['审批单号', 'sn'],
    ['申请日期', 'business_date'],
    ['产品', 'product_name'],
    ['供应商', 'counterparty_name'],
    ['管理类别', 'device_class'],
    ['分类编码', 'class_code'],
    ['注册证号', 'certificate_no'],
    ['注册证有效期', 'certificate_valid_to'],
    ['注册人/备案人', 'registrant_name'],
    ['生产厂家', 'manufacturer_name'],
    ['受托生产企业', 'entrusted_maker'],
    ['结构组成', 'structure'],
    ['适用范围', 'intended_use'],
    ['贮存条件', 'storage_condition'],
    ['有效期/使用期限', 'shelf_life'],
    ['质量标准', 'quality_standard'],
    ['申请原因', 'apply_reason'],
    ['质量意见', 'quality_opinion'],
    ['申请人', 'handler_name'],
  ],
  columns: [
    { name: 'specification_code', label: '产品编码', share: 16 },
    { ...column.specification_name, share: 30 },
    { name: 'packing', label: '包装规格', share: 16, optional: true },
    { name: 'reference_cost', label: '参考进价', share: 12, as: 'price', optional: true },
    { name: 'reference_price', label: '参考售价', share: 12, as: 'price', optional: true },
    { ...column.remark, share: 14 },
  ],
  signatures,
  carrier: 'code128',
})

/** 停售单: the blocked goods, where they are and why, for the person who checks the shelf; the check is written on it. */
export const stopSaleSheet = definePrint({
  route: '/newprint/stopSale',
  title: '停售单',
  kinds: { stopSale: null },
  papers: [
    { paper: 'A4', lines: 22 },
    { paper: 'form140', lines: 8 },
  ],
  header: [
    ['单号', 'sn'],
    ['申请日期', 'business_date'],
    ['单据类型', 'stop_type'],
    ['停售原因', 'stop_reason'],
    ['召回/通知编号', 'notice_no'],
    ['仓库', 'warehouse_name'],
    ['停售库', 'to_warehouse_name'],
    ['应复检日期', 'check_due_date'],
    ['复检结论', 'conclusion'],
    ['处理方式', 'disposal'],
    ['送检机构', 'lab_name'],
    ['检验报告号', 'lab_report_no'],
    ['情况说明', 'description'],
    ['申请人', 'handler_name'],
  ],
  columns: [
    { ...column.product_name, share: 20 },
    { ...column.specification_name, share: 14 },
    { ...column.manufacturer_name, share: 16 },
    { ...column.lot_no, share: 11 },
    column.expiry_date,
    column.location,
    column.unit_name,
    { ...column.quantity, label: '停售数量', share: 8 },
    { name: 'good_quantity', label: '复检合格', share: 8, as: 'number' },
    { name: 'bad_quantity', label: '复检不合格', share: 8, as: 'number' },
  ],
  signatures: ['申请人', '库管员', '复检人', '质量负责人'],
  carrier: 'code128',
})
