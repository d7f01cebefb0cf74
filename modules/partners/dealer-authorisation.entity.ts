import { defineEntity } from '#kernel/entity.ts'
import { f } from '#kernel/field.ts'
import { statusField } from '#modules/on-off.ts'

/** 经销授权: which of our products a dealer may sell to which hospital, since when and until when, alone or beside others. */
export const dealerAuthorisation = defineEntity({
  kind: 'dealerAuthorisation',
  title: '经销授权',
  table: 'dealer_authorisation',
  key: 'authorisation_sn',
  scope: 'organisation',
  under: 'dealer',
  writers: 'DV',
  display: 'authorisation_no',
  retire: 'disable',
  fields: {
    dealer_sn: f.ref('经销商', 'dealer', { required: true }),
    product_sn: f.ref('授权产品', 'product', { required: true }),
    hospital_sn: f.ref('授权医院', 'organisation', {
      narrow: { scope: 'all', system_type: '1' },
      hint: '不选表示区域内全部医院',
    }),
    area: f.text('授权区域', { max: 200 }),
    is_exclusive: f.flag('是否独家', { default: false }),
    authorisation_no: f.text('授权书编号', { required: true, max: 60 }),
    valid_from: f.day('开始日期', { required: true }),
    valid_to: f.day('结束日期', { required: true }),
    remark: f.text('备注', { max: 200 }),
    status: statusField,
  },
  guards: [row => !row.valid_from || !row.valid_to || row.valid_to >= row.valid_from || '结束日期不能早于开始日期'],
  search: ['authorisation_no', 'product_name', 'area'],
  screens: [],
})
