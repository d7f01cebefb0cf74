/**
 * Actions that free the settled part of an invoice or an opening, so that it may be reversed or settled otherwise: the
 * money becomes money in advance, which `word` names, or is refunded. `inputs`: fields of the dialogs.
 */
export const turnedMoney = <const I extends readonly string[] = readonly []>(
  word: '预付' | '预收',
  inputs: I = [] as unknown as I,
) =>
  ({
    toAdvance: {
      label: `转${word}`,
      from: ['reviewed', 'partial', 'completed'],
      to: null,
      inputs,
      requiresReason: `请填写转${word}的原因`,
    },
    refundPaid: {
      label: '办理退款',
      from: ['reviewed', 'partial', 'completed'],
      to: null,
      inputs,
      requiresReason: '请填写退款的原因',
    },
  }) as const
