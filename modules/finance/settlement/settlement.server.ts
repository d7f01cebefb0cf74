import { type ActionContext, documentHooks } from '#server/public/hooks.ts'
import { isDay, today } from '#kernel/values/date.ts'
import { type Decimal, isNegative, multiply, plain, share } from '#kernel/values/decimal.ts'
import { splitTax, type TaxRate } from '#kernel/values/tax-amounts.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { lastPeriod, type Period } from '#modules/finance/settlement/period.ts'
import { settledInFull } from '#modules/finance/settlement/completion.server.ts'
import { settlement } from '#modules/finance/settlement/settlement.doc.ts'
import { priceAgain } from '#modules/finance/settlement/settlement-lines.server.ts'
import { openUses, refuseOwnGoods, settleUses, waitingLines } from '#modules/finance/settlement/open-uses.server.ts'
import { loadDocument, patchDocument, patchLines, type StoredLine, sumLines } from '#server/public/documents.ts'
import { settingsFor } from '#server/public/settings.ts'
import type { Session } from '#server/public/session.ts'
import { sendUpdate } from '#server/public/intercompany.ts'
import type { Tx } from '#server/public/database.ts'

function periodOf({ begin_date, end_date }: Readonly<Record<string, unknown>>, closes: number): Period {
  if (!begin_date && !end_date) return lastPeriod(today(), closes)
  if (!isDay(begin_date) || !isDay(end_date))
    throw new BusinessError('invalid', undefined, [
      { field: isDay(begin_date) ? 'end_date' : 'begin_date', msg: '请填写结算期间' },
    ])
  if (begin_date > end_date)
    throw new BusinessError('invalid', undefined, [{ field: 'end_date', msg: '结算期间止不能早于期间起' }])
  return { begin: begin_date, end: end_date }
}

/** The named supplier, or null for every supplier with uses waiting. */
function namedSupplier(named: unknown): string | null {
  const owner = String(named ?? '')
  if (owner !== '' && !/^\d{1,18}$/.test(owner))
    throw new BusinessError('invalid', undefined, [{ field: 'counterparty_sn', msg: '请选择供应商' }])
  return owner === '' ? null : owner
}

/**
 * 生成结算单: drafts of all open uses of a supplier in a period, one for each 结算类型; of every supplier if none is
 * named. Late lines of earlier periods are included.
 */
async function generate(
  tx: Tx,
  session: Session,
  body: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const period = periodOf(body, (await settingsFor(tx, session.org.id)).settlement_day)
  const owner = namedSupplier(body.counterparty_sn)
  await priceAgain(tx, session.org.id, owner)
  const uses = await openUses(
    tx,
    session.org.id,
    tx`(${owner}::bigint is null or s.owner_id = ${owner}::bigint)
      and (s.used_at at time zone 'Asia/Shanghai')::date <= ${period.end}`,
  )
  if (uses.length === 0 && owner !== null) await refuseOwnGoods(tx, session, owner, period)
  if (uses.length === 0) throw new BusinessError('rule', `${owner ? '该供应商在' : ''}此期间没有待结算的使用记录`)
  const settlements = await settleUses(tx, session, uses, period)
  return { ...settlements[0], version: 1, settlements }
}

/** The uses behind the document's lines, by line. */
const usesOf = ({ doc }: ActionContext) =>
  doc.lines.flatMap(line =>
    line.source_document_id && line.source_line_no !== null
      ? [
          {
            document: line.source_document_id,
            line: line.source_line_no,
            no: line.line_no,
            codes: line.unit_codes,
            quantity: line.base_quantity,
            amount: line.taxed_amount,
          },
        ]
      : [],
  )

/** The settlement lines on this document change state together with it. */
async function moveLines({ tx, session, doc }: ActionContext, to: string): Promise<void> {
  const leaves = to === 'waiting'
  await tx`
    update settlement_line set state = ${to} ${leaves ? tx`, settlement_id = null, settlement_line_no = null` : tx``}
     where org_id = ${session.org.id} and settlement_id = ${doc.id} and state in ('settling', 'settled')`
}

/**
 * A use without a price cannot be settled, and no use is settled twice: lines already on another document are
 * refused.
 */
async function claimLines(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  const uses = tx`jsonb_to_recordset(${tx.json(usesOf(ctx))}) as k(document bigint, line int, no int, codes text[])`
  await refuseUnpriced(ctx)
  await tx`
    update settlement_line s set state = 'settling', settlement_id = ${doc.id}, settlement_line_no = k.no from ${uses}
     where s.org_id = ${session.org.id} and s.use_document_id = k.document and s.use_line_no = k.line
       and s.owner_id = ${doc.counterparty_sn} and s.state = 'waiting'
       and (s.unit_code is null or s.unit_code = any(k.codes))`
  // Another document claimed them before, or while this one waited for its lock.
  const [missed] = await tx<{ no: number; sn: string | null }[]>`
    select k.no, (select d.sn from settlement_line s join document d on d.org_id = s.org_id and d.id = s.settlement_id
                   where s.org_id = ${session.org.id} and s.use_document_id = k.document and s.use_line_no = k.line
                     order by s.id desc limit 1) as sn
      from ${uses}
     where not exists (select 1 from settlement_line s
       where s.org_id = ${session.org.id} and s.settlement_id = ${doc.id} and s.settlement_line_no = k.no)
       order by k.no limit 1`
  if (missed)
    throw new BusinessError(
      'blocked',
      missed.sn ? `记录${missed.no}已在结算单${missed.sn}中，请重新生成` : `记录${missed.no}已不在待结算中，请重新生成`,
    )
}

