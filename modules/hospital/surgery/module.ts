import type { Module } from '#kernel/module.ts'
import { implantKit, implantKitLine } from '#modules/hospital/surgery/kits/implant-kit.entity.ts'
import { kitLoading } from '#modules/hospital/surgery/kits/kit-loading.doc.ts'
import { kitUse } from '#modules/hospital/surgery/kits/kit-use.report.ts'
import { boneBack } from '#modules/hospital/surgery/loans/bone-back.doc.ts'
import { bonePreAcceptance } from '#modules/hospital/surgery/loans/bone-pre-acceptance.doc.ts'
import { bonePresale } from '#modules/hospital/surgery/loans/bone-presale.doc.ts'
import { boneSale } from '#modules/hospital/surgery/loans/bone-sale.doc.ts'
import { boneFlowScreen } from '#modules/hospital/surgery/navigation/bone-flow.ts'
import {
  operationPath,
  operationPathLine,
  publishedTemplate,
} from '#modules/hospital/surgery/paths/operation-path.entity.ts'
import { bonePlan } from '#modules/hospital/surgery/plans/bone-plan.doc.ts'
import { surgeryPlan } from '#modules/hospital/surgery/plans/surgery-plan.doc.ts'
import { surgicalTool, surgicalToolEvent } from '#modules/hospital/surgery/tools/surgical-tool.entity.ts'
import {
  toolsKit,
  toolsKitLine,
  toolsTemplate,
  toolsTemplateLine,
} from '#modules/hospital/surgery/tools/tools-kit.entity.ts'

export const surgeryModule: Module = {
  documents: [kitLoading, surgeryPlan, bonePlan, bonePreAcceptance, bonePresale, boneSale, boneBack],
  entities: [
    implantKit,
    implantKitLine,
    toolsKit,
    toolsKitLine,
    toolsTemplate,
    toolsTemplateLine,
    surgicalTool,
    surgicalToolEvent,
    operationPath,
    operationPathLine,
    publishedTemplate,
  ],
  reports: [kitUse],
  tools: [boneFlowScreen],
}
