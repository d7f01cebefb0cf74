import { BusinessError } from '#kernel/rules/errors.ts'
import { instant } from '#kernel/values/date.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { composeReceipt, receiptKinds } from '#modules/hospital/his/receipts/receipt-order.server.ts'
import {
  askHis,
  connectedHis,
  type His,
  hisSender,
  type HisReceipt,
  type HisReversalOrder,
  type HisSender,
} from '#server/public/outbound.ts'
import type { ListColumn } from '#server/public/documents.ts'
import type { Hooks } from '#server/public/hooks.ts'
import type { Tx } from '#server/public/database.ts'

/** Refuses where the hospital has no HIS to push to. */
export async function refuseUnconnected(tx: Tx, org: string): Promise<void> {
  if ((await connectedHis(tx, org)) === null) throw new BusinessError('rule', '本机构未接通HIS接口，不能推送')
}

const BOOK = 'receipt'
const TAKE_BACK = 'receiptReversal'

type Row = {
  readonly id: string
  readonly kind: string
  readonly sn: string
  readonly push_state: string
  readonly push_key: string | null
  readonly push_round: number
  readonly tries: number
  readonly is_voided: boolean
  readonly receipt_no: string | null
  readonly is_red: boolean
}

const rowSql = (tx: Tx, org: string) => tx`
  select g.id, d.kind, d.sn, g.push_state, g.push_key, g.push_round, g.tries, g.is_voided, g.receipt_no,
         d.red_of_id is not null as is_red
    from his_grn g join document d on d.org_id = g.org_id and d.id = g.document_id where g.org_id = ${org}`
const rowOf = async (tx: Tx, org: string, id: string): Promise<Row | undefined> =>
  (await tx<Row[]>`${rowSql(tx, org)} and g.id = ${id} for update of g`)[0]

/** 采购入库:RK261126001:review; reviewed again, with the number of the round. */
const keyOf = ({ kind, sn, push_round: round }: Row, action: string): string =>
  `${kind}:${sn}:${action}${round > 1 ? `:${round}` : ''}`

type Referred = { readonly row: Row; readonly isNow: boolean }

const bookKeyOf = (row: Row): string => keyOf(row, row.is_red ? 'redReverse' : 'review')

/**
 * A request belongs to one round of its document: a request of an earlier review is not sent for a later one, and its
 * reversal takes back nothing of a later one.
 */
const referenceOf = ({ id, push_round: round }: Row): string => `${id}:${round}`
async function referred(tx: Tx, org: string, reference: string): Promise<Referred | null> {
  const [id = '', said = ''] = reference.split(':')
  const row = await rowOf(tx, org, id)
  const round = parseInteger(said)
  return row ? { row: { ...row, push_round: round }, isNow: row.push_round === round } : null
}
const rowNow = (tx: Tx, org: string, reference: string) => {
  const [id = '', round = ''] = reference.split(':')
  return tx`org_id = ${org} and id = ${id} and push_round = ${round}`
}

/** Puts one document into the outbox. */
async function pushRow(tx: Tx, org: string, row: Row): Promise<void> {
  const key = bookKeyOf(row)
  const reference = referenceOf(row)
  const asked = { sender: BOOK, key, title: '入库推送', reference, kind: row.kind, objectNo: row.sn }
  if (!(await askHis(tx, org, asked))) await sendAgain(tx, org, key)
  await tx`update his_grn set push_state = 'sending', push_key = ${key} where org_id = ${org} and id = ${row.id}`
}

const sendAgain = (tx: Tx, org: string, key: string) => tx`
  update outbound_call set state = 'retrying', next_at = now()
   where org_id = ${org} and call_key = ${key} and state in ('waiting', 'retrying') and payload is not null`

