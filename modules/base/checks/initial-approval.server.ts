import type { Problem } from '#kernel/rules/errors.ts'
import { blockOrConfirm } from '#modules/base/checks/block-or-confirm.server.ts'
import type { ActionContext } from '#server/public/hooks.ts'

/** The document's counterparty, if it never passed 首营企业审批 in its role here. */
export async function unapprovedPartner(
  { tx, session, doc }: ActionContext,
  direction: 'supplier' | 'customer' = 'supplier',
): Promise<{ name: string } | undefined> {
  const [partner] = await tx<{ name: string }[]>`
    select o.name from organisation o where o.id = ${doc.counterparty_sn} and not exists (
      select 1 from document d where d.org_id = ${session.org.id} and d.kind = 'firstTierOrg' and d.role = 'own'
        and d.state = 'reviewed'
         and d.fields->>'partner_sn' = ${doc.counterparty_sn} and d.fields->>'direction' = ${direction})`
  return partner
}

/** 首营: if the organisation requires it, counterparties and goods must have passed their first approval. */
export async function needsFirstApproval(ctx: ActionContext): Promise<void> {
  const { tx, session, doc, definition, settings } = ctx
  if (settings.first_approval === 'off') return
  const org = session.org.id
  const partner = await unapprovedPartner(ctx)
  const approved = await tx<{ specification_id: string }[]>`
    select distinct l.specification_id from document d join document_line l on l.org_id = d.org_id
      and l.document_id = d.id
     where d.org_id = ${org} and d.kind = 'firstSellProduct' and d.role = 'own' and d.state = 'reviewed'
       and l.specification_id = any(${doc.lines.map(line => line.specification_sn!)}::bigint[])`
  const known = new Set(approved.map(row => row.specification_id))
  const problems = [
    ...(partner ? [unknown(partner)] : []),
    ...doc.lines
      .filter(line => !known.has(line.specification_sn ?? ''))
      .map(line => ({
        field: 'specification_sn',
        line: line.line_no,
        msg: `产品【${line.product_name ?? ''}】未通过首营审批，不能${definition.compliance.verb ?? '采购'}`,
      })),
  ]
  blockOrConfirm(ctx, settings.first_approval, 'firstApproval', problems)
}

/** 客户首营: if the organisation requires it, goods leave only for customers whose licences quality has examined. */
export async function needsApprovedCustomer(ctx: ActionContext): Promise<void> {
  const { doc, settings } = ctx
  if (settings.first_approval_customer === 'off' || !doc.counterparty_sn) return
  const customer = await unapprovedPartner(ctx, 'customer')
  if (!customer) return
  blockOrConfirm(ctx, settings.first_approval_customer, 'firstApproval', [unknown(customer)])
}

const unknown = ({ name }: { name: string }): Problem => ({
  field: 'counterparty_sn',
  msg: `【${name}】未通过首营审批`,
})
