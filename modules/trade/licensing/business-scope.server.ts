import { today } from '#kernel/values/date.ts'
import { type Obstacle, refuseOrAsk } from '#modules/base/checks/block-or-confirm.server.ts'
import { classesIn } from '#modules/trade/licensing/scope-text.ts'
import { checkSubjects } from '#modules/trade/licensing/clinical-specialties.server.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { tradeContext } from '#server/public/drafts.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'
import type { Session } from '#server/public/session.ts'
import { cachedInTx, pipelined, type Tx } from '#server/public/database.ts'

type Goods = {
  readonly id: string
  readonly name: string
  readonly device_class: string
  /** The class in the catalogue of 2017 (03) and of 2002 (6877), if the product names them. */
  readonly now: string | null
  readonly before: string | null
  /** The full class codes, by which the catalogues are compared. */
  readonly classes: readonly string[]
}
type Permit = { readonly name: string; readonly licence_type: string; readonly scope: string | null }

/**
 * The partner's licences valid on the day: for a customer those of a dealer, for a supplier those of a manufacturer
 * as well.
 */
const permitsOf = ({ tx, session, doc, definition }: ActionContext) => tx<Permit[]>`
  select o.name, l.licence_type, string_agg(l.scope, '；') as scope from licence l
    join organisation o on o.id = l.holder_id
   where l.org_id = ${session.org.id} and l.holder_id = ${doc.counterparty_sn} and l.audit_state = 'passed'
     and l.status in ('enabled', 'replaced')
     and (o.system_type = 2 and l.licence_type in ('医疗器械经营许可证', '第二类医疗器械经营备案凭证')
       or o.system_type = 3 and ${definition.compliance.party === 'supplier'}
         and l.licence_type in ('医疗器械生产许可证', '医疗器械经营许可证', '第二类医疗器械经营备案凭证'))
     and l.valid_from <= ${doc.business_date}
       and (l.long_term or l.valid_to is null or l.valid_to >= ${doc.business_date})
   group by o.name, l.licence_type order by l.licence_type = '第二类医疗器械经营备案凭证', l.licence_type`

/**
 * Class II or III devices on the document, with their classes in both catalogues: the compliance check reads them
 * anyway.
 */
async function goodsOf({ tx, session, doc, definition }: ActionContext): Promise<Goods[]> {
  const ids = doc.lines.flatMap(line => line.specification_sn ?? [])
  const facts = await specificationFacts(tx, ids, tradeContext(definition, session, doc))
  return [...facts.values()]
    .filter(fact => fact.device_class !== 'I')
    .map(({ id, product_name, device_class, class_code, class_code_2002 }) => {
      const [now, before] = [class_code?.slice(0, 2) ?? null, class_code_2002?.slice(0, 4) ?? null]
      const classes = [class_code, now, class_code_2002, before].filter(code => code !== null)
      return { id, name: product_name, device_class, now, before, classes }
    })
}

/** The other catalogue's names for classes that no licence names directly: rarely needed, so queried only then. */
async function alsoOf(tx: Tx, classes: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  if (classes.length === 0) return new Map()
  const rows = await tx<{ code: string; also: string[] }[]>`
    select c.code, array_agg(distinct left(w.code, case when w.code like '68%' then 4 else 2 end)) as also
      from device_class c cross join regexp_split_to_table(coalesce(c.corresponds, ''), '\s+') w(code)
     where c.status = 'enabled' and w.code <> '' and c.code = any(${[...new Set(classes)]}::text[]) group by c.code`
  return new Map(rows.map(row => [row.code, row.also]))
}

/** A device class by the digits used in scopes: 6877 of the catalogue of 2002, 03 of that of 2017. */
export const headOf = (code: string): string => code.slice(0, code.startsWith('68') ? 4 : 2)

/**
 * True if a scope that names these classes covers goods of one of these codes: directly, or by the other catalogue's
 * code.
 */
const covers = (
  named: ReadonlySet<string>,
  codes: readonly string[],
  also: ReadonlyMap<string, readonly string[]> = new Map(),
): boolean =>
  codes.some(code =>
    [headOf(code), ...(also.get(code) ?? []), ...(also.get(headOf(code)) ?? [])].some(each => named.has(each)),
  )

type Lacking = { readonly permit: Permit; readonly code: string; readonly licensed: ReadonlySet<string> }

