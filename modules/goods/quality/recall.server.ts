import { recall } from '#modules/goods/quality/recall.doc.ts'
import { type ActionContext, atReviewOnly, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { addReceivers, reachedBy } from '#modules/goods/quality/recall-receivers.server.ts'
import { patchDocument, replaceLines, type StoredDocument, type StoredLine } from '#server/public/documents.ts'
import type { Session } from '#server/public/session.ts'

type Context = ContextOf<typeof recall>

const write = ({ tx, session, doc }: ActionContext, values: Readonly<Record<string, unknown>>) =>
  patchDocument(tx, session, doc, values, 'withAction')

type Lot = {
  specification_id: string
  lot_no: string
  lot_id: string
  maker: string
  product: string
  certificate_no: string | null
  is_station: boolean
  production_date: string | null
  expiry_date: string | null
}

/** Data of the lots named by the lines. */
const lotsOf = ({ tx, session, doc }: ActionContext) => tx<Lot[]>`
  select t.specification_id, t.lot_no, t.id as lot_id, p.manufacturer_id as maker, p.name as product, c.certificate_no,
         exists (select 1 from lot_org o where o.lot_id = t.id and o.org_id = ${session.org.id}) as is_station,
           k.production_date, k.expiry_date
    from lot t join specification s on s.id = t.specification_id join product p on p.id = s.product_id
    left join registration_certificate c on c.id = s.registration_certificate_id
    left join stock_lot k on k.org_id = ${session.org.id} and k.lot_id = t.id
   where t.specification_id = any(${doc.lines.map(line => line.specification_sn!)}::bigint[])
     and t.lot_no = any(${doc.lines.map(line => line.lot_no ?? '')}::text[])`

/** The maker recalls its lots wherever they are, and the platform all lots. */
const recallsAll = ({ org }: Session, lot: Lot): boolean => org.type === 'P' || lot.maker === org.id

const lotBehind = (known: readonly Lot[], line: StoredLine) =>
  known.find(one => one.specification_id === line.specification_sn && one.lot_no === line.lot_no)

/** Lot data is written to the lines, and shown in the list. */
async function withLots(ctx: ActionContext): Promise<StoredDocument> {
  const { tx, session, definition, doc } = ctx
  const known = await lotsOf(ctx)
  const lines = doc.lines.map(line => {
    const lot = lotBehind(known, line)
    if (!lot) return line
    const { lot_id, certificate_no, production_date, expiry_date } = lot
    return { ...line, lot_id, certificate_no, production_date, expiry_date } as StoredLine
  })
  const values = {
    goods_summary: [...new Set(known.map(lot => lot.product))].join('、').slice(0, 200),
    lots_summary: [...new Set(lines.map(line => line.lot_no))].join('、').slice(0, 200),
  }
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  await write(ctx, values)
  return { ...doc, ...values, lines }
}

/**
 * Each line needs a lot that passed through this organisation, or that it made; if it did not make it, the
 * manufacturer's notice is required.
 */
async function refuseOutsider(ctx: ActionContext): Promise<void> {
  const { session, doc } = ctx
  const known = await lotsOf(ctx)
  const stray = doc.lines.find(line => {
    const lot = lotBehind(known, line)
    return !lot || !(lot.is_station || recallsAll(session, lot))
  })
  if (stray) {
    const msg = `第${stray.line_no}行：批号${stray.lot_no ?? ''}没有本机构的流向记录，请核对规格和批号`
    throw new BusinessError('rule', msg, [{ line: stray.line_no, field: 'lot_no', msg }])
  }
  if (known.some(lot => lot.maker !== session.org.id) && doc.attachments.length === 0)
    throw new BusinessError('rule', '请上传召回文件', [{ field: 'attachments', msg: '请上传召回文件' }])
}

/** Its receivers are computed from the trace: none can be selected or left out. */
async function address(ctx: ActionContext, lots: readonly Lot[]): Promise<void> {
  const { tx, session, doc } = ctx
  const org = session.org.id
  const recalled = lots.map(lot => ({ lot_id: lot.lot_id, everywhere: recallsAll(session, lot) }))
  const holders = await reachedBy(tx, org, recalled)
  const isDelivered = ({ lot_id }: Lot) => holders.some(holder => holder.lot_id === lot_id && holder.org_id !== org)
  const stray = lots.find(lot => !recallsAll(session, lot) && !isDelivered(lot))
  if (stray)
    throw new BusinessError(
      'rule',
      `批号${stray.lot_no}不是本机构生产的，也没有经平台由本机构交付给其他机构，不能召回，请【上报】生产厂家和平台`,
    )
  const { receivers } = await addReceivers(tx, { org, document: doc.id }, holders)
  if (receivers === 0) throw new BusinessError('rule', '没有机构收到过这些批号，不需要召回')
  await write(ctx, {
    receiver_count: receivers,
    answered_count: 0,
    published_by: session.userName,
    published_at: new Date().toISOString(),
  })
}

/**
 * While a recall by the maker or the platform is open, no organisation of the network may receive its lots, whether it
 * ever held one or not. Another organisation's recall holds the lots only of those whom it reaches.
 */
async function publish(ctx: ActionContext): Promise<void> {
  const lots = (await lotsOf(ctx)).filter(lot => ctx.doc.lines.some(line => line.lot_id === lot.lot_id))
  await address(ctx, lots)
  const { tx, session, doc } = ctx
  await tx`
    insert into lot_recall (lot_id, org_id, document_id, recall_sn)
    select distinct lot_id, org_id, document_id, ${doc.sn} from document_line
     where org_id = ${session.org.id} and document_id = ${doc.id}
       and lot_id = any(${lots.filter(lot => recallsAll(session, lot)).map(lot => lot.lot_id)}::bigint[])
    on conflict do nothing`
}

/**
 * 上报: an organisation that may not recall a lot reports it to its maker and the platform, who may. Delivered after the
 * commit.
 */
async function report(ctx: Context): Promise<void> {
  if (ctx.doc.reported_at) throw new BusinessError('rule', '已上报，请等待生产厂家和平台处理')
  await write(ctx, { reported_by: ctx.session.userName, reported_at: new Date().toISOString() })
}

async function release({ tx, session, doc }: ActionContext): Promise<void> {
  await tx`
    delete from lot_recall where org_id = ${session.org.id} and document_id = ${doc.id}
      and lot_id = any(${doc.lines.flatMap(line => line.lot_id ?? [])}::bigint[])`
}

async function refuseOpen({ tx, session, doc }: ActionContext): Promise<void> {
  const [open] = await tx<{ holders: number; lots: number }[]>`
    select count(distinct to_org_id)::int as holders, count(*)::int as lots from recall_delivery
     where org_id = ${session.org.id} and document_id = ${doc.id} and answered_at is null`
  if (open && open.lots > 0)
    throw new BusinessError('rule', `还有${open.holders}家机构的${open.lots}个批次没有反馈，不能关闭召回，请催办`)
}

/** The reminders are sent after the commit. */
async function remind({ tx, session, doc }: ActionContext): Promise<void> {
  const asked = await tx`
    update recall_delivery set remind_on = ${today()}
     where org_id = ${session.org.id} and document_id = ${doc.id} and answered_at is null and delivered_at is not null
       and remind_on is distinct from ${today()}::date
    returning 1`
  if (asked.length === 0) throw new BusinessError('rule', '没有可催办的机构：均已反馈，或今天已催办过（每天最多一次）')
}

/**
 * For the platform, author and reviewer must differ: its recall holds a lot at all organisations, and no setting of an
 * organisation can require a second person there.
 */
async function refuseOwnWork({ session, doc }: ActionContext): Promise<void> {
  const authors = [doc.created_by, doc.submitted_by, ...doc.former_authors]
  if (session.org.type === 'P' && authors.includes(session.userId))
    throw new BusinessError('forbidden', '制单人与审核人不能为同一人，请由他人审核')
}

export const recallRules = documentHooks(recall, {
  prepare: { submit: withLots },
  validate: { submit: refuseOutsider, review: atReviewOnly(refuseOwnWork), close: refuseOpen },
  afterAction: { publish, report, remind, close: release, withdraw: release },
})
