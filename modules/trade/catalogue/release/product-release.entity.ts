import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

const given = { readOnly: true } as const
export const audiences = {
  all: '全部机构',
  H: '医院',
  D: '经销商',
  V: '厂商',
  HD: '医院与经销商',
  orgs: '指定机构',
} as const

/**
 * 发布批次: new products, passed versions and withdrawals that a second person checks again and that take effect
 * together, now or at a planned time.
 */
export const productRelease = defineEntity({
  kind: 'productRelease',
  title: '产品发布批次',
  table: 'product_release',
  key: 'product_release_sn',
  scope: 'shared',
  writers: 'P',
  display: 'code',
  sort: '-product_release_sn',
  judged: {
    state: 'state',
    passed: ['submitted', 'planned', 'published', 'cancelled'],
    pending: 'submitted',
    action: 'review',
    changeRefused: '批次已提交，不能修改',
  },
  fields: {
    code: f.text('批次号', given),
    note: f.text('发布说明', { max: 200, width: 220 }),
    planned_at: f.instant('计划发布时间', { hint: '留空时复核后立即发布' }),
    audience: f.pick('发布范围', audiences, { required: true, default: 'all' }),
    audience_orgs: f.codes('指定机构编码', { hint: '发布范围为“指定机构”时填写机构编码，每行一个' }),
    created_by: f.text('制单人', given),
    created_at: f.instant('制单时间', given),
    reviewed_by: f.text('复核人', given),
    published_at: f.instant('实际发布时间', given),
    reason: f.text('作废原因', given),
    state: f.pick(
      '状态',
      { draft: '草稿', submitted: '待复核', planned: '待发布', published: '已发布', cancelled: '已作废' },
      { ...given, default: 'draft' },
    ),
  },
  extras: {
    product_count: f.count('产品数'),
    specification_count: f.count('规格数'),
    new_count: f.count('新增数'),
    change_count: f.count('变更数'),
    stop_count: f.count('停用数'),
    product_names: f.text('产品名称', { width: 220 }),
    maker_names: f.text('生产厂家', { width: 180 }),
    failing: f.text('未通过检查', { width: 200 }),
  },
  search: ['code', 'note'],
  actions: {
    collect: { label: '收集完整产品与变更' },
    withdraw: {
      label: '加入停用',
      asks: {
        product_sn: f.ref('停用产品', 'product', {
          required: true,
          optionsFilter: { scope: 'released', status: 'released' },
          hint: '批次发布时停用；要立即停用的请在已发布产品上停用',
        }),
        why: f.text('停用原因', { required: true, max: 200 }),
      },
    },
    submit: { label: '提交', tone: 'primary' },
    review: { label: '复核发布', tone: 'primary' },
    cancel: { label: '作废', asksReason: true, tone: 'danger' },
  },
  screens: [
    {
      route: '/ptm/productIssue',
      title: '产品发布',
      orgs: 'P',
      menu: '产品管理',
      purpose: '将资料完整的未发布产品、已审核的变更和拟停用的产品编入批次，检查、提交，由第二人复核后统一生效',
      columns: [
        'code',
        'note',
        'product_names',
        'maker_names',
        'product_count',
        'specification_count',
        'new_count',
        'change_count',
        'stop_count',
        'failing',
        'planned_at',
        'published_at',
        'audience',
        'created_by',
        'reviewed_by',
        'state',
      ],
      filters: ['code', 'state', 'planned_at', 'product_names', 'maker_names', 'audience', 'created_by'],
      actions: ['add', 'edit', 'del', 'collect', 'withdraw', 'submit', 'review', 'cancel'],
      waits: { action: 'review', text: '发布批次待复核', orgs: 'P', where: { state: 'submitted' } },
    },
  ],
})

/** A product of a batch, with today's check result. */
export const productReleaseLine = defineEntity({
  kind: 'productReleaseLine',
  title: '批次产品',
  table: 'product_release_line',
  key: 'product_release_line_sn',
  scope: 'shared',
  writers: 'P',
  under: 'productRelease',
  display: 'product_sn',
  fields: {
    product_release_sn: f.ref('发布批次', 'productRelease', { required: true }),
    product_sn: f.ref('产品', 'product', {
      required: true,
      shows: { product_code: 'code' },
      optionsFilter: { status: 'unreleased' },
    }),
    change_kind: f.pick('变更类型', { new: '新增', change: '变更', stop: '停用' }, { ...given, default: 'new' }),
    change_text: f.text('变更内容', { ...given, width: 240 }),
    check_result: f.text('检查结果', { ...given, width: 240 }),
  },
  extras: {
    specification_names: f.text('规格型号', { width: 160 }),
    manufacturer_name: f.text('生产厂家'),
    registration_no: f.text('注册证号'),
    udi_di: f.text('UDI-DI'),
  },
  unique: [['product_release_sn', 'product_sn']],
  screens: [],
})
