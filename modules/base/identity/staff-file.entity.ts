import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

/** The posts whose holders handle goods or answer for their quality. */
export const qualityPosts = {
  head: '质量负责人',
  manager: '质量管理员',
  inspector: '验收员',
  keeper: '养护员',
  storekeeper: '仓储人员',
} as const

const kinds = { health: '健康检查', training: '培训记录', certificate: '资格证书' } as const

/**
 * 质量档案: health checks, training and certificates of employees. Who holds a quality post is checked once a year, and is
 * warned of before the last check that he passed runs out; training and certificates only where they end.
 */
export const staffFile = defineEntity({
  kind: 'staffFile',
  title: '质量档案',
  table: 'staff_file',
  key: 'staff_file_sn',
  scope: 'organisation',
  writers: 'HDV',
  display: 'subject',
  sort: '-done_on,-staff_file_sn',
  tone: ({ result, standing }) =>
    result === 'failed' || standing === 'expired' ? 'danger' : standing === 'soon' ? 'warning' : undefined,
  fields: {
    employee_inner_sn: f.ref('员工', 'employee', {
      required: true,
      shows: { employee_code: 'code', quality_post: 'quality_post' },
    }),
    file_kind: f.pick('档案类型', kinds, { required: true, default: 'health' }),
    subject: f.text('体检机构/培训内容/证书名称', { required: true, max: 100, width: 220 }),
    code: f.text('证明编号', { max: 60 }),
    done_on: f.day('检查/培训/发证日期', { required: true, default: 'today' }),
    valid_to: f.day('有效期至', { hint: '健康检查每年一次，留空为一年；培训与证书留空为长期有效' }),
    result: f.pick('结果', { passed: '合格', failed: '不合格' }, { required: true, default: 'passed' }),
    attachments: f.files('附件', { hint: '健康证明、培训签到与考核、证书的扫描件' }),
    remark: f.text('备注', { max: 200 }),
    filed_by: f.text('登记人', { readOnly: true }),
  },
  extras: {
    days_left: f.count('剩余天数'),
    standing: f.pick(
      '效期状态',
      { valid: '有效', soon: '即将到期', expired: '已过期', replaced: '已更新' },
      { tones: { soon: 'warning', expired: 'danger' } },
    ),
  },
  guards: [row => row.valid_to === null || row.valid_to >= row.done_on! || '有效期至不能早于检查/培训/发证日期'],
  search: ['employee_name', 'employee_code', 'subject', 'code'],
  screens: [
    {
      route: '/ptm/HumanResources',
      tab: '质量档案',
      title: '人力资源',
      orgs: 'HDV',
      menu: '系统设置',
      purpose: '质量、验收、养护与仓储岗位人员的健康检查、培训与资格证书，到期前30天预警',
      counted: { standing: 'expired' },
      columns: [
        'employee_inner_sn',
        'employee_code',
        'quality_post',
        'file_kind',
        'subject',
        'code',
        'done_on',
        'valid_to',
        'days_left',
        'standing',
        'result',
        'attachments',
        'remark',
        'filed_by',
      ],
      filters: ['employee_inner_sn', 'quality_post', 'file_kind', 'done_on', 'valid_to', 'standing', 'result'],
    },
  ],
})
