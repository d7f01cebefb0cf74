import { afterAll, beforeAll, expect, test } from 'vitest'
import { documents, entities, reports } from '#app/modules.ts'
import { openScene, type Scene } from '../support/fixture.ts'
import { recordWrites, takeWrites } from '../support/writes.ts'
import type { Client } from '../support/test-server.ts'
import { allCalls, type CallShape } from './cases/calls.ts'

/**
 * Calls that no definition has take keys as well. Of a row of another ward, and of another organisation, each answers
 * what it answers of a row that does not exist, and writes nothing. A call that is added stands here with the rows that
 * it may name, or with the reason why they are anybody's.
 */
type Key = { readonly hidden?: string; readonly foreign: string; readonly missing: string; readonly with?: object }
/** Fields that name rows, with the rows that are tried; or why what a field names is for everybody who may call. */
type Keys = Readonly<Record<string, keyof Rows | string>>

const OWN_TERMS = 'narrows what its reader sees anyway'
const WORDS = 'says what is asked, and names no row'
const DOOR = 'before sign-in: its captchas and codes are secrets of whoever asked for them'
const LABELS = 'tried for every kind that has labels: `labels-seen.test.ts`'
const table: Readonly<Record<string, Keys>> = {
  'GET /v1/file/info': { names: 'file' },
  'GET /file/:name': { name: 'file', page: 'a page of that file' },
  'POST /v1/business/his/bedside': { kind: WORDS, code: 'whoever stands before the nurse: the HIS answers, not a row' },
  'GET /v1/app/latest': { name: WORDS },
  'POST /v1/business/ownWord/add': { dictionary_code: 'dictionaries are shared by all' },
  'POST /v1/business/ownWord/del': { sn: 'word' },
  'GET /v1/app/package/:sn': { sn: 'appVersion' },
  'GET /v1/business/hospitalHome': { warehouse_model_inner_sn: 'store', department_inner_sn: 'department' },
  'GET /v1/public/implantCard': { token: 'the secret of the card' },
  'POST /v1/business/signature/capture': { kind: WORDS, sn: 'use' },
  'POST /v1/business/signature/pin': {},
  'POST /v1/export': { address: 'a list with its filters, read as that list is' },
  'GET /v1/export/info': { sn: 'job' },
  'POST /v1/user/sessions/end': { sn: 'session' },
  'GET /v1/division/city': { administrative_division_sn: 'divisions are public' },
  'GET /v1/division/county': { administrative_division_sn: 'divisions are public' },
  'GET /v1/user/get_login_code/:phone': { id: DOOR },
  'GET /v1/user/retrieve_pwd/code/:phone': { imageId: DOOR },
  'GET /v1/register/invitation': { token: 'the secret of the invitation' },
  'POST /v1/register/upload': { draft: DOOR },
  'POST /v1/register/sendMsg': { id: DOOR },
  'POST /v1/sendMsg': { id: DOOR },
  'POST /v1/business/message/read': { sn: 'message' },
  'POST /v1/business/message/confirm': { sn: 'message' },
  'POST /v1/business/message/del': { sn: 'message' },
  'GET /v1/business/message/list': { from_org_name: OWN_TERMS },
  'GET /v1/business/message/export': { from_org_name: OWN_TERMS },
  'GET /v1/business/userTableSort/info': { userId: 'always the caller, whoever is named', tableId: WORDS },
  'GET /v1/business/userTableSort/shared': { userId: 'always the caller, whoever is named', tableId: WORDS },
  'POST /v1/business/userTableSort/save': { userId: 'always the caller, whoever is named', tableId: WORDS },
  'GET /v1/trace': { code: 'document' },
  'POST /v1/code/parse': { code: 'document' },
  'GET /v1/labels': { of: WORDS, units: LABELS, sheet: WORDS, template: 'template' },
  'POST /v1/labels/printed': { of: WORDS, units: LABELS },
  'POST /v1/note/receive': { sn: 'note' },
  'GET /v1/business/flow/:name': { name: WORDS, partner: OWN_TERMS },
  'GET /v1/public/goods': { link: 'what stands on a label is public' },
  'GET /v1/llm/streamChatWithWeb': { content: 'asked of the tools, each as its own page: `assistant.test.ts`' },
  'POST /v1/business/videoCourse/watch': { sn: 'course' },
  'POST /v1/business/videoCourse/like': { sn: 'course' },
  'GET /v1/business/user/cabinetPermission': { sn: 'user' },
  'POST /v1/business/user/saveCabinetPermission': { sn: 'user', doors: 'cabinet' },
  'GET /v1/business/hisSpdFeeDetail/counterparts': { sns: 'rows are read through the list of their page' },
  'POST /v1/business/interfaceError/batchRetry': { items: 'outboundCall' },
  'GET /v1/business/qualityCertificate/packed': { sn: 'document' },
  'GET /v1/report/settlementSummary/workbook': { counterparty_sn: OWN_TERMS },
}
/** Devices sign for themselves (`modules/hospital/cabinet/device-api.test.ts`); walls and boards read reports. */
const besides = /^\/v1\/(device|business\/(wall|board))\//

