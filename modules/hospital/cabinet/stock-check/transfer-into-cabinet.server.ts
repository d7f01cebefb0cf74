import { tried } from '#modules/hospital/cabinet/transactions/usage-booking.server.ts'
import { inNameOf } from '#server/public/session.ts'
import type { Working } from '#modules/hospital/cabinet/device/event-context.server.ts'
import { createAndReview } from '#server/public/actions.ts'
import type { KnownUnit } from '#server/public/stock.ts'

/**
 * Moves a piece that is here, but in another warehouse of the organisation by the ledger, with a one-step document.
 * Returns its number, or the reason why not.
 */
export async function transferHome(
  working: Pick<Working, 'tx' | 'session' | 'cabinet'> & { readonly documents: string[] },
  unit: KnownUnit,
  code: string,
): Promise<{ done: string } | { why: string }> {
  const { tx, session, cabinet, documents: docs } = working
  const made = await tried(tx, inner =>
    createAndReview(
      inner,
      inNameOf(session),
      'transfer',
      {
        transfer_type: 'move',
        warehouse_model_inner_sn: unit.warehouse_id,
        to_warehouse_model_inner_sn: cabinet.warehouse_id,
        transfer_reason: '错柜归还',
      },
      [
        {
          specification_sn: unit.specification_id,
          lot_no: unit.lot_no,
          owner_org_sn: unit.owner_id,
          unit_codes: [code],
          quantity: '1',
        },
      ],
    ),
  )
  if ('done' in made) docs.push(made.done)
  return made
}
