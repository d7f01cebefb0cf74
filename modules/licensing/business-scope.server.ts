import { today } from '#kernel/values/date.ts'
import type { Problem } from '#kernel/rules/errors.ts'
import { refuseOrAsk } from '#modules/checks/block-or-confirm.server.ts'
import { classesIn } from '#modules/licensing/scope-text.ts'
import { checkSubjects } from '#modules/licensing/clinical-specialties.server.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { tradeContext } from '#server/public/drafts.ts'
import { specificationFacts } from '#modules/items/item-data.server.ts'
import type { Session } from '#server/public/session.ts'
import { cachedInTx, pipelined, type Tx } from '#server/public/database.ts'

type Goods = {
  readonly id: string
  readonly name: string
  readonly device_class: string
  /** The class of the catalogue of 2017 (03) and of 2002 (6877), as far as the product names them. */
  readonly now: string | null
  readonly before: string | null
  /** The classes in full, by which the catalogues are compared. */
  readonly classes: readonly string[]
}
type Permit = { readonly name: string; readonly licence_type: string; readonly scope: string | null }

/** Permits of the partner that hold on the day: of a customer those by which a dealer trades, of a supplier those of a maker as well. */
const permitsOf = ({ tx, session, doc, definition }: ActionContext) => tx<Permit[]>`
  select o.name, l.licence_type, string_agg(l.scope, '；') as scope from licence l join organisation o on o.id = l.holder_id
   where l.org_id = ${session.org.id} and l.holder_id = ${doc.counterparty_sn} and l.audit_state = 'passed' and l.status in ('enabled', 'replaced')
     and (o.system_type = 2 and l.licence_type in ('医疗器械经营许可证', '第二类医疗器械经营备案凭证')
       or o.system_type = 3 and ${definition.compliance.party === 'supplier'} and l.licence_type in ('医疗器械生产许可证', '医疗器械经营许可证', '第二类医疗器械经营备案凭证'))
     and l.valid_from <= ${doc.business_date} and (l.long_term or l.valid_to is null or l.valid_to >= ${doc.business_date})
   group by o.name, l.licence_type order by l.licence_type = '第二类医疗器械经营备案凭证', l.licence_type`

/** Devices of class II or III on the paper, with their classes in both catalogues: what the gate asks of them anyway. */
async function goodsOf({ tx, session, doc, definition }: ActionContext): Promise<Goods[]> {
  const ids = doc.lines.flatMap(line => line.specification_sn ?? [])
  const facts = await specificationFacts(tx, ids, tradeContext(definition, session, doc as never))
  return [...facts.values()]
    .filter(fact => fact.device_class !== 'I')
    .map(({ id, product_name, device_class, class_code, class_code_2002 }) => {
      const [now, before] = [class_code?.slice(0, 2) ?? null, class_code_2002?.slice(0, 4) ?? null]
      const classes = [class_code, now, class_code_2002, before].filter(code => code !== null)
      return { id, name: product_name, device_class, now, before, classes }
    })
}

/** What the other catalogue calls classes that no permit names as they are: mostly none, so it is asked only then. */
async function alsoOf(tx: Tx, classes: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  if (classes.length === 0) return new Map()
  const rows = await tx<{ code: string; also: string[] }[]>`
    select c.code, array_agg(distinct left(w.code, case when w.code like '68%' then 4 else 2 end)) as also
      from device_class c cross join regexp_split_to_table(coalesce(c.corresponds, ''), '\s+') w(code)
     where c.status = 'enabled' and w.code <> '' and c.code = any(${[...new Set(classes)]}::text[]) group by c.code`
  return new Map(rows.map(row => [row.code, row.also]))
}

/** A class of devices by the digits that scopes name: 6877 of the catalogue of 2002, 03 of that of 2017. */
export const headOf = (code: string): string => code.slice(0, code.startsWith('68') ? 4 : 2)

