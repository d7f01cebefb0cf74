/**
 * The amounts that are left of a source. A line has them until its own amounts are computed from them, and is stored
 * without them.
 */
export const noRest = { rest_amount: null, rest_untaxed: null } as const

export function withoutRest(line: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { rest_amount: _taxed, rest_untaxed: _untaxed, ...own } = line
  return own
}
