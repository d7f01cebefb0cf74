import type { AnyDocument } from '#kernel/definition/document.ts'
import { refusedByKnown } from '#kernel/rules/partial-guards.ts'
import { parseFields } from '#kernel/rules/parse-fields.ts'
import { BusinessError, ConfirmationRequired } from '#kernel/rules/errors.ts'
import type { State } from '#kernel/definition/document-state.ts'
import { documentRulesOf } from '#server/registry/hooks.ts'
import { type ActionContext, requireActionConfirmation } from '#server/documents/action/context.ts'
import { checkVersion, missingRequiredFields } from '#server/documents/draft/input.ts'
import { runChecks } from '#server/documents/action/checks.ts'
import { throwWrongState } from '#server/documents/action/follow-up-checks.ts'
import { respond } from '#server/documents/intercompany/respond.ts'
import { effects } from '#server/documents/action/effects.ts'
import {
  approvalPolicies,
  approveLevel,
  checkIsApprover,
  checkNotAuthor,
  isAutoApproved,
  policyFor,
  resetApproval,
  startApproval,
  withApprovalPolicy,
} from '#server/documents/approval/levels.ts'
import { defaultHandler } from '#server/documents/draft/handler.ts'
import { writeHistory } from '#server/documents/repository/history.ts'
import { loadDocument, requireInScope } from '#server/documents/repository/load.ts'
import { markWithdrawn, withdrawsCopies } from '#server/documents/intercompany/withdraw.ts'
import { definitionOf } from '#server/documents/sources/open-source.ts'
import { loadSettings, settingsAt } from '#server/settings/settings.ts'
import {
  customHeaderFields,
  headerColumns,
  storedColumn,
  writableHeaderFields,
} from '#server/documents/repository/document.ts'
import { assignLots } from '#server/documents/posting/lots-and-serials.ts'
import { withKeptCodes } from '#server/ledger/named-codes.ts'
import { checkActsThere, checkPlaces } from '#server/access/data-scope.ts'
import { may, requirePermission, type Session, systemSession, unbound } from '#server/access/session.ts'
import { pipelined, type Tx } from '#server/database/transaction.ts'

export type ActionResult = {
  readonly sn: string
  readonly version: number
  readonly state: string
  readonly red_sn?: string
  /** Notes of the action beside its result, each with pages on which it may be changed. */
  readonly notes?: readonly { readonly msg: string; readonly pages: readonly string[] }[]
}
export type ActionInput = Readonly<Record<string, unknown>>

/** Actions that depend on the organisation's approval rules for documents of the kind. */
const asksForSigning = new Set(['submit', 'review', 'unreview'])
/** Actions after which a document waits at another level, or at none. */
const endsWaiting = new Set(['unreview', 'unsubmit', 'reject', 'cancel'])

/** Opens an action: locks the row, checks version, right and state. */
export async function openAction(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  action: string,
  body: ActionInput,
): Promise<ActionContext> {
  const spec = Object.hasOwn(definition.actions, action) ? definition.actions[action] : undefined
  if (!spec) throw new BusinessError('notFound', `${definition.title}没有这个操作`)
  requirePermission(session, `${definition.kind}.${action}`)
  const role = spec.by === 'counterparty' ? 'counterparty' : 'own'
  // Copies from several senders may share a number: the sender may be given, else the version decides.
  const from =
    typeof body.source_org_sn === 'string' && /^\d{1,18}$/.test(body.source_org_sn) ? body.source_org_sn : null
  const which = { lock: true, role, from: role === 'own' ? null : from, version: body.version } as const
  const [doc, read, signings] = await pipelined([
    loadDocument(tx, session.org.id, definition, String(body.sn ?? ''), which),
    loadSettings(tx, session.org.id),
    asksForSigning.has(action) ? approvalPolicies(tx, session, definition.kind) : [],
  ])
  requireInScope(session, definition, doc)
  if (role === 'own') checkActsThere(session, definition, action, doc)
  checkVersion(doc.version, body.version)
  const reason = typeof body.reason === 'string' && body.reason.trim() !== '' ? body.reason.trim().slice(0, 500) : null
  const signing = policyFor(signings, doc)
  const place = { warehouse: doc.warehouse_model_inner_sn, department: doc.department_inner_sn }
  const settings = settingsAt(read, place)
  const ctx: ActionContext = {
    tx,
    session,
    definition,
    doc,
    action,
    spec: spec as ActionContext['spec'],
    reason,
    body,
    settings: withApprovalPolicy(settings, signing),
    approvalPolicy: signing,
    warnings: [],
    notes: new Map(),
    hold: async condition => condition(),
    runAction: (kind, sn, next) => runAction(tx, session, reason, kind, sn, next),
  }
  if (!spec.from.includes(doc.state)) await throwWrongState(ctx)
  if (spec.requiresReason && !reason) {
    const msg = typeof spec.requiresReason === 'string' ? spec.requiresReason : `请填写${spec.label}原因`
    throw new BusinessError('invalid', undefined, [{ field: 'reason', msg }])
  }
  return ctx
}

