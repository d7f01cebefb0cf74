import { createHash } from 'node:crypto'
import type { Sql } from 'postgres'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { isWritten, parseStrokes, type Stroke } from '#kernel/values/strokes.ts'
import { documentOf } from '#kernel/registry.ts'
import { accountHolder, type Proven } from '#modules/hospital/signatures/signer-proof.server.ts'
import {
  provenRoles,
  type ShownSignature,
  type SignatureMethod,
  type SignatureRole,
  signatureRoles,
} from '#modules/hospital/signatures/signature-field.ts'
import type { Tx } from '#server/public/database.ts'
import { loadDocument, loadDocuments, requireInScope, type StoredDocument } from '#server/public/documents.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { requirePermission, type Session } from '#server/public/session.ts'

/** For so long a captured signature waits for the action it was given for. */
const WAITS_MINUTES = 5
/** The most signatures that may wait at once, so that nobody fills the table with drawings that are not used. */
const MOST_WAITING = 20

const refuse = (msg: string, field = 'signature_sn'): BusinessError => new BusinessError('rule', msg, [{ field, msg }])

/**
 * The way of signing. `by` is the signer who proved himself by his PIN, `account` the one who did by password: the
 * caller has checked both.
 */
export type Given =
  | { readonly method: 'drawn'; readonly strokes: unknown; readonly by?: Proven }
  | { readonly method: 'badge'; readonly by: Proven }
  | { readonly method: 'password'; readonly account: string }

/** The document that is signed, by its kind and number. */
export type Signing = { readonly kind: string; readonly sn: string }

/** Signatures `s` that no document has. */
const unused = (tx: Tx | Sql) => tx`not exists (
  select 1 from document_signature d where d.org_id = s.org_id and d.signature_id = s.id)`

/** Signatures `d` of documents that were not withdrawn. */
const standing = (tx: Tx) => tx`not exists (
  select 1 from signature_withdrawal w where w.org_id = d.org_id and w.signature_id = d.signature_id)`

type Captured = {
  readonly strokes: readonly Stroke[] | null
  readonly employee: string | null
  readonly name: string | null
}

async function captured(tx: Tx, session: Session, given: Given): Promise<Captured> {
  if (given.method === 'drawn') {
    const strokes = parseStrokes(given.strokes)
    if (strokes === null || !isWritten(strokes)) throw refuse('请在签名框内完整书写姓名')
    // The signed-in user draws his own signature.
    const by = given.by ?? (await accountHolder(tx, session.org.id, session.userId).catch(() => null))
    return { strokes, employee: by?.employee ?? null, name: by?.name ?? null }
  }
  const { employee, name } =
    given.method === 'badge' ? given.by : await accountHolder(tx, session.org.id, given.account)
  return { strokes: null, employee, name }
}

/** The document that the user may sign, with the action that its signature is for. */
export async function signedDocument(tx: Tx, session: Session, { kind, sn }: Signing) {
  const definition = documentOf(kind)
  const [action] = definition ? signedActions(definition) : []
  if (!definition || action === undefined) throw refuse('请在需要签名的单据上签名')
  requirePermission(session, `${kind}.${action}`)
  const doc = requireInScope(session, definition, await loadDocument(tx, session.org.id, definition, sn))
  return { doc, action, digest: digestOf(definition, doc) }
}

/**
 * Keeps a signature for the action that follows, bound to the current content of its document; returns its key, and the
 * signer's name if he proved himself.
 */