/** The lines of a settlement must equal the uses at the price of the day, as their records have it, to the cent. */
async function refuseOtherFigures(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  const [other] = await tx<{ no: number; quantity: Decimal; amount: Decimal }[]>`
    select k.no, x.quantity, x.amount
      from jsonb_to_recordset(${tx.json(usesOf(ctx))}) as k(no int, quantity numeric, amount numeric)
      join lateral (select sum(s.quantity)::numeric(18,3) as quantity, sum(s.amount)::numeric(18,2) as amount
        from settlement_line s where s.org_id = ${session.org.id} and s.settlement_id = ${doc.id}
          and s.settlement_line_no = k.no) x on true
     where x.quantity <> k.quantity or x.amount <> k.amount order by k.no limit 1`
  if (!other) return
  const msg = `第${other.no}行：结算记录为数量${plain(other.quantity)}、金额${plain(other.amount)}元，请按记录结算或重新生成`
  throw new BusinessError('rule', msg, [{ line: other.no, field: 'quantity', msg }])
}

/**
 * Lines that a user chose must equal their records: the pieces that still wait, the price of the day of use, the owner.
 */
async function asRecorded(tx: Tx, session: Session, sn: string): Promise<void> {
  const doc = await loadDocument(tx, session.org.id, settlement, sn)
  const found = await tx<Waiting[]>`
    select w.* from ${waitingLines(tx, session)} w
     where w.document_id = any(${doc.lines.flatMap(line => line.source_document_id ?? [])}::bigint[])`
  const patches = doc.lines.flatMap(line => {
    const waits = found.find(row => row.document_id === line.source_document_id && row.line_no === line.source_line_no)
    return waits ? [{ line_no: line.line_no, values: recorded(line, waits) }] : []
  })
  await patchLines(tx, session, doc, patches, 'withAction')
  await sumLines(tx, session, [doc.id], 'withAction')
  if (doc.counterparty_sn === null && found[0])
    await patchDocument(tx, session, doc, { counterparty_sn: found[0].counterparty_id }, 'withAction')
}

type Waiting = {
  readonly document_id: string
  readonly line_no: number
  readonly counterparty_id: string
  readonly left: Decimal
  readonly price: Decimal | null
  readonly tax_rate: number
  readonly taxed_amount: Decimal
  readonly unit_codes: readonly string[]
}

function recorded(line: StoredLine, waits: Waiting) {
  const codes = line.unit_codes.filter(code => waits.unit_codes.includes(code))
  const sign = isNegative(waits.left) ? '-1' : '1'
  const quantity = codes.length > 0 ? multiply(String(codes.length), sign, 3) : line.base_quantity
  const amount = share(waits.taxed_amount, quantity, waits.left, 2)
  return {
    unit_codes: codes,
    unit_inner_sn: null,
    quantity,
    base_quantity: quantity,
    price: waits.price ?? '0',
    tax_rate: waits.tax_rate,
    ...splitTax(amount, waits.tax_rate as TaxRate),
  }
}

async function refuseUnpriced(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  const [line] = await tx<{ no: number }[]>`
    select k.no from jsonb_to_recordset(${tx.json(usesOf(ctx))}) as k(document bigint, line int, no int)
      join settlement_line s on s.org_id = ${session.org.id} and s.use_document_id = k.document
        and s.use_line_no = k.line and s.state = 'unpriced' order by k.no limit 1`
  const bare = doc.lines.find(candidate => candidate.line_no === line?.no)
  if (!bare) return
  const msg = `${bare.product_name ?? ''} ${bare.specification_name ?? ''}无有效结算价`
  throw new BusinessError('rule', msg, [{ line: bare.line_no, field: 'price', msg }])
}

/** The supplier sees on its copy that its uses are settled, and since when. */
async function notifySettled({ tx, session, doc }: ActionContext, settled_on: string | null): Promise<void> {
  await patchDocument(tx, session, doc, { settled_on }, 'withAction')
  await sendUpdate(tx, session, doc, [doc.counterparty_sn!], {
    label: settled_on ? '医院已审核结算单' : '医院已反审核结算单',
    text: settled_on ? '等待结算入库' : '请留意后续处理',
    sets: { settled_on },
    state: settled_on ? 'reviewed' : 'submitted',
  })
}

/**
 * A settlement that is wholly received has nothing left that could be stopped; it waits for its invoice and its money.
 */
async function refuseReceived({ tx, session, doc }: ActionContext): Promise<void> {
  const [rest] = await tx`
    select 1 from document_line l
      left join line_progress p on p.org_id = l.org_id and p.document_id = l.document_id and p.line_no = l.line_no
        and p.purpose = 'settle'
     where l.org_id = ${session.org.id} and l.document_id = ${doc.id} and coalesce(p.taken, 0) <> l.base_quantity
     limit 1`
  if (!rest) throw new BusinessError('rule', `结算单${doc.sn}已全部结算入库，没有可终止的部分，付清后自动完成`)
}

export const settlementRules = documentHooks(settlement, {
  calls: { generate },
  openLines: waitingLines,
  completion: settledInFull,
  validate: { stop: refuseReceived },
  afterSave: asRecorded,
  afterAction: {
    submit: async ctx => {
      await claimLines(ctx)
      await refuseOtherFigures(ctx)
    },
    unsubmit: ctx => moveLines(ctx, 'waiting'),
    reject: ctx => moveLines(ctx, 'waiting'),
    cancel: ctx => moveLines(ctx, 'waiting'),
    review: async ctx => {
      await moveLines(ctx, 'settled')
      await notifySettled(ctx, today())
    },
    unreview: async ctx => {
      await moveLines(ctx, 'settling')
      await notifySettled(ctx, null)
    },
  },
})
