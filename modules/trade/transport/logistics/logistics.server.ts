import {
  byName,
  loadDocument,
  patchDocument,
  patchLines,
  type TypedDocument,
  type TypedLine,
} from '#server/public/documents.ts'
import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { compare, type Decimal, isZero, plain, share, subtract, sum } from '#kernel/values/decimal.ts'
import { instant } from '#kernel/values/date.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import type { State } from '#kernel/definition/document-state.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { bindSignature } from '#modules/hospital/signatures/signature.server.ts'
import { notifyQuality, withReadings } from '#modules/trade/transport/cold-chain/temperature.server.ts'
import { departureReading } from '#modules/trade/transport/cold-chain/departure.server.ts'
import { askTracks, needsTracking } from '#modules/trade/transport/tracking/waybill-tracks.server.ts'
import { askAboutSigner, noteSigner } from '#modules/trade/transport/logistics/signer.server.ts'
import { happened } from '#modules/trade/transport/logistics/tracking-events.server.ts'
import { abnormalities } from '#modules/trade/transport/logistics/transport-states.ts'
import { consumeSources } from '#server/public/actions.ts'
import { createSystemDraft } from '#server/public/drafts.ts'
import { beyondReturns, enqueueMessage, sendCopies, standingReturns } from '#server/public/intercompany.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'
import { logistics } from '#modules/trade/transport/logistics/logistics.doc.ts'

type Context = ContextOf<typeof logistics>
type Logistics = TypedDocument<typeof logistics>
type Line = TypedLine<typeof logistics>

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
const refusedOf = (line: Line): Decimal => (line.refused_quantity as Decimal | null | undefined) ?? '0'

/** Derives from the goods of a shipment whether some of them need the cold chain. */
async function markCold(tx: Tx, session: Session, sn: string): Promise<void> {
  const doc = await loadDocument(tx, session.org.id, logistics, sn)
  const [cold] = await tx<{ is_cold: boolean }[]>`
    select exists (
      select 1 from document_line l
        join specification s on s.id = l.specification_id join product p on p.id = s.product_id
       where l.org_id = ${session.org.id} and l.document_id = ${doc.id} and p.is_cold_chain) as is_cold`
  if ((doc.is_cold_chain === true) !== cold!.is_cold)
    await patchDocument(tx, session, doc, { is_cold_chain: cold!.is_cold }, 'withAction')
}

/** A moment that was left empty is now; none may be in the future. */
const momentOf =
  (name: string, label: string) =>
  async ({ tx, session, doc }: Context): Promise<Logistics> => {
    const now = instant()
    const said = text(byName(doc)[name])
    if (said !== null && said > new Date(Date.parse(now) + 60_000).toISOString())
      throw new BusinessError('rule', `${label}不能晚于现在`, [{ field: name, msg: `${label}不能晚于现在` }])
    if (said !== null) return doc
    await patchDocument(tx, session, doc, { [name]: now }, 'withAction')
    return { ...doc, [name]: now }
  }

/** A box is in one shipment of its delivery. */
async function refuseSharedBoxes({ tx, session, doc }: Context): Promise<void> {
  const boxes = doc.lines.filter(line => text(line.box_no) !== null)
  if (boxes.length === 0) return
  const [other] = await tx<{ sn: string; box_no: string }[]>`
    select d.sn, l.fields->>'box_no' as box_no
      from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
     where l.org_id = ${session.org.id} and l.source_document_id = any(${boxes.flatMap(
       line => line.source_document_id ?? [],
     )}::bigint[])
       and d.kind = 'logistics' and d.role = 'own' and d.id <> ${doc.id}
       and d.state in ('reviewed', 'partial', 'completed', 'stopped')
       and l.fields->>'box_no' = any(${boxes.map(line => String(line.box_no))})
     order by d.id limit 1`
  if (other) throw new BusinessError('rule', `箱号${other.box_no}已在物流单${other.sn}中，一个箱号只能属于一张物流单`)
}