export async function capture(
  tx: Tx,
  session: Session,
  of: Signing,
  given: Given,
): Promise<{ sn: string; name: string | null }> {
  const org = session.org.id
  const { doc, action, digest } = await signedDocument(tx, session, of)
  const { strokes, employee, name } = await captured(tx, session, given)
  const [waiting] = await tx<{ count: number }[]>`
    select count(*)::int as count from signature s where org_id = ${org} and captured_by = ${session.userId}
      and captured_at > posting_now() - make_interval(mins => ${WAITS_MINUTES}) and ${unused(tx)}`
  if (waiting!.count >= MOST_WAITING) throw new BusinessError('tooMany', '签名次数过多，请五分钟后再试')
  const [row] = await tx<{ id: string }[]>`
    insert into signature (org_id, method, strokes, employee_id, signer_name, captured_by, document_id, action, digest)
    values (${org}, ${given.method}, ${strokes === null ? null : tx.json(strokes)}, ${employee},
            ${name}, ${session.userId}, ${doc.id}, ${action}, ${digest})
    returning id`
  return { sn: row!.id, name }
}

/** The actions of a kind that are signed. */
const signedActions = ({ actions }: AnyDocument): readonly string[] =>
  Object.keys(actions).filter(name => actions[name]!.inputs?.includes('signature_sn'))
const signed = (definition: AnyDocument) => signedActions(definition).map(name => definition.actions[name]!)

/**
 * The fields of a document that people write: derived ones, and those entered with the signature itself, are not
 * signed.
 */
function contentOf(definition: AnyDocument, doc: StoredDocument): unknown {
  const said = new Set(signed(definition).flatMap(({ inputs = [] }) => inputs))
  const written = (fields: AnyDocument['header']) =>
    Object.keys(fields)
      .filter(name => !fields[name]!.readOnly && !said.has(name))
      .toSorted()
  const pick = (names: readonly string[], row: Readonly<Record<string, unknown>>) =>
    names.map(name => row[name] ?? null)
  const [header, lines] = [written(definition.header), written(definition.lines)]
  return [doc.kind, doc.sn, pick(header, doc), doc.lines.map(line => [line.line_no, ...pick(lines, line)])]
}

/** SHA-256 of the content of the document, in hexadecimal. */
export const digestOf = (definition: AnyDocument, doc: StoredDocument): string =>
  createHash('sha256')
    .update(JSON.stringify(contentOf(definition, doc)))
    .digest('hex')

export type Signer = { readonly employee: string | null; readonly name: string }

/**
 * The person who has to sign: an employee, or a name that is written down; with neither, anybody who proves his
 * identity.
 */
type Expected = {
  readonly role: SignatureRole
  readonly employee?: string | null
  readonly name?: string | null
}

type Waiting = {
  readonly id: string
  readonly method: SignatureMethod
  readonly employee_id: string | null
  readonly signer_name: string | null
  readonly document_id: string | null
  readonly action: string | null
  readonly digest: string | null
}

async function waitingSignature(
  { tx, session, doc, definition, action }: ActionContext,
  sn: unknown,
): Promise<Waiting> {
  if (typeof sn !== 'string' || sn === '') throw refuse('请先签名')
  const [row] = await tx<Waiting[]>`
    select id, method, employee_id, signer_name, document_id, action, digest from signature s
     where org_id = ${session.org.id} and id = ${/^\d{1,18}$/.test(sn) ? sn : '0'} and captured_by = ${session.userId}
       and captured_at > posting_now() - make_interval(mins => ${WAITS_MINUTES}) and ${unused(tx)}`
  if (!row || row.document_id !== doc.id || row.action !== action) throw refuse('签名已失效，请重新签名')
  if (row.digest !== digestOf(definition, doc)) throw refuse('单据内容在签名后有变更，请核对后重新签名')
  return row
}

/**
 * A drawn signature counts for the person whom the document names; for actions on a patient that person has proved his
 * identity. PIN and password identify their owner themselves.
 */