/** Whether a scope that names these classes covers goods of one of these codes: as they are called, or as the other catalogue calls them. */
const covers = (
  named: ReadonlySet<string>,
  codes: readonly string[],
  also: ReadonlyMap<string, readonly string[]> = new Map(),
): boolean =>
  codes.some(code =>
    [headOf(code), ...(also.get(code) ?? []), ...(also.get(headOf(code)) ?? [])].some(each => named.has(each)),
  )

type Lacking = { readonly permit: Permit; readonly code: string; readonly licensed: ReadonlySet<string> }

/** The permit that does not name the class of these goods; null where one does, or where none can be judged. */
function lacking(good: Goods, permits: readonly Permit[]): Lacking | null {
  const named = [good.now, good.before].filter((code): code is string => code !== null && /^(68)?\d\d$/.test(code))
  const [code] = named
  // A filing is for class II alone.
  const meant = permits.filter(
    permit => good.device_class !== 'III' || permit.licence_type !== '第二类医疗器械经营备案凭证',
  )
  const checked = meant.filter(permit => classesIn(permit.scope ?? '').size > 0)
  if (code === undefined || checked.length === 0) return null
  const licensed = new Set(checked.flatMap(permit => [...classesIn(permit.scope ?? '')]))
  return covers(licensed, named) ? null : { permit: checked[0]!, code, licensed }
}

/** Permits and goods of the paper, asked once a transaction. */
export function askScope(ctx: ActionContext): Promise<[readonly Permit[], readonly Goods[]]> {
  const { tx, doc, definition } = ctx
  const goods = doc.lines.map(line => line.specification_sn)
  const key = JSON.stringify(['scope', definition.compliance.party, doc.counterparty_sn, doc.business_date, goods])
  return cachedInTx(tx, key, () => pipelined([permitsOf(ctx), goodsOf(ctx)]))
}

/**
 * 经营范围: whoever trades devices of class II or III is licensed for their class, in either catalogue, by the permits that we hold of him
 * on that day. A scope that names no classes, and a product without a class, cannot be judged and are read by people.
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
  const problems = doc.lines.flatMap((line): Problem[] => {
    const good = byId.get(line.specification_sn ?? '')
    const lack = found.get(line.specification_sn ?? '')
    if (!good || !lack) return []
    const whose = isSupplier ? `供应商【${lack.permit.name}】${lack.permit.licence_type}的` : '购货单位'
    const msg = `第${line.line_no}行：${whose}经营范围不含${lack.code}【${good.name}】，不能${action}`
    return [{ line: line.line_no, field: 'specification_sn', msg }]
  })
  refuseOrAsk(ctx, isSupplier ? 'supplierScope' : 'customerScope', problems)
}

/** Of these classes those that a scope names in neither catalogue; null where it names no classes at all and is read by people. */
export async function outsideScope(tx: Tx, scope: string, codes: readonly string[]): Promise<string[] | null> {
  const named = classesIn(scope)
  if (named.size === 0) return null
  const also = await alsoOf(
    tx,
    codes.flatMap(code => [code, headOf(code)]),
  )
  return codes.filter(code => !covers(named, [code], also))
}

/** Classes that none of the maker's own permits to produce names; none where that cannot be judged. */
export async function outsideProductions(tx: Tx, session: Session, codes: readonly string[]): Promise<string[]> {
  if (codes.length === 0) return []
  const permits = await tx<{ scope: string | null }[]>`
    select l.scope from licence l
     where l.org_id = ${session.org.id} and l.holder_id = ${session.org.id} and l.licence_type in ('医疗器械生产许可证', '第一类医疗器械生产备案凭证')
       and l.status in ('enabled', 'replaced') and l.valid_from <= ${today()} and (l.long_term or l.valid_to is null or l.valid_to >= ${today()})`
  const scope = permits.map(permit => permit.scope ?? '').join('；')
  return (await outsideScope(tx, scope, [...new Set(codes)])) ?? []
}

/** The class of a certificate that the maker has no permit to produce, by the digits that scopes name; null where he has, or where that cannot be judged. */
export async function outsideProduction(tx: Tx, session: Session, classCode: string): Promise<string | null> {
  const [outside] = await outsideProductions(tx, session, [classCode])
  return outside === undefined ? null : headOf(outside)
}
