import { isPositive, subtract } from '#kernel/values/decimal.ts'
import { registers } from '#kernel/definition/statutory-register.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { buildDraft, definitionOf, saveDraft } from '#server/public/drafts.ts'
import type { ListActionHandler, RecordRules } from '#server/public/records.ts'
import { documentScopeSql, requirePermission, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Chosen = {
  sn: string
  line_no: number
  partner_id: string | null
  partner_name: string
  quantity: string
  taken: string
  kind: string
}

/** The selected rows with something left; an error if there is none. */
async function chosenRows(tx: Tx, session: Session, keys: readonly string[], purposes: string[]): Promise<Chosen[]> {
  const rows = await tx<Chosen[]>`
    select d.sn, d.kind, t.line_no, t.partner_id, t.partner_name, t.quantity,
           coalesce((select max(p.taken) from line_progress p
             where p.org_id = t.org_id and p.document_id = t.document_id and p.line_no = t.line_no
             and p.purpose = any(${purposes})), 0)::text as taken
      from trade_record t join document d on d.org_id = t.org_id and d.id = t.document_id
     where t.org_id = ${session.org.id} and t.id = any(${keys as string[]}::bigint[]) and t.void_at is null
       order by t.id`
  return rows.filter(row => isPositive(subtract(row.quantity, row.taken, 3)))
}

type Made = {
  readonly of: keyof typeof registers
  readonly partner: string
  /** The document kind to create. */
  readonly to: string
  readonly sourceType: number
  readonly from: string
  readonly purposes: string[]
  readonly nothing: string
}

/** A draft over what is left of the selected rows, as if a user had chosen them as sources. */
const draftFrom =
  ({ of, partner, to, sourceType, from, purposes, nothing }: Made): ListActionHandler =>
  async ({ tx, session, ids }) => {
    const target = definitionOf(to)
    requirePermission(session, `${target.kind}.add`)
    const rows = (await chosenRows(tx, session, ids, purposes)).filter(row => row.kind === from)
    if (rows.length === 0) throw new BusinessError('rule', nothing)
    if (new Set(rows.map(row => row.partner_id)).size > 1)
      throw new BusinessError('rule', `请选择同一${partner}的${registers[of]}`)
    const single = new Set(rows.map(row => row.sn)).size === 1
    const header = {
      source_type: sourceType,
      counterparty_sn: rows[0]!.partner_id,
      ...(single ? { source_sn: rows[0]!.sn } : {}),
    }
    const lines = rows.map(row => ({ source_sn: row.sn, source_line_no: row.line_no }))
    const draft = await buildDraft(tx, session, target, header, lines)
    const sn = await saveDraft(tx, session, target, draft, 'draft', `由${registers[of]}生成`)
    return { said: `已生成${target.title}${sn}` }
  }

/** A user who is bound to stores reads only the rows of documents that name one of his stores. */
const visible = (tx: Tx, session: Session) => tx`exists (
  select 1 from document d
   where d.org_id = t.org_id and d.id = t.document_id and ${documentScopeSql(tx, session)}
     and (${session.warehouses === 'all'} or d.warehouse_id is not null))`

export const purchaseRecordRules: RecordRules = {
  kind: 'purchaseRecord',
  visible,
  calls: {
    toArrival: draftFrom({
      of: 'purchase',
      partner: '供应商',
      to: 'arrivalOrder',
      sourceType: sourceTypes.PO_RECORDS,
      from: 'purchaseOrder',
      purposes: ['arrive', 'receive'],
      nothing: '所选采购记录没有未到货的数量',
    }),
  },
}
export const salesRecordRules: RecordRules = {
  kind: 'salesRecord',
  visible,
  calls: {
    toReturn: draftFrom({
      of: 'sale',
      partner: '客户',
      to: 'saleReturn',
      sourceType: sourceTypes.SALE_RECORD,
      from: 'saleOdo',
      purposes: ['return'],
      nothing: '所选销售记录没有可退的数量；寄售结算的退货请由客户退用',
    }),
  },
}
