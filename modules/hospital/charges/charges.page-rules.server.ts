import type { AnyDocument } from '#kernel/definition/document.ts'
import { definePageRules } from '#server/public/hooks.ts'

const isCharged = ({ header }: AnyDocument): boolean => 'charge_state' in header

export const chargePageRules = definePageRules(
  { place: 'charge', chapter: '计费', pages: isCharged },
  {
    onReview: {
      text: '接通HIS且规则为“是”的医院，患者使用审核后自动计费；为“否”的由操作人推送计费。',
      policy: 'chargeOnReview',
    },
    inAdvance: { text: '计费时机为“使用前”时，使用单提交即计费，计费成功后才能审核。', policy: 'chargeTiming' },
    refundFirst: { text: '规则为“否”时，退用先完成，退费随后按退回的数量自动推送。', policy: 'refundFirst' },
    matchedFirst: {
      text: '接通HIS的医院，可收费产品未与HIS收费项目对照的不能登记患者使用，规则为“是”时可以；科室自用不受限制。',
      policy: 'unmatchedUse',
    },
  },
)
