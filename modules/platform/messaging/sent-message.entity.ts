import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

const traders = { H: '医院', D: '经销商', V: '厂商', P: '平台' } as const

/** 平台消息: what the platform writes to users of all organisations; it sees who received and who read it. */
export const sentMessage = defineEntity({
  kind: 'sentMessage',
  title: '平台消息',
  table: 'sent_message',
  key: 'sent_message_sn',
  scope: 'organisation',
  writers: 'P',
  display: 'title',
  retire: 'delete',
  sort: '-sent_message_sn',
  fields: {
    message_type: f.pick(
      '消息类型',
      { announcement: '平台公告', maintenance: '系统维护', training: '培训通知' },
      { default: 'announcement' },
    ),
    title: f.text('标题', { required: true, max: 80 }),
    body: f.longText('内容', { max: 2000, hint: '不填内容的消息不弹出，只进收件箱' }),
    audience: f.pick(
      '接收范围',
      { all: '全部', type: '机构类型', org: '机构', role: '角色', user: '用户' },
      { default: 'all' },
    ),
    org_types: f.codes('机构类型', { when: ['audience', 'type'], hint: 'H 医院、D 经销商、V 厂商、P 平台' }),
    receivers: { ...f.codes('接收机构', { when: ['audience', 'org'] }), target: 'organisation' },
    role_names: f.codes('接收角色', {
      when: ['audience', 'role'],
      hint: '角色名称，如 库管员；各机构同名角色的用户都会收到',
    }),
    accounts: { ...f.codes('接收用户', { when: ['audience', 'user'] }), target: 'account' },
    uri: f.text('跳转页面', { max: 200, hint: '系统内的路由，如 /commonView/inventory；留空则不跳转' }),
    object_id: f.text('对象编号', { max: 60 }),
    extra: f.text('附加信息', { max: 1000, hint: 'JSON，如 {"salesOrderSn":"XS1"}' }),
    by_sms: f.flag('同时发短信', { default: false, hint: '除站内消息外，向有手机号的接收人发送短信' }),
    send_at: f.instant('定时发送时间', { hint: '留空表示立即发送' }),
    valid_to: f.day('有效期至'),
    state: f.pick(
      '状态',
      { draft: '草稿', waiting: '待发送', sent: '已发送', recalled: '已撤回' },
      { readOnly: true, default: 'draft' },
    ),
    sent_by: f.text('发送人', { readOnly: true }),
    sent_at: f.instant('发送时间', { readOnly: true }),
    recalled_at: f.instant('撤回时间', { readOnly: true }),
  },
  extras: {
    receiver_names: f.text('接收人/范围'),
    delivered_count: f.count('送达机构数'),
    people_count: f.count('接收人数'),
    read_count: f.count('已读人数'),
    read_rate: f.rate('已读率'),
  },
  search: ['title', 'body'],
  actions: {
    send: { label: '发送', tone: 'primary' },
    recall: { label: '撤回', tone: 'danger' },
  },
  screens: [
    {
      route: '/ptm/messageNotifacation',
      tab: '发送管理',
      title: '消息通知',
      orgs: 'P',
      menu: '通知公告',
      purpose: '发给全部机构、某类机构、指定角色或个人的消息，及送达与已读情况',
      columns: [
        'message_type',
        'title',
        'body',
        'object_id',
        'receiver_names',
        'by_sms',
        'sent_by',
        'send_at',
        'sent_at',
        'delivered_count',
        'people_count',
        'read_count',
        'read_rate',
        'valid_to',
        'state',
      ],
      filters: ['message_type', 'title', 'receivers', 'sent_at', 'state'],
    },
  ],
})

/** Labels of the organisation types a message names. */
export const receiverTypes: Readonly<Record<string, string>> = traders
