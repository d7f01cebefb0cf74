import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hibcCheckCharacter } from '#kernel/codes/hibc-code.ts'
import { flipCase } from '#kernel/codes/normalise.ts'
import { f, type Fields } from '#kernel/definition/field.ts'
import { documents, entities, reports } from '#app/modules.ts'
import { codesIn } from '#modules/hospital/cabinet/device/event-context.server.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { withKeptCodes } from '#server/ledger/named-codes.ts'
import { lineFilters } from '#server/documents/list/conditions-sql.ts'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'
import { inTurn } from '#tests/support/thorough.ts'

/**
 * One piece, asked for by every spelling of its code at every place where codes are searched or scanned, is the same
 * piece. The places come from the definitions.
 */
const GS = '\u001d'
const HIBC = '+A999SPELL1'
const OWN = 'H01-SPELL-Ab01'
const wide = (text: string) =>
  [...text]
    .map(letter => (letter > ' ' && letter < '\u007f' ? String.fromCharCode(letter.charCodeAt(0) + 0xfee0) : letter))
    .join('')

let scene: Scene
/** The stored code of each piece, and its spellings. */
let pieces: Record<'gs1' | 'hibc' | 'own' | 'pack', { code: string; spellings: Record<string, string> }>

beforeAll(async () => {
  scene = await openScene()
  const { hospital, one, stent, balloon } = scene
  const di: string = (await one('select udi_di from specification where id = $1', stent)).udi_di
  await one('update specification set udi_di = $1 where id = $2 returning id', HIBC, balloon)
  const until = day(700)
  const yymmdd = until.slice(2).replaceAll('-', '')
  const full = `01${di}17${yymmdd}10SPL01${GS}21Sq7x-K01`
  const hibc = `${HIBC}/SHB7X01`
  pieces = {
    gs1: {
      code: `(01)${di}(21)Sq7x-K01`,
      spellings: {
        'with separators': full,
        'with ]C1': `]C1${full}`,
        'with ]d2 and a leading separator': `]d2${GS}${full}`,
        bracketed: `(01)${di}(17)${yymmdd}(10)SPL01(21)Sq7x-K01`,
        'bracketed by an input method': `（01）${di}（17）${yymmdd}（10）SPL01（21）Sq7x-K01`,
        'as a web address': `https://id.gs1.org/01/${di}/10/SPL01/21/Sq7x-K01?17=${yymmdd}`,
        'without separators': full.replace(GS, ''),
        'with Caps Lock on': flipCase(full),
        'full-width': wide(full),
        'with blanks around': ` ${full}\r\n`,
        'the serial alone': 'Sq7x-K01',
        'the serial in small letters': 'sq7x-k01',
        'the serial in capitals': 'SQ7X-K01',
        'the serial full-width': wide('Sq7x-K01'),
      },
    },
    hibc: {
      code: hibc,
      spellings: {
        whole: `${hibc}${hibcCheckCharacter(hibc)}`,
        'in small letters': `${hibc}${hibcCheckCharacter(hibc)}`.toLowerCase(),
        'full-width': wide(`${hibc}${hibcCheckCharacter(hibc)}`),
        'the serial alone': 'HB7X01',
        'the serial in small letters': 'hb7x01',
      },
    },
    own: {
      code: OWN,
      spellings: {
        'as it is': OWN,
        'with blanks around': ` ${OWN} `,
        'full-width': wide(OWN),
        'in capitals': OWN.toUpperCase(),
        'with Caps Lock on': flipCase(OWN),
        'with the prefix of Code 128': `]C0${OWN}`,
      },
    },
    pack: { code: '', spellings: {} },
  }
  await scene.shelve(hospital, scene.ward, [
    lotOf(stent, 'SPL01', { unit_codes: [pieces.gs1.code, `(01)${di}(21)OTHER1`], expiry_date: until }),
    lotOf(balloon, 'SPL02', { unit_codes: [hibc, OWN], expiry_date: until }),
  ])
  const pack = await packedGoods()
  pieces.pack = {
    code: pack,
    spellings: {
      'in small letters': pack.toLowerCase(),
      'full-width': wide(pack.toLowerCase()),
      'with blanks around': ` ${pack}\r\n`,
      'with the prefix of Code 128': `]C0${pack}`,
    },
  }
  // The same serial on goods that this hospital never had.
  await one(
    `with t as (insert into lot (specification_id, lot_no) select id, 'FAR1' from specification
       where code = 'P009-01' returning id, specification_id),
     u as (insert into unit (lot_id, id, specification_id, status)
       select id, nextval('unit_id_seq'), specification_id, 'void' from t returning lot_id, id)
     insert into unit_code (code, bare, lot_id, unit_id, kind)
       select c, c, lot_id, id, 'udi' from u cross join (values ('(01)06999999900011(21)SQ7X-K01')) v(c)
       returning lot_id`,
  )
  for (const [specification, code] of [
    [stent, pieces.gs1.code],
    [balloon, hibc],
    [balloon, OWN],
  ] as const)
    await hospital.client.post('/v1/business/goodsFreeze/freeze', {
      code,
      specification_sn: specification,
      reason: '核对',
    })
})
afterAll(() => scene?.close())

