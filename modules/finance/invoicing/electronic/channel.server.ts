import { BusinessError } from '#kernel/rules/errors.ts'
import { type EInvoiceChannel, invoiceProvider, type InvoiceProvider, opened, sealed } from '#server/public/outbound.ts'
import type { RecordRules } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'
import { channels } from '#modules/finance/invoicing/electronic/e-invoice.entity.ts'

/** The channel through which an organisation issues invoices now. */
export type Channel = {
  readonly channel: EInvoiceChannel
  readonly seller_name: string
  readonly seller_tax_no: string
  readonly drawer: string | null
  readonly most_lines: number
  readonly issues_at_once: boolean
  readonly delivers_at_once: boolean
}
type Stored = Channel & {
  readonly app_key: string | null
  readonly user_name: string | null
  readonly app_secret: string | null
  readonly user_password: string | null
  readonly user_salt: string | null
}

const stored = (tx: Tx, org: string, channel: string | null) => tx<Stored[]>`
  select c.channel, coalesce(c.seller_name, o.name) as seller_name,
         coalesce(c.seller_tax_no, o.social_credit_code, '') as seller_tax_no, c.drawer, c.most_lines,
         c.issues_at_once, c.delivers_at_once, c.app_key, c.user_name, c.app_secret, c.user_password, c.user_salt
    from e_invoice_channel c join organisation o on o.id = c.org_id
   where c.org_id = ${org} and (c.channel = ${channel} or (${channel}::text is null and c.status = 'enabled'))`

/** The channel in use; throws if there is none. */
export async function channelInUse(tx: Tx, org: string): Promise<Channel> {
  const [found] = await stored(tx, org, null)
  if (!found) throw new BusinessError('rule', '本机构未启用开票通道，请先在【百望电子发票】的通道设置中启用')
  return found
}

/** The provider of a channel, whether it is in use or not: a request to one provider is not answered by another. */
export async function providerOf(tx: Tx, org: string, channel: string): Promise<InvoiceProvider> {
  const [found] = await stored(tx, org, channel)
  if (!found) throw new BusinessError('rule', '开票通道已不存在，请先在通道设置中新增')
  const of = (text: string | null) => (text === null ? null : opened(org, text))
  const [appSecret, password] = [of(found.app_secret), of(found.user_password)]
  const keys =
    found.app_key && found.user_name && appSecret && password
      ? { appKey: found.app_key, appSecret, userName: found.user_name, password, salt: of(found.user_salt) ?? '' }
      : null
  const provider = invoiceProvider(found.channel, keys, {
    org,
    taxNo: found.seller_tax_no,
    sellerName: found.seller_name,
  })
  if (provider) return provider
  throw new BusinessError(
    'rule',
    found.channel === 'standin'
      ? '模拟开票通道未接通，请联系管理员'
      : '开票通道的账号或密钥不完整，请在通道设置中填写应用标识、应用密钥、平台用户名和密码',
  )
}

const secrets = ['app_secret', 'user_password', 'user_salt'] as const

export const eInvoiceChannelRules: RecordRules = {
  kind: 'eInvoiceChannel',
  readFlag: 'page:/commonView/bwInvoice',
  columns: tx => ({
    key_state: tx`case when t.channel = 'standin' then 'needless'
      when t.app_secret is not null and t.user_password is not null then 'kept' else 'none' end`,
  }),
  async check(tx, session, { id, before, after, sent }) {
    for (const name of secrets) {
      const given = sent[name]
      if (typeof given === 'string' && given !== '') after[name] = sealed(session.org.id, given)
    }
    const [other] = await tx<{ channel: EInvoiceChannel }[]>`
      select channel from e_invoice_channel
       where org_id = ${session.org.id} and status = 'enabled' and id is distinct from ${id}`
    // Only one channel issues at a time: a second one is disabled until somebody enables it.
    if (before === null && other) after.status = 'disabled'
    return []
  },
  async asks(tx, session, action, row) {
    if (action !== 'enable') return []
    const [other] = await tx<{ channel: EInvoiceChannel }[]>`
      select channel from e_invoice_channel
       where org_id = ${session.org.id} and status = 'enabled' and id <> ${String(row.e_invoice_channel_sn)}`
    if (other) throw new BusinessError('rule', `已启用【${channels[other.channel]}】通道，请先停用`)
    return []
  },
}
