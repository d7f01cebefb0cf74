import { defineEntity } from '#kernel/entity.ts'
import { f } from '#kernel/field.ts'

/** 公告: what an organisation tells its own people or its partners; published, it reaches the message centre of its readers. */
export const notice = defineEntity({
  kind: 'notice',
  title: '公告',
  table: 'notice',
  key: 'notice_sn',
  scope: 'organisation',
  display: 'title',
  retire: 'delete',
  sort: '-notice_sn',
  fields: {
    notice_type: f.pick(
      '公告类型',
      { internal: '内部通知', business: '业务公告', supply: '停供通知', price: '调价通知' },
      { default: 'business' },
    ),
    title: f.text('标题', { required: true, max: 80 }),
    body: f.longText('正文', { required: true, max: 2000 }),
    audience: f.pick(
      '接收范围',
      { own: '本机构', partners: '全部往来机构', chosen: '指定往来机构', all: '全平台机构' },
      { default: 'own' },
    ),
    receivers: { ...f.codes('接收机构'), target: 'organisation' },
    valid_to: f.day('有效期至'),
    attachments: f.files('附件'),
    state: f.pick(
      '状态',
      { draft: '草稿', published: '已发布', withdrawn: '已撤下' },
      { readOnly: true, default: 'draft' },
    ),
    published_by: f.text('发布人', { readOnly: true }),
    published_at: f.instant('发布时间', { readOnly: true }),
    reason: f.text('撤下原因', { readOnly: true }),
  },
  extras: { receiver_count: f.count('接收机构数'), delivered_count: f.count('已送达数') },
  search: ['title', 'body'],
  actions: {
    publish: { label: '发布', tone: 'primary' },
    withdraw: { label: '撤下', tone: 'danger', asksReason: true },
  },
  screens: [
    {
      route: '/commonView/noticeManage',
      title: '通知公告管理',
      orgs: 'PHDV',
      menu: '通知公告',
      purpose: '写给本机构或往来机构的公告；发布后进入每个接收人的消息中心',
      columns: [
        'notice_type',
        'title',
        'audience',
        'receiver_count',
        'delivered_count',
        'published_by',
        'published_at',
        'valid_to',
        'state',
      ],
      filters: ['notice_type', 'title', 'published_by', 'published_at', 'audience', 'state'],
    },
  ],
})
