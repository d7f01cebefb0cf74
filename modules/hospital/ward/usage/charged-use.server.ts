import { chargeAtSubmit, giveBackAdvance } from '#modules/hospital/charges/checking/charge-in-advance.server.ts'
import {
  chargeUse,
  refundUse,
  refuseCharged,
  refuseUnconnected,
} from '#modules/hospital/charges/checking/charge-use.server.ts'
import { holdUncharged } from '#modules/hospital/charges/checking/release-settlements.server.ts'
import { atOwnersPrices } from '#modules/finance/settlement/owners-prices.server.ts'
import { withGrants } from '#modules/finance/settlement/settled-grants.server.ts'
import { netSettlementLines, openSettlementLines } from '#modules/finance/settlement/settlement-lines.server.ts'
import { refillOrder } from '#modules/trade/sales/refill-order.server.ts'
import type { ActionContext } from '#server/public/hooks.ts'

/** The effects of every use: it is charged in the HIS, settled with the owners of the used goods, and ordered again. */
export const chargedUse = {
  prepare: { review: async (ctx: ActionContext) => atOwnersPrices({ ...ctx, doc: await withGrants(ctx) }) },
  validate: {
    charge: refuseUnconnected,
    refund: refuseUnconnected,
    unreview: refuseCharged,
    redReverse: refuseCharged,
  },
  afterAction: {
    submit: chargeAtSubmit,
    unsubmit: giveBackAdvance,
    reject: giveBackAdvance,
    cancel: giveBackAdvance,
    replenish: refillOrder,
    charge: chargeUse,
    refund: refundUse,
    async review(ctx: ActionContext) {
      await openSettlementLines(ctx)
      await holdUncharged(ctx)
    },
    unreview: netSettlementLines,
    redReverse: netSettlementLines,
  },
}