/** An action that follows from another needs no right of its own: it follows from one the user may do. */
async function runAction(
  tx: Tx,
  session: Session,
  reason: string | null,
  kind: string,
  sn: string,
  action: string,
): Promise<void> {
  const definition = definitionOf(kind)
  const [row] = await tx<{ version: number }[]>`
    select version from document where org_id = ${session.org.id} and kind = ${kind} and sn = ${sn} and role = 'own'
      and state <> 'deleted'`
  const body = { sn, version: row?.version ?? 0, ...(reason ? { reason } : {}) }
  const empowered: Session = { ...unbound(session), flags: 'all' }
  await applyAction(await openAction(tx, empowered, definition, action, body))
}

/** The document as the action will find it, once every demand of the organisation is met. */
async function readied(ctx: ActionContext): Promise<ActionContext> {
  const { action } = ctx
  await checkNotAuthor(ctx)
  if (action === 'reject') await checkIsApprover(ctx)
  const asked = await withHandler(await withAnswers(ctx))
  const settled = action === 'submit' || action === 'review' ? { ...asked, doc: await assignLots(asked) } : asked
  // A kind fills in values from required fields, so it waits until these are filled in.
  const isBare = action === 'submit' && missingRequiredFields(settled.definition, settled.doc).length > 0
  const prepare = isBare ? undefined : documentRulesOf(settled.doc.kind).prepare?.[action]
  const ready = prepare ? { ...settled, doc: await prepare(settled) } : settled
  await runChecks(ready)
  return ready
}

/** Refuses what the action would refuse before its dialog opens: what the dialog will ask for cannot be missing yet. */
export async function checkBeforeDialog(ctx: ActionContext): Promise<void> {
  const { inputs: asks, guards = [] } = ctx.spec
  if (asks === undefined) return void (await readied(ctx))
  await checkNotAuthor(ctx)
  const refused = refusedByKnown(guards, ctx.doc, asks)
  if (refused !== null) throw new BusinessError('rule', refused)
}

/** Some documents require an extra right for the final decision; the system itself has none. */
function refuseWithoutRight({ session, definition, spec, doc }: ActionContext): void {
  const { extraPermission: asksRight } = spec
  if (!asksRight?.when(doc as never)) return
  if (session.userId === '0' || !may(session, `${definition.kind}.${asksRight.flag}`))
    throw new BusinessError('forbidden', asksRight.message)
}

/** The one path of every action, from the lock to the history; the caller commits, then delivers and notifies. */
export async function applyAction(ctx: ActionContext): Promise<ActionResult> {
  const { tx, session, action, spec } = ctx
  const ready = await readied(ctx)
  const confirmed = requireActionConfirmation(ready)
  if (spec.by === 'counterparty') {
    // An action on our copy may create documents of ours.
    await documentRulesOf(ready.doc.kind).afterAction?.[action]?.(ready)
    return respond(ready, async state => (await writeState(ready, state))[0]!)
  }
  const signed = action === 'review' ? await approveLevel(ready) : null
  if (signed?.last === false) return passOn(ready, signed.label, confirmed)
  refuseWithoutRight(ready)
  const standing = { ...ready, doc: { ...ready.doc, ...spec.sets } }
  const outcome = (spec.effect && (await effects[spec.effect](standing))) ?? {}
  if (ready.definition.intercompany.copies && withdrawsCopies(ready.definition, action))
    await markWithdrawn(tx, session.org.id, ready.doc.id)
  await writeOwn(ready)
  const ends = await documentRulesOf(ready.doc.kind).afterAction?.[action]?.(ready)
  const next = ends ?? outcome.state ?? spec.to
  if (action === 'submit') await startApproval(ready)
  else if (endsWaiting.has(action)) await resetApproval(ready)
  const moving = writeState(ready, next)
  // Only an unknown new state is waited for.
  const { version, state } = next === null ? (await moving)[0]! : { version: ready.doc.version + 1, state: next }
  const entry = {
    action,
    label: ctx.label ?? signed?.label ?? spec.label,
    from: ready.doc.state,
    to: state,
    reason: reasonAndNotes(ready),
    ...(confirmed.length > 0 ? { confirmed } : {}),
  }
  await writeHistory(tx, session, ready.doc.id, entry, next === null ? null : moving)
  const then = documentRulesOf(ready.doc.kind).afterState?.[action]
  const now = then ? await stateAfter(ready, moving, then) : { version, state }
  const reply = { sn: ready.doc.sn, ...now, ...(outcome.red_sn ? { red_sn: outcome.red_sn } : {}), ...notesOf(ready) }
  return action === 'submit' && isAutoApproved(ready) ? reviewBySystem(ready, reply) : reply
}

/** The text that the history keeps of an action: the reason, then the notes. */
const reasonAndNotes = ({ reason, notes }: ActionContext) =>
  [reason, ...notes.keys()].filter(Boolean).join('；') || null
const notesOf = ({ notes }: ActionContext) =>
  notes.size > 0 ? { notes: [...notes].map(([msg, pages]) => ({ msg, pages })) } : {}

