import { parseInteger } from '#kernel/values/integer.ts'

/** The weights of the parts of a score, by the rule that an organisation sets; together they are 100. */
const scores = {
  supplierScore: { parts: ['到货及时率', '订单满足率', '验收合格率', '资质', '服务'], preset: '35/25/25/10/5' },
  spdScore: {
    parts: ['满足率', '准时送达率', '扫码使用率', '盘点准确率', '计费匹配率'],
    preset: '30/25/20/15/10',
  },
} as const

/** The parts of a score in their order, and their weights while nobody set any: `35/25/25/10/5`. */
export const weightsOf = (score: keyof typeof scores) => scores[score]

/** Returns the mistake in weights as a person wrote them, or null. */
export function wrongWeights(parts: readonly string[], written: string): string | null {
  const weights = written.split('/')
  if (weights.length !== parts.length || weights.some(weight => !/^\d{1,3}$/.test(weight)))
    return `参数值应为${parts.length}个整数，依次为${parts.join('/')}`
  return weights.reduce((sum, weight) => sum + parseInteger(weight), 0) === 100 ? null : '权重合计必须为100'
}
