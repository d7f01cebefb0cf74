import { BusinessError } from '#kernel/rules/errors.ts'
import {
  HIS_ADDRESS,
  hisEnvelope,
  HIS_ENVELOPE,
  hisResources,
  type MappedField,
  wrongCodes,
  wrongPath,
} from '#server/public/outbound.ts'
import type { ListActionHandler, RecordRow, RecordRules } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

type Known = { readonly resource: string; readonly field: string; readonly preset: string; readonly rule: string }
type Labels = { readonly resource_label: string; readonly field_label: string }

const kinds: Readonly<Record<string, string>> = {
  text: '文本',
  decimal: '数字',
  moment: '时间',
  day: '日期',
  flag: '是或否',
  count: '整数',
  rows: '列表',
}

/** Every field that the interface knows, with its preset. */
const known: readonly (Known & Labels)[] = [
  ...Object.entries(hisEnvelope).map(([field, { label, path }]) => ({
    resource: HIS_ENVELOPE,
    resource_label: '答复格式',
    field,
    field_label: label,
    preset: path,
    rule: '',
  })),
  ...Object.entries(hisResources).flatMap(([resource, { label, address, fields }]) => [
    ...(address === undefined
      ? []
      : [
          {
            resource,
            resource_label: label,
            field: HIS_ADDRESS,
            field_label: '接口地址',
            preset: address,
            rule: '相对路径',
          },
        ]),
    ...Object.entries(fields).map(([field, shape]) => ({
      resource,
      resource_label: label,
      field,
      field_label: shape.label,
      preset: field,
      rule: `${shape.is === 'pick' ? Object.keys(shape.of).join('、') : kinds[shape.is]}${shape.needed ? '，必有' : ''}`,
    })),
  ]),
]
const byName = new Map(known.map(each => [`${each.resource}.${each.field}`, each]))
const knownOf = (row: Readonly<RecordRow>) => byName.get(`${String(row.resource)}.${String(row.field)}`)

/** 列出全部字段: a row for each that has none yet. */
const fill: ListActionHandler = async ({ tx, session }) => {
  const rows = known.map(({ resource, field, preset }) => ({ org_id: session.org.id, resource, field, path: preset }))
  const added =
    await tx`insert into his_field ${tx(rows)} on conflict (org_id, resource, field) do nothing returning id`
  return { said: added.length === 0 ? '全部字段已列出' : `已列出${added.length}个字段` }
}

export const hisFieldRules: RecordRules = {
  kind: 'hisField',
  readFlag: 'page:/hospital/hisFieldMapping',
  columns: tx => ({
    resource_label: tx`null::text`,
    field_label: tx`null::text`,
    rule: tx`null::text`,
    preset: tx`null::text`,
  }),
  complete: async (_tx, _session, rows) =>
    rows.map(row => {
      const { resource_label = null, field_label = null, rule = null, preset = null } = knownOf(row) ?? {}
      return { ...row, resource_label, field_label, rule, preset }
    }),
  mayWrite(_session, action) {
    if (action === 'add' || action === 'del') throw new BusinessError('rule', '字段由接口规定，只能修改路径和代码对照')
  },
  check: async (_tx, _session, { after }) => {
    const mapped = { ...after, path: after.path ?? '', codes: after.codes ?? null } as MappedField
    const wrong = { path: wrongPath(mapped), codes: wrongCodes(mapped) }
    return Object.entries(wrong).flatMap(([field, msg]) => (msg === null ? [] : [{ field, msg }]))
  },
  alsoWrites: async (_tx, session) => ({ changed_by: session.userName, changed_at: new Date().toISOString() }),
  actions: { reset: async (_tx, _session, row) => ({ path: knownOf(row)?.preset ?? row.field, codes: null }) },
  calls: { fill },
}

/** The fields that the hospital mapped, for the adapter of plain JSON. */
export const hisFieldsOf = (tx: Tx, org: string): Promise<MappedField[]> =>
  tx<MappedField[]>`select resource, field, path, codes from his_field where org_id = ${org}`
