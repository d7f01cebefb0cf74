import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import { purchaseGrn } from '#modules/goods/stock/receipts/purchase-grn.doc.ts'
import { buildDraft, saveDraft } from '#server/public/drafts.ts'
import { documentScopeSql, requirePermission, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** Uses of one call; the rest comes with the next. */
const MOST = 50

type Used = {
  readonly sn: string
  readonly supplier: string
  readonly store: string
  readonly day: string
  readonly plan_sn: string | null
  readonly lines: readonly {
    readonly line_no: number
    readonly left: Decimal
    readonly unit_codes: readonly string[]
  }[]
}

/** Loans of suppliers without an account that an operation used and no receipt has: nobody else sells them. */
const usedOf = (tx: Tx, session: Session, no: string | null): Promise<Used[]> => tx<Used[]>`
  select d.sn, l.owner_org_id::text as supplier, d.warehouse_id::text as store, d.business_date::text as day,
         max(l.fields->>'plan_sn') as plan_sn,
         jsonb_agg(jsonb_build_object('line_no', l.line_no, 'unit_codes', l.unit_codes,
           'left', (l.base_quantity - coalesce(g.taken, 0))::numeric(18,3)::text) order by l.line_no) as lines
    from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
    join organisation o on o.id = l.owner_org_id and not o.uses_system
    left join line_progress g on g.org_id = l.org_id and g.document_id = l.document_id and g.line_no = l.line_no
      and g.purpose = 'receive'
   where d.org_id = ${session.org.id} and ${documentScopeSql(tx, session)}
     and d.kind = 'surgeryUse' and d.role = 'own' and d.red_of_id is null
     and d.state in ('reviewed', 'partial', 'completed') and (${no}::text is null or d.sn = ${no})
     and l.fields->>'stock_source' = 'loan' and l.base_quantity > coalesce(g.taken, 0)
     and not exists (select 1 from document_line x join document r on r.org_id = x.org_id and r.id = x.document_id
       where x.org_id = d.org_id and x.source_document_id = d.id and x.source_line_no = l.line_no
         and r.kind = 'purchaseGrn' and r.role = 'own' and r.state in ('draft', 'rejected', 'submitted'))
   group by d.id, d.sn, l.owner_org_id, d.warehouse_id, d.business_date order by d.id, l.owner_org_id limit ${MOST}`

/** 从手术使用生成: a receipt for each operation and supplier without an account, over what was used of his loan. */
export async function receiptsOfUses(
  tx: Tx,
  session: Session,
  { use_no }: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  requirePermission(session, `${purchaseGrn.kind}.edit`)
  const no = String(use_no ?? '').trim() || null
  const uses = await usedOf(tx, session, no)
  if (uses.length === 0)
    throw new BusinessError(
      'rule',
      no === null
        ? '没有待入库的跟台使用：已开通系统的供应商由其骨科销售单生成，按月结算的由结算入库'
        : `使用记录${no}没有待入库的跟台货物，请核对单号；已开通系统的供应商由其骨科销售单生成`,
    )
  const sns: string[] = []
  for (const use of uses) {
    const header = {
      source_sn: use.sn,
      source_type: sourceTypes.ORTHOPAEDIC,
      counterparty_sn: use.supplier,
      warehouse_model_inner_sn: use.store,
      business_date: use.day,
      bone_plan_sn: use.plan_sn,
    }
    const lines = use.lines.map(({ line_no, left, unit_codes }) => ({
      source_line_no: line_no,
      quantity: left,
      ...(unit_codes.length > 0 ? { unit_codes } : {}),
    }))
    const draft = await buildDraft(tx, session, purchaseGrn, header, lines)
    sns.push(await saveDraft(tx, session, purchaseGrn, draft, 'draft', `来自手术使用记录${use.sn}`))
  }
  return { sns, result: `已生成${sns.length}张骨科采购入库：${sns.join('、')}` }
}