/** The licence that does not name the class of these goods; null if one does, or if this cannot be decided. */
function lacking(good: Goods, permits: readonly Permit[]): Lacking | null {
  const named = [good.now, good.before].filter((code): code is string => code !== null && /^(68)?\d\d$/.test(code))
  const [code] = named
  // A filing covers class II only.
  const meant = permits.filter(
    permit => good.device_class !== 'III' || permit.licence_type !== '第二类医疗器械经营备案凭证',
  )
  const checked = meant.filter(permit => classesIn(permit.scope ?? '').size > 0)
  if (code === undefined || checked.length === 0) return null
  const licensed = new Set(checked.flatMap(permit => [...classesIn(permit.scope ?? '')]))
  return covers(licensed, named) ? null : { permit: checked[0]!, code, licensed }
}

/** Licences and goods of the document, read once per transaction. */
export function askScope(ctx: ActionContext): Promise<[readonly Permit[], readonly Goods[]]> {
  const { tx, doc, definition } = ctx
  const goods = doc.lines.map(line => line.specification_sn)
  const key = JSON.stringify(['scope', definition.compliance.party, doc.counterparty_sn, doc.business_date, goods])
  return cachedInTx(tx, key, () => pipelined([permitsOf(ctx), goodsOf(ctx)]))
}

/**
 * 经营范围: a trader of class II or III devices must be licensed for their class, in either catalogue, by the licences
 * we hold of it on that day. A scope without classes, and a product without a class, cannot be checked and are left
 * to people.
 */
export async function checkScope(ctx: ActionContext): Promise<void> {
  const { session, doc, definition } = ctx
  if (!doc.counterparty_sn || doc.counterparty_sn === session.org.id) return
  const [permits, goods] = await askScope(ctx)
  const byId = new Map(goods.map(good => [good.id, good]))
  const found = new Map(
    goods.flatMap(good => {
      const lack = lacking(good, permits)
      return lack ? [[good.id, lack] as const] : []
    }),
  )
  const also = await alsoOf(
    ctx.tx,
    [...found.keys()].flatMap(id => byId.get(id)!.classes),
  )
  for (const [id, { licensed }] of found) if (covers(licensed, byId.get(id)!.classes, also)) found.delete(id)
  const isSupplier = definition.compliance.party === 'supplier'
  if (!isSupplier) await checkSubjects(ctx)
  const action = isSupplier ? (definition.compliance.verb ?? '采购') : '销售'
  const obstacles = doc.lines.flatMap((line): Obstacle[] => {
    const good = byId.get(line.specification_sn ?? '')
    const lack = found.get(line.specification_sn ?? '')
    if (!good || !lack) return []
    const whose = isSupplier ? `供应商【${lack.permit.name}】${lack.permit.licence_type}的` : '购货单位'
    const fact = `第${line.line_no}行：${whose}经营范围不含${lack.code}【${good.name}】`
    return [{ line: line.line_no, field: 'specification_sn', fact, consequence: `不能${action}` }]
  })
  refuseOrAsk(ctx, isSupplier ? 'supplierScope' : 'customerScope', obstacles)
}

/**
 * Which of these classes a scope names in neither catalogue; null if it names no classes at all and is left to
 * people.
 */
export async function outsideScope(tx: Tx, scope: string, codes: readonly string[]): Promise<string[] | null> {
  const named = classesIn(scope)
  if (named.size === 0) return null
  const also = await alsoOf(
    tx,
    codes.flatMap(code => [code, headOf(code)]),
  )
  return codes.filter(code => !covers(named, [code], also))
}

/** Classes named by none of the manufacturer's own production licences; none if this cannot be decided. */
export async function outsideProductions(tx: Tx, session: Session, codes: readonly string[]): Promise<string[]> {
  if (codes.length === 0) return []
  const permits = await tx<{ scope: string | null }[]>`
    select l.scope from licence l
     where l.org_id = ${session.org.id} and l.holder_id = ${session.org.id}
       and l.licence_type in ('医疗器械生产许可证', '第一类医疗器械生产备案凭证')
       and l.status in ('enabled', 'replaced') and l.valid_from <= ${today()}
         and (l.long_term or l.valid_to is null or l.valid_to >= ${today()})`
  const scope = permits.map(permit => permit.scope ?? '').join('；')
  return (await outsideScope(tx, scope, [...new Set(codes)])) ?? []
}

/**
 * The class of a certificate that the manufacturer has no licence to produce, by the digits used in scopes; null if
 * it has one, or if this cannot be decided.
 */
export async function outsideProduction(tx: Tx, session: Session, classCode: string): Promise<string | null> {
  const [outside] = await outsideProductions(tx, session, [classCode])
  return outside === undefined ? null : headOf(outside)
}
