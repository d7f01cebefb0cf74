import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { unknownSubjects } from '#modules/trade/licensing/clinical-specialties.server.ts'
import type { Change, RecordRules } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

const DEEPEST = 3

/**
 * First-level classes whose names were compared with the published list; the others are kept as known and may be
 * corrected.
 */
const compared: ReadonlySet<string> = new Set(['01-01', '01-02', '01-03', '01-04', '01-05'])

/** The official classes as listed in our own file. */
function officialClasses() {
  const [, ...lines] = readFileSync(path.join(import.meta.dirname, 'device-classes.tsv'), 'utf8').split(/\r?\n/)
  return lines
    .filter(line => line !== '')
    .map(line => {
      const [catalogue, code, parent, name, corresponds] = line.split('\t')
      const is_official = !parent || compared.has(code ?? '')
      return { catalogue, code, parent: parent || null, name, corresponds: corresponds || null, is_official }
    })
}

/** Seeds missing official classes; the platform's changes are kept. */
export async function seedDeviceClasses(sql: Sql | Tx): Promise<void> {
  const rows = officialClasses()
  const tx = sql as Tx
  for (const part of [rows.filter(row => row.parent === null), rows.filter(row => row.parent !== null)])
    await tx`
      insert into device_class (catalogue, code, name, parent_id, corresponds, is_official)
      select r.catalogue, r.code, r.name, p.id, r.corresponds, r.is_official
        from jsonb_to_recordset(${tx.json(part)}::jsonb) r(catalogue text, code text, name text, parent text,
          corresponds text, is_official boolean)
        left join device_class p on p.catalogue = r.catalogue and p.code = r.parent
       where not exists (select from device_class k where k.catalogue = r.catalogue and k.code = r.code)
      on conflict (catalogue, code) do nothing`
}

/** Refuses codes that the other list does not contain, by name. */
async function checkMap(tx: Tx, catalogue: unknown, codes: string): Promise<void> {
  const asked = codes.split(' ').filter(code => code !== '')
  const known = await tx<{ code: string }[]>`
    select code from device_class where catalogue <> ${String(catalogue)} and code = any(${asked})`
  const missing = asked.find(code => !known.some(row => row.code === code))
  if (missing) throw new BusinessError('rule', `另一版本目录中没有分类编码${missing}，请核对`)
}

async function checkPlace(tx: Tx, change: Change): Promise<readonly { field: string; msg: string }[]> {
  const { after } = change
  if (!after.parent_sn) return []
  const chain = await tx<{ id: string; code: string; catalogue: string }[]>`
    with recursive up as (
      select id, parent_id, code, catalogue, 1 as far from device_class where id = ${String(after.parent_sn)}
      union all select d.id, d.parent_id, d.code, d.catalogue, up.far + 1 from up
        join device_class d on d.id = up.parent_id where up.far < 10)
    select id, code, catalogue from up order by far`
  if (chain.some(one => one.id === change.id)) return [{ field: 'parent_sn', msg: '不能移动到自身的下级分类' }]
  if (chain[0]?.catalogue !== after.catalogue) return [{ field: 'parent_sn', msg: '上级分类不在同一版本目录' }]
  if (chain.length >= DEEPEST) return [{ field: 'parent_sn', msg: `分类最多${DEEPEST}级` }]
  return String(after.code).startsWith(`${chain[0]?.code}-`)
    ? []
    : [{ field: 'code', msg: `下级编码应以${chain[0]?.code}-开头` }]
}

export const deviceClassRules: RecordRules = {
  kind: 'deviceClass',
  columns: tx => ({
    level: tx`cardinality(string_to_array(t.code, '-'))`,
    corresponds_2002: tx`case when t.catalogue = '2017' then t.corresponds end`,
    corresponds_2017: tx`case when t.catalogue = '2002' then t.corresponds end`,
    product_count: tx`(select count(*)::int from product p
      where p.status <> 'matched'
      and (p.class_code_2002 = t.code and t.catalogue = '2002' or p.class_code = t.code and t.catalogue = '2017'
      or t.parent_id is null
        and (t.catalogue = '2002' and p.class_code_2002 like t.code || '-%' or t.catalogue = '2017'
        and p.class_code like t.code || '-%')))`,
  }),
  mayWrite(_session, action, row) {
    if (action === 'del' && row?.is_official === true) throw new BusinessError('blocked', '官方分类不能修改')
  },
  async check(tx, _session, change) {
    const { before, after, sent } = change
    if (
      before?.is_official === true &&
      ['code', 'name', 'catalogue', 'parent_sn'].some(
        name => name in sent && (sent[name] ?? null) !== (before[name] ?? null),
      )
    )
      return [{ field: 'name', msg: '官方分类不能修改' }]
    const [other] = await tx`
      select 1 from device_class where catalogue = ${String(after.catalogue)} and code = ${String(after.code)}
        and id is distinct from ${change.id}::bigint limit 1`
    if (other) throw new BusinessError('duplicate', '分类编码已存在', [{ field: 'code', msg: '分类编码已存在' }])
    const unknown = await unknownSubjects(tx, (sent.subjects ?? []) as readonly string[])
    if (unknown !== null) return [{ field: 'subjects', msg: `诊疗科目名录中没有【${unknown}】，请从名录选择` }]
    if (after.corresponds) await checkMap(tx, after.catalogue, String(after.corresponds))
    return checkPlace(tx, change)
  },
  async mayLeave(tx, session, action, row) {
    if (action !== 'del') return
    const [used] = await tx`
      select 1 from product
        where ${row.catalogue === '2002' ? tx`class_code_2002` : tx`class_code`} = ${String(row.code)}
      union all select 1 from device_class where parent_id = ${String(row.device_class_sn)}
      union all select 1 from licence where org_id = ${session.org.id} and position(${String(row.code)} in scope) > 0
        limit 1`
    if (used) throw new BusinessError('blocked', '分类已被产品或证照的经营范围使用，或有下级分类，不能删除，可以停用')
  },
  actions: {
    async map(tx, _session, row, _reason, answers) {
      const codes = String(answers.other_codes ?? '').trim()
      await checkMap(tx, row.catalogue, codes)
      return { corresponds: codes === '' ? null : codes }
    },
  },
}
