import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

/** 审核级次: one approval level of a document kind: who signs, and from which amount. */
export const auditLevel = defineEntity({
  kind: 'auditLevel',
  title: '审核级次',
  table: 'audit_level',
  key: 'audit_level_sn',
  scope: 'organisation',
  display: 'name',
  aboutRights: true,
  under: 'auditSetting',
  writers: 'HDV',
  sort: 'level_no',
  fields: {
    audit_setting_sn: f.ref('审核设置', 'auditSetting', { required: true }),
    level_no: f.count('审核级次', { required: true, min: '1', max: '9' }),
    name: f.text('级次名称', { max: 40, hint: '如：科主任审核' }),
    mode: f.pick('审核方式', { any: '任一', all: '会签' }, { default: 'any' }),
    roles: { ...f.codes('审核角色'), target: 'role' },
    users: { ...f.codes('审核人'), target: 'user' },
    from_amount: f.amount('金额起点', { min: '0', default: '0', hint: '价税合计达到该金额时需要本级审核' }),
    needs_opinion: f.flag('是否必填意见', { default: false }),
    deputy_sn: f.ref('代理人', 'user'),
    deputy_from: f.day('代理开始'),
    deputy_to: f.day('代理结束'),
  },
  unique: [['audit_setting_sn', 'level_no']],
  guards: [
    row =>
      row.deputy_from === null ||
      row.deputy_to === null ||
      row.deputy_from <= row.deputy_to ||
      '代理结束不能早于代理开始',
  ],
  screens: [],
})
