import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'
import { priceTypes } from '#modules/trade/purchasing/prices/price-registration.doc.ts'

/**
 * 价格历史: every price agreed with a partner, its period, and the previous one. Written only by the review of agreed
 * prices.
 */
export const agreedPrice = defineEntity({
  kind: 'agreedPrice',
  title: '协议价历史',
  table: 'agreed_price',
  key: 'agreed_price_sn',
  scope: 'organisation',
  readOnly: true,
  display: 'document_no',
  sort: '-valid_from,-agreed_price_sn',
  fields: {
    price_side: f.pick('价格方向', { buy: '采购价', sell: '销售价' }),
    partner_sn: f.ref('供应商/客户', 'organisation'),
    product_sn: f.ref('产品名称', 'product'),
    specification_sn: f.ref('规格型号', 'specification'),
    price_type: f.pick('价格类型', priceTypes),
    old_price: f.price('原含税单价'),
    price: f.price('含税单价', { hint: '基本单位' }),
    change_rate: f.rate('变动幅度'),
    tax_rate: f.taxRate('税率'),
    valid_from: f.day('有效期起'),
    valid_to: f.day('有效期至', { hint: '空白为长期有效' }),
    min_order: f.quantity('最小起订量'),
    contract_no: f.text('合同/文件号', { width: 150 }),
    document_no: f.text('登记单号', { width: 150 }),
    status: statusField,
  },
  search: ['product_name', 'specification_name', 'partner_name', 'document_no', 'contract_no'],
  screens: [
    {
      route: '/commonView/inquiryRegistration',
      tab: '价格历史',
      title: '询价登记',
      orgs: 'HDV',
      menu: '采购管理',
      purpose: '与各供应商、客户商定的历次价格：有效期、变动幅度与登记单',
      columns: [
        'partner_sn',
        'price_side',
        'product_sn',
        'specification_sn',
        'price_type',
        'old_price',
        'price',
        'change_rate',
        'tax_rate',
        'valid_from',
        'valid_to',
        'min_order',
        'contract_no',
        'document_no',
        'status',
      ],
      filters: [
        'partner_name',
        'price_side',
        'product_name',
        'specification_name',
        'price_type',
        'valid_from',
        'valid_to',
        'document_no',
        'status',
      ],
    },
  ],
})
