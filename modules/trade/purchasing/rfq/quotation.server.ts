import { quotation } from '#modules/trade/purchasing/rfq/quotation.doc.ts'
import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import {
  loadDocuments,
  patchDocument,
  replaceLines,
  type StoredDocument,
  transition,
  type TypedDocument,
} from '#server/public/documents.ts'
import { documents } from '#kernel/registry.ts'
import { clock } from '#kernel/values/date.ts'
import { compare, share } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { unauthorised } from '#modules/trade/licensing/authorised-sale.server.ts'
import { belowLowest, refuseBelowLowest } from '#modules/trade/pricing/lowest-price.server.ts'
import { closeEnquiry } from '#modules/trade/purchasing/rfq/enquiry.server.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'
import { enqueueMessage, sendUpdate } from '#server/public/intercompany.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import { type Session, systemSession } from '#server/public/session.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'
import type { Sql } from 'postgres'

type Context = ContextOf<typeof quotation>
type Quotation = TypedDocument<typeof quotation>

/** Each line names the enquiry line that it answers: the buyer's copy has no other link. */
async function withAskedLines({ tx, session, definition, doc }: Context): Promise<Quotation> {
  const lines = doc.lines.map(line => ({ ...line, asked_line_no: line.source_line_no }))
  const enquiry_sn = doc.source_sn
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  await patchDocument(tx, session, doc, { enquiry_sn }, 'withAction')
  return { ...doc, lines, enquiry_sn }
}

/** The answer must match the enquiry: the same goods, quantity and organisation. */
async function refuseOtherQuestion({ tx, session, doc }: Context): Promise<void> {
  const asked = await tx<
    { line_no: number; specification_id: string; base_quantity: string; from_org_id: string; substitute: boolean }[]
  >`
    select l.line_no, l.specification_id, l.base_quantity, d.from_org_id,
      coalesce((l.fields->>'allows_substitute')::boolean, false) as substitute
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${session.org.id} and d.id = ${doc.source_document_id}`
  const first = asked[0]
  if (first && doc.counterparty_sn !== first.from_org_id) throw new BusinessError('rule', '询价机构不能修改')
  if (doc.lines.length !== asked.length) throw new BusinessError('rule', '不能增加或删除询价行，不供货的行请勾选不报价')
  for (const line of doc.lines) {
    const row = asked.find(each => each.line_no === line.source_line_no)
    if (!row || row.specification_id !== line.specification_sn || compare(row.base_quantity, line.base_quantity) !== 0)
      throw new BusinessError('rule', `第${line.line_no}行：询价的产品和数量不能修改，替代品请填写在报价产品栏`)
    if (line.offered_specification_sn && line.no_offer !== true && !row.substitute)
      throw new BusinessError('rule', `第${line.line_no}行：询价方不允许替代品`)
  }
}

/**
 * Offered goods must be sellable: own products, or released products of the own catalogue, and within the sales
 * authorisations here.
 */
async function refuseUnsellable({ tx, session, doc }: Context): Promise<void> {
  const offered = doc.lines.filter(line => line.no_offer !== true)
  const model = (line: Quotation['lines'][number]) => String(line.offered_specification_sn ?? line.specification_sn)
  const trade = {
    org: session.org.id,
    counterparty: doc.counterparty_sn,
    direction: 'sell',
    day: doc.business_date,
  } as const
  const facts = await specificationFacts(tx, offered.map(model), trade)
  const beyond = await unauthorised(tx, session.org.id, doc.counterparty_sn!, doc.business_date, offered.map(model))
  const kept = new Set(beyond.flatMap(({ specifications }) => specifications))
  refuseBelowLowest(
    offered.flatMap(line => {
      const price = share(line.price, line.quantity, line.base_quantity, 4)
      return belowLowest({ line_no: line.line_no, price }, facts.get(model(line)))
    }),
  )
  for (const line of offered) {
    const fact = facts.get(model(line))
    const mine = fact && (fact.manufacturer_id === session.org.id || (fact.in_catalogue && session.org.type === 'D'))
    if (mine && fact.product_status === 'released' && fact.status !== 'disabled' && !kept.has(model(line))) continue
    const field = line.offered_specification_sn ? 'offered_specification_sn' : 'specification_sn'
    const msg = `第${line.line_no}行：该产品不在贵司可销售范围内`
    throw new BusinessError('rule', msg, [{ line: line.line_no, field, msg }])
  }
}

