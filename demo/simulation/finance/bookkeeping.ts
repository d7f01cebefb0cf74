import { addDays, type Day, today } from '#kernel/values/date.ts'
import { type DemoDatabase, type Hands, openHands } from '#demo/simulation/actions.ts'
import { recordOf } from '#demo/records.ts'
import { paymentBatchRules } from '#modules/finance/payments/bank/payment-batch.server.ts'
import { serviceChargeRules } from '#modules/finance/service-charges/service-charge.server.ts'
import { runOnce } from '#server/documents/action/execute.ts'
import type { Session } from '#server/access/session.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import { actOnRecord } from '#server/records/write.ts'

/** The first and the last day of a month, so many months ago. */
function monthAgo(months: number): { begin_date: Day; end_date: Day } {
  let first = `${today().slice(0, 7)}-01` as Day
  for (let at = 0; at < months; at += 1) first = `${addDays(first, -1).slice(0, 7)}-01` as Day
  return { begin_date: first, end_date: addDays(`${addDays(first, 40).slice(0, 7)}-01` as Day, -1) }
}

type Made = { readonly sn: string; readonly supplier: string; readonly is_maker: boolean }

const cashierOf = async (owner: DemoDatabase['owner'], org: string): Promise<Session> => ({
  ...(await systemSessionOf(owner, org)),
  userName: '财务主管',
})

type Collected = { readonly collect_method: 'alone' | 'deduct'; readonly collector?: 'platform' }

async function bills({ app, owner }: DemoDatabase, who: Session, months: number, how: Collected) {
  const generate = serviceChargeRules[0]!.calls!.generate!
  const body = { ...monthAgo(months), ...how }
  const made = await runOnce(app, who, { requestId: null, fingerprint: '' }, tx => generate(tx, who, body)).catch(
    () => ({ charges: [] }),
  )
  return owner<Made[]>`
    select d.sn, d.counterparty_id::text as supplier, o.system_type = 3 as is_maker
      from document d join organisation o on o.id = d.counterparty_id
     where d.org_id = ${who.org.id} and d.kind = 'serviceCharge' and d.role = 'own'
       and d.sn = any(${made.charges as string[]}) order by d.id`
}

const draftOf = async ({ owner }: DemoDatabase, org: string, kind: string): Promise<string | null> => {
  const [row] = await owner<{ sn: string }[]>`
    select sn from document where org_id = ${org} and kind = ${kind} and role = 'own' and state = 'draft'
     order by id desc limit 1`
  return row?.sn ?? null
}

/** Every second month's fees are kept back from the payment. */
const isDeducted = (months: number): boolean => months % 2 === 0

/**
 * One bill as far as its age: paid, confirmed and kept back from the payment, disputed, sent, or a draft. Makers, of
 * whom there are few, pay at once.
 */
async function live(database: DemoDatabase, hands: Hands, who: Session, bill: Made, months: number, at: number) {
  const other = await cashierOf(database.owner, bill.supplier)
  const isOpen = months === 1 && !bill.is_maker
  if (isOpen && at % 3 === 2) return
  await hands.pass(who, who, 'serviceCharge', bill.sn)
  await hands.round()
  if (isOpen && at % 3 === 0) return
  if (isOpen) return hands.act(other, 'serviceCharge', 'dispute', bill.sn, { reason: '高值费率与合同不一致' })
  await hands.act(other, 'serviceCharge', 'confirm', bill.sn)
  await hands.round()
  const pass = async (by: Session, kind: string) => {
    const sn = await draftOf(database, by.org.id, kind)
    if (sn) await hands.pass(by, by, kind, sn)
  }
  if (isDeducted(months)) {
    await hands.act(who, 'serviceCharge', 'deduct', bill.sn)
    await pass(who, 'chargeDeduction')
    await hands.act(other, 'serviceCharge', 'setOff', bill.sn)
    return pass(other, 'chargeSetOff')
  }
  await pay(database, hands, { bill: bill.sn, payer: other, collector: who })
}

/** The payer pays a bill that it confirmed, and the organisation that collects it books the money. */
async function pay(
  database: DemoDatabase,
  hands: Hands,
  { bill, payer, collector }: { readonly bill: string; readonly payer: Session; readonly collector: Session },
): Promise<void> {
  await hands.act(payer, 'serviceCharge', 'pay', bill)
  for (const [who, kind] of [
    [payer, 'chargePayment'],
    [collector, 'chargeReceipt'],
  ] as const) {
    const sn = await draftOf(database, who.org.id, kind)
    if (sn) await hands.pass(who, who, kind, sn)
    await hands.round()
  }
}

/**
 * The oldest month is collected by the platform: the first bill is confirmed and paid by its supplier, the others wait
 * for the platform's review. They come first, so that no supplier has two bills of one number.
 */
