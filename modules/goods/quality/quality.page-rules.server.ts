import { storageCheck } from '#modules/goods/quality/storage-check.doc.ts'
import { definePageRules } from '#server/public/hooks.ts'

export const qualityPageRules = definePageRules(
  { place: 'quality', chapter: '质量', pages: [storageCheck] },
  {
    careDue: { text: '非重点养护的在库批号最长每隔规定天数养护检查一次，到期才进入养护计划。', policy: 'careDays' },
    expiredNeverPasses: '已过期的批号养护检查不能判为合格。',
  },
)
