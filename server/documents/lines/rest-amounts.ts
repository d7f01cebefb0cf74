/**
 * What is left of a source's amounts: a line carries it until its own amounts are made of it, and is stored without.
 */
export const noRest = { rest_amount: null, rest_untaxed: null } as const

export function withoutRest(line: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { rest_amount: _taxed, rest_untaxed: _untaxed, ...own } = line
  return own
}