async function collectedByPlatform(database: DemoDatabase, hands: Hands, who: Session) {
  const { owner } = database
  for (const { sn } of await bills(database, who, 6, { collect_method: 'alone', collector: 'platform' }))
    await hands.pass(who, who, 'serviceCharge', sn)
  await hands.round()
  const [bill] = await owner<{ sn: string; supplier: string; org: string }[]>`
    select d.sn, d.counterparty_id::text as supplier, d.org_id::text as org from document d
      join organisation o on o.id = d.org_id and o.system_type = 0
     where d.kind = 'serviceCharge' and d.role = 'own' and d.state = 'submitted' order by d.id limit 1`
  if (!bill) return
  const [collector, payer] = [await cashierOf(owner, bill.org), await cashierOf(owner, bill.supplier)]
  await hands.act(collector, 'serviceCharge', 'review', bill.sn)
  await hands.round()
  await hands.act(payer, 'serviceCharge', 'confirm', bill.sn)
  await hands.round()
  await pay(database, hands, { bill: bill.sn, payer, collector })
}

/**
 * Service fees over the last months, of the hospital with most settlements: documents of two hospitals that reach one
 * supplier on one day would have the same number. Where something is refused, the bill stays as far as it came.
 */
export async function chargeServices(database: DemoDatabase): Promise<void> {
  const hands = openHands(database)
  const [hospital] = await database.owner<{ id: string }[]>`
    select r.org_id::text as id from supplier_rate r
      join document d on d.org_id = r.org_id and d.kind = 'settlement' and d.role = 'own'
     where r.audit_state = 'passed' group by r.org_id order by count(distinct d.id) desc limit 1`
  if (!hospital) return
  const who = await cashierOf(database.owner, hospital.id)
  await collectedByPlatform(database, hands, who).catch((refused: Error) => refused.message)
  for (const months of [5, 4, 3, 2, 1])
    for (const [at, bill] of (
      await bills(database, who, months, { collect_method: isDeducted(months) ? 'deduct' : 'alone' })
    ).entries())
      await live(database, hands, who, bill, months, at).catch((refused: Error) => refused.message)
  await hands.round()
}

/** Statements of account: dealers to the hospitals that owe them most, confirmed or not yet; and one of a hospital. */
export async function sendStatements(database: DemoDatabase): Promise<void> {
  const hands = openHands(database)
  const trades = await database.owner<{ org: string; partner: string; direction: string }[]>`
    select distinct on (b.org_id) b.org_id::text as org, b.counterparty_id::text as partner,
           split_part(b.account, '_', 1) as direction
      from account_balance b join organisation o on o.id = b.org_id and o.system_type in (1, 2, 3)
      join app_user u on u.org_id = b.counterparty_id
     where b.account in ('receivable_invoiced', 'payable_invoiced') order by b.org_id, b.amount desc`
  for (const { org, partner, direction } of trades) {
    const who = await cashierOf(database.owner, org)
    const head = { counterparty_sn: partner, direction, ...monthAgo(1) }
    // One whose month has too many documents is not sent.
    await hands
      .add(who, 'accountStatement', head)
      .then(sn => hands.act(who, 'accountStatement', 'submit', sn))
      .catch((refused: Error) => refused.message)
  }
  await hands.round()
}

/** Payments that wait go to the bank in one batch, and an account of the ledger program is mapped. */
export async function batchPayments(database: DemoDatabase): Promise<void> {
  const organisations = await database.owner<{ id: string }[]>`
    select distinct d.org_id::text as id from document d join organisation o on o.id = d.org_id
     where d.kind = 'payment' and d.role = 'own' and o.system_type in (1, 2, 3) order by 1`
  const generate = paymentBatchRules.calls!.generate!
  for (const { id } of organisations) {
    const who = await cashierOf(database.owner, id)
    const call = { requestId: null, fingerprint: '' }
    // An organisation without unpaid payments has nothing to send.
    await runOnce(database.app, who, call, tx => generate(tx, who, { pay_account: '基本户 6222020200012345' })).catch(
      () => null,
    )
    await database.owner`
      insert into voucher_account (org_id, ledger_account, account_code, account_name)
      values (${id}, 'bank', '1002.01', '银行存款-基本户') on conflict do nothing`
    await database.owner`
      insert into bank_word (org_id, bank, word, outcome) values (${id}, '基本户', '处理完毕', 'paid')
      on conflict do nothing`
  }
}

/** So many months before this one are still being booked. */
const STILL_OPEN = 2

/** Older months are closed, at each organisation up to the first in which something is not reviewed. */
export async function closeMonths({ app, owner }: DemoDatabase): Promise<void> {
  const open = monthAgo(STILL_OPEN).begin_date.slice(0, 7)
  const months = await owner<{ org: string; id: string; version: number }[]>`
    select m.org_id::text as org, m.id::text, m.version from accounting_month m
      join organisation o on o.id = m.org_id and o.system_type in (1, 2, 3) and o.uses_system
     where m.period < ${open} and m.state = 'open' order by m.org_id, m.id`
  for (const [org, ofOrg] of Map.groupBy(months, month => month.org)) {
    const who = await cashierOf(owner, org)
    for (const { id, version } of ofOrg) {
      const body = { sn: id, version }
      const closed = await inOrganisation(app, org, '0', tx =>
        actOnRecord(tx, who, recordOf('accountingPeriod'), 'closePeriod', body),
      ).catch(() => null)
      if (closed === null) break
    }
  }
}
