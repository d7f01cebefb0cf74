import type { Sql } from 'postgres'
import { parseCode } from '#kernel/codes/parse-code.ts'
import { today } from '#kernel/values/date.ts'
import type { PublishedGoods } from '#kernel/print/public-label.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { useAllowance } from '#server/identity/allowance.ts'
import { RateLimited } from '#server/access/overload.ts'
import { inOrganisation } from '#server/database/transaction.ts'

const LONGEST = 500
/** Enough for a ward to scan a shelf, too little to read the whole catalogue. */
const perAddress = { most: 120, seconds: 600 } as const
/** Reads as no organisation: no row that belongs to an organisation is visible. */
const NOBODY = '0'

/**
 * Reads a Digital Link for an unknown caller. It returns the published data of the goods, and the lot data in the
 * link.
 */
export async function publishedGoods(sql: Sql, link: string, address: string): Promise<PublishedGoods> {
  const { isAllowed, wait } = await useAllowance(sql, { name: `goods page ${address}`, ...perAddress })
  if (!isAllowed) throw new RateLimited(wait)
  const parsed = link.length > LONGEST ? null : parseCode(`https://link${link}`, { today: today() })
  if (parsed === null || !parsed.ok || parsed.kind !== 'gs1-digital-link' || parsed.di === null)
    throw new BusinessError('invalid', '这个链接里没有可以识别的产品标识，请重新扫描标签上的二维码')
  const { di, lot, expiryDate } = parsed
  const [row] = await inOrganisation(
    sql,
    NOBODY,
    NOBODY,
    tx => tx<Pick<PublishedGoods, 'product_name' | 'specification_name' | 'registration_no'>[]>`
    select p.name as product_name, s.name as specification_name, c.certificate_no as registration_no
      from specification s join product p on p.id = s.product_id
      left join registration_certificate c on c.id = s.registration_certificate_id and c.audit_state = 'passed'
        and c.status = 'enabled'
     where s.status = 'released' and p.status = 'released'
       and (s.udi_di = ${di}
         or s.id = (select k.specification_id from pack_unit k where k.udi_di = ${di} and k.status = 'enabled'))`,
  )
  if (!row) throw new BusinessError('notFound', `没有查到产品标识${di}对应的产品，请核对包装上的产品标识`)
  return {
    di,
    ...row,
    lot_no: lot,
    expiry_date: expiryDate,
    expired: expiryDate !== null && expiryDate < today(),
  }
}
