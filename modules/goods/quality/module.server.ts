import type { ModuleHooks } from '#server/public/hooks.ts'
import { qualityColumns } from '#modules/goods/quality/quality-columns.server.ts'
import { deliverRecalls } from '#modules/goods/quality/recall-delivery.server.ts'
import { recallDeliveryRules, recallFeedbackRules } from '#modules/goods/quality/recall-feedback.server.ts'
import { recallRules } from '#modules/goods/quality/recall.server.ts'
import { stopSaleRules } from '#modules/goods/quality/stop-sale.server.ts'
import { storageCheckRules, temperatureLogRules } from '#modules/goods/quality/storage-check.server.ts'
import { qualityPageRules } from '#modules/goods/quality/quality.page-rules.server.ts'
import { frequent } from '#server/public/jobs.ts'

export const qualityHooks: ModuleHooks = {
  pageRules: [qualityPageRules],
  documents: [stopSaleRules, recallRules, storageCheckRules],
  records: [recallFeedbackRules, recallDeliveryRules, temperatureLogRules],
  listColumns: qualityColumns,
  jobs: [frequent('deliver_recalls', '召回送达', ({ app, owner }) => deliverRecalls(app, owner))],
}