/** Names by which a call may name rows; every other one says what is asked. */
const keyLike =
  /(^|_)(sns?|code|units|items|names?|of|user|doors|address|template|sheet|kind|partner|token|draft|link)$/
const looksLikeKey = (name: string) => keyLike.test(name) || name.endsWith('Id') || name === 'id' || name === 'content'
const candidates = ['sn', 'sns', 'code', 'units', 'items', 'names', 'of', 'kind', 'doors', 'address', 'token', 'id']

type Rows = ReturnType<typeof rowsOf> extends Promise<infer Of> ? Of : never
let scene: Scene
let calls: CallShape[]
let bound: Client
let rows: Rows

beforeAll(async () => {
  scene = await openScene()
  calls = allCalls(scene.server).filter(isFixed)
  rows = await rowsOf()
  bound = await boundTo(scene.ward)
  await recordWrites(scene.server.database.owner)
}, 120_000)
// Rows that stand only for their places have no numbers of a sequence: the ledgers are not checked.
afterAll(() => scene?.server.close())

const definitions = new Map([...documents, ...entities, ...reports].map(one => [one.kind as string, one]))
const STANDARD =
  /^(list|info|export|template|import(Marked)?|print(ed)?|add|edit|del|(en|dis)able|sources|copy|rehearse|offers)$/
