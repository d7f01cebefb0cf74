import type { Sql } from 'postgres'
import { today } from '#kernel/values/date.ts'
import { BusinessError, ConfirmationRequired } from '#kernel/rules/errors.ts'
import { documentOf } from '#kernel/registry.ts'
import { wholePieces } from '#kernel/values/decimal.ts'
import { closeDue } from '#modules/trade/purchasing/rfq/quotation.server.ts'
import { packHooks } from '#modules/goods/packs/pack.server.ts'
import { capture, type Signing } from '#modules/hospital/signatures/signature.server.ts'
import { settlementRules } from '#modules/finance/settlement/settlement.server.ts'
import { deliverPending } from '#server/documents/intercompany/deliver.ts'
import type { DocumentInput } from '#server/documents/draft/input.ts'
import { createDraft } from '#server/documents/draft/draft.ts'
import { editDocument } from '#server/documents/draft/edit.ts'
import { runOnce, executeAction } from '#server/documents/action/execute.ts'
import type { Session } from '#server/access/session.ts'
import { drawnSignature } from './signature.ts'

export type DemoDatabase = { readonly owner: Sql; readonly app: Sql }
export type DocumentLine = {
  readonly line_no: number
  readonly specification_id: string
  readonly base_quantity: string
  readonly unit_codes: readonly string[]
  readonly taken: Readonly<Record<string, string>>
}
export type SourceLine = { readonly source_sn: string; readonly source_line_no: number; readonly quantity: string }

export type ReturnLine = { readonly sn: string; readonly line_no: number; readonly codes: readonly string[] }

/** The demo's users: their actions run through the engine; between actions they read stock and documents. */
export type Hands = {
  readonly add: (who: Session, kind: string, body: DocumentInput) => Promise<string>
  readonly edit: (who: Session, kind: string, sn: string, body: DocumentInput) => Promise<void>
  readonly act: (who: Session, kind: string, action: string, sn: string, more?: DocumentInput) => Promise<void>
  /**
   * A signature drawn by hand for this user's next action on a document; returns the key that the action names. `by`:
   * the employee whose it is, who proved it.
   */
  readonly sign: (who: Session, of: Signing, name: string, by?: string) => Promise<string>
  /** Submitted by one person, reviewed by another. */
  readonly pass: (writer: Session, reviewer: Session, kind: string, sn: string) => Promise<void>
  readonly settle: (who: Session, supplier: string, begin: string, end: string) => Promise<string>
  /** Drafts of combined packs under a new template. */
  readonly combine: (
    who: Session,
    warehouse: string,
    name: string,
    contents: readonly (readonly [specification: string, quantity: number])[],
    packs: number,
  ) => Promise<readonly string[]>
  /** A draft of packs of a specification, under a template of that size that is made where there is none. */
  readonly pack: (
    who: Session,
    warehouse: string,
    specification: string,
    size: number,
    packs: number,
  ) => Promise<string>
  /**
   * The document of a kind created at an organisation from a document of its own or of another; null when there is
   * none.
   */
  readonly created: (org: string, kind: string, source: string, from?: string) => Promise<string | null>
  /** The periodic background work: intercompany messages are delivered, enquiries close, sealed answers are opened. */
  readonly round: () => Promise<void>
  readonly lines: (org: string, sn: string) => Promise<DocumentLine[]>
  /** The book quantity of each line when a count began. */
  readonly booked: (org: string, sn: string) => Promise<{ line_no: number; book: number; isCoded: boolean }[]>
  readonly shelf: (org: string, warehouse: string) => Promise<Map<string, number>>
  /** Codes of whole pieces on hand by specification, first expiry first. */
  readonly pieces: (org: string, warehouse: string, specifications: readonly string[]) => Promise<Map<string, string[]>>
  /** True if an owner's consigned goods used up to a day wait for settlement. */
  readonly hasOpenUses: (org: string, owner: string, until: string) => Promise<boolean>
  /**
   * The newest receipts of a supplier's goods still at their first location, one line each; coded goods with their
   * pieces.
   */
  readonly returnable: (org: string, supplier: string) => Promise<ReturnLine[]>
  /** The newest issues of goods without codes still in the ward's store, one line each. */
  readonly grantedTo: (org: string) => Promise<Pick<ReturnLine, 'sn' | 'line_no'>[]>
  /** Usage reports from hospitals to the suppliers of the goods, newest first. */
  readonly reports: (org: string, kind: string) => Promise<{ sn: string; from: string }[]>
  readonly productOf: (specification: string) => Promise<string>
  /** Lines of deliveries up to a day that the buyer received and that are not invoiced yet. */
  readonly unbilled: (org: string, buyer: string, until: string) => Promise<SourceLine[]>
  readonly count: () => number
}