/** A pack of ten pumps in the ward; returns its code. */
async function packedGoods(): Promise<string> {
  const { hospital, ward, inflator } = scene
  await scene.shelve(hospital, ward, [lotOf(inflator, 'SPL03', { quantity: '10' })])
  const template = await hospital.client.post('/v1/business/packTemplate/add', {
    code: 'SPELL',
    name: '压力泵10支装',
    specification_sn: inflator,
    size: '10',
  })
  expect(template.msg).toBe('')
  const sn = await hospital.add('pack', {
    warehouse_model_inner_sn: ward,
    pack_template_sn: (await hospital.list('packTemplate', { q: 'SPELL' }))[0].pack_template_sn,
    lines: [{ specification_sn: inflator, lot_no: 'SPL03', quantity: '10' }],
  })
  await hospital.pass('pack', sn)
  return (await hospital.info('pack', sn)).lines[0].unit_codes[0]
}

const each = () =>
  Object.entries(pieces).flatMap(([kind, { code, spellings }]) =>
    Object.entries(spellings).map(([name, text]) => ({ kind, code, name, text })),
  )
const get = (url: string, query: Record<string, string>) => scene.hospital.client.get(url, query)

/** Compares the answer of a place to each spelling with its answer to the stored code. */
async function unlike(place: string, ask: (text: string) => Promise<unknown>, turn?: number): Promise<string[]> {
  const wrong: string[] = []
  const known = new Map<string, string>()
  for (const { kind, code, name, text } of turn === undefined ? each() : inTurn(each(), 6, turn)) {
    if (!known.has(code)) known.set(code, JSON.stringify(await ask(code)))
    const answer = JSON.stringify(await ask(text))
    if (answer === known.get(code)) continue
    wrong.push(`${place}: ${kind} ${name}: ${answer.slice(0, 200)} for ${known.get(code)!.slice(0, 200)}`)
  }
  return wrong
}
const found = (reply: { code: number; msg: string; list: Record<string, unknown>[]; total?: number }, key: string) =>
  reply.code === 0 ? (reply.list ?? []).map(row => row[key]).toSorted() : reply.msg

