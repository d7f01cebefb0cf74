import type { Contributions } from '#web/registry/contributions.ts'
import { specificationLook } from '#modules/catalogue/specification.web.tsx'
import { errorRecordLook } from '#modules/platform/errors.web.tsx'
import { interfaceErrorLook } from '#modules/platform/interface-cards.web.tsx'
import { videoCourseLook } from '#modules/platform/video-course.web.tsx'
import { productBarcodeLook } from '#modules/catalogue/product-barcode.web.tsx'
import { cabinetLooks } from '#modules/cabinet/cabinet.web.tsx'
import { unitLabelLook } from '#modules/labels/unit-label.web.tsx'
import { printTemplateLook } from '#modules/prints/print-template.web.tsx'
import { enquiryLook } from '#modules/purchasing/enquiry.web.tsx'
import { recallLook } from '#modules/quality/recall.web.tsx'
import { licenceLook } from '#modules/licences/licence.web.tsx'
import { licenceValidityLook } from '#modules/licences/licence-validity.web.tsx'
import { invitationLook } from '#modules/partners/invitation.web.tsx'
import { dataRestoreLook } from '#modules/platform/data-restore.web.tsx'
import { appVersionLook } from '#modules/platform/app-version.web.tsx'
import { organisationLook } from '#modules/partners/organisation.web.tsx'
import { registrationLook } from '#modules/partners/registration.web.tsx'
import { stockBalanceLook } from '#modules/stock/stock-balance.web.tsx'
import { userLook } from '#modules/identity/cabinet-doors.web.tsx'
import { roleLook, systemRoleLook, templateRoleLook } from '#modules/identity/role.web.tsx'
import { warningLook } from '#modules/warnings/warning.web.tsx'
import { exportTaskLook, reportSchemeLook } from '#modules/reports/report-scheme.web.tsx'
import { traceScreen } from '#modules/trace/trace.screen.ts'
import type { Customisation } from '#web/engine/customise.ts'

/** What rooms add to the web beyond their definitions. Nothing here is needed for a plain document or record. */

/** Pages by the name that a screen gives in `page`. */
const pages: Contributions['pages'] = {
  purchaseFlow: () => import('#modules/purchasing/purchase-flow.page.tsx'),
  salesFlow: () => import('#modules/sales/sales-flow.page.tsx'),
  reportCentre: () => import('#modules/reports/report-centre.page.tsx'),
  licenceCalendar: () => import('#modules/licences/licence-calendar.page.tsx'),
  inbox: () => import('#modules/messages/inbox.page.tsx'),
  trace: () => import('#modules/trace/trace.page.tsx'),
}

/** How rooms want their own things drawn. */
const customisations: readonly Customisation[] = [
  specificationLook,
  appVersionLook,
  dataRestoreLook,
  organisationLook,
  registrationLook,
  invitationLook,
  recallLook,
  enquiryLook,
  roleLook,
  systemRoleLook,
  templateRoleLook,
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
]

/** Rooms that take any text from the global search: a scanned code, a lot. */
const searchTargets: Contributions['searchTargets'] = [
  { route: traceScreen.route, parameter: 'code', title: typed => `追溯“${typed}”`, hint: '按条码、批号或单号' },
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
