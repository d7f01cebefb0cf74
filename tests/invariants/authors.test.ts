import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { computedAmounts, takesAmounts } from '#kernel/definition/line-content.ts'
import { add, compare, type Decimal, isNegative, isZero } from '#kernel/values/decimal.ts'
import { documents } from '#app/modules.ts'
import { setRule } from '../support/rules.ts'
import { whenFinished } from '../support/steps.ts'
import { proves } from '#tests/support/proves.ts'
import { type Client, openTestServer, type Reply, type TestServer } from '../support/test-server.ts'

/**
 * What an author may not do with his document, in every kind that there is: type what the program computes, and
 * approve it. Played on the demo's documents, put back to the state in which they were written.
 */
let server: TestServer
const people = new Map<string, { author: Client; editor: Client; editorId: string }>()
const orgs: Readonly<Record<string, string>> = { H01: 'hospital', D01: 'dealer', V01: 'vendor', P01: 'platform' }
beforeAll(async () => {
  server = await openTestServer({}, { demo: true })
  const { owner } = server.database
  await owner`update audit_setting set allow_self = false`
  for (const [code, login] of Object.entries(orgs)) {
    const editor = `editor-${code}`
    const [made] = await owner<{ id: string; org_id: string }[]>`
      insert into app_user (org_id, login, password_hash, name, is_administrator)
      select org_id, ${editor}, password_hash, '改单人', true from app_user where login = ${login}
      returning id, org_id`
    // The platform has no such rule: nobody there approves what he wrote.
    if (login !== 'platform') await setRule(owner, made!.org_id, 'allow_self_review', false)
    people.set(code, { author: await server.as(login), editor: await server.as(editor), editorId: made!.id })
  }
})
afterAll(() => server?.close())

/** The share of kinds in which the attack must have got as far as it can. */
const MOST = 0.8
const path = (kind: string, call: string) => `/v1/business/${kind}/${call}`

interface Found {
  readonly id: string
  readonly sn: string
  readonly code: string
}
/** Documents of a kind with lines, of the demo's four organisations, as drafts until the end of the test. */
async function draftsOf({ kind }: AnyDocument, state = 'draft'): Promise<readonly Found[]> {
  const { owner } = server.database
  const rows = await owner<Found[]>`
    select d.id, d.sn, o.code from document d
      join organisation o on o.id = d.org_id and o.code = any(${Object.keys(orgs)})
     where d.kind = ${kind} and d.role = 'own' and d.state not in ('deleted', 'cancelled') and d.red_of_id is null
       and exists (select 1 from document_line l where l.org_id = d.org_id and l.document_id = d.id)
     order by d.state = 'draft' desc, d.id desc limit 6`
  const ids = rows.map(row => row.id)
  const before = await owner<{ id: string; state: string }[]>`select id, state from document where id = any(${ids})`
  await owner`update document set state = ${state}, review_level = 0 where id = any(${ids}::bigint[])`
  whenFinished(async () => {
    for (const { id, state: was } of before) await owner`update document set state = ${was} where id = ${id}`
  })
  return rows
}

/** The call, and once more with what a person would confirm. */
async function call(client: Client, url: string, body: Record<string, unknown>): Promise<Reply> {
  const reply = await client.post(url, body)
  return reply.code === 2200 ? client.post(url, { ...body, confirm: reply.info.token }) : reply
}

