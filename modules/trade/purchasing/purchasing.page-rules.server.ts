import { purchaseOrder } from '#modules/trade/purchasing/orders/purchase-order.doc.ts'
import { arrivalOrder } from '#modules/trade/purchasing/receiving/arrival-order.doc.ts'
import { inspectionOrder } from '#modules/trade/purchasing/receiving/inspection-order.doc.ts'
import { priceRegistration } from '#modules/trade/purchasing/prices/price-registration.doc.ts'
import { priceAdjustment } from '#modules/trade/purchasing/prices/price-adjustment.doc.ts'
import { definePageRules } from '#server/public/hooks.ts'

export const purchasingPageRules = definePageRules(
  { place: 'purchasing', chapter: '采购与收货', pages: [purchaseOrder] },
  {
    licencesValid: {
      text: '注册证或供应商证照已过期的产品不能下单；规则设为提醒时，确认后可以继续。',
      policy: 'certExpired',
    },
    supplierScope: {
      text: '供应商证照的经营范围不含所购产品分类的，不能下单；经营范围没有写明分类的由人判断。',
      policy: 'certExpired',
    },
    listedPrice: {
      text: '采购价和协议价高于省平台挂网价的，按规则拒绝或提醒，确认人记入历史。',
      policy: 'priceCap',
      pages: [purchaseOrder, priceRegistration, priceAdjustment],
    },
    qualityByOthers: {
      text: '收货员不能处理本人收货的质量异常；还有未处理的质量异常时不能审核到货单。',
      pages: [arrivalOrder],
    },
    noReleaseWithoutCertificate: {
      text: '注册证已失效的到货不能放行，只能拒收，规则设为提醒也不例外。',
      pages: [arrivalOrder],
    },
    secondInspector: {
      text: '规则要求双人验收时，植入和冷链产品的验收单须有第二验收员，且不是验收员和收货员。',
      policy: 'doubleInspection',
      pages: [inspectionOrder],
    },
    inspectionDocuments: {
      text: '无菌产品验收须填写灭菌批号或灭菌日期，Ⅱ、Ⅲ类产品每个批号须有合格证明文件，规则设为“否”的除外。',
      policy: 'inspectionPapers',
      pages: [inspectionOrder],
    },
    productApproved: {
      text: '产品未通过首营品种审批的，经销商和厂商不能采购和入库；规则设为提醒时须确认。',
      policy: 'firstApproval',
      pages: [purchaseOrder],
    },
    priceChange: {
      text: '新的协议价与原协议价的变动超过规定幅度时，须填写原因。',
      policy: 'priceChange',
      pages: [priceRegistration],
    },
  },
)
