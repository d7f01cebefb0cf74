import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { recallLevels } from '#modules/goods/quality/recall.doc.ts'

const counted = {
  received: f.quantity('收到数量', { readOnly: true, hint: '账面：全部收入' }),
  on_hand: f.quantity('在库数量', { min: '0', hint: '含在途；请按实物清点' }),
  blocked: f.quantity('已停售数量', { min: '0', hint: '在库数量中已停售、冻结或不合格的部分' }),
  used: f.quantity('已使用数量', { min: '0' }),
  returned: f.quantity('已退回数量', { min: '0', hint: '已退给供应商' }),
  passed_on: f.quantity('已发出数量', { min: '0', hint: '已销售或赠送给下游机构' }),
  gone: f.quantity('已报废/报损数量', { min: '0' }),
} as const
const figures = ['received', 'on_hand', 'blocked', 'used', 'returned', 'passed_on', 'gone'] as const

/** 召回反馈: a recalled lot this organisation once received, its ledger figures and its answer. */
export const recallFeedback = defineEntity({
  kind: 'recallFeedback',
  title: '召回反馈',
  table: 'recall_feedback',
  key: 'recall_feedback_sn',
  scope: 'organisation',
  writers: 'HDV',
  display: 'recall_sn',
  sort: '-recall_feedback_sn',
  fields: {
    recall_sn: f.text('召回编号', { readOnly: true }),
    title: f.text('标题', { readOnly: true }),
    recall_level: f.pick('召回级别', recallLevels, { readOnly: true }),
    from_org_sn: f.ref('发出机构', 'organisation', { readOnly: true }),
    recall_reason: f.text('召回原因', { readOnly: true }),
    requirement: f.text('处理要求', { readOnly: true }),
    due_date: f.day('反馈截止日期', { readOnly: true }),
    specification_sn: f.ref('规格型号', 'specification', { readOnly: true }),
    lot_no: f.lot('批号', { readOnly: true }),
    ...counted,
    attachments: f.files('召回文件', { readOnly: true }),
    note: f.text('反馈说明', { max: 200 }),
    arrived_at: f.instant('收到时间', { readOnly: true }),
    answered_by: f.text('反馈人', { readOnly: true }),
    answered_at: f.instant('反馈时间', { readOnly: true }),
    state: f.pick(
      '状态',
      { waiting: '待反馈', answered: '已反馈', closed: '已关闭', withdrawn: '已撤下' },
      { readOnly: true, default: 'waiting' },
    ),
  },
  extras: { product_name: f.text('产品名称') },
  search: ['recall_sn', 'title', 'lot_no', 'product_name'],
  actions: {
    feedback: { label: '召回反馈', tone: 'primary' },
    recount: { label: '按账面重算' },
    toReturn: { label: '生成采购退货' },
  },
  screens: [
    {
      route: '/commonView/noticeRecord',
      tab: '召回反馈',
      title: '通知记录',
      orgs: 'HDV',
      menu: '通知公告',
      purpose: '收到的召回：逐批核对在库、停售、使用、退回与发出数量后反馈；召回未关闭前这些批号不能出库',
      columns: [
        'recall_sn',
        'title',
        'recall_level',
        'from_org_sn',
        'product_name',
        'specification_sn',
        'lot_no',
        'attachments',
        ...figures,
        'due_date',
        'state',
        'answered_by',
        'answered_at',
        'arrived_at',
      ],
      filters: ['recall_sn', 'title', 'recall_level', 'from_org_sn', 'product_name', 'lot_no', 'state', 'arrived_at'],
      actions: ['edit', 'feedback', 'recount', 'toReturn'],
      waits: { action: 'feedback', text: '待反馈', orgs: 'HDV', where: { state: 'waiting' } },
    },
  ],
})

/**
 * 召回进度: each holder of each lot we recalled, and its answer. Only the maker and the platform read the holders' names;
 * others their type and province.
 */
export const recallDelivery = defineEntity({
  kind: 'recallDelivery',
  title: '召回进度',
  table: 'recall_progress',
  key: 'recall_delivery_sn',
  scope: 'organisation',
  display: 'to_org_sn',
  readOnly: true,
  under: 'recall',
  sort: '-recall_delivery_sn',
  fields: {
    to_org_sn: f.ref('接收机构', 'organisation', { hint: '只有生产厂家和平台按名称看到持有机构' }),
    specification_sn: f.ref('规格型号', 'specification'),
    delivered_at: f.instant('送达时间'),
    ...counted,
    note: f.text('反馈说明'),
    answered_by: f.text('反馈人'),
    answered_at: f.instant('反馈时间'),
    reminded_on: f.day('催办日期'),
  },
  extras: {
    holder: f.text('接收机构'),
    recall_sn: f.text('召回编号'),
    recall_title: f.text('标题'),
    product_name: f.text('产品名称'),
    lot_no: f.lot('批号'),
    answer_state: f.pick('反馈状态', { waiting: '待反馈', answered: '已反馈' }),
  },
  search: ['recall_sn', 'recall_title', 'lot_no'],
  screens: [],
})
