import type { Module } from '#kernel/module.ts'
import { implantFormOverview } from '#modules/hospital/ward/implants/implant-form-overview.entity.ts'
import { patientImplantForm } from '#modules/hospital/ward/implants/patient-implant-form.doc.ts'
import { grantOdo } from '#modules/hospital/ward/issuing/grant-odo.doc.ts'
import { dispatch } from '#modules/hospital/ward/issuing/dispatch.doc.ts'
import { departmentQuota } from '#modules/hospital/ward/quota/department-quota.entity.ts'
import { grantReturn } from '#modules/hospital/ward/receiving/grant-return.doc.ts'
import { wardReceipt } from '#modules/hospital/ward/receiving/ward-receipt.doc.ts'
import { commonProduct, commonProductLine } from '#modules/hospital/ward/requisition/common-product.entity.ts'
import { requisition } from '#modules/hospital/ward/requisition/requisition.doc.ts'
import { departmentInventory } from '#modules/hospital/ward/stock/department-inventory.entity.ts'
import { departmentUse } from '#modules/hospital/ward/usage/department-use.doc.ts'
import { surgeryUse } from '#modules/hospital/ward/usage/surgery-use.doc.ts'

export const wardModule: Module = {
  documents: [requisition, dispatch, grantOdo, wardReceipt, grantReturn, departmentUse, surgeryUse, patientImplantForm],
  entities: [commonProduct, commonProductLine, departmentInventory, departmentQuota, implantFormOverview],
}
