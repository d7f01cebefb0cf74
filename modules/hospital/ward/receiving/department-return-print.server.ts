import { add, type Decimal, isPositive, isZero, plain, share, subtract } from '#kernel/values/decimal.ts'
import type { DocumentHooks } from '#server/public/hooks.ts'

type Line = Readonly<Record<string, unknown>>

/**
 * Opened and expired goods are marked 转报废 and totalled separately; whether the packing is intact is written by hand
 * until it was inspected.
 */
export const grantReturnSheet: NonNullable<DocumentHooks['printFields']> = async (_tx, _session, info) => {
  const lines = (info.lines as readonly Line[]).map((line): Line & { readonly scrapped: string } => {
    const expired = typeof line.expiry_date === 'string' && line.expiry_date < String(info.business_date)
    const bad = String(line.unqualified_quantity ?? '0')
    const scrapped = expired ? String(line.quantity) : bad
    return {
      ...line,
      scrapped,
      intact: info.inspected ? (isPositive(bad) ? '否' : '是') : '',
      remark: [isPositive(scrapped) ? `转报废${plain(scrapped)}` : '', line.remark].filter(Boolean).join('；'),
    }
  })
  const whole = sumOf(lines, line => line.quantity, 3)
  const toScrap = sumOf(lines, line => line.scrapped, 3)
  const knowsMoney = lines.some(line => (line.taxed_amount ?? null) !== null)
  const lost = sumOf(
    lines.filter(line => !isZero(String(line.quantity ?? '0') as Decimal)),
    line =>
      share(String(line.taxed_amount ?? '0') as Decimal, line.scrapped as Decimal, String(line.quantity) as Decimal, 2),
    2,
  )
  return {
    lines,
    quantity_total: plain(whole),
    usable_total: plain(subtract(whole, toScrap, 3)),
    scrap_total: plain(toScrap),
    scrap_amount: knowsMoney ? lost : '-',
  }
}

const sumOf = <L>(lines: readonly L[], of: (line: L) => unknown, places: number): Decimal =>
  lines.reduce<Decimal>((sum, line) => add(sum, String(of(line) ?? '0') as Decimal, places), '0')
