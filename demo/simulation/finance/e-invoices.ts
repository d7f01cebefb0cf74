import { type DemoDatabase, type Hands, openHands } from '#demo/simulation/actions.ts'
import type { Session } from '#server/access/session.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'

/** A tax class of medical devices, proposed for every class of the demo: an official list is not seeded. */
const TAX_CODE = '1090245030000000000'
const CHANNEL = { channel: 'standin', status: 'enabled', drawer: '王会计' } as const

/** `tenth`: of the amount of its first line, in yuan with tax. */
type Delivery = { readonly sn: string; readonly source_type: number; readonly tenth: string }

/** An electronic invoice has so many lines at most, one of which says its discount. */
const MOST_LINES = 100

/** The newest deliveries of a seller that one invoice covers, and of which nothing is invoiced. */
const openDeliveries = (owner: DemoDatabase['owner'], org: string) => owner<Delivery[]>`
  select d.sn, 7 as source_type, round(l.taxed_amount / 10, 2)::text as tenth
    from document d join organisation c on c.id = d.counterparty_id
    join document_line l on l.org_id = d.org_id and l.document_id = d.id and l.line_no = 1
   where d.org_id = ${org} and d.kind = 'saleOdo' and d.role = 'own' and d.state in ('reviewed', 'partial', 'completed')
     and d.regime = 'purchased' and d.red_of_id is null and c.uses_system and d.taxed_amount > 0
     and not exists (select 1 from line_progress g where g.org_id = d.org_id and g.document_id = d.id
       and g.purpose in ('invoice', 'return', 'reverse') and g.taken <> 0)
     and (select count(*) from document_line x where x.org_id = d.org_id and x.document_id = d.id) < ${MOST_LINES}
   order by d.id desc limit 3`

/** The tax class of service fees, whoever collects them: modern services. */
const FEES = { fee_item: 'SPD服务费', fee_tax_code: '3040802990000000000', fee_tax_rate: 6 } as const

/**
 * Each collector of service fees issues an invoice over the newest one that a dealer agreed to, and the newest of a
 * maker; the others are left for users to try.
 */
async function invoiceFees(owner: DemoDatabase['owner'], hands: Hands): Promise<void> {
  const bills = await owner<{ org: string; sn: string; place: number }[]>`
    select d.org_id::text as org, d.sn,
           row_number() over (partition by d.org_id, c.system_type order by d.id desc)::int as place
      from document d join organisation c on c.id = d.counterparty_id
     where d.kind = 'serviceCharge' and d.role = 'own' and d.red_of_id is null
       and d.state in ('reviewed', 'partial', 'completed') and d.fields->>'confirm_state' in ('2', '4')
       and coalesce(d.fields->>'collector', 'own') = 'own' and d.taxed_amount > 0 order by d.org_id, d.id`
  const issue = async ({ org, sn }: { readonly org: string; readonly sn: string }) => {
    const who = { ...(await systemSessionOf(owner, org)), userName: '财务主管' }
    await hands.act(who, 'serviceCharge', 'toInvoice', sn)
    const [draft] = await owner<{ sn: string }[]>`
      select sn from document where org_id = ${org} and kind = 'chargeInvoice' and role = 'own' and state = 'draft'
       order by id desc limit 1`
    await hands.pass(who, who, 'chargeInvoice', draft!.sn)
    await hands.act(who, 'chargeInvoice', 'issue', draft!.sn)
  }
  // An invoice that is refused stays at the stage that it reached.
  for (const bill of bills.filter(({ place }) => place === 1))
    await issue(bill).catch((refused: Error) => refused.message)
}

/**
 * Dealers and makers issue electronic invoices by the stand-in: tax classes, a channel, and requests that are made when
 * the demo is started. One of them has a discount, that the electronic invoice says on a line of its own. The last
 * invoice is not asked for yet, for somebody to try it.
 */
export async function requestInvoices(database: DemoDatabase): Promise<void> {
  const { app, owner } = database
  await owner`update device_class set tax_code = ${TAX_CODE} where parent_id is null and tax_code is null`
  await owner`update dealer_product set tax_code = ${TAX_CODE} where tax_code is null`
  const sellers = await owner<{ id: string }[]>`
    select id from organisation where system_type in (2, 3) and uses_system and kept_by_id is null order by id`
  for (const { id } of sellers)
    await inOrganisation(
      app,
      id,
      '0',
      tx => tx`insert into e_invoice_channel ${tx({ org_id: id, ...CHANNEL })} on conflict do nothing`,
    )
  const collectors = await owner<{ id: string }[]>`
    select distinct o.id from organisation o join document d on d.org_id = o.id and d.kind = 'serviceCharge'
     where d.role = 'own' and o.system_type in (0, 1) order by o.id`
  for (const { id } of collectors)
    await inOrganisation(
      app,
      id,
      '0',
      tx => tx`insert into e_invoice_channel ${tx({ org_id: id, ...CHANNEL, ...FEES })} on conflict do nothing`,
    )
  const hands = openHands(database)
  for (const { id } of sellers)
    await askFor(owner, hands, { ...(await systemSessionOf(owner, id)), userName: '财务主管' })
  await invoiceFees(owner, hands)
  await hands.round()
}

async function askFor(owner: DemoDatabase['owner'], hands: Hands, who: Session): Promise<void> {
  const deliveries = await openDeliveries(owner, who.org.id)
  for (const [place, { sn: source_sn, source_type, tenth }] of deliveries.entries()) {
    const body = { source_type, source_sn, issue_way: 'provider', buyer_email: 'fapiao@example.cn' }
    const sn = await hands.add(who, 'outboundInvoice', body)
    if (place === 0) await hands.edit(who, 'outboundInvoice', sn, { lines: [{ line_no: 1, discount_amount: tenth }] })
    await hands.pass(who, who, 'outboundInvoice', sn)
    if (place < 2) await hands.act(who, 'outboundInvoice', 'issue', sn)
  }
}
