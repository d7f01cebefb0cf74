import { byName, patchDocument, type StoredDocument, transition, type TypedDocument } from '#server/public/documents.ts'
import { enquiry } from '#modules/trade/purchasing/rfq/enquiry.doc.ts'
import { type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { enquirySheet } from '#modules/trade/purchasing/rfq/quotation-comparison-print.server.ts'
import { clock } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { chosenAwards, writeAwards } from '#modules/trade/purchasing/rfq/award.server.ts'
import { compareOffers, offersOf } from '#modules/trade/purchasing/rfq/received-quotations.server.ts'
import { buildDraft, definitionOf, saveDraft } from '#server/public/drafts.ts'
import { sendUpdate } from '#server/public/intercompany.ts'
import { sendMessage } from '#server/public/notifications.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Context = ContextOf<typeof enquiry>
type Enquiry = TypedDocument<typeof enquiry>

const orgs = (doc: Enquiry, name: string): string[] => (byName(doc)[name] as string[] | null | undefined) ?? []
/** Our suppliers that can answer here: the relation is live and they have users in the system. */
const suppliersOf = (tx: Tx, org: string) => tx<{ id: string }[]>`
  select distinct o.id from org_relation r join organisation o on o.id = r.partner_id
   where r.org_id = ${org} and r.relation <> 'HH' and o.system_type in (2, 3) and r.status = 'enabled' and o.uses_system
     and exists (select 1 from organisation_in_use u where u.org_id = o.id and u.has_enabled) order by o.id`

/** All invited suppliers must be able to answer; an open enquiry invites all who can. */
async function withInvited({ tx, session, doc }: Context): Promise<Enquiry> {
  const able = (await suppliersOf(tx, session.org.id)).map(row => row.id)
  const asked = doc.enquiry_method === 'open' ? able : [...new Set(orgs(doc, 'suppliers'))]
  if (doc.enquiry_method !== 'open' && asked.length === 0) return doc
  const unable = asked.find(id => !able.includes(id))
  if (unable !== undefined) {
    const [one] = await tx<{ name: string }[]>`select name from organisation where id = ${unable}`
    const msg = `【${one?.name ?? unable}】不是启用中的供应商或未开通账号，不能在线报价，请移除后改用询价登记`
    throw new BusinessError('rule', msg, [{ field: 'suppliers', msg }])
  }
  if (asked.length === 0) throw new BusinessError('rule', '没有可邀请的供应商，请先在机构管理中建立供应关系')
  const values = { suppliers: asked, supplier_count: asked.length, answered_count: 0, answered_by: [], refused_by: [] }
  await patchDocument(tx, session, doc, values, 'withAction')
  return { ...doc, ...values }
}

const waitingFor = (doc: Enquiry): string[] =>
  orgs(doc, 'suppliers').filter(id => !orgs(doc, 'answered_by').includes(id) && !orgs(doc, 'refused_by').includes(id))

/** 催报价 notifies those who have neither answered nor declined. */
async function remind({ tx, session, doc }: Context): Promise<void> {
  const silent = waitingFor(doc)
  if (silent.length === 0) throw new BusinessError('rule', '受邀供应商均已答复，无需催报价')
  await sendUpdate(tx, session, doc, silent, { label: '催报价', text: '请在截止前报价', sets: {} })
}

/** 延长截止: all invited suppliers are notified of the new date and time. */
async function extend({ tx, session, doc }: Context): Promise<void> {
  const sets = { deadline: doc.new_deadline }
  await patchDocument(tx, session, doc, sets, 'withAction')
  await sendUpdate(tx, session, doc, orgs(doc, 'suppliers'), {
    label: '报价截止时间已延长',
    text: '请查看新的截止时间',
    sets,
  })
}

async function refuseAnswered({ doc }: Context): Promise<void> {
  if (orgs(doc, 'answered_by').length > 0) throw new BusinessError('blocked', '已有供应商报价，不能反审核，请终止询价')
}

/** An answer arrived, was withdrawn, or was declined. The last outstanding one closes the enquiry at once. */
const answered =
  (list: 'answered_by' | 'refused_by', comes: boolean) =>
  async (tx: Tx, session: Session, doc: Enquiry, from: string): Promise<void> => {
    const others = orgs(doc, list).filter(id => id !== from)
    const next = { ...doc, [list]: comes ? [...others, from] : others } as Enquiry
    const count = orgs(next, 'answered_by').length
    await patchDocument(tx, session, doc, { [list]: next[list], answered_count: count }, 'derived')
    if (!comes || doc.state !== 'reviewed' || waitingFor(next).length > 0 || count === 0) return
    const sets = { deadline: (clock.at ?? new Date()).toISOString() }
    await patchDocument(tx, session, doc, sets, 'derived')
    await sendUpdate(tx, session, doc, orgs(doc, 'suppliers'), {
      label: '全部供应商已报价，提前截止',
      text: null,
      sets,
    })
    await closeEnquiry(tx, session, doc, '全部供应商已答复')
  }

/** The enquiry waits for its award. */
export async function closeEnquiry(
  tx: Tx,
  session: Session,
  doc: Pick<StoredDocument, 'id' | 'kind' | 'sn'>,
  why: string,
): Promise<void> {
  const organisation: Session = { ...session, userId: '0', userName: '系统' }
  const closes = { action: 'close', label: '截止', from: ['reviewed'], to: 'partial', reason: why } as const
  if (!(await transition(tx, organisation, doc, closes))) return
  await sendMessage(tx, session.org.id, {
    title: '询价已截止，请比价定标',
    body: `询价单${doc.sn}：${why}`,
    uri: 'enquiry',
    objectId: doc.sn,
    kind: 'enquiry',
  })
}

/** 转采购订单, 转询价登记: a draft for each winning supplier, over its awarded quantities. */
const toDocuments =
  (kind: 'purchaseOrder' | 'priceRegistration', more: Readonly<Record<string, unknown>>) =>
  async ({ tx, session, doc, definition }: Context): Promise<void> => {
    const won = (await offersOf(tx, session.org.id, doc)).filter(
      ({ copy }) => byName(copy).award_state === 'won' || byName(copy).award_state === 'partly',
    )
    if (won.length === 0) throw new BusinessError('rule', '没有中标的报价')
    const made = await tx<{ sn: string }[]>`
      select distinct d.sn from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
       where l.org_id = ${session.org.id} and l.source_document_id = any(${won.map(({ copy }) => copy.id)}::bigint[])
         and d.kind = ${kind} and d.role = 'own'
         and d.state not in ('deleted', 'cancelled') order by 1 limit 5`
    const title = definitionOf(kind).title
    if (made.length > 0)
      throw new BusinessError('blocked', `已生成${title}（${made.map(row => row.sn).join('、')}），不能重复生成`)
    for (const { copy } of won) {
      const header = {
        ...more,
        source_sn: copy.sn,
        source_org_sn: copy.from_org_id,
        source_type: sourceTypes.QUOTATION,
      }
      const draft = await buildDraft(tx, session, definitionOf(kind), header, null)
      await saveDraft(tx, session, definitionOf(kind), draft, 'draft', `来自${definition.title}${doc.sn}`)
    }
  }

export const enquiryRules = documentHooks(enquiry, {
  printFields: enquirySheet,
  prepare: { submit: withInvited, review: withInvited, award: chosenAwards },
  validate: { unreview: refuseAnswered },
  afterAction: {
    remind,
    extend,
    award: writeAwards,
    toOrder: toDocuments('purchaseOrder', {}),
    toPrice: toDocuments('priceRegistration', { price_type: 'awarded' }),
  },
  onPartnerAction: {
    quoted: answered('answered_by', true),
    unquoted: answered('answered_by', false),
    declined: answered('refused_by', true),
  },
  calls: { compare: compareOffers },
})