/** Notifies the buyer's enquiry that an answer exists, was withdrawn, or will not come; never of its content. */
const notify =
  (action: 'quoted' | 'unquoted' | 'declined', label: string) =>
  async ({ tx, session, doc, reason }: ActionContext): Promise<void> => {
    if (!doc.source_sn || !doc.source_org_sn) return
    await enqueueMessage(tx, session, doc.source_org_sn, doc.id, {
      message: 'act',
      kind: 'enquiry',
      sn: doc.source_sn,
      action,
      label,
      reason: action === 'declined' ? reason : null,
      actor: session.userName,
    })
  }

export const quotationRules = documentHooks(quotation, {
  prepare: { submit: withAskedLines },
  validate: {
    submit: async ctx => {
      await refuseOtherQuestion(ctx)
      await refuseUnsellable(ctx)
    },
  },
  afterAction: {
    submit: notify('quoted', '收到供应商报价'),
    unsubmit: notify('unquoted', '供应商撤回报价'),
    refuse: notify('declined', '供应商放弃报价'),
  },
})

type Due = { readonly org_id: string; readonly id: string; readonly kind: string }

/** Documents that wait for a deadline. */
const timed = () => documents().flatMap(({ kind, header }) => ('deadline' in header ? [kind] : []))

/** Documents whose deadline has passed: enquiries waiting for answers, sealed answers, and unanswered questions. */
const dueOnes = (owner: Sql, now: string) => owner<Due[]>`
  select org_id, id, kind from document
   where kind = any(${timed()}) and state in ('draft', 'submitted', 'reviewed') and role = 'own'
     and (kind = 'quotation' or state = 'reviewed') and fields->>'opened_at' is null
       and fields->>'deadline' is not null and (fields->>'deadline')::timestamptz <= ${now}::timestamptz
   order by kind, id limit 200`

/**
 * Closes due documents, each in a transaction of its own organisation: enquiries wait for their award, sealed answers
 * are opened, the rest is too late.
 */
export async function closeDue(app: Sql, owner: Sql): Promise<void> {
  const now = (clock.at ?? new Date()).toISOString()
  for (const due of await dueOnes(owner, now)) {
    const organisation = systemSession((await systemSessionOf(app, due.org_id)).org)
    await inOrganisation(app, due.org_id, '0', async tx => {
      const locked = await tx`
        select 1 from document where org_id = ${due.org_id} and id = ${due.id}
          and state in ('draft', 'submitted', 'reviewed') and fields->>'opened_at' is null
           and (fields->>'deadline')::timestamptz <= ${now}::timestamptz for update`
      const [doc] = locked.length > 0 ? await loadDocuments(tx, due.org_id, [due.id]) : []
      if (!doc) return
      if (due.kind === 'enquiry') await closeEnquiry(tx, organisation, doc, '报价截止时间已到')
      else if (doc.state === 'submitted') await open(tx, organisation, doc, now)
      else await expire(tx, organisation, doc)
    })
  }
}

const openedFields = [
  'valid_until',
  'promised_days',
  'payment_terms',
  'with_freight',
  'quoter',
  'quoter_phone',
] as const
const openedLines = ['no_offer', 'offered_specification_sn', 'min_order', 'lead_days', 'asked_line_no'] as const
const pick = (row: object, names: readonly string[]) =>
  Object.fromEntries(
    names.flatMap(name =>
      (row as Record<string, unknown>)[name] === undefined ? [] : [[name, (row as Record<string, unknown>)[name]]],
    ),
  )

/** 开标: sends the supplier's offer to the buyer, who until then only knew that there was an answer. */
async function open(tx: Tx, organisation: Session, doc: StoredDocument, now: string): Promise<void> {
  await patchDocument(tx, organisation, doc, { opened_at: now }, { action: 'open', label: '开标', state: doc.state })
  await sendUpdate(tx, organisation, doc, [doc.source_org_sn!], {
    label: '开标',
    text: null,
    sets: { ...pick(doc, openedFields), opened_at: now },
    lines: doc.lines.map(line => ({
      line_no: line.line_no,
      fields: pick(line, openedLines),
      terms: pick(line, ['price', 'tax_rate', 'untaxed_amount', 'tax_amount', 'taxed_amount', 'remark']),
    })),
  })
}

async function expire(tx: Tx, organisation: Session, doc: StoredDocument): Promise<void> {
  const late = { action: 'expire', label: '报价截止', from: [doc.state], to: 'stopped' } as const
  await transition(tx, organisation, doc, late)
}
