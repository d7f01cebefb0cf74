import { requisition } from '#modules/hospital/ward/requisition/requisition.doc.ts'
import { grantOdo } from '#modules/hospital/ward/issuing/grant-odo.doc.ts'
import { wardReceipt } from '#modules/hospital/ward/receiving/ward-receipt.doc.ts'
import { departmentUse } from '#modules/hospital/ward/usage/department-use.doc.ts'
import { definePageRules } from '#server/public/hooks.ts'

export const wardPageRules = definePageRules(
  { place: 'ward', chapter: '科室', pages: [requisition] },
  {
    claimHours: { text: '常规申领只能在规定的星期和时间内提交，加急申领不受限制。', policy: 'claimTime' },
    monthlyQuota: {
      text: '本月申领超过仓库产品的月度定额，或申领、领用金额超过科室额度的，按规则提醒或拒绝，并写明剩余额度。',
      policy: 'claimQuota',
      pages: [requisition, grantOdo],
    },
    urgentDelivery: {
      text: '加急申领从最后一级审核通过起须在规定分钟内送达，到时未送达的标记超时并提醒一次。',
      policy: 'urgentMinutes',
    },
    normalDelivery: {
      text: '常规申领从最后一级审核通过起须在规定小时内送达，到时未送达的标记超时并提醒一次。',
      policy: 'normalHours',
    },
    claimLevels: {
      text: '申领单由几级审批，在规则配置和审核设置中是同一个设置；某一级没有审核人时不能设置。',
      policy: 'claimLevels',
    },
    receivedByTime: {
      text: '发放后超过规定时限科室没有收货的，由系统确认收货；时限为0时不自动收货。',
      policy: 'autoReceipt',
      pages: [wardReceipt],
    },
    patientNamed: {
      text: '植入产品使用须关联患者；其他高值产品按规则要求关联。',
      policy: 'useNeedsPatient',
      pages: [departmentUse],
    },
  },
)