/** The goods leave: their deliveries count them as carried, and the customer gets its copy. */
async function ship(ctx: Context): Promise<void> {
  const { tx, session, definition, doc } = ctx
  await consumeSources(ctx, 'review')
  const leaving = { ...doc, transport_state: 'in_transit' } as Logistics
  await sendCopies(tx, session, definition, leaving, 'review')
  await happened(ctx, { text: `已发运，共${String(doc.package_count)}件`, at: text(doc.departed_at) })
  await departureReading(ctx)
}

async function track(ctx: Context): Promise<void> {
  const { track_at, track_place, track_event } = ctx.dialogValues ?? {}
  const at = text(track_at)
  const left = text(ctx.doc.departed_at)
  if (at !== null && left !== null && at < left) throw new BusinessError('rule', '轨迹时间不能早于发运时间')
  if (at !== null && at > instant()) throw new BusinessError('rule', '轨迹时间不能晚于现在')
  await happened(ctx, { text: String(track_event), at, place: text(track_place) })
}

const arrive = (ctx: Context): Promise<void> =>
  happened(ctx, {
    text: '已送达',
    at: text(ctx.doc.arrived_at),
    shares: { transport_state: 'delivered', arrived_at: ctx.doc.arrived_at },
    notice: '货物已送达，请收货',
  })

const anyRefused = (doc: Logistics): boolean => doc.lines.some(line => !isZero(refusedOf(line)))

async function sign(ctx: Context): Promise<void> {
  const { doc, dialogValues = {} } = ctx
  if (text(dialogValues.signature_sn) !== null)
    await bindSignature(ctx, { role: 'consignee', name: String(doc.signed_by) })
  const transport_state = anyRefused(doc) ? 'partly_refused' : 'signed'
  const values = { transport_state, arrived_at: text(doc.arrived_at) ?? doc.signed_at }
  await noteSigner(ctx.tx, ctx.session, doc, { ...values, signed_by: doc.signed_by, signed_at: doc.signed_at })
  await happened(ctx, {
    text: `已签收，签收人：${String(doc.signed_by)}`,
    at: text(doc.signed_at),
    values,
    shares: { signed_by: doc.signed_by, signed_at: doc.signed_at },
  })
}

/** `codes`: which pieces of coded goods, as far as that is known. */
type RefusedLine = { readonly line: Line; readonly quantity: Decimal; readonly codes: readonly string[] }
const refusedCodesOf = (line: Line): readonly string[] => (line.refused_codes as readonly string[] | undefined) ?? []

/** The lines of scanned codes; each code stands on the shipment and was not refused before. */
function scannedLines({ doc, dialogValues = {} }: Context): readonly RefusedLine[] {
  const scanned = [...new Set((dialogValues.refused_scan as readonly string[] | null | undefined) ?? [])]
  const lineOf = (code: string) =>
    doc.lines.find(line => line.unit_codes.includes(code) && !refusedCodesOf(line).includes(code))
  const strange = scanned.find(code => lineOf(code) === undefined)
  if (strange !== undefined)
    throw new BusinessError('rule', `院内码${strange}不在本物流单的货物中或已登记拒收，请核对后重新扫描`)
  return [...Map.groupBy(scanned, lineOf)].map(([line, codes]) => ({
    line: line!,
    quantity: share(line!.quantity, `${codes.length}`, line!.base_quantity, 3),
    codes,
  }))
}

/** The refused lines, and the quantity of each: by their codes, by `1,3:2`, or all of everything. */
function refusedLines(ctx: Context): readonly RefusedLine[] {
  const { doc, dialogValues = {} } = ctx
  const scanned = scannedLines(ctx)
  const said = text(dialogValues.refused_lines)
  if (said === null && scanned.length > 0) return scanned
  const written = writtenLines(doc, said).map(({ line, quantity }) => {
    const left = line.unit_codes.filter(code => !refusedCodesOf(line).includes(code))
    const isRest = compare(quantity, subtract(line.quantity, refusedOf(line), 3)) === 0
    return { line, quantity, codes: isRest ? left : [] }
  })
  const both = written.find(({ line }) => scanned.some(each => each.line === line))
  if (both) throw new BusinessError('rule', `第${both.line.line_no}行已扫拒收的码，请不要再写行号`)
  const bare = written.find(({ line, codes }) => line.unit_codes.length > 0 && codes.length === 0)
  if (bare) throw new BusinessError('rule', `第${bare.line.line_no}行为一物一码产品，部分拒收请扫拒收的码`)
  return [...written, ...scanned]
}