async function signerOf({ tx, session }: ActionContext, given: Waiting, expected: Expected): Promise<Signer> {
  const label = signatureRoles[expected.role]
  const [named] = expected.employee
    ? await tx<{ id: string; name: string }[]>`
        select id, name from employee where org_id = ${session.org.id} and id = ${expected.employee}`
    : []
  if (given.method === 'drawn') {
    const name = named?.name ?? expected.name
    if (!name) throw refuse(`请先选择${label}，再手写签名`)
    if (provenRoles.has(expected.role) && (!named || named.id !== given.employee_id))
      throw refuse(`${label}【${name}】未登录，请由本人用工牌和签名PIN，或登录账号和密码签名`)
    return { employee: named?.id ?? null, name }
  }
  if (named && named.id !== given.employee_id)
    throw refuse(`签名人【${given.signer_name}】与${label}【${named.name}】不一致`)
  return { employee: given.employee_id, name: given.signer_name! }
}

/** One person cannot vouch for another part of the same document as well. */
async function refuseSecondRole({ tx, session, doc }: ActionContext, signer: Signer, role: SignatureRole) {
  const [other] = await tx<{ role: SignatureRole }[]>`
    select role from document_signature d where org_id = ${session.org.id} and document_id = ${doc.id}
      and role <> ${role} and employee_id = ${signer.employee} and ${standing(tx)} limit 1`
  if (other) throw refuse(`${signatureRoles[other.role]}与${signatureRoles[role]}不能为同一人`)
}

/** Binds the captured signature of an action to the current content of its document. Returns who signed. */
export async function bindSignature(ctx: ActionContext, expected: Expected): Promise<Signer> {
  const { tx, session, doc, definition, dialogValues = {} } = ctx
  const given = await waitingSignature(ctx, dialogValues.signature_sn)
  const signer = await signerOf(ctx, given, expected)
  await refuseSecondRole(ctx, signer, expected.role)
  await withdrawSignatures(ctx, [expected.role], '重新签名')
  const [bound] = await tx`
    insert into document_signature (org_id, signature_id, document_id, role, employee_id, signer_name, digest)
    values (${session.org.id}, ${given.id}, ${doc.id}, ${expected.role}, ${signer.employee}, ${signer.name},
            ${digestOf(definition, doc)})
    on conflict do nothing returning 1`
  if (!bound) throw refuse('签名已失效，请重新签名')
  return signer
}

/** Signatures of these roles no longer count; they stay on record with who withdrew them and why. */
export async function withdrawSignatures(
  { tx, session, doc, reason }: ActionContext,
  roles: readonly SignatureRole[],
  why = reason,
): Promise<void> {
  await tx`
    insert into signature_withdrawal (org_id, signature_id, withdrawn_by, reason)
    select org_id, signature_id, ${session.userName}, ${why} from document_signature d
     where org_id = ${session.org.id} and document_id = ${doc.id} and role = any(${roles as SignatureRole[]})
       and ${standing(tx)}`
}

type Kept = Omit<ShownSignature, 'holds'> & { readonly digest: string }

/** The signatures of a document, for its page and its sheet; nothing for kinds that nobody signs. */
export async function signaturesOf(tx: Tx, session: Session, definition: AnyDocument, id: string) {
  if (signed(definition).length === 0) return {}
  const kept = await tx<Kept[]>`
    select d.role, s.method, d.signer_name as name, d.signed_at as at, s.strokes, w.withdrawn_at, w.withdrawn_by,
           w.reason as withdrawn_reason, d.digest
      from document_signature d
      join signature s on s.org_id = d.org_id and s.id = d.signature_id
      left join signature_withdrawal w on w.org_id = d.org_id and w.signature_id = d.signature_id
     where d.org_id = ${session.org.id} and d.document_id = ${id} order by d.signed_at, d.signature_id`
  if (kept.length === 0) return { signatures: [] }
  const [doc] = await loadDocuments(tx, session.org.id, [id])
  const now = doc ? digestOf(definition, doc) : ''
  const signatures = kept.map(({ digest, ...row }): ShownSignature => ({ ...row, holds: digest === now }))
  return { signatures }
}

/** Captured and never used: nobody's evidence. Returns how many went. */
export async function dropUnused(owner: Sql): Promise<number> {
  const gone = await owner`
    delete from signature s where captured_at < now() - interval '1 day' and ${unused(owner)} returning 1`
  return gone.length
}