/** The version and state once the documents that take from this one are there: they may have moved it on. */
async function stateAfter(
  ctx: ActionContext,
  moving: Promise<unknown>,
  then: (ctx: ActionContext) => Promise<void>,
): Promise<Pick<ActionResult, 'version' | 'state'>> {
  await moving
  await then(ctx)
  const [row] = await ctx.tx<{ version: number; state: State }[]>`
    select version, state from document where org_id = ${ctx.session.org.id} and id = ${ctx.doc.id}`
  return row!
}

/** Signed, and passed to the next level: the document goes on waiting and nothing is booked. */
async function passOn(ctx: ActionContext, label: string, confirmed: readonly string[]): Promise<ActionResult> {
  const { tx, session, doc, action } = ctx
  const [row] = await tx<{ version: number }[]>`
    update document set version = version + 1, touched = true where org_id = ${session.org.id} and id = ${doc.id}
      returning version`
  await writeHistory(tx, session, doc.id, {
    action,
    label,
    from: doc.state,
    to: doc.state,
    reason: reasonAndNotes(ctx),
    ...(confirmed.length > 0 ? { confirmed } : {}),
  })
  return { sn: doc.sn, version: row!.version, state: doc.state, ...notesOf(ctx) }
}

/** 系统自动审核, in the submitter's transaction. A document with questions for a person waits for a person instead. */
async function reviewBySystem(
  { tx, session, definition }: ActionContext,
  submitted: ActionResult,
): Promise<ActionResult> {
  const system = systemSession(session.org)
  try {
    return await tx.savepoint(async inner => {
      const ctx = await openAction(inner, system, definition, 'review', submitted)
      return applyAction({ ...ctx, label: '系统自动审核' })
    })
  } catch (error) {
    if (error instanceof BusinessError || error instanceof ConfirmationRequired) return submitted
    throw error
  }
}

/** Earlier submitters remain authors of the document. */
const beforeHim = (tx: ActionContext['tx']) =>
  tx`case when submitted_by is null or submitted_by = any(former_authors) then former_authors
    else former_authors || submitted_by end`

/**
 * The new state; null: unchanged by the action itself, though effects of the action may have changed it meanwhile.
 * The row is locked, so its version is known.
 */
function writeState({ tx, session, doc, action }: ActionContext, state: State | null) {
  const stamp =
    action === 'submit'
      ? tx`, former_authors = ${beforeHim(tx)}, submitted_by = ${session.userId}, submitted_at = posting_now(),
        handler_id = ${doc.handler_inner_sn}`
      : action === 'review'
        ? tx`, reviewed_by = ${session.userId}, reviewed_at = posting_now()`
        : action === 'unreview'
          ? tx`, reviewed_by = null, reviewed_at = null`
          : tx``
  return tx<{ version: number; state: State }[]>`
    update document set state = coalesce(${state}, state), version = ${doc.version + 1}, touched = true ${stamp}
     where org_id = ${session.org.id} and id = ${doc.id} returning version, state`
}

/** The dialog's values are on the document before the guards check it. */
async function withAnswers(ctx: ActionContext): Promise<ActionContext> {
  const { spec, definition, body, doc } = ctx
  const given = Object.fromEntries(
    (spec.inputs ?? []).filter(name => body[name] !== undefined).map(name => [name, body[name]]),
  )
  const parsed = parseFields(writableHeaderFields(definition), given)
  if (parsed.problems.length > 0) throw new BusinessError('invalid', parsed.problems[0]!.msg, parsed.problems)
  checkPlaces(ctx.session, definition.header, parsed.values)
  const [answers] = await withKeptCodes(ctx.tx, ctx.session.org.id, definition.header, [parsed.values])
  return Object.keys(answers!).length === 0 ? ctx : { ...ctx, doc: { ...doc, ...answers }, dialogValues: answers! }
}

/** A document that names no handler gets the user who submits it, before anything is checked. */
async function withHandler(ctx: ActionContext): Promise<ActionContext> {
  const { tx, session, definition, doc, action } = ctx
  if (action !== 'submit') return ctx
  return { ...ctx, doc: { ...doc, handler_inner_sn: await defaultHandler(tx, session, definition, doc, 'submit') } }
}

/** Own fields that the action sets by itself, and those it asked for. */
async function writeOwn({ tx, session, doc, spec, dialogValues: answers, definition }: ActionContext): Promise<void> {
  const own = { ...answers, ...spec.sets }
  if (Object.keys(own).length === 0) return
  const fields = Object.fromEntries(Object.entries(own).filter(([name]) => name in customHeaderFields(definition)))
  await tx`update document set fields = fields || ${tx.json(fields)}
    where org_id = ${session.org.id} and id = ${doc.id}`
  for (const [name, value] of Object.entries(own))
    if (name in headerColumns)
      await tx`update document set ${tx({ [storedColumn(name)]: value as string })}
        where org_id = ${session.org.id} and id = ${doc.id}`
}