const QUIET = { requestId: null, fingerprint: '' }

function definitionOf(kind: string) {
  const definition = documentOf(kind)
  if (!definition) throw new Error(`there is no ${kind}`)
  return definition
}

/** Names the refused action, so that a refusal in the middle of a year can be found. */
async function named<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BusinessError)
      throw new BusinessError(error.reason, `${what}: ${error.message}`, error.problems)
    throw error
  }
}

export function openHands({ owner, app }: DemoDatabase): Hands {
  let actions = 0
  /** Copies from several senders may share a number: then the sender must be given. */
  const versionOf = async (org: string, sn: string, from: unknown = null): Promise<number> => {
    const [row] = await owner<
      { version: number }[]
    >`select version from document where org_id = ${org} and sn = ${sn} and state <> 'deleted'
      and from_org_id = coalesce(${(from as string | null) ?? null}::bigint, from_org_id) order by role desc limit 1`
    if (!row) throw new Error(`there is no document ${sn}`)
    return row.version
  }
  const act: Hands['act'] = (who, kind, action, sn, more = {}) =>
    named(`${who.org.code} ${kind} ${sn} ${action}`, async () => {
      actions++
      const body = { ...more, sn, version: await versionOf(who.org.id, sn, more.source_org_sn) }
      try {
        await executeAction(app, who, definitionOf(kind), action, body, QUIET)
      } catch (error) {
        if (!(error instanceof ConfirmationRequired)) throw error
        await executeAction(app, who, definitionOf(kind), action, { ...body, confirm: error.token }, QUIET)
      }
    })
  return {
    act,
    count: () => actions,
    round: async () => {
      await deliverPending(app, owner)
      await closeDue(app, owner)
      await deliverPending(app, owner)
    },
    add: (who, kind, body) =>
      named(`${who.org.code} ${kind} add`, async () => {
        actions++
        return (await runOnce(app, who, QUIET, tx => createDraft(tx, who, definitionOf(kind), body))).sn
      }),
    edit: (who, kind, sn, body) =>
      named(`${who.org.code} ${kind} ${sn} edit`, async () => {
        actions++
        const version = await versionOf(who.org.id, sn)
        await runOnce(app, who, QUIET, tx => editDocument(tx, who, definitionOf(kind), { ...body, sn, version }))
      }),
    sign: async (who, of, name, by) => {
      const drawn = { method: 'drawn', strokes: drawnSignature(name) } as const
      const given = by === undefined ? drawn : { ...drawn, by: { employee: by, name } }
      return (await runOnce(app, who, QUIET, tx => capture(tx, who, of, given))).sn
    },
    pass: async (writer, reviewer, kind, sn) => {
      await act(writer, kind, 'submit', sn)
      await act(reviewer, kind, 'review', sn)
    },
    settle: (who, supplier, begin, end) =>
      named(`${who.org.code} settlement generate`, async () => {
        actions++
        const made = await runOnce(app, who, QUIET, tx =>
          settlementRules.calls!.generate!(tx, who, { counterparty_sn: supplier, begin_date: begin, end_date: end }),
        )
        return String(made.sn)
      }),
    pack: (who, warehouse, specification, size, packs) =>
      named(`${who.org.code} pack`, async () => {
        actions++
        const template = await packTemplate(owner, who.org.id, specification, size)
        const made = await runOnce(app, who, QUIET, tx =>
          packHooks.calls!.byTemplate!(tx, who, {
            warehouse_model_inner_sn: warehouse,
            pack_template_sn: template,
            pack_count: packs,
          }),
        )
        return String(made.sn)
      }),
    combine: (who, warehouse, name, contents, packs) =>
      named(`${who.org.code} combined pack`, async () => {
        actions++
        const template = await combinedTemplate(owner, who.org.id, name, contents)
        const made = await runOnce(app, who, QUIET, tx =>
          packHooks.calls!.byTemplate!(tx, who, {
            warehouse_model_inner_sn: warehouse,
            pack_template_sn: template,
            pack_count: packs,
          }),
        )
        return String(made.said).match(/ZB\d+/g) ?? []
      }),
    booked: bookedOf(owner),
    ...eyes({ owner, app }),
    returnable: returnableOf(owner),
    grantedTo: grantedOf(owner),
    reports: reportsOf(owner),
    productOf: async specification => {
      const [row] = await owner<
        { id: string }[]
      >`select product_id as id from specification where id = ${specification}`
      return row!.id
    },
  }
}

