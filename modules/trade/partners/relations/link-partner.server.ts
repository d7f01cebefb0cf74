import { columnOf } from '#kernel/definition/field.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { entities } from '#kernel/registry.ts'
import { rulesOf } from '#server/public/hooks.ts'
import { replaceOrganisation } from '#server/public/documents.ts'
import type { Tx } from '#server/public/database.ts'

/** Terms of a local partner that the joined relation takes over. */
const terms = [
  'default_tax_rate',
  'settlement_method',
  'payment_days',
  'credit_limit',
  'contact',
  'phone',
  'email',
  'mnemonic',
  'invoice_title',
  'taxpayer_kind',
  'tax_no',
  'bank_name',
  'bank_account',
  'invoice_contact',
  'remark',
] as const

/** The local record `org` keeps of a platform organisation with the same credit code, not joined yet. */
export async function unregisteredOf(
  tx: Tx,
  org: string,
  partner: string,
): Promise<{ id: string; name: string } | null> {
  const [unregistered] = await tx<{ id: string; name: string }[]>`
    select k.id, k.name from organisation k join organisation o on o.id = ${partner} and o.system_type = k.system_type
       and upper(o.social_credit_code) = upper(k.social_credit_code)
     where k.kept_by_id = ${org} and k.joined_id is null limit 1`
  return unregistered ?? null
}

/** The platform organisation a local record refers to. */
export async function registeredAs(tx: Tx, local: string): Promise<{ id: string; name: string } | null> {
  const [found] = await tx<{ id: string; name: string }[]>`
    select o.id, o.name from organisation k join organisation o on o.kept_by_id is null
      and o.system_type = k.system_type
       and upper(o.social_credit_code) = upper(k.social_credit_code) and o.status = 'enabled'
         and o.audit_state = 'passed'
     where k.id = ${local} limit 1`
  return found ?? null
}

/**
 * Joins a local record with the organisation that registered: every document, account, licence and price of `org` that
 * refers to the former now refers to the latter. Refused while there are goods on consignment between them, because the
 * new organisation has no ledger of those.
 */
export async function joinPartner(tx: Tx, org: string, local: string, target: string): Promise<void> {
  await refuseConsigned(tx, org, local)
  await moveAccounts(tx, org, local, target)
  await moveLicences(tx, org, local, target)
  await moveRecords(tx, org, local, target)
  await movePrices(tx, org, local, target)
  await tx`
    update org_relation r set ${terms.reduce(
      (before, name, at) =>
        at === 0
          ? tx`${tx(name)} =
      l.${tx(name)}`
          : tx`${before}, ${tx(name)} = l.${tx(name)}`,
      tx``,
    )}
      from org_relation l where l.org_id = ${org} and l.partner_id = ${local} and r.org_id = ${org}
        and r.partner_id = ${target} and r.relation = l.relation`
  // Moves its sales authorisations to it; they are sent to it as soon as possible.
  await tx`
    update dealer_authorisation a set dealer_id = r.id, version = a.version + 1
      from org_relation l join org_relation r on r.org_id = l.org_id and r.partner_id = ${target}
        and r.relation = l.relation
     where l.org_id = ${org} and l.partner_id = ${local} and a.org_id = ${org} and a.dealer_id = l.id`
  await tx`delete from org_relation where org_id = ${org} and partner_id = ${local}`
  await tx`update organisation set joined_id = ${target}, status = 'disabled'
    where id = ${local} and kept_by_id = ${org}`
}

async function refuseConsigned(tx: Tx, org: string, local: string): Promise<void> {
  const [open] = await tx<{ held: boolean; lent: boolean; used: boolean }[]>`
    select exists (select 1 from stock_balance where org_id = ${org} and owner_id = ${local} and quantity > 0) as held,
           exists (select 1 from consigned_out where org_id = ${org} and customer_id = ${local}
             and quantity > 0) as lent,
           exists (select 1 from settlement_line where org_id = ${org} and owner_id = ${local}
             and state in ('waiting', 'unpriced', 'held', 'settling', 'settled')) as used`
  if (open?.held) throw new BusinessError('blocked', '库存中还有该机构的寄售货物，请先退回或使用并结算，再匹配')
  if (open?.lent) throw new BusinessError('blocked', '该机构还有我方寄售在外的货物，请先收回或结算，再匹配')
  if (open?.used) throw new BusinessError('blocked', '该机构还有未结算入库的寄售使用，请先完成结算，再匹配')
}

