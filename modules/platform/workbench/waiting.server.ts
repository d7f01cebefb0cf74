import { documents, entities } from '#kernel/registry.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import { type Screen, screenAddress } from '#kernel/definition/screen.ts'
import { rowsSql } from '#server/public/documents.ts'
import { listRecords } from '#server/public/records.ts'
import { menuFor } from '#server/public/menu.ts'
import { documentScopeSql, may, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** The action that a document in each state requires of the user who may take it. */
const duties = [
  { state: 'submitted', action: 'review', text: '待审核', where: { state: 'submitted', mine: 'waiting' } },
  { state: 'draft', action: 'submit', text: '待提交', where: { state: 'draft' } },
  { state: 'rejected', action: 'edit', text: '已驳回待修改', where: { state: 'rejected' } },
] as const

/** Judging a record; publishing, merging and answering are work of their own pages. */
const judges = new Set(['review', 'pass'])
/** True if reviewing documents of a kind is a decision: receipts and signatures of a counter have their own page. */
const isDecision = ({ actions }: AnyDocument): boolean => /[审核批]/.test(actions.review?.label ?? '')

type Where = Readonly<Record<string, string>>
/** Rows that wait for this user, and the page on which the user acts on them. */
export type Waiting = {
  readonly screen: Screen
  readonly title: string
  readonly action: string
  /** The text of its card. */
  readonly name: string
  /** The group it is shown in: what is decided is `submitted`, other work of a page is `waiting`. */
  readonly state: 'submitted' | 'draft' | 'rejected' | 'waiting'
  readonly where: Where
} & (
  | { readonly is: 'document'; readonly definition: AnyDocument }
  | { readonly is: 'record'; readonly definition: AnyEntity }
)

/** True if a page of this user's menu offers an action. */
export type Offers = (screen: Screen, kind: string, action: string) => boolean

/** Pages and buttons as the menu grants them: what it does not list, nobody finds. */
export async function offersOf(tx: Tx, session: Session): Promise<Offers> {
  const groups = await menuFor(tx, session.org.type, session.org.id, flag => may(session, flag))
  const pages = groups.flatMap(group => group.children)
  const flags = new Map(pages.map(page => [page.uri, new Set(page.children.map(({ flag }) => flag))]))
  return (screen, kind, action) =>
    screen.orgs.includes(session.org.type) &&
    !screen.hiddenFor?.includes(session.org.type) &&
    ((screen.actions as readonly string[] | undefined)?.includes(action) ?? true) &&
    flags.get(screen.route)?.has(`${kind}.${action}`) === true
}

/** The fullest of several pages first. */
const narrowness = ({ where, states }: Screen): number => (where ? 2 : 0) + (states ? 1 : 0)

/** The page on which all documents of a state are worked on; several if each shows a part of them. */
function pagesFor(fitting: readonly Screen[]): readonly Screen[] {
  const [widest] = fitting.toSorted((a, b) => narrowness(a) - narrowness(b))
  if (widest === undefined || widest.where === undefined) return widest === undefined ? [] : [widest]
  return [...new Map(fitting.map(screen => [JSON.stringify(screen.where), screen])).values()]
}

/** Documents in a state that one of the user's rights may act on. */
function dutiesOf(session: Session, definition: AnyDocument, offers: Offers): Waiting[] {
  if (!definition.ownerTypes.includes(session.org.type)) return []
  return duties.flatMap(({ state, action, text, where }) => {
    if (definition.actions[action]?.by === 'counterparty') return []
    // Documents that a page announces itself are not counted twice.
    const isNamed = ({ screen, where: of }: { readonly screen: Screen; readonly where: Where }) =>
      of.state === state && screen.where?.role !== 'counterparty'
    if (definition.screens.flatMap(screen => namedBy(session, screen, definition.kind, offers)).some(isNamed)) return []
    const fitting = definition.screens.filter(
      screen =>
        (screen.states?.includes(state) ?? true) &&
        screen.where?.role !== 'counterparty' &&
        offers(screen, definition.kind, action),
    )
    return pagesFor(fitting).map((screen, _, { length }) => {
      const title = length > 1 ? (screen.tab ?? screen.title) : definition.title
      const named = definition.lifecycle.stateLabels?.[state]
      const common = { is: 'document', definition, screen, title, action, where } as const
      if (action === 'review' && !isDecision(definition))
        return { ...common, state: 'waiting', name: title + (named ?? text) }
      return { ...common, state, name: named === undefined ? title : `${title}（${named}）` }
    })
  })
}

/** The card for the rows that wait on a screen, if the screen has one for this user. */
function namedBy(session: Session, screen: Screen, kind: string, offers: Offers) {
  const { waits } = screen
  if (!waits?.orgs.includes(session.org.type) || !offers(screen, kind, waits.action)) return []
  const { action, text, where } = waits
  const title = screen.tab ?? screen.title
  // 待审核 is the name of its group; 待反馈 alone does not say what waits.
  const name = text === '待审核' ? title : text.length > 3 ? text : title + text
  return [{ screen, title, action, where, name } as const]
}

/** Everything that may wait for this user: documents by state, and the rows that screens name. */
export function waitingFor(session: Session, offers: Offers): readonly Waiting[] {
  return [
    ...entities().flatMap(definition =>
      definition.screens.flatMap(screen =>
        namedBy(session, screen, definition.kind, offers).map(named => ({
          is: 'record' as const,
          definition,
          state: judges.has(named.action) ? ('submitted' as const) : ('waiting' as const),
          ...named,
        })),
      ),
    ),
    ...documents().flatMap(definition => [
      ...definition.screens.flatMap(screen =>
        namedBy(session, screen, definition.kind, offers).map(named => ({
          is: 'document' as const,
          definition,
          state: 'waiting' as const,
          ...named,
        })),
      ),
      ...dutiesOf(session, definition, offers),
    ]),
  ]
}

/** The list that the page shows: its own filters and those of what waits. */
export const asked = ({ screen, where }: Waiting): Where => ({ ...screen.where, ...where })

/** Documents of these, in one statement; kinds that have none in such a state are not queried. */
export async function documentRows<Row>(
  tx: Tx,
  session: Session,
  all: readonly Waiting[],
  read: (rows: ReturnType<typeof rowsSql>, at: number) => ReturnType<typeof rowsSql>,
): Promise<readonly Row[]> {
  const present = await tx<{ kind: string; role: string; state: string }[]>`
    select distinct d.kind, d.role, d.state from document d
     where d.org_id = ${session.org.id} and d.state in ('draft', 'submitted', 'rejected')
       and ${documentScopeSql(tx, session)}`
  const isPresent = (one: Waiting) => {
    const { role = 'own', state } = asked(one)
    const isFew = duties.some(duty => duty.state === state)
    return !isFew || present.some(row => row.kind === one.definition.kind && row.role === role && row.state === state)
  }
  const parts = all.flatMap((one, at) =>
    one.is === 'document' && isPresent(one) ? [read(rowsSql(tx, session, one.definition, asked(one)), at)] : [],
  )
  if (parts.length === 0) return []
  return (await tx`${parts.reduce((before, part) => tx`${before} union all ${part}`)}`) as unknown as readonly Row[]
}

/** A card of the workbench: how many rows wait, since when, and the address that lists exactly these. */
export type Card = {
  readonly kind: string
  readonly title: string
  readonly name: string
  readonly state: string
  readonly action: string
  readonly count: number
  readonly oldest_at?: string
  readonly route: string
}

export async function cardsOf(tx: Tx, session: Session): Promise<readonly Card[]> {
  const all = waitingFor(session, await offersOf(tx, session))
  const counts = await documentRows<{ at: number; n: number; oldest: string | null }>(
    tx,
    session,
    all,
    (rows, at) => tx`select ${at}::int as at, count(*)::int as n, min(w.created_at) as oldest from (${rows}) w`,
  )
  const cards: Card[] = []
  for (const [at, one] of all.entries()) {
    const counted = counts.find(row => row.at === at)
    const count =
      one.is === 'document'
        ? (counted?.n ?? 0)
        : (await listRecords(tx, session, one.definition, { ...asked(one), pageSize: '1' })).total
    if (count === 0) continue
    cards.push({
      kind: one.definition.kind,
      title: one.title,
      name: one.name,
      state: one.state,
      action: one.action,
      count,
      ...(counted?.oldest ? { oldest_at: counted.oldest } : {}),
      route: screenAddress(one.screen, null, one.where),
    })
  }
  return cards
}
