import type { AnyDocument } from '#kernel/definition/document.ts'
import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'

const columns = [
  'category',
  'document_kind',
  'warehouse_model_inner_sn',
  'department_inner_sn',
  'needs_review',
  'level_count',
  'level_1',
  'level_2',
  'level_3',
  'thresholds',
  'allow_self',
  'separates',
  'is_automatic',
  'automatic_limit',
  'remind_hours',
  'unreview_days',
  'updated_by',
  'updated_at',
  'status',
] as const

/** The business areas under which people look for a document kind. */
const families: Readonly<Record<AnyDocument['category'], string>> = {
  procurement: '采购',
  stockIn: '入库',
  stockOut: '出库',
  internal: '库内',
  sales: '销售',
  ward: '科室',
  finance: '财务',
  compliance: '质量',
}

/**
 * 审核设置: how many people sign a document kind, from which amount, and what happens automatically. `kinds` are the
 * titles of all documents.
 */
export const auditSettingOf = (kinds: Readonly<Record<string, string>>) =>
  defineEntity({
    kind: 'auditSetting',
    title: '审核设置',
    table: 'audit_setting',
    key: 'audit_setting_sn',
    scope: 'organisation',
    display: 'document_kind',
    aboutRights: true,
    sort: 'document_kind,audit_setting_sn',
    fields: {
      document_kind: f.pick('单据类型', kinds, { required: true }),
      warehouse_model_inner_sn: f.ref('适用仓库', 'warehouse', { hint: '不选表示全部仓库' }),
      department_inner_sn: f.ref('适用科室', 'department', { hint: '不选表示全部科室' }),
      needs_review: f.flag('是否启用审核', { default: true, hint: '不启用时，提交后由系统自动审核' }),
      allow_self: f.flag('是否允许本人审核', { default: false }),
      separates: f.flag('制单审核分离', { default: false, hint: '同一人不能同时拥有该单据的制单和审核权限' }),
      is_automatic: f.flag('是否自动审核', { default: false }),
      automatic_limit: f.amount('自动审核金额上限', { min: '0', hint: '留空表示不限金额' }),
      unreview_days: f.count('允许反审核天数', { min: '0', max: '3650' }),
      remind_hours: f.count('超时提醒(小时)', { min: '1', max: '720' }),
      remark: f.text('备注', { max: 200 }),
      status: statusField,
    },
    extras: {
      category: f.pick('业务分类', families),
      level_count: f.count('审核级数'),
      level_1: f.text('一级审核角色/人'),
      level_2: f.text('二级审核角色/人'),
      level_3: f.text('三级审核角色/人'),
      thresholds: f.text('金额阈值'),
      updated_by: f.text('更新人'),
      updated_at: f.instant('更新时间'),
    },
    actions: {
      copy: {
        label: '复制',
        asks: { document_kind: f.pick('复制到单据类型', kinds, { required: true }) },
      },
      reset: { label: '恢复默认', tone: 'danger' },
    },
    links: [{ label: '修改记录', to: '/commonView/logView', with: { audit_setting_sn: '$audit_setting_sn' } }],
    screens: [
      {
        route: '/commonView/auditSetting',
        title: '审核设置',
        orgs: 'HDV',
        menu: '系统设置',
        also: { menu: '财务管理', with: { category: 'finance' } },
        purpose: '各类单据的审核人、级次、金额起点与自动审核；未设置的为一级审核，由有审核权限的人审核',
        columns: [...columns],
        filters: ['category', 'document_kind', 'level_count', 'needs_review', 'is_automatic', 'level_1', 'status'],
      },
    ],
  })
