import { BusinessError } from '#kernel/rules/errors.ts'
import { compareMatched } from '#modules/hospital/charges/matching/differences.server.ts'
import { allRows, connectedHis, type HisChargeItem } from '#server/public/outbound.ts'
import { remoteAction } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Counted = { readonly added: number; readonly changed: number; readonly stopped: number }

/** Stores rows of the HIS's dictionary in our copy; the same row twice changes nothing. */
export async function storeItems(tx: Tx, org: string, items: readonly HisChargeItem[]): Promise<Counted> {
  const [counted] = await tx<Counted[]>`
    with given as (
      select distinct on (item_code) * from jsonb_to_recordset(${tx.json(items)}) as k(
        item_code text, item_name text, material_code text, specification text, unit text, price numeric,
        insurance_code text, manufacturer text, udi_di text, is_active boolean, updated_at timestamptz)
       order by item_code, updated_at desc
    ), before as (
      select i.item_code, i.is_active from his_item i join given k on k.item_code = i.item_code where i.org_id = ${org}
    ), written as (
      insert into his_item as i (org_id, item_code, item_name, material_code, his_specification, his_unit, his_price,
        insurance_code, manufacturer, udi_di, is_active, changed_at, read_at)
      select ${org}, item_code, item_name, material_code, specification, unit, price, insurance_code, manufacturer,
        udi_di, is_active, updated_at, now() from given
      on conflict (org_id, item_code) do update set item_name = excluded.item_name,
        material_code = excluded.material_code, his_specification = excluded.his_specification,
        his_unit = excluded.his_unit, his_price = excluded.his_price, insurance_code = excluded.insurance_code,
        manufacturer = excluded.manufacturer, udi_di = excluded.udi_di, is_active = excluded.is_active,
        changed_at = excluded.changed_at, read_at = excluded.read_at
      returning i.item_code, i.is_active
    )
    select (count(*) filter (where b.item_code is null))::int as added,
           (count(*) filter (where b.item_code is not null))::int as changed,
           (count(*) filter (where b.is_active and not w.is_active))::int as stopped
      from written w left join before b on b.item_code = w.item_code`
  return counted!
}

/** Takes items out of use that the HIS does not have any more. */
const stopUnread = async (tx: Tx, org: string): Promise<number> =>
  (
    await tx`
    update his_item set is_active = false, read_at = now()
     where org_id = ${org} and is_active and read_at < now() returning id`
  ).length

type Asking = { readonly org: string; readonly whole: boolean }

/** Reads the HIS's dictionary: the items changed since the last time, or all. */
export async function askDictionary(tx: Tx, { org, whole }: Asking): Promise<() => Promise<readonly HisChargeItem[]>> {
  const his = await connectedHis(tx, org)
  if (his === null) throw new BusinessError('rule', '本机构未接通HIS接口，不能同步HIS目录')
  const [last] = await tx<{ at: string | null }[]>`
    select to_char(max(changed_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
      from his_item where org_id = ${org}`
  return () => allRows(his.chargeItems(whole ? null : (last?.at ?? null)))
}

/** Stores the dictionary, then compares matched pairs again. Returns the result in a sentence. */
export async function takeDictionary(tx: Tx, { org, whole }: Asking, items: readonly HisChargeItem[]): Promise<string> {
  const { added, changed, stopped } = await storeItems(tx, org, items)
  const gone = whole ? await stopUnread(tx, org) : 0
  const different = await compareMatched(tx, org, null)
  const also = different > 0 ? `；${different}个对照出现差异` : ''
  return `新增${added}个项目，更新${changed}个，停用${stopped + gone}个${also}`
}

const askingOf = (session: Session, whole: unknown): Asking => ({ org: session.org.id, whole: whole === true })

/** 同步HIS目录. */
export const syncDictionary = remoteAction<readonly HisChargeItem[]>({
  asks: ({ tx, session, asked: { whole } }) => askDictionary(tx, askingOf(session, whole)),
  writes: async (items, { tx, session, asked: { whole } }) => ({
    said: await takeDictionary(tx, askingOf(session, whole), items),
  }),
})
