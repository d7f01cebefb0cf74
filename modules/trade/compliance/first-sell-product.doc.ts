import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle } from '#kernel/definition/lifecycle.ts'
import { hasFiles, hasLines, needs } from '#modules/base/vocabulary/validators.ts'

/** Documents required to decide on a product; each is requested by its name. */
const licences = {
  paper_certificate: '注册证/备案凭证',
  paper_manual: '说明书',
  paper_label: '标签样张',
  paper_report: '检验报告',
  paper_authorisation: '授权书',
} as const
const importLicences = '中文标签及代理人资料'
const requiredFields = Object.keys(licences) as (keyof typeof licences)[]

const header = {
  product_sn: f.ref('产品', 'product', { required: true }),
  counterparty_sn: f.ref('供应商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
  generic_name: f.text('通用名', { readOnly: true }),
  brand: f.text('商品名', { readOnly: true }),
  device_class: f.text('管理类别', { readOnly: true }),
  class_code: f.text('分类编码', { readOnly: true }),
  certificate_no: f.text('注册证号', { readOnly: true }),
  certificate_valid_to: f.day('注册证有效期', { readOnly: true }),
  registrant_name: f.text('注册人/备案人', { readOnly: true }),
  manufacturer_name: f.text('生产厂家', { readOnly: true }),
  is_imported: f.flag('进口产品', { readOnly: true }),
  structure: f.text('结构组成', { readOnly: true }),
  intended_use: f.text('适用范围', { readOnly: true }),
  storage_condition: f.text('贮存条件', { readOnly: true }),
  shelf_life: f.text('有效期/使用期限', { readOnly: true }),
  entrusted_maker: f.text('受托生产企业', { max: 100 }),
  quality_standard: f.text('质量标准', { max: 100 }),
  planned_price: f.price('拟采购价', { min: '0' }),
  apply_reason: f.text('申请原因', { max: 200 }),
  paper_certificate: f.files(licences.paper_certificate),
  paper_manual: f.files(licences.paper_manual),
  paper_label: f.files(licences.paper_label),
  paper_report: f.files(licences.paper_report),
  paper_authorisation: f.files(licences.paper_authorisation),
  authorised_by: f.text('已获授权', { readOnly: true, hint: '供应商在系统内获得的授权，有则不必上传授权书' }),
  paper_import: f.files(importLicences),
  quality_opinion: f.text('质量意见', { max: 200, dialogOnly: true }),
  handler_inner_sn: f.ref('申请人', 'employee'),
  business_date: f.day('申请日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  specification_sn: f.ref('规格型号', 'specification', { required: true }),
  packing: f.text('包装规格', { max: 60 }),
  reference_cost: f.price('参考进价', { min: '0' }),
  reference_price: f.price('参考售价', { min: '0' }),
  remark: f.text('备注', { max: 200 }),
}
type Doc = DocOf<typeof header, typeof lines>

/** All missing documents in one message; if the supplier was authorised in the network, no copy is needed. */
const complete = (doc: Doc): true | string => {
  const asked = [...requiredFields, ...(doc.is_imported === true ? (['paper_import'] as const) : [])]
  const missing = asked.flatMap(name =>
    hasFiles(doc, name) || (name === 'paper_authorisation' && doc.authorised_by) ? [] : [header[name].label],
  )
  return missing.length === 0 || `缺少必备资料：${missing.join('、')}`
}

const life = lifecycle<Doc>({
  submit: [hasLines, needs('product_sn', '请选择产品'), needs('apply_reason', '请填写申请原因'), complete],
  notByAuthor: true,
  selfReviewMessage: '不能审批本人提交的首营申请',
  rejectReason: '请填写驳回原因',
})

/**
 * 首营品种审批: before a product is bought for the first time, quality checks its documents. On approval it enters the own
 * catalogue; if the organisation requires it, orders and receipts refuse products without it.
 */
export const firstSellProduct = defineDocument({
  kind: 'firstSellProduct',
  title: '首营品种审批',
  numberPrefix: 'SYP',
  category: 'compliance',
  ownerTypes: 'HDV',
  header,
  lines,
  lineRules: {
    basis: 'row',
  },
  actions: {
    submit: life.submit,
    unsubmit: life.unsubmit,
    propose: {
      label: '带出资料',
      from: ['draft', 'rejected'],
      to: null,
      guards: [needs('product_sn', '请选择产品')],
    },
    review: {
      ...life.review,
      label: '审批',
      inputs: ['quality_opinion'],
      guards: [needs('quality_opinion', '请填写质量意见')],
    },
    reject: life.reject,
    cancel: life.cancel,
  },
  posting: {
    stockDirection: 'none',
  },
  screens: [
    {
      route: '/commonView/firstSellProduct',
      title: '首营品种审批',
      orgs: 'HDV',
      menu: '首营管理',
      purpose: '首次采购的产品：审核资料，质量审核通过后进入本机构目录，方可订货收货',
      columns: [
        'sn',
        'product_sn',
        'line_count',
        'certificate_no',
        'certificate_valid_to',
        'device_class',
        'class_code',
        'manufacturer_name',
        'counterparty_sn',
        'storage_condition',
        'handler_inner_sn',
        'business_date',
        'quality_reviewer',
        'quality_opinion',
        'reviewed_by_name',
        'reviewed_at',
        'state',
      ],
      filters: [
        'sn',
        'product_sn',
        'specification_sn',
        'certificate_no',
        'manufacturer_name',
        'counterparty_sn',
        'handler_inner_sn',
        'business_date',
        'state',
      ],
    },
  ],
})
