import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { documents } from '#app/modules.ts'
import { loadDocument } from '#server/documents/repository/load.ts'
import { missingRequiredFields } from '#server/documents/draft/input.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { openStage, type Person, type Stage } from '../support/story.ts'

/** What stands in the way of a document is said at its first submit, all of it at once, whatever its kind. */
let stage: Stage
const people = new Map<string, { readonly person: Person; readonly org: string }>()
beforeAll(async () => {
  stage = await openStage()
  for (const [type, login] of Object.entries({ H: 'hospital', D: 'dealer', V: 'vendor', P: 'platform' }))
    people.set(type, {
      person: await stage.person(login),
      org: (await stage.one('select org_id as id from app_user where login = $1', login)).id,
    })
})
afterAll(() => stage?.close())

/** An empty draft of a kind, of the first organisation type that may write one by hand; null where nobody can. */
async function emptyDraft({ kind, ownerTypes }: AnyDocument) {
  for (const type of ownerTypes) {
    const { person, org } = people.get(type)!
    const { code, info } = await person.client.post(`/v1/business/${kind}/add`, {})
    if (code === 0) return { person, org, sn: String(info.sn) }
  }
  return null
}

/** What the definition itself refuses of a stored draft. */
async function refusalsOf(definition: AnyDocument, org: string, sn: string): Promise<string[]> {
  const doc = await inOrganisation(stage.server.database.app, org, '0', tx => loadDocument(tx, org, definition, sn))
  const guards = definition.actions.submit?.guards ?? []
  const said = guards.map(guard => guard(doc as never)).filter(answer => answer !== true)
  return [...missingRequiredFields(definition, doc as never).map(({ msg }) => msg), ...said.map(String)]
}

const handed: string[] = []
const several: string[] = []
test.each(documents.filter(({ actions }) => actions.submit).map(definition => [definition.kind as string, definition]))(
  '%s says everything that it lacks at once',
  { timeout: 60_000 },
  async (kind, definition) => {
    const document = definition as AnyDocument
    const draft = await emptyDraft(document)
    if (draft === null) return void handed.push(kind as string)
    const { person, org, sn } = draft
    const expected = await refusalsOf(document, org, sn)
    const reply = await person.do(kind as string, 'submit', sn)
    if (expected.length === 0) return
    expect(reply.code, reply.msg).not.toBe(0)
    // The same field is named once, with brackets or without.
    const bare = (sentence: string) => sentence.replaceAll(/[【】]/g, '')
    const answered = new Set([reply.msg, ...(reply.errors ?? []).map(({ msg }: { msg: string }) => msg)].map(bare))
    expect(
      expected.filter(sentence => !answered.has(bare(sentence))),
      [...answered].join('；'),
    ).toEqual([])
    if (expected.length > 1) several.push(kind as string)
  },
)

test('enough kinds were asked', () => {
  // A copy, or what comes from a source alone, is written by nobody's hand.
  expect(several.length).toBeGreaterThan(handed.length)
})