function writtenLines(doc: Logistics, said: string | null): readonly Omit<RefusedLine, 'codes'>[] {
  const open = (line: Line) => subtract(line.quantity, refusedOf(line), 3)
  if (said === null) return doc.lines.flatMap(line => (isZero(open(line)) ? [] : [{ line, quantity: open(line) }]))
  const named = said.split(/[,，、 ]+/).map(part => {
    const [no, quantity] = part.split(/[:：]/)
    const line = doc.lines.find(each => String(each.line_no) === no)
    if (!line) throw new BusinessError('rule', `物流单没有第${no}行`)
    return { line, quantity: quantity === undefined ? open(line) : quantity }
  })
  const twice = named.find(({ line }, at) => named.findIndex(each => each.line === line) !== at)
  if (twice) throw new BusinessError('rule', `第${twice.line.line_no}行写了两次，请合并`)
  const wrong = named.find(({ line, quantity }) => compare(quantity, open(line)) > 0 || isZero(quantity))
  if (wrong)
    throw new BusinessError('rule', `第${wrong.line.line_no}行：拒收数量应大于0且不大于${plain(open(wrong.line))}`)
  return named
}

function refuseNothing(ctx: Context): void {
  if (refusedLines(ctx).length === 0) throw new BusinessError('rule', '货物已全部登记拒收')
}

/** The quantities of a delivery's lines that drivers noted as refused, in base units. */
const notedOf = (tx: Tx, org: string, delivery: string) => tx<{ line_no: number; quantity: Decimal }[]>`
  select l.source_line_no as line_no,
         sum((l.fields->>'refused_quantity')::numeric * l.base_quantity / nullif(l.quantity, 0))::numeric(18,3)::text
           as quantity
    from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
   where l.org_id = ${org} and l.source_document_id = ${delivery} and d.kind = 'logistics' and d.role = 'own'
     and d.state not in ('cancelled', 'deleted') and l.fields->>'refused_quantity' is not null
   group by 1`

const returnOfRefused = { kind: 'saleReturn', header: { return_type: 'refused' } } as const

/**
 * The refused goods of each delivery are proposed as one return, as far as no return takes them back already: what the
 * customer refused at the door is the same refusal. Returns the numbers of the returns.
 */
async function proposeReturns(ctx: ActionContext, refused: readonly RefusedLine[]): Promise<string[]> {
  const { tx, session, reason } = ctx
  const org = session.org.id
  const returns = new Set<string>()
  // Goods that a lessor carries for a tenant are returned by the tenant's own delivery.
  if (ctx.doc.source_type === sourceTypes.LEASE_NOTICE) return []
  const sold = refused.filter(({ line }) => line.source_sn !== null && line.source_document_id !== null)
  for (const [delivery, lines] of Map.groupBy(sold, ({ line }) => line.source_document_id!)) {
    const standing = await standingReturns(tx, org, delivery, returnOfRefused)
    const noted = new Map((await notedOf(tx, org, delivery)).map(row => [row.line_no, row.quantity]))
    const open = lines.flatMap(({ line, quantity, codes }) => {
      const known = standing.get(line.source_line_no!)
      for (const sn of known?.sns ?? []) returns.add(sn)
      const base = share(line.base_quantity, quantity, line.quantity, 3)
      const all = [noted.get(line.source_line_no!) ?? '0', known?.refused ?? '0'] as const
      const left = beyondReturns(base, compare(...all) > 0 ? all[0] : all[1], known)
      // Pieces that another return takes back already are not known one by one.
      return isZero(left)
        ? []
        : [{ line, quantity: share(quantity, left, base, 3), codes: compare(left, base) === 0 ? codes : [] }]
    })
    if (open.length === 0) continue
    returns.add(
      await createSystemDraft(
        tx,
        session,
        returnOfRefused.kind,
        {
          ...returnOfRefused.header,
          source_type: sourceTypes.ODO,
          source_sn: lines[0]!.line.source_sn,
          return_reason: reason,
        },
        open.map(({ line, quantity, codes }) => ({
          source_line_no: line.source_line_no,
          quantity,
          ...(codes.length > 0 ? { unit_codes: codes } : {}),
        })),
      ),
    )
  }
  return [...returns]
}

