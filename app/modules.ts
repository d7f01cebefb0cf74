import { definitionsOf, type Module } from '#kernel/module.ts'
import type { Definitions } from '#kernel/registry.ts'
import { auditSettingOf } from '#modules/base/approval/audit-setting.entity.ts'
import { rulesModule } from '#modules/base/rules/module.ts'
import { rightsModule } from '#modules/base/rights/module.ts'
import { identityModule } from '#modules/base/identity/module.ts'
import { approvalModule } from '#modules/base/approval/module.ts'
import { periodsModule } from '#modules/finance/periods/module.ts'
import { fileColumnsModule } from '#modules/base/file-columns/module.ts'
import { stockModule } from '#modules/goods/stock/module.ts'
import { countsModule } from '#modules/goods/counts/module.ts'
import { lossesModule } from '#modules/goods/losses/module.ts'
import { transfersModule } from '#modules/goods/transfers/module.ts'
import { packsModule } from '#modules/goods/packs/module.ts'
import { labelsModule } from '#modules/goods/labels/module.ts'
import { qualityModule } from '#modules/goods/quality/module.ts'
import { correctionsModule } from '#modules/goods/corrections/module.ts'
import { traceModule } from '#modules/goods/trace/module.ts'
import { warningsModule } from '#modules/goods/warnings/module.ts'
import { partnersModule } from '#modules/trade/partners/module.ts'
import { licencesModule } from '#modules/trade/licences/module.ts'
import { complianceModule } from '#modules/trade/compliance/module.ts'
import { catalogueModule } from '#modules/trade/catalogue/module.ts'
import { purchasingModule } from '#modules/trade/purchasing/module.ts'
import { salesModule } from '#modules/trade/sales/module.ts'
import { returnsModule } from '#modules/trade/returns/module.ts'
import { transportModule } from '#modules/trade/transport/module.ts'
import { leaseModule } from '#modules/trade/lease/module.ts'
import { wardModule } from '#modules/hospital/ward/module.ts'
import { issuesModule } from '#modules/hospital/issues/module.ts'
import { surgeryModule } from '#modules/hospital/surgery/module.ts'
import { reagentsModule } from '#modules/hospital/reagents/module.ts'
import { cabinetModule } from '#modules/hospital/cabinet/module.ts'
import { hisModule } from '#modules/hospital/his/module.ts'
import { chargesModule } from '#modules/hospital/charges/module.ts'
import { insuranceModule } from '#modules/hospital/insurance/module.ts'
import { invoicingModule } from '#modules/finance/invoicing/module.ts'
import { paymentsModule } from '#modules/finance/payments/module.ts'
import { settlementModule } from '#modules/finance/settlement/module.ts'
import { serviceChargesModule } from '#modules/finance/service-charges/module.ts'
import { statementsModule } from '#modules/finance/statements/module.ts'
import { accountingModule } from '#modules/finance/accounting/module.ts'
import { registersModule } from '#modules/finance/registers/module.ts'
import { operatorModule } from '#modules/platform/operator/module.ts'
import { printsModule } from '#modules/platform/prints/module.ts'
import { reportsModule } from '#modules/platform/reports/module.ts'
import { wallsModule } from '#modules/platform/walls/module.ts'
import { workbenchModule } from '#modules/platform/workbench/module.ts'
import { messagesModule } from '#modules/platform/messages/module.ts'
import { logsModule } from '#modules/platform/logs/module.ts'

/** The rooms of the business, by group. Tabs of one page stand in this order; `menu-groups.ts` orders the menu. */
const modules: readonly Module[] = [
  rulesModule,
  rightsModule,
  identityModule,
  approvalModule,
  fileColumnsModule,
  stockModule,
  warningsModule,
  labelsModule,
  countsModule,
  lossesModule,
  transfersModule,
  packsModule,
  qualityModule,
  correctionsModule,
  traceModule,
  partnersModule,
  catalogueModule,
  licencesModule,
  complianceModule,
  purchasingModule,
  salesModule,
  returnsModule,
  transportModule,
  leaseModule,
  wardModule,
  issuesModule,
  surgeryModule,
  reagentsModule,
  cabinetModule,
  hisModule,
  chargesModule,
  insuranceModule,
  serviceChargesModule,
  invoicingModule,
  paymentsModule,
  settlementModule,
  statementsModule,
  accountingModule,
  periodsModule,
  registersModule,
  operatorModule,
  printsModule,
  reportsModule,
  wallsModule,
  workbenchModule,
  messagesModule,
  logsModule,
]

const titles = Object.fromEntries(
  modules.flatMap(({ documents = [] }) => documents).map(({ kind, title }) => [kind, title]),
)

/** Every definition there is: what a program registers where it starts. */
export const definitions: Definitions = definitionsOf(
  [...modules, { entities: [auditSettingOf(titles)] }],
  'operationLog',
)
export const { documents, entities, reports, tools, foreignTables } = definitions
