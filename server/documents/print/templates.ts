import type { PrintTemplate } from '#kernel/print/print-definition.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

type Info = Readonly<Record<string, unknown>>

const fields = (tx: Tx) => tx`
  t.id as print_template_sn, t.name, t.paper, t.lines_per_page, t.title, t.margin_top, t.margin_right, t.margin_bottom,
    t.margin_left, t.typeface, t.type_size, t.logo,
  t.column_layout, t.head_layout, t.total_items, t.has_capitals, t.carrier, t.signatures, t.note, t.clauses,
    t.signing_place, t.valid_days, t.revision`

/**
 * For this partner, else for this store, else the organisation's default, else the platform's; then all others. One
 * that is `tried` comes first, whatever partner it is for and even if disabled.
 */
export const templatesFor = (
  tx: Tx,
  session: Session,
  sheet: string,
  { counterparty_sn: partner, warehouse_model_inner_sn: store }: Info,
  tried: string | null = null,
) => tx<PrintTemplate[]>`
  select ${fields(tx)}
    from print_template t
   where t.sheet = ${sheet}
     and (t.id = ${tried}::bigint
       or t.status = 'enabled'
      and (t.counterparty_id is null or t.counterparty_id = ${(partner as string) ?? null})
      and (t.warehouse_id is null or t.warehouse_id = ${(store as string) ?? null}))
   order by t.id = ${tried}::bigint desc nulls last, t.org_id = ${session.org.id} desc,
     t.counterparty_id is not null desc, t.warehouse_id is not null desc, t.is_default desc, t.id
   limit 20`

/**
 * Templates of labels: the organisation's default, else the platform's, which is used unless another is chosen; then
 * all others.
 */
export const labelTemplates = (tx: Tx, session: Session, sheet: string) => tx<
  (PrintTemplate & { readonly is_default: boolean })[]
>`
  select ${fields(tx)}, t.is_default
    from print_template t
   where t.sheet = ${sheet} and t.status = 'enabled'
   order by t.is_default desc, t.org_id = ${session.org.id} desc, t.id
   limit 20`

/** The template under trial, where the page says it is a trial. */
export const trialTemplate = ({
  trial,
  template,
}: {
  readonly trial?: unknown
  readonly template?: unknown
}): string | null => (trial === 'true' && /^\d{1,18}$/.test(String(template)) ? String(template) : null)

/**
 * The template of a document's first print on a sheet: null for the sheet's default; undefined if it was not printed
 * on it.
 */
export async function firstPrint(
  tx: Tx,
  session: Session,
  document: string,
  sheet: string,
): Promise<PrintTemplate | null | undefined> {
  const [row] = await tx<{ layout: PrintTemplate | null }[]>`
    select v.layout from document_first_print p
      left join print_template_version v on v.org_id = p.org_id and v.template_id = p.template_id
        and v.revision = p.revision
     where p.org_id = ${session.org.id} and p.document_id = ${document} and p.sheet = ${sheet}`
  return row?.layout ?? (row ? null : undefined)
}

/**
 * The report of the page about a print: the sheet, the template with its revision, and whether it was a copy for
 * another reader.
 */
export type Printed = {
  readonly sheet: string
  readonly template: unknown
  readonly revision: unknown
}

/** The page reports that it printed the sheet without a template. */
export const NO_TEMPLATE = 'none'

/** Stores how a document looked at its first print, so that reprints look the same. */
export async function keepFirstPrint(
  tx: Tx,
  session: Session,
  document: string,
  info: Info,
  { sheet, template: wanted, revision }: Printed,
): Promise<void> {
  const [known] = await tx`
    select 1 from document_first_print where org_id = ${session.org.id} and document_id = ${document}
      and sheet = ${sheet}`
  if (known) return
  const fitting = await templatesFor(tx, session, sheet, info)
  const asked = typeof wanted === 'string' && wanted !== ''
  const template = asked ? fitting.find(each => each.print_template_sn === wanted) : fitting[0]
  if (
    asked &&
    wanted !== NO_TEMPLATE &&
    (!template || (revision !== undefined && String(template.revision) !== String(revision)))
  )
    throw new BusinessError('staleVersion', '打印模板刚被修改或停用，请刷新后再打印')
  if (template)
    await tx`
      insert into print_template_version (org_id, template_id, revision, layout)
      values (${session.org.id}, ${template.print_template_sn}, ${template.revision!},
        ${tx.json(template)})
      on conflict do nothing`
  await tx`
    insert into document_first_print (org_id, document_id, sheet, template_id, revision)
    values (${session.org.id}, ${document}, ${sheet}, ${template?.print_template_sn ?? null},
      ${template?.revision ?? null})
    on conflict do nothing`
}
