import type { Flow } from '#kernel/definition/dashboard.ts'
import type { Screen } from '#kernel/definition/screen.ts'

/** 骨科导航: the first page of everybody who works around operations on loaned goods. */
export const boneFlowScreen: Screen = {
  route: '/commonView/navigationBoneManage',
  title: '骨科导航',
  orgs: 'HDV',
  menu: '骨科手术管理',
  purpose: '跟台流程一览：计划、备货、预验收、出库、使用、销售与退回各环节的待处理单据数，及未来七天的手术',
  columns: [],
  filters: [],
  page: 'boneFlow',
}

const live = 'reviewed,partial'
const drafts = [
  { text: '草稿', where: { state: 'draft' } },
  { text: '待审核', where: { state: 'submitted' } },
] as const

/** The day before the one on which it is read: what was due until then is late. */
export type FlowDays = { readonly today: string; readonly yesterday: string }

/** The process as a chart; nothing in it names a patient. `days` only sets where cards lead. */
export const boneFlow = ({ today, yesterday }: FlowDays): Flow => ({
  name: 'bone',
  partner: { label: '供应商/医院', relation: 'supplier' },
  handler: '经办人',
  steps: [
    {
      kind: 'bonePlan',
      title: '跟台计划',
      at: [0, 0],
      counts: [
        { text: '待接单', where: { accept_state: '1', state: live } },
        { text: '已接单', where: { accept_state: '2', state: live } },
        { text: '待备货', where: { accept_state: '2', state: live, prepare_state: '1,2' } },
        { text: '已拒单', where: { accept_state: '3', state: live }, late: true },
      ],
    },
    {
      kind: 'implantKit',
      title: '备货：手术套包',
      at: [1, 0],
      after: ['bonePlan'],
      counts: [
        { text: '在库可用', where: { state: 'ready' } },
        { text: '已占用', where: { state: 'booked' } },
        { text: '待补货', where: { state: 'refill' }, late: true },
      ],
    },
    {
      kind: 'toolsKit',
      title: '备货：工具包',
      at: [1, 1],
      after: ['bonePlan'],
      counts: [
        { text: '在库可用', where: { state: 'ready' } },
        { text: '已占用', where: { state: 'booked' } },
        { text: '待清洗消毒', where: { state: 'dirty' }, late: true },
      ],
    },
    {
      kind: 'bonePreAcceptance',
      title: '预验收',
      at: [2, 0],
      after: ['implantKit', 'toolsKit'],
      counts: [
        { text: '待验收', where: { state: 'draft,submitted' } },
        { text: '有差异', where: { has_difference: 'yes' }, late: true },
      ],
    },
    {
      kind: 'bonePresale',
      title: '预销售出库',
      at: [3, 0],
      after: ['bonePreAcceptance'],
      counts: [...drafts, { text: '未结清', where: { state: live } }],
    },
    {
      kind: 'surgeryUse',
      title: '手术使用',
      at: [4, 0],
      after: ['bonePresale'],
      counts: [...drafts],
    },
    {
      kind: 'boneSale',
      title: '骨科销售',
      at: [5, 0],
      after: ['surgeryUse'],
      counts: [...drafts],
    },
    {
      kind: 'boneBack',
      title: '骨科退回',
      at: [5, 1],
      after: ['surgeryUse'],
      counts: [...drafts],
    },
  ],
  cards: [
    {
      figure: 'today_count',
      title: '今日手术台数',
      as: 'count',
      says: '手术时间在今天、已提交且未作废的跟台计划',
      kind: 'bonePlan',
      where: { begin_surgery_at: today, end_surgery_at: today, state: `submitted,${live},completed` },
    },
    {
      figure: 'late_count',
      title: '未按时送达',
      as: 'count',
      says: '要求送达时间早于今天、尚未预验收的有效跟台计划',
      kind: 'bonePlan',
      where: { end_deliver_by: yesterday, pre_state: '1', state: live },
    },
    {
      figure: 'unused_count',
      title: '手术日已过、未登记使用',
      as: 'count',
      says: '手术日早于今天、尚未登记使用的有效跟台计划',
      kind: 'bonePlan',
      where: { end_surgery_at: yesterday, use_state: '1', state: live },
    },
    {
      figure: 'out_count',
      title: '在外套包数',
      as: 'count',
      says: '随跟台计划发出、尚未归还的手术套包',
      kind: 'implantKit',
      where: { is_out: 'true' },
    },
    {
      figure: 'out_sets',
      title: '在外工具包数',
      as: 'count',
      says: '随跟台计划发出、尚未归还的工具包',
      kind: 'toolsKit',
      where: { is_out: 'true' },
    },
    {
      figure: 'overdue_count',
      title: '其中逾期未还',
      as: 'count',
      says: '在外的手术套包中应还日期早于今天的',
      kind: 'implantKit',
      where: { is_out: 'true', is_overdue: 'true' },
    },
    {
      figure: 'usage_rate',
      title: '套包使用率（近6个月）',
      as: 'rate',
      says: '近6个月已完成的跟台计划中，使用件数除以发出件数',
      kind: 'bonePlan',
      where: { state: 'completed' },
    },
  ],
})
