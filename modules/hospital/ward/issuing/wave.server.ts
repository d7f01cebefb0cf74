import { dispatch } from '#modules/hospital/ward/issuing/dispatch.doc.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { draftFor } from '#modules/hospital/ward/requisition/draft-for.server.ts'
import { hasRemainder, openSources } from '#server/public/drafts.ts'
import { byName, nextNumber } from '#server/public/documents.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** The maximum in one wave; the rest is the next one. */
const MOST = 200

/**
 * Numbers of approved requisitions of a store that no picking list waits for, urgent and early ones first. Nobody else
 * gathers those of the store meanwhile.
 */
async function openRequisitions(tx: Tx, org: string, store: string, asked: Asked): Promise<readonly string[]> {
  await tx`select 1 from warehouse where org_id = ${org} and id = ${store} for update`
  const rows = await tx<{ sn: string }[]>`
    select d.sn from document d
     where d.org_id = ${org} and d.kind = 'requisition' and d.role = 'own' and d.state in ('reviewed', 'partial')
       and d.warehouse_id = ${store}
       and (${asked.department_inner_sn ?? null}::bigint is null
         or d.department_id = ${asked.department_inner_sn ?? null}::bigint)
       and (not ${asked.urgent_only === true} or d.fields->>'is_urgent' = 'true')
       and not exists (
         select 1 from document_line x join document p on p.org_id = x.org_id and p.id = x.document_id
          where x.org_id = ${org} and x.source_document_id = d.id and p.kind = 'dispatch'
            and p.state in ('draft', 'rejected'))
     order by d.fields->>'is_urgent' = 'true' desc nulls last, d.fields->>'due_at', d.id limit ${MOST}`
  return rows.map(row => row.sn)
}

type Asked = {
  readonly warehouse_model_inner_sn?: string
  readonly department_inner_sn?: string | null
  readonly urgent_only?: boolean | null
  readonly route_name?: string | null
  readonly required_at?: string | null
}

/**
 * 生成波次: all that is open of a store's requisitions becomes picking lists under one wave number, one for each department
 * and store that gets the goods. A requisition for which a list already waits as a draft is left out.
 */
export async function wave(tx: Tx, session: Session, body: Readonly<Record<string, unknown>>) {
  const asked = body as Asked
  const store = String(asked.warehouse_model_inner_sn ?? '')
  const names = (await openRequisitions(tx, session.org.id, store, asked)).map(sn => ({ sn, org: null }))
  const open = (await openSources(tx, session, dispatch, names)).map(({ doc, lines }) => ({
    doc,
    lines: lines.filter(hasRemainder),
  }))
  const waiting = open.filter(({ lines }) => lines.length > 0)
  if (waiting.length === 0) throw new BusinessError('rule', '该仓库没有待配送的申领单，或其配送单草稿尚未提交')
  const wave_no = await nextNumber(tx, session.org.id, { kind: 'dispatchWave', numberPrefix: 'BC' })
  const sns: string[] = []
  const places = Map.groupBy(waiting, ({ doc }) => `${doc.department_inner_sn} ${doc.to_warehouse_model_inner_sn}`)
  for (const sources of places.values()) {
    const { doc } = sources[0]!
    const header = {
      wave_no,
      warehouse_model_inner_sn: store,
      department_inner_sn: doc.department_inner_sn,
      to_warehouse_model_inner_sn: doc.to_warehouse_model_inner_sn,
      is_urgent: sources.some(source => byName(source.doc).is_urgent === true),
      route_name: asked.route_name ?? null,
      required_at: asked.required_at ?? null,
    }
    const lines = sources.flatMap(source =>
      source.lines.map(({ line }) => ({ source_sn: source.doc.sn, source_line_no: line.line_no })),
    )
    sns.push(await draftFor(tx, session, 'dispatch', header, lines))
  }
  return { sns, result: `波次${wave_no}已生成${sns.length}张配送单：${sns.join('、')}` }
}
