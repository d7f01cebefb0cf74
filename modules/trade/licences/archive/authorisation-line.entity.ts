import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { authorisedGoods } from '#modules/trade/licensing/authorised-item-fields.ts'
import { authorising } from '#modules/trade/licensing/licence-types.ts'

/**
 * 授权明细: the goods that an authorisation in the archive covers, where, for whom and until when. Authorisations sent by
 * suppliers and those given to dealers are listed as well, linked to their document; they are changed where they were
 * given.
 */
export const authorisationLine = defineEntity({
  kind: 'authorisationLine',
  title: '授权明细',
  table: 'authorisation_line',
  key: 'authorisation_line_sn',
  scope: 'organisation',
  under: 'licence',
  partOf: {
    when: row => authorising.includes(String(row.licence_type)),
    // For an authorisation already in force, users who may renew it may edit its lines; those given to dealers have
    // their own page.
    written: (row, offered) => (offered.includes('edit') || offered.includes('renew')) && row.is_given !== true,
  },
  writers: 'HDV',
  display: 'product_sn',
  sort: 'authorisation_line_sn',
  fields: {
    licence_sn: f.ref('授权书', 'licence', { required: true }),
    ...authorisedGoods,
    hospital_sn: f.ref('授权医院', 'organisation', {
      optionsFilter: { scope: 'all', system_type: '1' },
      hint: '不选表示区域内全部医院',
      width: 150,
    }),
    area: f.text('授权区域', { max: 200, hint: '省、市或县的名称，多个用顿号分开；留空为全国' }),
    valid_from: f.day('授权期限起', { hint: '留空随授权书' }),
    valid_to: f.day('授权期限至', { hint: '留空随授权书' }),
    may_pass_on: f.flag('允许转授权', { default: true }),
    is_exclusive: f.flag('是否独家', { default: false }),
    grant_level: f.pick('授权级别', { 1: '一级（厂商）', 2: '二级及以下' }, { readOnly: true, width: 120 }),
    remark: f.text('备注', { max: 200 }),
    line_origin: f.pick('来源', { own: '本机构填写', received: '授权方发来', given: '产品授权书' }, { readOnly: true }),
    line_state: f.pick('状态', { enabled: '有效', disabled: '停用' }, { readOnly: true }),
  },
  guards: [row => !row.valid_from || !row.valid_to || row.valid_to >= row.valid_from || '授权期限至不能早于授权期限起'],
  screens: [],
})