async function combinedTemplate(
  owner: Sql,
  org: string,
  name: string,
  contents: readonly (readonly [specification: string, quantity: number])[],
): Promise<string> {
  const [row] = await owner<{ id: string }[]>`
    insert into pack_template (org_id, code, name, pack_type) values (${org}, 'ZHB-01', ${name}, 'combined')
    returning id`
  await owner`
    insert into pack_template_line (org_id, pack_template_id, specification_id, quantity)
    select ${org}, ${row!.id}, n.id, n.quantity
      from unnest(${contents.map(([id]) => id)}::bigint[], ${contents.map(([, quantity]) => quantity)}::int[])
        as n(id, quantity)`
  return row!.id
}

async function packTemplate(owner: Sql, org: string, specification: string, size: number): Promise<string> {
  const [row] = await owner<{ id: string }[]>`
    insert into pack_template (org_id, code, name, specification_id, size)
    select ${org}, 'DSB-' || s.code, left(p.name || s.name, 50) || '（' || ${size}::int || '件装）', s.id, ${size}
      from specification s join product p on p.id = s.product_id where s.id = ${specification}
    on conflict (org_id, code) do update set size = excluded.size returning id`
  return row!.id
}

/** Reads that a person would make from a list before the next action. */
function eyes({
  owner,
  app,
}: DemoDatabase): Pick<Hands, 'created' | 'lines' | 'shelf' | 'pieces' | 'hasOpenUses' | 'unbilled'> {
  const find = async (org: string, kind: string, source: string, from: string): Promise<string | null> => {
    const [row] = await owner<{ sn: string }[]>`
      select d.sn from document d join document c on c.org_id = d.org_id and c.id = d.source_document_id
       where d.org_id = ${org} and d.kind = ${kind} and d.role = 'own' and d.state in ('draft', 'submitted')
         and c.sn = ${source} and c.from_org_id = ${from}
       order by d.id desc limit 1`
    return row?.sn ?? null
  }
  return {
    created: async (org, kind, source, from = org) => {
      const found = await find(org, kind, source, from)
      if (found) return found
      // A delivery that lost against a concurrent one waits for its next round.
      return (await deliverPending(app, owner)) > 0 ? find(org, kind, source, from) : null
    },
    lines: async (org, sn) => {
      const rows = await owner<DocumentLine[]>`
        select l.line_no, l.specification_id, l.base_quantity, l.unit_codes,
               coalesce((select jsonb_object_agg(g.purpose, g.taken::text) from line_progress g
                 where g.org_id = l.org_id and g.document_id = l.document_id and g.line_no = l.line_no), '{}') as taken
          from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
         where d.org_id = ${org} and d.sn = ${sn} and d.state <> 'deleted' order by l.line_no`
      return [...rows]
    },
    shelf: async (org, warehouse) => {
      const rows = await owner<{ specification_id: string; free: string }[]>`
        select b.specification_id, sum(b.quantity - coalesce((
                 select sum(r.quantity) from reservation r
                   where r.org_id = b.org_id and r.warehouse_id = b.warehouse_id and r.location = b.location
                    and r.specification_id = b.specification_id and r.lot_id = b.lot_id and r.owner_id = b.owner_id
                      and r.quality_state = b.quality_state), 0)) as free
          from stock_balance b left join stock_lot s on s.org_id = b.org_id and s.lot_id = b.lot_id
         where b.org_id = ${org} and b.warehouse_id = ${warehouse} and b.quality_state = 'qualified'
           and (s.expiry_date is null or s.expiry_date >= ${today()})
         group by b.specification_id`
      return new Map(rows.map(row => [row.specification_id, wholePieces(row.free)]))
    },
    pieces: async (org, warehouse, specifications) => {
      if (specifications.length === 0) return new Map()
      const rows = await owner<{ specification_id: string; bare: string }[]>`
        select u.specification_id, c.bare from unit u join unit_code c on c.lot_id = u.lot_id and c.unit_id = u.id
          left join stock_lot s on s.org_id = ${org} and s.lot_id = u.lot_id
         where u.holder_org_id = ${org} and u.warehouse_id = ${warehouse} and u.status = 'in_stock'
           and u.specification_id = any(${specifications as string[]}::bigint[])
           and (s.expiry_date is null or s.expiry_date >= ${today()})
           and not exists (select 1 from reservation r where r.org_id = ${org} and r.warehouse_id = u.warehouse_id
             and r.lot_id = u.lot_id and c.bare = any(r.unit_codes))
         order by s.expiry_date nulls last, c.bare`
      const found = new Map<string, string[]>()
      for (const row of rows) found.set(row.specification_id, [...(found.get(row.specification_id) ?? []), row.bare])
      return found
    },
    hasOpenUses: async (org, ownerOrg, until) => {
      const rows = await owner`
        select 1 from settlement_line where org_id = ${org} and owner_id = ${ownerOrg} and state = 'waiting'
          and (used_at at time zone 'Asia/Shanghai')::date <= ${until} limit 1`
      return rows.length > 0
    },
    unbilled: async (org, buyer, until) => {
      const rows = await owner<SourceLine[]>`
        select d.sn as source_sn, l.line_no as source_line_no,
          (coalesce(r.taken, 0) - coalesce(b.taken, 0) - coalesce(i.taken, 0))::numeric(18,3) as quantity
          from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
          left join line_progress r on r.org_id = l.org_id and r.document_id = l.document_id and r.line_no = l.line_no
            and r.purpose = 'receive'
          left join line_progress i on i.org_id = l.org_id and i.document_id = l.document_id and i.line_no = l.line_no
            and i.purpose = 'invoice'
          left join line_progress b on b.org_id = l.org_id and b.document_id = l.document_id and b.line_no = l.line_no
            and b.purpose = 'return'
         where d.org_id = ${org} and d.kind = 'saleOdo' and d.role = 'own' and d.regime = 'purchased'
           and d.counterparty_id = ${buyer} and d.red_of_id is null
           and d.business_date <= ${until} and coalesce(r.taken, 0) - coalesce(b.taken, 0) > coalesce(i.taken, 0)
         order by d.id, l.line_no`
      return [...rows]
    },
  }
}

