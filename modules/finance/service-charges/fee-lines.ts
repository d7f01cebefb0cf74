import {
  add,
  compare,
  type Decimal,
  isNegative,
  isPositive,
  least,
  multiply,
  subtract,
  sum,
  zero,
} from '#kernel/values/decimal.ts'
import type { FeeClass } from '#modules/base/vocabulary/fee-classes.ts'

/** A reviewed step of a supplier's rate; amounts in yuan, the rate a fraction. */
export type Rate = {
  readonly id: string
  readonly fee_class: FeeClass
  readonly fee_base: 'settled' | 'untaxed' | 'received'
  /** The part of the period's base above this amount has this rate. */
  readonly base_from: Decimal
  readonly rate: Decimal
  readonly floor_amount: Decimal | null
  readonly cap_amount: Decimal | null
  readonly valid_from: string
  readonly valid_to: string | null
}

/** A settlement that is charged: its day decides which rates hold. */
export type Settled = {
  readonly sn: string
  readonly day: string
  readonly fee_class: FeeClass
  readonly settled_amount: Decimal
  readonly untaxed_amount: Decimal
  readonly received_amount: Decimal
}

/** The amounts that earlier bills of the same period charged for a class: base, fees, and fees after floor and cap. */
export type Before = {
  readonly fee_class: FeeClass
  readonly base: Decimal
  readonly fee: Decimal
  readonly charged: Decimal
}

export type FeeLine = {
  readonly settlement_no: string
  readonly settled_on: string
  readonly fee_class: FeeClass
  readonly settled_amount: Decimal
  readonly settled_untaxed: Decimal
  readonly base_amount: Decimal
  readonly fee_rate: Decimal
  readonly fee_amount: Decimal
  readonly bound_adjust: Decimal
  readonly floor_amount: Decimal | null
  readonly cap_amount: Decimal | null
  readonly taxed_amount: Decimal
  readonly remark: string | null
  readonly rate_no: string | null
}

/** The steps of a class that hold on a day, the lowest first. */
export const stepsOn = (rates: readonly Rate[], fee_class: FeeClass, day: string): readonly Rate[] =>
  rates
    .filter(rate => rate.fee_class === fee_class && rate.valid_from <= day && (rate.valid_to ?? day) >= day)
    .toSorted((a, b) => compare(a.base_from, b.base_from))

const greater = (a: Decimal, b: Decimal): Decimal => (compare(a, b) < 0 ? b : a)

type Part = { readonly step: Rate; readonly base: Decimal }

/**
 * The parts of a base that fall into each step, where `start` was charged in the period before; a negative base takes
 * back from the highest step that was reached.
 */
export function cut(start: Decimal, base: Decimal, steps: readonly Rate[]): readonly Part[] {
  const end = add(start, base, 2)
  const [from, to] = isNegative(base) ? [end, start] : [start, end]
  const parts = steps.flatMap((step, at): Part[] => {
    const above = steps[at + 1]?.base_from ?? null
    // A base below the first step, or below zero, is charged at the lowest rate.
    const low = at === 0 ? from : greater(from, step.base_from)
    const high = above === null ? to : least(to, above)
    const part = subtract(high, low, 2)
    return isPositive(part) ? [{ step, base: isNegative(base) ? subtract(zero, part, 2) : part }] : []
  })
  return isNegative(base) ? parts.toReversed() : parts
}

const baseOf = (settled: Settled, { fee_base }: Rate): Decimal =>
  fee_base === 'received'
    ? settled.received_amount
    : fee_base === 'untaxed'
      ? settled.untaxed_amount
      : settled.settled_amount

const plainLine = (settled: Settled) => ({
  settlement_no: settled.sn,
  settled_on: settled.day,
  fee_class: settled.fee_class,
  settled_amount: settled.settled_amount,
  settled_untaxed: settled.untaxed_amount,
})

/**
 * The amount that floor and cap of the period add to the fees of a class, beyond those of the lines and of earlier
 * bills.
 */
function boundOf(fees: Decimal, base: Decimal, first: Rate | undefined, before: Before | undefined): Decimal {
  const whole = add(fees, before?.fee ?? zero, 2)
  const isCharged = isPositive(add(base, before?.base ?? zero, 2))
  // Goods that only came back cost no minimum.
  const floored = isCharged && first?.floor_amount ? greater(whole, first.floor_amount) : whole
  const bounded = first?.cap_amount ? least(floored, first.cap_amount) : floored
  return subtract(subtract(bounded, before?.charged ?? zero, 2), fees, 2)
}

/**
 * The lines of a service fee: each settlement at the rate of its day, a line for each step that its base reaches;
 * fee = round(base × rate, 2). Then 保底 and 封顶 of the period apply to the total of each class, on its last line: a
 * bill is made of settlements, so that a class (or a supplier) without any in the period has no minimum either. A class
 * without a rate on the day is charged 0 and says so.
 */
export function feeLines(
  settled: readonly Settled[],
  rates: readonly Rate[],
  before: readonly Before[],
): readonly FeeLine[] {
  return [...Map.groupBy(settled, each => each.fee_class)].flatMap(([fee_class, all]) => {
    const earlier = before.find(each => each.fee_class === fee_class)
    let reached = earlier?.base ?? zero
    let last: Rate | undefined
    const lines = all
      .toSorted((a, b) => (a.day + a.sn < b.day + b.sn ? -1 : 1))
      .flatMap((each): Omit<FeeLine, 'taxed_amount' | 'bound_adjust'>[] => {
        const steps = stepsOn(rates, fee_class, each.day)
        const [first] = steps
        const none = { floor_amount: null, cap_amount: null, rate_no: null }
        if (!first) {
          const bare = { base_amount: each.settled_amount, fee_rate: '0', fee_amount: '0.00', remark: '未设置费率' }
          return [{ ...plainLine(each), ...none, ...bare }]
        }
        last = first
        const base = baseOf(each, first)
        const cuts = cut(reached, base, steps)
        const parts = cuts.length > 0 ? cuts : [{ step: first, base }]
        reached = add(reached, base, 2)
        return parts.map(({ step, base: base_amount }) => ({
          ...plainLine(each),
          base_amount,
          fee_rate: step.rate,
          fee_amount: multiply(base_amount, step.rate, 2),
          floor_amount: first.floor_amount,
          cap_amount: first.cap_amount,
          remark: steps.length > 1 ? `${step.base_from}元以上部分` : null,
          rate_no: step.id,
        }))
      })
    const charged = lines.filter(line => line.rate_no !== null)
    const total = (of: 'fee_amount' | 'base_amount') =>
      sum(
        charged.map(line => line[of]),
        2,
      )
    const bound = charged.length > 0 ? boundOf(total('fee_amount'), total('base_amount'), last, earlier) : zero
    return lines.map(line => {
      const bound_adjust = line === charged.at(-1) ? bound : '0.00'
      return { ...line, bound_adjust, taxed_amount: add(line.fee_amount, bound_adjust, 2) }
    })
  })
}
