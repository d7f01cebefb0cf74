import type { ModuleLook } from '#web/registry/contributions.ts'

export const messagesLook: ModuleLook = {
  pages: {
    inbox: () => import('#modules/platform/messages/inbox.page.tsx'),
  },
}