const reportsOf =
  (owner: Sql): Hands['reports'] =>
  async (org, kind) => {
    const rows = await owner<{ sn: string; from: string }[]>`
      select d.sn, d.from_org_id as "from" from document d
       where d.org_id = ${org} and d.kind = ${kind} and d.role = 'counterparty' and d.red_of_id is null
         and d.state in ('reviewed', 'partial', 'completed') and d.fields->>'report_basis' is distinct from 'made'
         and not exists (select 1 from document r where r.org_id = d.org_id and r.red_of_id = d.id)
       order by d.id desc limit 5`
    return [...rows]
  }

/** Stock on hand that may still be returned to its seller. */
const returnableOf =
  (owner: Sql): Hands['returnable'] =>
  async (org, supplier) => {
    const rows = await owner<(ReturnLine & { coded: boolean })[]>`
        select distinct on (d.id) d.sn, l.line_no, l.unit_codes <> '{}' as coded,
               coalesce((select array_agg(c.bare order by c.bare) from unit_code c
                 join unit u on u.lot_id = c.lot_id and u.id = c.unit_id
                          where c.bare = any(l.unit_codes) and u.status = 'in_stock' and u.holder_org_id = ${org}
                            and u.warehouse_id = d.warehouse_id), '{}') as codes
          from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
          join stock_balance b on b.org_id = l.org_id and b.warehouse_id = d.warehouse_id and b.lot_id = l.lot_id
            and b.quality_state = 'qualified' and b.quantity >= 1
         where d.org_id = ${org} and d.kind = 'purchaseGrn' and d.counterparty_id = ${supplier}
           and d.regime = 'purchased' and d.red_of_id is null
           and d.state in ('reviewed', 'partial', 'completed') and l.base_quantity >= 1
           and not exists (select 1 from reservation r where r.org_id = b.org_id and r.warehouse_id = b.warehouse_id
             and r.lot_id = b.lot_id)
         order by d.id desc, l.line_no`
    return rows.filter(row => !row.coded || row.codes.length > 0)
  }

const bookedOf =
  (owner: Sql): Hands['booked'] =>
  async (org, sn) => {
    const rows = await owner<{ line_no: number; book: number; isCoded: boolean }[]>`
      select l.line_no, (l.fields->>'book_quantity')::float8 as book,
        jsonb_array_length(l.fields->'expected_codes') > 0 as "isCoded"
        from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
          where d.org_id = ${org} and d.sn = ${sn} order by l.line_no`
    return [...rows]
  }

const grantedOf =
  (owner: Sql): Hands['grantedTo'] =>
  async org => {
    const rows = await owner<{ sn: string; line_no: number }[]>`
      select distinct on (d.id) d.sn, l.line_no
        from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
        join stock_balance b on b.org_id = l.org_id and b.warehouse_id = d.to_warehouse_id and b.lot_id = l.lot_id
          and b.owner_id = coalesce(l.owner_org_id, d.org_id)
             and b.quality_state = 'qualified' and b.quantity >= 1
       where d.org_id = ${org} and d.kind = 'grantOdo' and d.state = 'completed' and l.unit_codes = '{}'
         and not exists (select 1 from reservation r where r.org_id = b.org_id and r.warehouse_id = b.warehouse_id
           and r.lot_id = b.lot_id)
         and coalesce((select sum(g.taken) from line_progress g
           where g.org_id = l.org_id and g.document_id = l.document_id and g.line_no = l.line_no
           and g.purpose = 'use'), 0) < l.base_quantity
       order by d.id desc, l.line_no`
    return [...rows]
  }