describe('amounts', () => {
  const typed = { taxed_amount: '0.01', untaxed_amount: '5000.00', tax_amount: '-4999.99' }
  const amountsOf = (id: string) => server.database.owner`
    select line_no, untaxed_amount, tax_amount, taxed_amount from document_line
      where document_id = ${id} order by line_no`
  const computing = documents.filter(definition => !takesAmounts(definition))

  /** Edits a draft; `more` is written into every line. The amounts afterwards; null: refused. */
  async function edited(kind: string, { id, sn, code }: Found, more: object) {
    const { author } = people.get(code)!
    const { info } = await author.get(path(kind, 'info'), { sn })
    const lines = (info?.lines ?? []).map((line: { line_no: number }) => ({ line_no: line.line_no, ...more }))
    const reply = await call(author, path(kind, 'edit'), { sn, version: info?.version, lines })
    return reply.code === 0 ? amountsOf(id) : null
  }

  test('no kind takes what a person types where the program computes it', { timeout: 580_000 }, async () => {
    proves('document.computedAmounts')
    const [wrong, played, absent]: [string[], Set<string>, Set<string>] = [[], new Set(), new Set()]
    for (const definition of computing) {
      const { kind } = definition
      const drafts = await draftsOf(definition)
      if (drafts.length === 0) absent.add(kind)
      for (const draft of drafts) {
        const computed = await edited(kind, draft, {})
        if (computed === null) continue
        for (const name of computedAmounts) {
          const after = await edited(kind, draft, { [name]: typed[name] })
          if (after !== null && JSON.stringify(after) !== JSON.stringify(computed)) wrong.push(`${kind} ${name}`)
        }
        const after = await edited(kind, draft, typed)
        if (after !== null && JSON.stringify(after) !== JSON.stringify(computed)) wrong.push(`${kind} all three`)
        played.add(kind)
        break
      }
    }
    expect(wrong).toEqual([])
    const most = (computing.length - absent.size) * MOST
    expect(
      played.size,
      `not played: ${computing.filter(one => !played.has(one.kind)).map(one => one.kind)}`,
    ).toBeGreaterThan(most)
  })

  test('where they are taken they add up, or the document is not submitted', { timeout: 120_000 }, async () => {
    const wrong: string[] = []
    const reached = new Set<string>()
    for (const definition of documents.filter(takesAmounts)) {
      for (const draft of await draftsOf(definition)) {
        const after = await edited(definition.kind, draft, typed)
        const { author } = people.get(draft.code)!
        const { info } = await author.get(path(definition.kind, 'info'), { sn: draft.sn })
        reached.add(definition.kind)
        if (after === null) continue
        const reply = await call(author, path(definition.kind, 'submit'), { sn: draft.sn, version: info.version })
        if (reply.code !== 0) continue
        for (const line of await amountsOf(draft.id)) {
          const [bare, tax, taxed] = [line.untaxed_amount, line.tax_amount, line.taxed_amount] as Decimal[]
          const isHeld = isZero(tax!) || isNegative(tax!) === isNegative(bare!)
          if (compare(add(bare!, tax!, 2), taxed!) !== 0 || !isHeld)
            wrong.push(`${definition.kind} ${JSON.stringify(line)}`)
        }
      }
    }
    expect(wrong).toEqual([])
    expect(reached.size).toBeGreaterThan(2)
  })
})

describe('approval', () => {
  const REFUSED = /制单人|由他人|本人|同一人/
  const reviewed = documents.filter(({ actions }) => actions.review?.from.includes('submitted'))

  test('what was approved is not edited, in any kind', { timeout: 300_000 }, async () => {
    proves('document.approvedIsFixed')
    const [changed, refused]: [string[], Set<string>] = [[], new Set()]
    for (const definition of reviewed) {
      const { kind } = definition
      for (const { sn, code } of await draftsOf(definition, 'reviewed')) {
        const { author } = people.get(code)!
        const { info } = await author.get(path(kind, 'info'), { sn })
        const edit = await call(author, path(kind, 'edit'), { sn, version: info?.version, remark: '事后改过' })
        if (edit.code === 0) changed.push(`${kind} ${sn}`)
        else refused.add(kind)
      }
    }
    expect(changed).toEqual([])
    expect(refused.size).toBeGreaterThan(reviewed.length * MOST)
  })

  test('who edited a document of any kind does not approve it', { timeout: 580_000 }, async () => {
    proves('document.otherPerson')
    const { owner } = server.database
    const [approved, refused, other]: [string[], Set<string>, string[]] = [[], new Set(), []]
    const absent = new Set<string>()
    for (const definition of reviewed) {
      const { kind } = definition
      const drafts = await draftsOf(definition)
      if (drafts.length === 0) absent.add(kind)
      for (const { id, sn, code } of drafts) {
        const { editor, editorId } = people.get(code)!
        await owner`update document set former_authors = '{}' where id = ${id}`
        const { info } = await editor.get(path(kind, 'info'), { sn })
        const edit = await call(editor, path(kind, 'edit'), { sn, version: info?.version, remark: '改过' })
        if (edit.code !== 0) continue
        const [{ former_authors: authors, version } = { former_authors: [], version: 0 }] = await owner<
          { former_authors: string[]; version: number }[]
        >`select former_authors, version from document where id = ${id}`
        if (!authors.includes(editorId)) approved.push(`${kind}: not an author`)
        await owner`update document set state = 'submitted' where id = ${id}`
        const review = await call(editor, path(kind, 'review'), { sn, version })
        if (review.code === 0) approved.push(kind)
        else if (REFUSED.test(review.msg)) refused.add(kind)
        else other.push(`${kind}: ${review.msg}`)
        if (refused.has(kind)) break
      }
    }
    expect(approved).toEqual([])
    expect(refused.size, other.join('\n')).toBeGreaterThan((reviewed.length - absent.size) * MOST)
  })
})