/** Creates or updates the row of a document with its present data. */
export async function noteDocuments(tx: Tx, org: string, documents: readonly string[]): Promise<void> {
  await tx`
    insert into his_grn as g (org_id, document_id, receipt_kind, sn, counterparty_id, warehouse_id, reviewed_at,
      item_count, amount)
    select d.org_id, d.id, k.value #>> '{}', d.sn, d.counterparty_id, d.warehouse_id, d.reviewed_at,
           (select count(*) from document_line l where l.org_id = d.org_id and l.document_id = d.id
             and l.base_quantity <> 0), d.taxed_amount
      from document d join jsonb_each(${tx.json(receiptKinds)}) k on k.key = d.kind
     where d.org_id = ${org} and d.id = any(${documents as string[]}::bigint[])
    on conflict (org_id, document_id) do update set reviewed_at = excluded.reviewed_at, amount = excluded.amount,
      item_count = excluded.item_count, counterparty_id = excluded.counterparty_id,
      warehouse_id = excluded.warehouse_id, is_voided = false, push_state = 'none', push_round = g.push_round + 1,
      tries = 0, receipt_no = null, booked_at = null, his_item_count = null, his_amount = null, check_result = null,
      error = null, is_reversal_asked = false, version = g.version + 1
     where g.is_voided`
}

/**
 * Each review, unreview and red reverse of a document that the HIS also books puts one request into the outbox. Without
 * a HIS nothing is written.
 */
export const receiptPushes: Hooks['effects'][number] = {
  async onEffective(tx, session, definition, doc) {
    const org = session.org.id
    if (!(definition.kind in receiptKinds) || session.org.type !== 'H' || doc.role === 'counterparty') return
    if ((await connectedHis(tx, org)) === null) return
    await noteDocuments(tx, org, [doc.id])
    const [row] = await tx<Row[]>`${rowSql(tx, org)} and g.document_id = ${doc.id} for update of g`
    if (row) await pushRow(tx, org, row)
  },
  async onVoided(tx, session, definition, document) {
    const org = session.org.id
    if (!(definition.kind in receiptKinds) || session.org.type !== 'H') return
    const [row] = await tx<Row[]>`${rowSql(tx, org)} and g.document_id = ${document} for update of g`
    if (!row) return
    if (row.push_state === 'sent') throw new BusinessError('rule', 'HIS已入账，请先冲销HIS入库')
    await tx`update his_grn set is_voided = true, version = version + 1 where org_id = ${org} and id = ${row.id}`
    if (row.push_state !== 'reversed') await askTakeBack(tx, org, row, 'unreview')
  },
}

/**
 * Creates rows for documents that came into force within a time and have none, because their hospital was not connected
 * then.
 */
export async function noteUnknown(tx: Tx, org: string, from: string, to: string): Promise<readonly string[]> {
  const documents = await tx<{ id: string }[]>`
    select d.id from document d
     where d.org_id = ${org} and d.kind = any(${Object.keys(receiptKinds)}) and d.role = 'own'
       and d.state in ('reviewed', 'partial', 'completed', 'stopped', 'reversed')
       and d.reviewed_at >= ${from} and d.reviewed_at < ${to}
       and not exists (select 1 from his_grn g where g.org_id = d.org_id and g.document_id = d.id) order by d.id`
  const ids = documents.map(({ id }) => id)
  await noteDocuments(tx, org, ids)
  return ids
}

/** Pushes documents that came into force since a moment before the hospital was connected. */
export async function pushRecent(tx: Tx, org: string, since: string): Promise<void> {
  const ids = await noteUnknown(tx, org, since, instant())
  const rows = await tx<Row[]>`${rowSql(tx, org)} and g.document_id = any(${ids}::bigint[]) for update of g`
  for (const row of rows) await pushRow(tx, org, row)
}

/** Takes back the HIS's booking under the row's key, if there is one. */
const askTakeBack = (tx: Tx, org: string, row: Row, action: 'unreview' | 'reverse'): Promise<boolean> =>
  askHis(tx, org, {
    sender: TAKE_BACK,
    key: keyOf(row, action),
    title: '入库冲销',
    reference: referenceOf(row),
    kind: row.kind,
    objectNo: row.sn,
  })

