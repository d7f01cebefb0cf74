import { identityLook } from '#modules/base/identity/module.web.ts'
import { fileColumnsLook } from '#modules/base/file-columns/module.web.ts'
import { stockLook } from '#modules/goods/stock/module.web.ts'
import { packsLook } from '#modules/goods/packs/module.web.ts'
import { labelsLook } from '#modules/goods/labels/module.web.ts'
import { qualityLook } from '#modules/goods/quality/module.web.ts'
import { traceLook } from '#modules/goods/trace/module.web.ts'
import { warningsLook } from '#modules/goods/warnings/module.web.ts'
import { partnersLook } from '#modules/trade/partners/module.web.ts'
import { licencesLook } from '#modules/trade/licences/module.web.ts'
import { catalogueLook } from '#modules/trade/catalogue/module.web.ts'
import { purchasingLook } from '#modules/trade/purchasing/module.web.ts'
import { salesLook } from '#modules/trade/sales/module.web.ts'
import { transportLook } from '#modules/trade/transport/module.web.ts'
import { surgeryLook } from '#modules/hospital/surgery/module.web.ts'
import { cabinetLook } from '#modules/hospital/cabinet/module.web.ts'
import { hisLook } from '#modules/hospital/his/module.web.ts'
import { chargesLook } from '#modules/hospital/charges/module.web.ts'
import { signaturesLook } from '#modules/hospital/signatures/module.web.ts'
import { operatorLook } from '#modules/platform/operator/module.web.ts'
import { printsLook } from '#modules/platform/prints/module.web.ts'
import { reportsLook } from '#modules/platform/reports/module.web.ts'
import { wallsLook } from '#modules/platform/walls/module.web.ts'
import { workbenchLook } from '#modules/platform/workbench/module.web.ts'
import { messagesLook } from '#modules/platform/messages/module.web.ts'
import { type Contributions, contributionsOf } from '#web/registry/contributions.ts'

/** Everything that rooms draw themselves; the page registers it before its shell is drawn. */
export const contributions: Contributions = contributionsOf([
  identityLook,
  fileColumnsLook,
  stockLook,
  warningsLook,
  labelsLook,
  packsLook,
  qualityLook,
  traceLook,
  partnersLook,
  catalogueLook,
  licencesLook,
  purchasingLook,
  salesLook,
  transportLook,
  surgeryLook,
  cabinetLook,
  hisLook,
  chargesLook,
  signaturesLook,
  operatorLook,
  printsLook,
  reportsLook,
  wallsLook,
  workbenchLook,
  messagesLook,
])
