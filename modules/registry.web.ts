import type { Contributions } from '#web/registry/contributions.ts'
import { columnMappingLook } from '#modules/file-columns/column-mapping.web.tsx'
import { feeLooks } from '#modules/charges/fees/fetch-notice.web.tsx'
import { unitTreeLook } from '#modules/catalogue/products/packaging-unit.web.tsx'
import { specificationLook } from '#modules/catalogue/products/specification.web.tsx'
import { bedsideLooks } from '#modules/his/bedside/bedside.web.tsx'
import { errorRecordLook } from '#modules/platform/monitoring/interface-errors.web.tsx'
import { interfaceErrorLook } from '#modules/platform/monitoring/interface-metrics.web.tsx'
import { videoCourseLook } from '#modules/platform/content/video-course.web.tsx'
import { productBarcodeLook } from '#modules/catalogue/barcodes/product-barcode.web.tsx'
import { cabinetLooks } from '#modules/cabinet/equipment/cabinet.web.tsx'
import { unitLabelLook } from '#modules/labels/unit-label.web.tsx'
import { printTemplateLook } from '#modules/prints/print-template.web.tsx'
import { enquiryLook } from '#modules/purchasing/rfq/request-for-quotation.web.tsx'
import { recallLook } from '#modules/quality/recall.web.tsx'
import { licenceLook } from '#modules/licences/archive/licence.web.tsx'
import { licenceValidityLook } from '#modules/licences/expiry/licence-expiry.web.tsx'
import { invitationLook } from '#modules/partners/registration/invitation.web.tsx'
import { dataRestoreLook } from '#modules/platform/recycle-bin/data-restore.web.tsx'
import { appVersionLook } from '#modules/platform/content/app-version.web.tsx'
import { organisationLook } from '#modules/partners/organisations/organisation.web.tsx'
import { registrationLook } from '#modules/partners/registration/registration.web.tsx'
import { stockBalanceLook } from '#modules/stock/balances/stock-balance.web.tsx'
import { userLook } from '#modules/identity/cabinet-doors.web.tsx'
import { roleLooks } from '#modules/identity/role.web.tsx'
import { warningLook } from '#modules/warnings/warning.web.tsx'
import { exportTaskLook, reportSchemeLook } from '#modules/reports/centre/saved-report.web.tsx'
import { signedLooks } from '#modules/signatures/signatures.web.tsx'
import { logisticsLook } from '#modules/transport/logistics/logistics.web.tsx'
import { traceScreen } from '#modules/trace/trace.screen.ts'
import type { Customisation } from '#web/engine/customisation.ts'

/** The pages and parts that modules add to the web beyond their definitions. A plain document or record needs none. */

/** Pages by the name that a screen gives in `page`. */
const pages: Contributions['pages'] = {
  purchaseFlow: () => import('#modules/purchasing/orders/purchase-dashboard.page.tsx'),
  boneFlow: () => import('#modules/surgery/navigation/bone-flow.page.tsx'),
  salesFlow: () => import('#modules/sales/sales-flow.page.tsx'),
  reportCentre: () => import('#modules/reports/centre/report-centre.page.tsx'),
  licenceCalendar: () => import('#modules/licences/expiry/expiry-calendar.page.tsx'),
  productMatching: () => import('#modules/charges/matching/product-matching.page.tsx'),
  inbox: () => import('#modules/messages/inbox.page.tsx'),
  hospitalHome: () => import('#modules/workbench/hospital-home.page.tsx'),
  trace: () => import('#modules/trace/trace.page.tsx'),
  wallTrace: () => import('#modules/walls/process/wall-trace.page.tsx'),
  biScreen: () => import('#web/board/BoardPage.tsx'),
  wallEntry: () => import('#modules/walls/wall-entry.page.tsx'),
}

/** How modules customise the rendering of their own data. */
const customisations: readonly Customisation[] = [
  specificationLook,
  unitTreeLook,
  appVersionLook,
  dataRestoreLook,
  organisationLook,
  registrationLook,
  invitationLook,
  recallLook,
  enquiryLook,
  ...roleLooks,
  ...bedsideLooks,
  stockBalanceLook,
  unitLabelLook,
  productBarcodeLook,
  videoCourseLook,
  interfaceErrorLook,
  errorRecordLook,
  userLook,
  warningLook,
  printTemplateLook,
  licenceLook,
  licenceValidityLook,
  reportSchemeLook,
  exportTaskLook,
  ...cabinetLooks,
  ...signedLooks,
  logisticsLook,
  ...feeLooks,
  columnMappingLook,
]

/** Modules that accept any text from the global search: a scanned code, a lot. */
const searchTargets: Contributions['searchTargets'] = [
  { route: traceScreen.route, parameter: 'code', title: typed => `追溯“${typed}”`, hint: '按条码、批号或单号' },
  { route: '/commonView/operationKits', parameter: 'code', title: typed => `打开套包${typed}`, hint: '按套包编号' },
  { route: '/commonView/inventory', parameter: 'q', title: typed => `查“${typed}”的库存`, hint: '按产品、规格或批号' },
  {
    route: '/hospital/hProductDetails',
    parameter: 'q',
    title: typed => `在产品目录查“${typed}”`,
    hint: '按名称、编码或拼音',
  },
  {
    route: '/ptm/businessProduct',
    parameter: 'q',
    title: typed => `在经营产品查“${typed}”`,
    hint: '按名称、编码或拼音',
  },
]

/** All of it: what the page registers before its shell is drawn. */
export const contributions: Contributions = { customisations, pages, searchTargets }
