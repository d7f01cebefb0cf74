import type { ColumnMapping } from '#kernel/tables/foreign-table.ts'
import { foreignTableOf } from '#kernel/registry.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { mappingOf } from '#server/public/files.ts'
import type { RecordRow, RecordRules } from '#server/public/records.ts'

const headingsIn = (row: Readonly<RecordRow>): readonly string[] => String(row.headings).split('\n')

/** The mapping of a row; refused if its text is no mapping, or not one of its file. */
function mappingIn(row: Readonly<RecordRow>): ColumnMapping {
  const table = foreignTableOf(String(row.file_kind))
  if (!table) throw new BusinessError('rule', '这种文件已不再读取，请删除这条列对应')
  let columns: object | null
  try {
    columns = JSON.parse(String(row.columns)) as object | null
  } catch {
    columns = null
  }
  const isMapping = typeof columns === 'object' && columns !== null
  return mappingOf(table, isMapping ? { ...columns, headings: headingsIn(row) } : null)
}

/** `时间：记录点；温度：数值（摄氏度 ℃）` */
function textOf(row: Readonly<RecordRow>): string {
  const table = foreignTableOf(String(row.file_kind))
  if (!table) return ''
  const { picks, units } = JSON.parse(String(row.columns)) as ColumnMapping
  return Object.entries(table.columns)
    .filter(([name]) => (picks[name] ?? []).length > 0)
    .map(([name, { label, unit }]) => {
      const said = unit?.choices[units[name] ?? '']
      return `${label}：${picks[name]!.join('、')}${said === undefined ? '' : `（${said}）`}`
    })
    .join('；')
}

export const columnMappingRules: RecordRules = {
  kind: 'columnMapping',
  columns: tx => ({ columns_text: tx`null::text` }),
  complete: async (_tx, _session, rows) => rows.map(row => ({ ...row, columns_text: textOf(row) })),
  mayWrite(_session, action) {
    if (action === 'add') throw new BusinessError('rule', '列对应在读取文件时指定，不能直接新增')
  },
  check: async (_tx, _session, { after }) => void mappingIn(after),
  alsoWrites: async (_tx, session) => ({ changed_by: session.userName, changed_at: new Date().toISOString() }),
}
