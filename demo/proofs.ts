import type { Sql } from 'postgres'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { openHands } from '#demo/simulation/actions.ts'
import type { FileStore } from '#server/files/store.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import type { Session } from '#server/access/session.ts'
import { bringTemperatures } from '#demo/transport.ts'
import { scanOf, upload } from '#demo/pictures.ts'

type Databases = { readonly owner: Sql; readonly app: Sql }
/** Suppliers of the hospital that correct a price with it, the first that can. */
const SUPPLIERS = ['D02', 'V03', 'D03', 'D01'] as const

type Pair = { readonly writer: Session; readonly signer: Session; readonly proof: string }

/** Two people of an organisation, and a scan of theirs. */
async function pairOf(databases: Databases, store: FileStore, code: string): Promise<Pair> {
  const { owner } = databases
  const [org] = await owner<{ id: string }[]>`select id from organisation where code = ${code}`
  const organisation = await systemSessionOf(owner, org!.id)
  const users = await owner<{ id: string; name: string }[]>`
    select id, name from app_user where org_id = ${org!.id} and status = 'enabled' order by is_administrator, id
      limit 2`
  const [writer, signer] = users.map(user => ({ ...organisation, userId: user.id, userName: user.name }))
  const scan = await scanOf(['Evidence', code, 'checked against the goods'])
  return { writer: writer!, signer: signer!, proof: await upload(databases, store, writer!, `${code}.pdf`, scan) }
}

type WrongPrice = {
  readonly supplier: string
  readonly sn: string
  readonly line_no: number
  readonly quantity: string
  readonly price: string
}

/**
 * Two receipts of one supplier whose price is still to be corrected: nothing follows from the line, and the supplier
 * has not invoiced it. At the beginning of a month one supplier may have invoiced all that it delivered.
 */
async function receivedAtWrongPrice(owner: Sql, hospital: string): Promise<readonly WrongPrice[]> {
  const found = await owner<WrongPrice[]>`
    select o.code as supplier, d.sn, l.line_no, l.quantity, (l.price * 0.98)::numeric(18,4) as price
      from document d join organisation o on o.id = d.counterparty_id
      join lateral (
        select l.* from document_line l
         where l.org_id = d.org_id and l.document_id = d.id and l.price > 0
           and not exists (select 1 from line_progress g where g.org_id = l.org_id and g.document_id = l.document_id
             and g.line_no = l.line_no)
           and not exists (select 1 from document c
             join document s on s.org_id = c.from_org_id and s.kind = c.kind and s.sn = c.sn and s.role = 'own'
             join line_progress g on g.org_id = s.org_id and g.document_id = s.id and g.line_no = l.delivery_line_no
              and g.purpose = 'invoice' and g.taken > 0
            where c.org_id = l.org_id and c.id = l.delivery_document_id)
         order by l.line_no limit 1) l on true
     where d.org_id = ${hospital} and d.kind = 'purchaseGrn' and d.role = 'own' and d.state = 'reviewed'
       and d.regime = 'purchased' and d.source_document_id is not null and o.code = any(${[...SUPPLIERS]}::text[])
     order by array_position(${[...SUPPLIERS]}::text[], o.code), d.id desc`
  return found.filter(({ supplier }) => supplier === found[0]!.supplier).slice(0, 2)
}

/**
 * Documents that need evidence proceed once files can be kept: deliveries at a wrong price are corrected by both
 * sides or wait for one of them, and a product is approved.
 */
