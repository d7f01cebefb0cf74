import { isPositive, isZero, subtract } from '#kernel/values/decimal.ts'
import { inEnteredUnit } from '#modules/base/vocabulary/unit-quantity.ts'
import type { DocumentHooks } from '#server/public/hooks.ts'

type Line = Readonly<Record<string, unknown>>
const stopped = new Set(['stopped', 'reversed'])

/**
 * Printed data of an order beyond its fields: contacts, address, stopped lines; consigned goods are marked and cost
 * nothing yet.
 */
export const purchaseOrderSheet: NonNullable<DocumentHooks['printFields']> = async (tx, _session, info) => {
  const lines = info.lines as readonly Line[]
  const isConsigned = info.regime === '寄售' || info.regime === 'consigned'
  const packs = await tx<{ id: string; text: string }[]>`
    select distinct on (p.specification_id) p.specification_id as id,
      '1' || p.name || '=' || p.base_measure || s.unit_name as text
      from pack_unit p join specification s on s.id = p.specification_id
     where p.specification_id = any(${lines.map(line => String(line.specification_sn))}::bigint[])
       order by p.specification_id, p.base_measure`
  const [contact] = await tx<{ name: string | null }[]>`
    select registrant as name from organisation where id = ${String(info.counterparty_sn ?? 0)}`
  const packOf = new Map(packs.map(row => [row.id, row.text]))
  return {
    counterparty_contact: contact?.name ?? null,
    receiving_org: info.org_name,
    receiving_address: info.delivery_address || info.org_address,
    ...(isConsigned && 'taxed_amount' in info
      ? { untaxed_amount: '0.00', tax_amount: '0.00', taxed_amount: '0.00', amount_in_words: '零元整' }
      : {}),
    lines: lines.map(line => {
      const rest = stopped.has(String(info.state))
        ? subtract(String(line.base_quantity), String(line.executed_quantity ?? '0'), 3)
        : String(line.stopped_quantity ?? '0')
      return {
        ...line,
        pack: packOf.get(String(line.specification_sn)) ?? null,
        ...(isPositive(rest)
          ? { stopped_quantity: inEnteredUnit(line, rest), struck: isZero(String(line.executed_quantity ?? 0)) }
          : {}),
        ...(isConsigned ? { taxed_amount: null, remark: [`寄售`, line.remark].filter(Boolean).join('；') } : {}),
      }
    }),
  }
}
