/** The outcome of a transfer: paid, refused, only accepted, or paid and returned (退汇, 冲正). */
export const bankOutcomes = {
  paid: '已付款',
  failed: '失败',
  accepted: '已受理，未付款',
  returned: '退汇或冲正',
} as const
export type BankOutcome = keyof typeof bankOutcomes

/** A word of a bank's return file as an organisation entered it; empty `bank` or `column_title`: for all. */
export type BankWord = {
  readonly bank: string | null
  readonly column_title: string | null
  readonly word: string
  readonly outcome: BankOutcome
}

/** A word in the form for comparison: full and half width, case and blanks are ignored, nothing else is. */
export const plainWord = (text: string): string => text.normalize('NFKC').replaceAll(/\s/g, '').toLowerCase()

/** Words with the same meaning at every bank. Ambiguous words (完成, 处理完成) are not among them. */
const usual: Readonly<Record<BankOutcome, string>> = {
  paid:
    '成功 交易成功 支付成功 付款成功 转账成功 汇款成功 汇出成功 处理成功 入账成功 记账成功 交易已成功 ' +
    '已入账 已付款 已支付 已到账 已汇出 交易完成 交易已完成 付款完成 支付完成 转账完成',
  failed:
    '失败 交易失败 支付失败 付款失败 转账失败 汇款失败 汇出失败 处理失败 入账失败 记账失败 提交失败 受理失败 ' +
    '不成功 未成功 交易不成功 交易未成功 支付未成功 付款未成功 转账未成功 处理不成功 ' +
    '拒绝 已拒绝 银行拒绝 银行已拒绝 交易拒绝 已撤销 撤销 交易撤销 已作废 作废 已取消 取消 交易关闭',
  accepted:
    '提交成功 已提交 银行受理成功 受理成功 已受理 银行已受理 发送成功 已发送 复核完成 授权完成 等待复核完成 ' +
    '处理中 正在处理 交易处理中 银行处理中 银行正在处理 处理未完成 未完成 未处理 待处理 等待处理 等待银行处理 ' +
    '待复核 等待复核 待授权 等待授权 待审批 落地处理 落地待处理 待落地处理',
  returned: '退汇 已退汇 退票 已退票 退回 已退回 冲正 已冲正 冲销 已冲销 退汇成功 冲正成功',
}
const usualOutcomes = new Map(
  Object.entries(usual).flatMap(([outcome, words]) =>
    words.split(' ').map((word): [string, BankOutcome] => [word, outcome as BankOutcome]),
  ),
)

/** The bank of an account and the column that contains a word. */
export type WordPlace = { readonly account: string; readonly column: string }

const holds = (given: string | null, asked: (given: string) => boolean): boolean =>
  given === null || given === '' || asked(plainWord(given))

/**
 * The meaning of a bank's word, compared as a whole: as the organisation entered it for this bank and column, for the
 * bank, for the column, for all; otherwise the usual one. Null: its meaning is unknown, and a person is asked.
 */
export function outcomeOf(word: string, place: WordPlace, entered: readonly BankWord[]): BankOutcome | null {
  const plain = plainWord(word)
  const weight = ({ bank, column_title }: BankWord): number => (bank ? 2 : 0) + (column_title ? 1 : 0)
  const [own] = entered
    .filter(
      each =>
        plainWord(each.word) === plain &&
        holds(each.bank, bank => plainWord(place.account).includes(bank)) &&
        holds(each.column_title, column => plainWord(place.column) === column),
    )
    .sort((a, b) => weight(b) - weight(a))
  return own?.outcome ?? usualOutcomes.get(plain) ?? null
}
