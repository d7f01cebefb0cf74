/** Placeholders in a contract's text, {甲方}, by the name of their value. */
export const contractVariables = {
  合同编号: 'contract_number',
  甲方: 'buyer_name',
  乙方: 'seller_name',
  签订地点: 'signing_place',
  签订日期: 'business_date',
  有效期起: 'valid_from',
  有效期止: 'valid_to',
  合同总金额: 'taxed_amount',
  合同总金额大写: 'amount_in_words',
  付款方式: 'payment_terms',
  账期: 'payment_days',
  交货地点: 'receiving_address',
  要求到货日期: 'expected_date',
  收货人: 'receiver',
  收货电话: 'receiver_phone',
} as const

const between = /\{([^{}\n]*)\}/g

/** Variables used in a text that do not exist. */
export const unknownVariables = (text: string): readonly string[] =>
  [...text.matchAll(between)].map(([, name]) => name!.trim()).filter(name => !Object.hasOwn(contractVariables, name))

/** One paragraph of a contract; a heading stays on the page of its section. */
export type Clause = { readonly text: string; readonly isHeading: boolean }

/** The text with its variables filled in, paragraph by paragraph, and the variables without a value. */
export function filledClauses(
  text: string,
  values: Readonly<Record<string, unknown>>,
): { readonly clauses: readonly Clause[]; readonly missing: readonly string[] } {
  const missing = new Set<string>()
  const filled = text.replaceAll(between, (whole, said: string) => {
    const label = said.trim()
    const name = contractVariables[label as keyof typeof contractVariables] as string | undefined
    const value = name === undefined ? undefined : values[name]
    if (value !== undefined && value !== null && value !== '') return String(value)
    missing.add(label)
    return whole
  })
  const clauses = filled
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .map(line => ({ text: line, isHeading: /^第[一二三四五六七八九十百\d]+条/.test(line) && line.length <= 30 }))
  return { clauses, missing: [...missing] }
}