/** Calls that follow from no definition. */
function isFixed({ url }: CallShape): boolean {
  const [, , room, kind = '', call = 'list'] = url.split('/')
  const one = definitions.get(kind)
  if (!/^\/(v1|file)\//.test(url) || besides.test(url)) return false
  if (one === undefined || !['business', 'report'].includes(room!)) return true
  const own = 'actions' in one ? Object.keys(one.actions ?? {}) : []
  const onList = 'lifecycle' in one ? Object.keys(one.lifecycle.listActions ?? {}) : Object.keys(one.calls ?? {})
  return !STANDARD.test(call) && !['propose', 'batch'].includes(call) && ![...own, ...onList].includes(call)
}

/** Somebody with every right, bound to one store of the hospital. */
async function boundTo(store: string): Promise<Client> {
  const { owner } = scene.server.database
  const groups = (await scene.hospital.client.get('/v1/user/get_user_menu/yrtweb', { all: '1' })).list
  const flags: string[] = groups
    .flatMap(group => group.children)
    .flatMap((page: { flag: string; children: { flag: string }[] }) => [
      page.flag,
      ...page.children.map(one => one.flag),
    ])
  await owner`
    with fresh as (
      insert into app_user (org_id, login, password_hash, name, store_scope, data_scope)
        select org_id, 'fixed-keys', password_hash, 'fixed-keys', 'chosen', 'organisation' from app_user
         where login = 'hospital' returning id),
    role as (
      insert into role (org_id, name, flags) values (${scene.h}, 'fixed-keys', ${[...flags, 'price', 'patient']})
        returning id),
    scope as (insert into user_scope (org_id, user_id, warehouse_id) select ${scene.h}, id, ${store} from fresh)
    insert into user_role (org_id, user_id, role_id) select ${scene.h}, f.id, r.id from fresh f, role r`
  return scene.server.as('fixed-keys')
}

/** A row of another ward of the hospital, one of the dealer, and one that is nowhere, of each sort. */
async function rowsOf() {
  const { one, h, d } = scene
  const there = await one(
    `select id, department_id from warehouse
      where org_id = $1 and model = 'ward' and department_id <> $2 order by id limit 1`,
    h,
    scene.department,
  )
  const elsewhere = await one("select id, department_id from warehouse where org_id = $1 and model = 'central'", d)
  const department = await one('select id from department where org_id = $1 limit 1', d)
  const NOWHERE = '999999999'
  const id = async (text: string, ...values: unknown[]) => String((await one(text, ...values)).id)
  const document = async (org: string, kind: string, store: string, from = org) => {
    const row = await one(
      `insert into document (org_id, kind, sn, from_org_id, role, state, business_date, warehouse_id, department_id,
         counterparty_id, fields, created_by)
       values ($1, $2, 'FK-' || nextval('row_id_seq'), $3, $4, 'reviewed', '2026-01-01', $5, $6, $7, '{}', 0)
       returning id, sn`,
      org,
      kind,
      from,
      org === from ? 'own' : 'counterparty',
      store,
      org === h ? there.department_id : null,
      org === from ? null : from,
    )
    await one(
      `insert into document_line (org_id, document_id, line_no, specification_id, lot_no, quantity, base_quantity)
         values ($1, $2, 1, $3, 'FK-LOT', 1, 1) returning 1`,
      org,
      row.id,
      scene.inflator,
    )
    return row.sn as string
  }
  const person = (login: string) => id('select id from app_user where login = $1', login)
  const message = (org: string, user: string) =>
    id(
      `insert into message (org_id, user_id, title, body, uri, message_type, needs_confirm)
         values ($1, $2, 't', 'b', 'u', 'system', true) returning id`,
      org,
      user,
    )
  const job = (org: string, user: string) =>
    id("insert into export_job (org_id, user_id, title, path) values ($1, $2, 't', 'p') returning id", org, user)
  const [hospital, dealer] = [await person('hospital'), await person('dealer')]
  const file = (org: string, user: string, name: string) =>
    one(
      `insert into stored_file (org_id, name, original_name, content_type, size, digest, uploaded_by, only_for)
         values ($1, $2, 'a.png', 'image/png', 1, 'x', $3, $3) returning name`,
      org,
      name,
      user,
    ).then(row => row.name as string)
  const session = (user: string) =>
    one('select token_hash from session where user_id = $1 limit 1', user).then(row => row.token_hash as string)
  const word = await id(
    `insert into dictionary_item (dictionary_id, code, name, kept_by_id)
       select id, 'fk', '词', $1 from dictionary order by id limit 1 returning id`,
    d,
  )
  const cabinet = (store: string) => JSON.stringify([{ warehouse_model_inner_sn: store }])
  const inBoth = (hidden: string, foreign: string, missing = NOWHERE, more: object = {}): Key => ({
    hidden,
    foreign,
    missing,
    with: more,
  })
  const only = (foreign: string, more: object = {}): Key => ({ foreign, missing: NOWHERE, with: more })
  return {
    document: inBoth(await document(h, 'departmentUse', there.id), await document(d, 'saleOdo', elsewhere.id)),
    use: inBoth(await document(h, 'surgeryUse', there.id), await document(d, 'saleOdo', elsewhere.id), NOWHERE, {
      kind: 'surgeryUse',
      method: 'drawn',
      strokes: '[]',
    }),
    note: inBoth(await document(h, 'saleOdo', there.id, d), await document(d, 'saleOdo', elsewhere.id)),
    store: inBoth(there.id, elsewhere.id),
    department: only(department.id),
    message: inBoth(await message(h, hospital), await message(d, dealer)),
    job: inBoth(await job(h, hospital), await job(d, dealer)),
    file: inBoth(
      await file(h, hospital, 'AAAAAAAAAAAAAAAAAAAAAA.png'),
      await file(d, dealer, 'BBBBBBBBBBBBBBBBBBBBBB.png'),
      'CCCCCCCCCCCCCCCCCCCCCC.png',
    ),
    session: inBoth(await session(hospital), await session(dealer)),
    word: only(word),
    template: only(await id("insert into print_template (org_id, name, sheet) values ($1, 't', 'x') returning id", d), {
      units: '888888888',
    }),
    course: only(
      await id("insert into video_course (title, orgs, state) values ('t', '{D}', 'published') returning id"),
    ),
    appVersion: only(
      await id(
        `insert into app_version (name, platform, version_name, version_no, package, only_orgs, state)
           values ('t', 'windows', '1', 1, '{x.exe}', array[$1], 'published') returning id`,
        d,
      ),
    ),
    user: only(dealer, { doors: '[]' }),
    cabinet: inBoth(cabinet(there.id), cabinet(elsewhere.id), cabinet(NOWHERE), { sn: hospital }),
    outboundCall: only(
      await id(
        `insert into outbound_call (org_id, call_key, system, name, payload, state, failed_at)
           values ($1, 'k', 'his', 'n', '{}', 'waiting', now()) returning id`,
        d,
      ),
    ),
  }
}

const nameOf = ({ method, url }: CallShape) => `${method} ${url}`
const fieldsIn = ({ url }: CallShape) => [...url.matchAll(/:(\w+)/g)].map(([, name]) => name!)

test('every such call, with every field that names rows, stands in the table', async () => {
  const lacking: string[] = []
  for (const call of calls) {
    const known = table[nameOf(call)] ?? {}
    const asked: string[] = [...fieldsIn(call), ...(call.asks === 'declared' ? [] : call.asks)]
    if (call.method === 'POST')
      for (const name of candidates) {
        const said = (
          await bound.raw({ method: 'POST', url: call.url.replaceAll(/:\w+/g, '1'), payload: { [name]: 'x' } })
        ).body
        if (!said.includes(`没有“${name}”这个字段`) && !call.takesFiles && !/^\/v1\/(login|logout)$/.test(call.url))
          asked.push(name)
      }
    const open = /^\/v1\/(user\/(retrieve_pwd|get_login|change)|register|sendMsg|loginBy|captcha)/.test(call.url)
    for (const name of asked.filter(looksLikeKey))
      if (!(name in known) && !open) lacking.push(`${nameOf(call)} ${name}`)
  }
  expect([...new Set(lacking)]).toEqual([])
  const real = new Set(calls.map(nameOf))
  expect(Object.keys(table).filter(name => !real.has(name))).toEqual([])
  expect(calls.length).toBeGreaterThan(50)
})

/** What a reader leaves behind: the line about him, and how often an address asked. */
const traces = /^(operation_log|session|allowance|code_scan|incident) /

test('a key of another ward or organisation answers as one that does not exist, and nothing is written', async () => {
  const wrong: string[] = []
  let tried = 0
  for (const call of calls)
    for (const [field, sort] of Object.entries(table[nameOf(call)] ?? {})) {
      const key = rows[sort as keyof Rows] as Key | undefined
      if (key === undefined) continue
      const ask = async (value: string) => {
        const given = { ...(call.method === 'GET' && !call.asks.includes('units') ? {} : key.with), [field]: value }
        const url = call.url.replaceAll(/:(\w+)/g, (_, name: string) => (name === field ? value : 'purchase'))
        const inUrl = call.url.includes(`:${field}`)
        const reply = await bound.raw(
          call.method === 'GET'
            ? { method: 'GET', url, query: inUrl ? {} : (given as Record<string, string>) }
            : { method: 'POST', url, payload: given },
        )
        // When the figures were read is no part of the answer.
        const text = reply.body.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)/g, 'then')
        return `${reply.statusCode} ${text.replaceAll(JSON.stringify(value).slice(1, -1), '*').replaceAll(value, '*')}`
      }
      await takeWrites(scene.server.database.owner)
      const none = await ask(key.missing)
      for (const [whose, value] of [
        ['hidden', key.hidden],
        ['foreign', key.foreign],
      ] as const) {
        if (value === undefined) continue
        tried += 1
        const said = await ask(value)
        if (said !== none)
          wrong.push(`${nameOf(call)} ${field} ${whose}: ${said.slice(0, 160)} / ${none.slice(0, 160)}`)
      }
      const left = await takeWrites(scene.server.database.owner)
      for (const { table: at, change } of left)
        if (!traces.test(`${at} `)) wrong.push(`${nameOf(call)} ${field} writes ${at} ${change}`)
    }
  expect(wrong).toEqual([])
  expect(tried).toBeGreaterThan(35)
})
