import { menuGroups } from '#app/menu-groups.ts'
import { itemsHooks } from '#modules/base/items/module.server.ts'
import { settingsHooks } from '#modules/base/settings/module.server.ts'
import { rulesHooks } from '#modules/base/rules/module.server.ts'
import { rightsHooks } from '#modules/base/rights/module.server.ts'
import { identityHooks } from '#modules/base/identity/module.server.ts'
import { approvalHooks } from '#modules/base/approval/module.server.ts'
import { periodsHooks } from '#modules/finance/periods/module.server.ts'
import { checksHooks } from '#modules/base/checks/module.server.ts'
import { fileColumnsHooks } from '#modules/base/file-columns/module.server.ts'
import { stockHooks } from '#modules/goods/stock/module.server.ts'
import { countsHooks } from '#modules/goods/counts/module.server.ts'
import { lossesHooks } from '#modules/goods/losses/module.server.ts'
import { transfersHooks } from '#modules/goods/transfers/module.server.ts'
import { packsHooks } from '#modules/goods/packs/module.server.ts'
import { labelsHooks } from '#modules/goods/labels/module.server.ts'
import { qualityHooks } from '#modules/goods/quality/module.server.ts'
import { correctionsHooks } from '#modules/goods/corrections/module.server.ts'
import { traceHooks } from '#modules/goods/trace/module.server.ts'
import { warningsHooks } from '#modules/goods/warnings/module.server.ts'
import { partnersHooks } from '#modules/trade/partners/module.server.ts'
import { licencesHooks } from '#modules/trade/licences/module.server.ts'
import { licensingHooks } from '#modules/trade/licensing/module.server.ts'
import { complianceHooks } from '#modules/trade/compliance/module.server.ts'
import { catalogueHooks } from '#modules/trade/catalogue/module.server.ts'
import { purchasingHooks } from '#modules/trade/purchasing/module.server.ts'
import { salesHooks } from '#modules/trade/sales/module.server.ts'
import { returnsHooks } from '#modules/trade/returns/module.server.ts'
import { transportHooks } from '#modules/trade/transport/module.server.ts'
import { leaseHooks } from '#modules/trade/lease/module.server.ts'
import { wardHooks } from '#modules/hospital/ward/module.server.ts'
import { issuesHooks } from '#modules/hospital/issues/module.server.ts'
import { surgeryHooks } from '#modules/hospital/surgery/module.server.ts'
import { reagentsHooks } from '#modules/hospital/reagents/module.server.ts'
import { cabinetHooks } from '#modules/hospital/cabinet/module.server.ts'
import { hisHooks } from '#modules/hospital/his/module.server.ts'
import { chargesHooks } from '#modules/hospital/charges/module.server.ts'
import { insuranceHooks } from '#modules/hospital/insurance/module.server.ts'
import { signaturesHooks } from '#modules/hospital/signatures/module.server.ts'
import { invoicingHooks } from '#modules/finance/invoicing/module.server.ts'
import { paymentsHooks } from '#modules/finance/payments/module.server.ts'
import { settlementHooks } from '#modules/finance/settlement/module.server.ts'
import { serviceChargesHooks } from '#modules/finance/service-charges/module.server.ts'
import { statementsHooks } from '#modules/finance/statements/module.server.ts'
import { accountingHooks } from '#modules/finance/accounting/module.server.ts'
import { registersHooks } from '#modules/finance/registers/module.server.ts'
import { operatorHooks } from '#modules/platform/operator/module.server.ts'
import { printsHooks } from '#modules/platform/prints/module.server.ts'
import { reportsHooks } from '#modules/platform/reports/module.server.ts'
import { workbenchHooks } from '#modules/platform/workbench/module.server.ts'
import { assistantHooks } from '#modules/platform/assistant/module.server.ts'
import { logsHooks } from '#modules/platform/logs/module.server.ts'
import { type Hooks, hooksOf } from '#server/registry/hooks.ts'

/** Everything that rooms add to the engine beyond their definitions: what a program registers where it starts. */
export const hooks: Hooks = hooksOf([
  itemsHooks,
  settingsHooks,
  rulesHooks,
  rightsHooks,
  identityHooks,
  approvalHooks,
  checksHooks,
  fileColumnsHooks,
  stockHooks,
  warningsHooks,
  labelsHooks,
  countsHooks,
  lossesHooks,
  transfersHooks,
  packsHooks,
  qualityHooks,
  correctionsHooks,
  traceHooks,
  partnersHooks,
  catalogueHooks,
  licencesHooks,
  licensingHooks,
  complianceHooks,
  purchasingHooks,
  salesHooks,
  returnsHooks,
  transportHooks,
  leaseHooks,
  wardHooks,
  issuesHooks,
  surgeryHooks,
  reagentsHooks,
  cabinetHooks,
  hisHooks,
  chargesHooks,
  insuranceHooks,
  signaturesHooks,
  serviceChargesHooks,
  invoicingHooks,
  paymentsHooks,
  settlementHooks,
  statementsHooks,
  accountingHooks,
  periodsHooks,
  registersHooks,
  operatorHooks,
  printsHooks,
  reportsHooks,
  workbenchHooks,
  assistantHooks,
  logsHooks,
  { menuGroups },
])