/** The tenant learns what of his notice was refused on the way: his delivery is what the goods come back on. */
async function notifyTenant({ tx, session, doc, reason }: Context, refused: readonly RefusedLine[]): Promise<void> {
  if (doc.source_type !== sourceTypes.LEASE_NOTICE || !doc.lessee_sn) return
  const noticed = refused.filter(({ line }) => line.source_sn !== null && line.source_line_no !== null)
  for (const [sn, lines] of Map.groupBy(noticed, ({ line }) => line.source_sn!))
    await enqueueMessage(tx, session, String(doc.lessee_sn), doc.id, {
      message: 'act',
      kind: 'leaseNoticeOut',
      sn: sn.split('/')[0]!,
      action: 'refused',
      label: '收货单位拒收',
      reason: reason ?? null,
      actor: session.userName,
      sets: { refuse_note: reason ?? null },
      lines: lines.map(({ line, quantity, codes }) => ({
        line_no: line.source_line_no!,
        fields: {
          refused_now: quantity,
          refused_quantity: sum([refusedOf(line), quantity], 3),
          ...(codes.length > 0 ? { refused_codes_now: codes, refused_codes: [...refusedCodesOf(line), ...codes] } : {}),
        },
      })),
    })
}

async function refuse(ctx: Context): Promise<State> {
  const { tx, session, doc, reason } = ctx
  const refused = refusedLines(ctx)
  const total = (line: Line) => sum([refusedOf(line), refused.find(each => each.line === line)?.quantity ?? '0'], 3)
  await patchLines(
    tx,
    session,
    doc,
    refused.map(({ line, codes }) => ({
      line_no: line.line_no,
      values: {
        refused_quantity: total(line),
        refused_codes: [...refusedCodesOf(line), ...codes],
        refuse_reason: reason,
      },
    })),
    'withAction',
  )
  const drafts = await proposeReturns(ctx, refused)
  await notifyTenant(ctx, refused)
  const isWhole = doc.lines.every(line => compare(total(line), line.quantity) === 0)
  const said = refused
    .map(({ line, quantity }) => `【${line.product_name ?? ''}】批号${line.lot_no ?? ''}拒收${plain(quantity)}`)
    .join('；')
  await happened(ctx, {
    text: `客户拒收：${String(reason)}`,
    values: {
      transport_state: isWhole ? 'refused' : 'partly_refused',
      ...(drafts.length > 0 ? { return_sn: drafts.join('、') } : {}),
    },
    notice: `承运人登记拒收：${said}，原因：${String(reason)}`.slice(0, 400),
  })
  return isWhole ? 'stopped' : 'partial'
}

async function exception(ctx: Context): Promise<void> {
  const { abnormal_type, abnormal_note } = ctx.doc
  const said = `${abnormalities[abnormal_type as keyof typeof abnormalities]}：${String(abnormal_note)}`
  await happened(ctx, {
    text: `运输异常，${said}`,
    shares: { transport_state: 'abnormal', is_abnormal: true, abnormal_type, abnormal_note },
    notice: `运输异常，${said}`,
  })
  await notifyQuality(ctx.tx, ctx.session, ctx.doc, said)
}

export const logisticsRules = documentHooks(logistics, {
  afterSave: markCold,
  prepare: {
    ship: momentOf('departed_at', '发运时间'),
    arrive: momentOf('arrived_at', '送达时间'),
    sign: momentOf('signed_at', '签收时间'),
  },
  validate: {
    ship: refuseSharedBoxes,
    fetchTracks: needsTracking,
    sign: askAboutSigner,
    refuse: refuseNothing,
  },
  afterAction: { ship, track, fetchTracks: askTracks, temperature: withReadings, arrive, sign, refuse, exception },
})
