import { admission } from '#modules/trade/catalogue/admission/admission.doc.ts'
import { definePageRules } from '#server/public/hooks.ts'

export const admissionPageRules = definePageRules(
  { place: 'admission', chapter: '产品准入', pages: [admission] },
  {
    insuranceCode: { text: '可收费的高值产品没有国家医保编码时，按规则拒绝或提醒准入。', policy: 'insuranceCode' },
    votes: '准入须逐级通过，表决人数相加须等于参会人数，同意的须超过半数。',
  },
)
