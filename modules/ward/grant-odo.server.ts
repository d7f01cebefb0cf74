import { askForEarlier } from '#modules/first-expiry.server.ts'
import type { DocumentRules } from '#server/engine/documents/acting.ts'

export const grantOdoRules: DocumentRules = {
  kind: 'grantOdo',
  before: { submit: acting => askForEarlier(acting, lot => `存在更近效期批次${lot}，请填写原因`) },
}