export async function bringProofs(databases: Databases, store: FileStore): Promise<void> {
  const { owner } = databases
  const hands = openHands(databases)
  const hospital = await pairOf(databases, store, 'H01')
  const receipts = await receivedAtWrongPrice(owner, hospital.writer.org.id)
  for (const [at, { supplier, sn, line_no, quantity, price }] of receipts.entries()) {
    const correction = await hands.add(hospital.writer, 'stockCorrection', {
      source_sn: sn,
      source_type: sourceTypes.GRN,
      change_type: 'price',
      change_reason: '与当期协议价核对，双方同意更正',
      attachments: [hospital.proof],
      lines: [{ source_line_no: line_no, quantity, new_price: price }],
    })
    await hands.act(hospital.writer, 'stockCorrection', 'impact', correction)
    await hands.act(hospital.writer, 'stockCorrection', 'submit', correction)
    await hands.act(hospital.signer, 'stockCorrection', 'review', correction)
    await hands.round()
    const dealer = await pairOf(databases, store, supplier)
    const [task] = await owner<{ sn: string }[]>`
      select sn from document where org_id = ${dealer.writer.org.id} and kind = 'stockCorrection' and role = 'own'
        and state = 'submitted' and fields->>'answers_sn' = ${correction}`
    // The other one waits for the supplier.
    if (task && at === 0) await hands.act(dealer.signer, 'stockCorrection', 'review', task.sn)
  }
  await checkProduct(databases, hospital)
  for (const code of ['D01', 'V01']) await checkCustomer(databases, await pairOf(databases, store, code))
  await applyWithProof(databases, await pairOf(databases, store, 'D01'), hospital.writer.org.id)
  await bringTemperatures(databases, store)
  await hands.round()
}

/** A supplier attaches a scan to an application; the hospital opens it on its copy. */
async function applyWithProof(databases: Databases, { writer, proof }: Pair, hospital: string): Promise<void> {
  const hands = openHands(databases)
  const [asked] = await databases.owner<{ id: string }[]>`
    select l.specification_id as id from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${writer.org.id} and d.kind = 'supplierApplication' and d.role = 'own'
       and d.counterparty_id = ${hospital} order by d.id limit 1`
  if (!asked) return
  const sn = await hands.add(writer, 'supplierApplication', {
    counterparty_sn: hospital,
    application_type: 'consign',
    apply_reason: '用量稳定，改为寄售以减少备货占用',
    attachments: [proof],
    lines: [{ specification_sn: asked.id }],
  })
  await hands.act(writer, 'supplierApplication', 'submit', sn)
}

/** The draft of this kind that waits for its scans, and two people of whom the second did not write it. */
async function waitingDraft({ owner }: Databases, { proof: _proof, ...pair }: Pair, kind: string) {
  const [draft] = await owner<{ sn: string; author: string; lines: number[] }[]>`
    select d.sn, d.created_by as author,
           array(select l.line_no from document_line l where l.org_id = d.org_id and l.document_id = d.id
             order by 1) as lines
      from document d where d.org_id = ${pair.writer.org.id} and d.kind = ${kind} and d.role = 'own'
       and d.state = 'draft' order by d.id limit 1`
  if (!draft) return null
  // No one approves a draft they wrote themselves.
  const [writer, signer] = pair.signer.userId === draft.author ? [pair.signer, pair.writer] : [pair.writer, pair.signer]
  return { draft, writer, signer }
}

/** The customer whose licences were scanned is submitted and approved. */
async function checkCustomer(databases: Databases, pair: Pair): Promise<void> {
  const hands = openHands(databases)
  const waiting = await waitingDraft(databases, pair, 'firstTierOrg')
  if (!waiting) return
  const { draft, writer, signer } = waiting
  const lines = draft.lines.map(line_no => ({ line_no, scans: [pair.proof] }))
  await hands.edit(writer, 'firstTierOrg', draft.sn, { lines })
  await hands.act(writer, 'firstTierOrg', 'submit', draft.sn)
  await hands.act(signer, 'firstTierOrg', 'review', draft.sn, { quality_opinion: '资料齐全，同意' })
}

/** The product whose documents have arrived is submitted and approved. */
async function checkProduct(databases: Databases, pair: Pair): Promise<void> {
  const hands = openHands(databases)
  const waiting = await waitingDraft(databases, pair, 'firstSellProduct')
  if (!waiting) return
  const { draft, writer, signer } = waiting
  const docs = [
    'paper_certificate',
    'paper_manual',
    'paper_label',
    'paper_report',
    'paper_authorisation',
    'paper_import',
  ]
  await hands.edit(writer, 'firstSellProduct', draft.sn, Object.fromEntries(docs.map(name => [name, [pair.proof]])))
  await hands.act(writer, 'firstSellProduct', 'submit', draft.sn)
  await hands.act(signer, 'firstSellProduct', 'review', draft.sn, { quality_opinion: '资料齐全，同意' })
}
