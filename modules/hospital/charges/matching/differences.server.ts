import { compare, multiply, plain, type Decimal } from '#kernel/values/decimal.ts'
import { matchDifferences } from '#modules/hospital/charges/matching/product-comparison.entity.ts'
import type { RecordRow } from '#server/public/records.ts'
import { maySeePrices, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** 差异检查: finds matched pairs that no longer agree. `ids`: only those rows of the catalogue; null: all. */
export async function compareMatched(tx: Tx, org: string, ids: readonly string[] | null): Promise<number> {
  const rows = await tx<{ match_state: string }[]>`
    update his_match m set differences = k.found,
      match_state = case when k.found = '{}' then 'matched' else 'different' end
      from (
        select h.id, array_remove(array[
            case when h.charge_price is null or abs(i.his_price * x.factor - h.charge_price) > 0.0001 then 'price' end,
            case when i.his_unit <> s.unit_name and x.factor = 1 then 'unit' end,
            case when left(i.insurance_code, 20) <> left(h.insurance_code, 20) then 'insurance' end,
            case when not i.is_active then 'inactive' end
          ], null) as found
          from his_match x join hospital_product h on h.org_id = x.org_id and h.id = x.id
          join specification s on s.id = h.specification_id
          join his_item i on i.org_id = x.org_id and i.id = x.his_item_id
         where x.org_id = ${org} and x.match_state in ('matched', 'different')
           and (${ids as string[] | null}::bigint[] is null or x.id = any(${ids as string[] | null}::bigint[]))) k
     where m.org_id = ${org} and m.id = k.id and m.differences is distinct from k.found
    returning m.match_state`
  return rows.filter(row => row.match_state === 'different').length
}

const text = (value: unknown): string => String(value ?? '')

/** Says in words what differs; shows prices only to users who may see them. */
export const differenceNote = (session: Session, row: Readonly<RecordRow>): string => {
  const { his_price, charge_price, factor } = row as Record<string, Decimal | null>
  const notes: Record<keyof typeof matchDifferences, () => string> = {
    price: () => {
      if (!maySeePrices(session)) return matchDifferences.price
      const ours = charge_price === null ? '未定' : plain(charge_price!)
      const times = compare(factor!, '1') === 0 ? '' : `×${plain(factor!)}＝${plain(multiply(his_price!, factor!, 4))}`
      return `收费价${ours}，HIS单价${plain(his_price!)}${times}`
    },
    unit: () => `单位${text(row.unit_name)}，HIS单位${text(row.his_unit)}，换算系数仍为1`,
    insurance: () => `医保码${text(row.insurance_code)}，HIS为${text(row.his_insurance_code)}`,
    inactive: () => `HIS项目${text(row.item_code)}已停用`,
  }
  return ((row.differences ?? []) as (keyof typeof matchDifferences)[]).map(name => notes[name]()).join('；')
}
