import type { Module } from '#kernel/module.ts'
import { inboxScreen, noticeRecordScreen } from '#modules/platform/messages/inbox.screen.ts'

export const messagesModule: Module = {
  tools: [inboxScreen, noticeRecordScreen],
}
