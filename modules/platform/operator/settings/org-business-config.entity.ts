import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

/**
 * 业务配置: switches and limits that the platform sets for each organisation; the organisation's own finer rules take
 * precedence.
 */
export const businessConfig = defineEntity({
  kind: 'orgBusinessConfig',
  title: '业务配置',
  table: 'org_config_item',
  key: 'config_sn',
  scope: 'shared',
  writers: 'P',
  display: 'title',
  sort: 'config_sn',
  fields: {
    holder_sn: f.ref('机构名称', 'organisation', { readOnly: true }),
    system_type: f.pick('机构类型', { 0: '平台', 1: '医院', 2: '经销商', 3: '厂商' }, { readOnly: true }),
    category: f.text('配置分组', { readOnly: true }),
    title: f.text('配置项', { readOnly: true }),
    value: f.text('当前值', { max: 40 }),
    preset: f.text('默认值', { readOnly: true }),
    valid_from: f.day('生效日期'),
    valid_to: f.day('失效日期', { hint: '仅委托代运营填写' }),
    authorisation: f.files('授权书', { hint: '仅委托代运营上传' }),
    changed_by: f.text('修改人', { readOnly: true }),
    changed_at: f.instant('修改时间', { readOnly: true }),
  },
  extras: { allowed: f.text('可填内容') },
  search: ['title', 'category'],
  actions: {
    copy: { label: '复制到其他机构', asks: { org_sn: f.ref('机构', 'organisation', { required: true }) } },
    reset: { label: '恢复默认', tone: 'danger' },
  },
  links: [{ label: '变更记录', to: '/ptm/logController', with: { subject_name: '业务配置', object_name: '$title' } }],
  screens: [
    {
      route: '/ptm/businessConfig',
      title: '业务配置',
      orgs: 'P',
      menu: '机构管理',
      purpose:
        '按机构设置改变业务的开关与限额，自生效日期起对之后的单据生效；机构在规则配置中自行调整的，以机构的规则为准',
      columns: [
        'holder_sn',
        'system_type',
        'category',
        'title',
        'value',
        'preset',
        'allowed',
        'valid_from',
        'valid_to',
        'authorisation',
        'changed_by',
        'changed_at',
      ],
      filters: ['holder_name', 'system_type', 'category', 'title'],
      actions: ['edit', 'copy', 'reset'],
    },
  ],
})
