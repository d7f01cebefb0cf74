import type { Screen } from '#kernel/definition/screen.ts'

/** 消息通知: every message to this user, read or not. */
export const inboxScreen: Screen = {
  route: '/ptm/messageNotifacation',
  tab: '收件箱',
  title: '消息通知',
  orgs: 'PHDV',
  hiddenFor: 'HDV',
  menu: '通知公告',
  purpose: '收到的全部消息：订单、申领、审核等进展，点开直达相关单据',
  columns: [],
  filters: [],
  page: 'inbox',
}

/** 通知记录: the same inbox under its second route, shown in the organisations' menu. */
export const noticeRecordScreen: Screen = {
  ...inboxScreen,
  route: '/commonView/noticeRecord',
  tab: '收到的消息',
  title: '通知记录',
  orgs: 'HDV',
  hiddenFor: '',
}