/** 冲销HIS入库: for a receipt that the HIS has booked, and that no reversal of ours takes back in another way. */
export async function takeBack(tx: Tx, org: string, id: string, reason: string): Promise<void> {
  const row = await rowOf(tx, org, id)
  if (!row || row.push_state !== 'sent') throw new BusinessError('wrongState', '当前单据未推送成功，不能冲销')
  const [red] = await tx<{ sn: string }[]>`
    select r.sn from document r join document d on d.org_id = r.org_id and d.id = r.red_of_id
      join his_grn g on g.org_id = r.org_id and g.document_id = r.id
     where r.org_id = ${org} and d.sn = ${row.sn} and d.kind = ${row.kind} and g.push_state in ('sending', 'sent')
     limit 1`
  if (red) throw new BusinessError('blocked', `红冲单${red.sn}已推送HIS，不能再冲销`)
  if (!(await askTakeBack(tx, org, row, 'reverse'))) await sendAgain(tx, org, keyOf(row, 'reverse'))
  await tx`
    update his_grn set is_reversal_asked = true, explanation = coalesce(explanation, ${reason})
     where org_id = ${org} and id = ${id}`
}

/** 重新推送: sends requests that were not sent yet, or failed. */
export async function pushAgain(tx: Tx, org: string, id: string): Promise<void> {
  const row = await rowOf(tx, org, id)
  if (!row) throw new BusinessError('rule', 'HIS中自行登记的入库，没有可推送的单据')
  if (row.push_state !== 'none' && row.push_state !== 'failed')
    throw new BusinessError('wrongState', row.push_state === 'sending' ? '当前单据正在推送' : '当前单据已推送成功')
  if (row.is_voided) throw new BusinessError('wrongState', '单据已反审核，不能推送')
  await pushRow(tx, org, row)
}

/** The state of the push of the document `d` to the HIS. */
export const pushColumns: Readonly<Record<string, ListColumn>> = {
  his_push_state: tx => tx`
    coalesce((select g.push_state from his_grn g
      where g.org_id = d.org_id and g.document_id = d.id and not g.is_voided), 'none')`,
}

const noteBooked = (tx: Tx, org: string, reference: string, receipt: HisReceipt) => tx`
  update his_grn set push_state = 'sent', pushed_at = now(), receipt_no = ${receipt.receipt_no},
    booked_at = ${receipt.booked_at}, his_item_count = ${receipt.lines.length}, his_amount = ${receipt.amount},
    error = null, version = version + 1 where ${rowNow(tx, org, reference)}`

const noteFailed: HisSender['failed'] = async (tx, org, reference, { error }) =>
  void (await tx`
    update his_grn set error = ${error}, version = version + 1,
      push_state = case when push_state = 'sending' then 'failed' else push_state end
     where ${rowNow(tx, org, reference)}`)

export const receiptSenders: readonly HisSender[] = [
  hisSender<'book'>({
    name: BOOK,
    write: 'book',
    async compose(tx, org, reference) {
      const found = await referred(tx, org, reference)
      if (!found?.isNow || found.row.is_voided) return null
      await tx`update his_grn set push_state = 'sending', tries = tries + 1 where ${rowNow(tx, org, reference)}`
      return composeReceipt(tx, org, found.row.id)
    },
    async accepted(tx, org, reference, receipt) {
      const found = await referred(tx, org, reference)
      await noteBooked(tx, org, reference, receipt)
      // The review was undone while the request was on its way.
      if (found && (!found.isNow || found.row.is_voided)) await askTakeBack(tx, org, found.row, 'reverse')
    },
    failed: noteFailed,
  }),
  hisSender<'reverse'>({
    name: TAKE_BACK,
    write: 'reverse',
    async compose(tx, org, reference) {
      const found = await referred(tx, org, reference)
      return found && reversalOf(found)
    },
    accepted: async (tx, org, reference) =>
      void (await tx`
        update his_grn set push_state = 'reversed', error = null, version = version + 1
         where ${rowNow(tx, org, reference)}`),
    failed: noteFailed,
  }),
]

/**
 * The reversal to send. If the HIS did not answer the booking, only the HIS knows whether it booked it, so it is asked
 * first.
 */
function reversalOf({ row, isNow }: Referred): HisReversalOrder | ((his: His) => Promise<HisReversalOrder | null>) {
  const order = (receipt_no: string): HisReversalOrder => ({
    receipt_no,
    sn: row.sn,
    reason: row.is_voided || !isNow ? '反审核' : '冲销',
  })
  const known = isNow ? row.receipt_no : null
  if (known !== null) return order(known)
  return async his => {
    const booked = await his.receiptBy(bookKeyOf(row))
    return booked === null || booked.is_reversed ? null : order(booked.receipt_no)
  }
}