describe('at every place where codes are looked for', () => {
  it('the trace and the scan service know the piece', async () => {
    const traced = await unlike('trace', async code => {
      const { info, msg } = await get('/v1/trace', { code })
      return info?.unit?.codes ?? msg
    })
    const read = await unlike('scan', async code => {
      const { info, msg } = await scene.hospital.client.post('/v1/code/parse', { code })
      return info?.unit?.code ?? msg
    })
    expect([...traced, ...read]).toEqual([])
    for (const { code } of Object.values(pieces))
      expect((await get('/v1/trace', { code })).info.unit.codes).toContain(code)
  })

  it('searches of stock and of labels find it', async () => {
    const wrong: string[] = []
    for (const [kind, key] of [
      ['stockBalance', 'lot_no'],
      ['stockLocator', 'lot_no'],
      ['unitLabel', 'code'],
    ] as const) {
      const ask = async (q: string) => found(await get(`/v1/business/${kind}/list`, { q }), key)
      for (const { code } of Object.values(pieces)) expect(await ask(code), `${kind} ${code}`).toHaveLength(1)
      wrong.push(...(await unlike(kind, ask)))
    }
    expect(wrong).toEqual([])
  })

  it('filters of documents, records and reports find it', async () => {
    const places = [
      ...documents
        .filter(kind => kind.screens.some(({ orgs }) => orgs.includes('H')))
        .filter(kind => lineFilters(kind).some(([name]) => name === 'unit_code'))
        .map(({ kind }) => ({ url: `/v1/business/${kind}/list`, name: 'unit_code', key: 'sn', kind })),
      ...entities
        .filter(kind => kind.screens.some(({ orgs }) => orgs.includes('H')))
        .flatMap(kind =>
          Object.entries({ ...kind.fields, ...kind.extras, ...kind.parameters })
            .filter(([, field]) => field.form === 'piece')
            .map(([name]) => ({ url: `/v1/business/${kind.kind}/list`, name, key: kind.key, kind: kind.kind })),
        ),
      ...reports
        .filter(kind => kind.screens.some(({ orgs }) => orgs.includes('H')))
        .flatMap(({ kind, parameters }) =>
          Object.entries(parameters)
            .filter(([, field]) => field.form === 'piece')
            .map(([name]) => ({ url: `/v1/report/${kind}`, name, key: 'sn', kind })),
        ),
    ]
    const days = { begin_date: day(-30), end_date: day() }
    const wrong: string[] = []
    const filled = new Set<string>()
    for (const [turn, { url, name, key, kind }] of places.entries()) {
      const ask = async (text: string) => {
        const query = { [name]: text, ...(url.startsWith('/v1/report/') ? days : {}) }
        return found(await get(url, query), key)
      }
      if ((await ask(pieces.gs1.code)).length > 0) filled.add(kind)
      wrong.push(...(await unlike(`${kind}.${name}`, ask, turn)))
    }
    expect(wrong).toEqual([])
    expect([...filled]).toEqual(expect.arrayContaining(['openingStock', 'goodsFreeze', 'departmentInventory']))
    expect(places.length).toBeGreaterThan(60)
  })

  it('lines of every document that takes goods out name it', async () => {
    const kinds = documents.filter(
      ({ posting, lines, screens }) =>
        posting.stockDirection === 'out' && 'unit_codes' in lines && screens.some(({ orgs }) => orgs.includes('H')),
    )
    const wrong: string[] = []
    const refused = new Set<string>()
    for (const [turn, { kind }] of kinds.entries()) {
      const ask = async (text: string) => {
        const { code, msg, info } = await scene.hospital.client.post(`/v1/business/${kind}/add`, {
          warehouse_model_inner_sn: scene.ward,
          lines: [{ unit_codes: [text] }],
        })
        return code === 0 ? (await scene.hospital.info(kind, info.sn)).lines[0].unit_codes : (refused.add(kind), msg)
      }
      wrong.push(...(await unlike(kind, ask, turn)))
    }
    expect(wrong).toEqual([])
    expect(kinds.length - refused.size).toBeGreaterThan(5)
  })

  it('is found by an index among very many', async () => {
    const rolledBack = new Error('no row stays')
    const asked = scene.server.database.owner.begin(async tx => {
      await tx`insert into unit_code (code, bare, lot_id, unit_id, kind)
        select c, c, 1, n, 'udi' from generate_series(1, 50000) n
         cross join lateral (select '(01)06999999900011(21)MANY' || n) k(c)`
      await tx`analyze unit_code`
      const plan = await tx`explain select * from codes_named(${scene.h}, array['sq7x-k01'])`
      expect(plan.map(row => row['QUERY PLAN']).join('\n')).toMatch(/unit_code_serial/)
      throw rolledBack
    })
    await expect(asked).rejects.toBe(rolledBack)
  })

  it('a stock take counts it', async () => {
    const { hospital, central } = scene
    const sn = await hospital.add('stockTake', { warehouse_model_inner_sn: central })
    await hospital.done('stockTake', 'start', sn)
    const wrong = await unlike('stockTake', async text => {
      const scan = { sn, codes: JSON.stringify([text]) }
      const { info, msg } = await hospital.client.post('/v1/business/stockTake/scan', scan)
      return info?.results ?? msg
    })
    expect(wrong).toEqual([])
    const { misplaced } = await hospital.info('stockTake', sn)
    for (const { code } of Object.values(pieces)) expect(misplaced).toContain(code)
  })

  it('fields of calls and records that name known pieces take it as it is kept', async () => {
    const named = (fields: Fields) =>
      Object.entries(fields).filter(([, { as, form }]) => as === 'codes' && form === 'piece')
    const fields = [
      ...documents.flatMap(({ header, lines, lifecycle, actions }) => [
        header,
        lines,
        ...Object.values(lifecycle.listActions ?? {}).map(({ inputs }) => inputs ?? {}),
        ...Object.values(actions).flatMap(({ parts }) => Object.values(parts ?? {})),
      ]),
      ...entities.flatMap(({ fields, actions, calls }) => [
        fields,
        ...[...Object.values(actions ?? {}), ...Object.values(calls ?? {})].map(({ asks }) => asks ?? {}),
      ]),
    ].flatMap(named)
    expect(fields.length).toBeGreaterThan(10)
    const texts = each()
    const wrong = await inOrganisation(scene.server.database.app, scene.h, '0', async tx => {
      const [kept] = await withKeptCodes(tx, scene.h, Object.fromEntries(fields), [
        Object.fromEntries(fields.map(([name]) => [name, texts.map(({ text }) => text)])),
      ])
      return fields.flatMap(([name]) =>
        texts.flatMap(({ code, kind, name: spelling }, at) =>
          (kept![name] as string[])[at] === code
            ? []
            : [`${name} ${kind} ${spelling}: ${(kept![name] as string[])[at]}`],
        ),
      )
    })
    expect(wrong).toEqual([])
  })

  it('picking for an issue counts it', async () => {
    const { hospital, ward, central, department, stent } = scene
    const other = (text: string) => text.replace(/[qQｑＱ]/g, letter => String.fromCharCode(letter.charCodeAt(0) + 6))
    const code = other(pieces.gs1.code)
    await scene.shelve(hospital, central, [lotOf(stent, 'SPL05', { unit_codes: [code] })])
    const sn = await hospital.add('grantOdo', {
      warehouse_model_inner_sn: central,
      to_warehouse_model_inner_sn: ward,
      department_inner_sn: department,
      lines: [{ unit_codes: [code] }],
    })
    await hospital.done('grantOdo', 'submit', sn)
    await hospital.done('grantOdo', 'pick', sn)
    const wrong: string[] = []
    for (const [name, text] of Object.entries(pieces.gs1.spellings)) {
      const { version } = await hospital.info('grantOdo', sn)
      const lines = [{ line_no: 1, picked_quantity: '1', picked_codes: [other(text)] }]
      const reply = await hospital.client.post('/v1/business/grantOdo/edit', { sn, version, lines })
      const picked = (await hospital.info('grantOdo', sn)).lines[0].picked_codes
      if (reply.code !== 0 || picked.join() !== code) wrong.push(`${name}: ${reply.msg} ${picked}`)
    }
    expect(wrong).toEqual([])
  })

  it('a reading of a cabinet names it', async () => {
    const [cabinet] = await scene.hospital.list('cabinet', { code: 'GZ-31' })
    const device = { org: { id: scene.h }, id: cabinet.cabinet_sn, name: 'GZ-31' }
    const wrong = await inOrganisation(scene.server.database.app, scene.h, '0', tx =>
      unlike('cabinet', text => codesIn({ tx, device, event: { payload: { codes: [text] } } } as never, 'codes')),
    )
    expect(wrong).toEqual([])
  })

  it('kits and instruments are found by their codes in any case and width, and delivery notes by their numbers', async () => {
    const { dealer, shop, stent } = scene
    const mould = await dealer.client.post('/v1/business/operationKit/add', {
      code: 'SPM',
      name: '拼写套包',
      surgery_name: '髋',
    })
    await dealer.client.post('/v1/business/operationKitLine/add', {
      operation_kit_sn: mould.info.sn,
      specification_sn: stent,
      quantity: '1',
      tray: '上层',
    })
    await scene.shelve(dealer, shop, [lotOf(stent, 'SPL04', { unit_codes: ['SPL-KIT-1', 'SPL-KIT-2'] })])
    const made = { code: 'TB-Spell-1', operation_kit_sn: mould.info.sn, warehouse_model_inner_sn: shop }
    expect((await dealer.client.post('/v1/business/implantKit/add', made)).msg).toBe('')
    const wrong: string[] = []
    for (const text of ['TB-Spell-1', 'tb-spell-1', 'TB-SPELL-1', wide('TB-Spell-1'), ' TB-Spell-1 ']) {
      const traced = await dealer.client.get('/v1/trace', { code: text })
      if (!JSON.stringify(traced).includes('SPL-KIT-')) wrong.push(`trace ${text}: ${traced.msg}`)
      const kept = await inOrganisation(scene.server.database.app, scene.d, '0', tx =>
        withKeptCodes(
          tx,
          scene.d,
          { kit: f.text('', { codeOf: 'implantKit' }), kits: f.codes('', { codeOf: 'implantKit' }) },
          [{ kit: text.trim(), kits: [text.trim(), 'SPX'] }],
        ),
      )
      if (JSON.stringify(kept) !== '[{"kit":"TB-Spell-1","kits":["TB-Spell-1","SPX"]}]')
        wrong.push(JSON.stringify(kept))
    }
    expect(wrong).toEqual([])
    const note = await dealer.client.post('/v1/note/receive', { sn: wide('xs2601010001') })
    expect(note.msg).toContain('XS2601010001')
  })
})
