import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle } from '#kernel/definition/lifecycle.ts'
import { everyLine, hasLines, needs } from '#modules/base/vocabulary/validators.ts'

export const recallLevels = { first: '一级', second: '二级', third: '三级' } as const

const header = {
  heading: f.text('标题', { required: true, max: 80 }),
  recall_level: f.pick('召回级别', recallLevels, { default: 'second' }),
  recall_reason: f.text('召回原因', { max: 200 }),
  due_date: f.day('反馈截止日期'),
  body: f.longText('正文', { max: 2000 }),
  goods_summary: f.text('涉及产品', { readOnly: true }),
  lots_summary: f.text('涉及批号', { readOnly: true }),
  receiver_count: f.count('接收机构数', { readOnly: true }),
  read_count: f.count('已读数', { readOnly: true }),
  read_rate: f.rate('已读率', { readOnly: true }),
  confirmed_count: f.count('已确认数', { readOnly: true }),
  confirmed_rate: f.rate('确认率', { readOnly: true }),
  answered_count: f.count('已反馈数', { readOnly: true }),
  reported_by: f.text('上报人', { readOnly: true }),
  reported_at: f.instant('上报时间', { readOnly: true }),
  report_sent: f.flag('上报已送达', { readOnly: true }),
  published_by: f.text('发布人', { readOnly: true }),
  published_at: f.instant('发布时间', { readOnly: true }),
  summary: f.longText('召回总结', { max: 1000, dialogOnly: true }),
  handler_inner_sn: f.ref('经办人', 'employee'),
  business_date: f.day('召回日期'),
  attachments: f.files('召回文件', { hint: '非本厂产品由经销商或医院代为召回时，须上传生产厂家的召回文件' }),
  remark: f.longText('备注', { max: 500 }),
}
const lines = {
  specification_sn: f.ref('规格型号', 'specification', { required: true }),
  certificate_no: f.text('注册证号', { readOnly: true }),
  lot_no: f.lot('批号', { max: 40 }),
  serial_range: f.text('序列号范围', { max: 80, hint: '供识别；系统按整个批号停用' }),
  production_date: f.day('生产日期', { readOnly: true }),
  expiry_date: f.day('有效期至', { readOnly: true }),
  sold_quantity: f.text('生产/销售数量', { max: 40 }),
  requirement: f.text('处理要求', { max: 100, default: '立即停用，清点并反馈' }),
  remark: f.text('备注', { max: 200 }),
}
type Doc = DocOf<typeof header, typeof lines>

const life = lifecycle<Doc>({
  submit: [
    hasLines,
    needs('heading', '请填写标题'),
    needs('recall_reason', '请填写召回原因'),
    everyLine('请选择规格型号', line => line.specification_sn !== null),
    everyLine('请填写批号', line => Boolean(line.lot_no)),
  ],
  rejectReason: '请填写驳回原因',
})

/**
 * 召回: a manufacturer or the platform recalls lots from all holders; a seller recalls them from those who got them from
 * it, directly or through others. Each holder blocks its stock and answers lot by lot; the recall is closed with a
 * summary once every answer is there. Others can only report a lot to its maker and the platform.
 */
export const recall = defineDocument({
  kind: 'recall',
  title: '召回通知',
  numberPrefix: 'ZH',
  category: 'compliance',
  ownerTypes: 'HDVP',
  header,
  lines,
  lineRules: {
    basis: 'row',
  },
  actions: {
    ...life,
    publish: { label: '发布', from: ['reviewed'], to: 'partial', tone: 'primary' },
    report: { label: '上报', from: ['reviewed'], to: null },
    remind: { label: '催办', from: ['partial'], to: null },
    close: {
      label: '关闭召回',
      from: ['partial'],
      to: 'completed',
      inputs: ['summary'],
      guards: [needs('summary', '请填写召回总结')],
    },
    withdraw: { label: '撤下', from: ['partial'], to: 'stopped', requiresReason: '请填写撤下原因', tone: 'danger' },
  },
  lifecycle: {
    stateLabels: { reviewed: '待发布', partial: '召回中', completed: '已关闭', stopped: '已撤下' },
  },
  posting: {
    stockDirection: 'none',
  },
  screens: [
    {
      route: '/commonView/noticeManage',
      tab: '召回',
      title: '通知公告管理',
      orgs: 'HDVP',
      menu: '通知公告',
      purpose:
        '召回批号：生产厂家和平台召回所有持有机构的，交付方召回自己交付出去的；货物随即停用，逐批反馈后关闭。其他机构可上报',
      columns: [
        'sn',
        'heading',
        'recall_level',
        'goods_summary',
        'lots_summary',
        'receiver_count',
        'read_count',
        'read_rate',
        'confirmed_count',
        'confirmed_rate',
        'answered_count',
        'published_by',
        'published_at',
        'due_date',
        'business_date',
        'state',
      ],
      filters: ['sn', 'heading', 'recall_level', 'specification_sn', 'lot_no', 'business_date', 'state'],
    },
  ],
})