/**
 * The ledger only grows: entries under the former name are reversed line by line and written under the new one, on
 * the same dates.
 */
async function moveAccounts(tx: Tx, org: string, local: string, target: string): Promise<void> {
  await tx`
    insert into account_entry (org_id, counterparty_id, account, amount, document_id, line_no, item_id, item_line,
      business_date)
    select e.org_id, k.counterparty_id, e.account, k.sign * sum(e.amount), e.document_id, e.line_no, e.item_id,
      e.item_line, e.business_date
      from account_entry e cross
        join (values (${local}::bigint, -1), (${target}::bigint, 1)) as k(counterparty_id, sign)
     where e.org_id = ${org} and e.counterparty_id = ${local}
     group by e.org_id, k.counterparty_id, k.sign, e.account, e.document_id, e.line_no, e.item_id, e.item_line,
       e.business_date having sum(e.amount) <> 0`
  await tx`
    insert into account_balance as b (org_id, counterparty_id, account, amount)
    select a.org_id, ${target}::bigint, a.account, a.amount from account_balance a
      where a.org_id = ${org} and a.counterparty_id = ${local}
    on conflict (org_id, counterparty_id, account) do update set amount = b.amount + excluded.amount`
  await tx`
    delete from account_balance
      where org_id = ${org} and (counterparty_id = ${local} or (counterparty_id = ${target} and amount = 0))`
}

/** Documents and their lines, whether the partner is in a column of its own or among the kind's fields. */
async function moveLicences(tx: Tx, org: string, local: string, target: string): Promise<void> {
  await replaceOrganisation(tx, org, local, target)
  await tx`update settlement_line set owner_id = ${target} where org_id = ${org} and owner_id = ${local}`
}

/**
 * Agreed prices apply to the joined organisation; if both have an agreement from the same day, the latter's applies.
 */
async function movePrices(tx: Tx, org: string, local: string, target: string): Promise<void> {
  for (const [side, other] of [
    ['seller_id', 'buyer_id'],
    ['buyer_id', 'seller_id'],
  ] as const)
    await tx`
      update price_agreement g set ${tx(side)} = ${target}, version = version + 1
       where g.org_id = ${org} and g.${tx(side)} = ${local} and not exists (
         select 1 from price_agreement x where x.org_id = ${org} and x.${tx(side)} = ${target}
           and x.${tx(other)} = g.${tx(other)}
            and x.specification_id = g.specification_id and x.price_type = g.price_type
              and x.valid_from = g.valid_from)`
}

/**
 * The organisation's records that name a partner: licences, prices, products. One already existing under the other
 * name stays as it is.
 */
async function moveRecords(tx: Tx, org: string, local: string, target: string): Promise<void> {
  // Append-only registers keep the name under which an entry was written.
  const writable = await tx<{ name: string }[]>`
    select c.relname || '.' || a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and has_table_privilege(c.oid, 'update')`
  // List columns derived from a document are updated with it.
  const kept = new Set(writable.map(row => row.name))
  for (const definition of entities()) {
    if (definition.scope !== 'organisation' || definition.readOnly) continue
    const table = rulesOf(definition.kind).table ?? definition.table
    for (const [name, field] of Object.entries(definition.fields)) {
      if (field.as !== 'ref' || field.target !== 'organisation' || (table === 'org_relation' && name === 'partner_sn'))
        continue
      const column = columnOf(name, field)
      if (!kept.has(`${table}.${column}`)) continue
      const twice = (definition.unique ?? []).flatMap(names => {
        if (!names.includes(name)) return []
        const others = names.filter(other => other !== name)
        const same = others.map(other => tx(columnOf(other, definition.fields[other]!)))
        return [
          tx`and not exists (select 1 from ${tx(table)} x
            where x.org_id = ${org} and x.${tx(column)} = ${target} ${same.reduce(
              (before, other) => tx`${before}
            and x.${other} is not distinct from t.${other}`,
              tx``,
            )})`,
        ]
      })
      await tx`
        update ${tx(table)} t set ${tx(column)} = ${target}
         where t.org_id = ${org}
           and t.${tx(column)} = ${local} ${twice.reduce((before, one) => tx`${before} ${one}`, tx``)}`
    }
  }
}
