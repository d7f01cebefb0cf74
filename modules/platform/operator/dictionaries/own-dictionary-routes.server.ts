import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Fields } from '#kernel/definition/field.ts'
import { derived, documents, entities } from '#kernel/registry.ts'
import { NAME } from '#kernel/values/patterns.ts'
import { unseenAt } from '#kernel/values/same-name.ts'
import { logOperation } from '#server/public/audit.ts'
import { pinyinInitials } from '#server/public/organisations.ts'
import { bodyOf, changing, done } from '#server/public/routes.ts'
import { may, type Session } from '#server/public/session.ts'

/** The record definition of these rows; the log uses its name. */
const subject = derived(() => entities().find(definition => definition.table === 'dictionary_item')?.kind ?? '')

/** The kinds that have a field with words of a list. */
const kindsWith = derived((): ReadonlyMap<string, readonly string[]> => {
  const kinds = new Map<string, string[]>()
  const note = (kind: string, fields: Fields | undefined) => {
    for (const { dictionary } of Object.values(fields ?? {}))
      if (dictionary) kinds.set(dictionary, [...(kinds.get(dictionary) ?? []), kind])
  }
  for (const { kind, header, lines } of documents()) for (const fields of [header, lines]) note(kind, fields)
  for (const { kind, fields } of entities()) note(kind, fields)
  return kinds
})

/** Users may add words if they may write a kind of document or record with a field of this dictionary. */
function mustWriteWords(session: Session, dictionary: string): void {
  const kinds = kindsWith().get(dictionary) ?? []
  if (!kinds.some(kind => may(session, `${kind}.add`) || may(session, `${kind}.edit`)))
    throw new BusinessError('forbidden')
}

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '')

/**
 * An organisation's own items in a list of the platform's, where the platform allows it; offered in the field
 * itself.
 */
export function addOwnWords(app: FastifyInstance, { sql }: { readonly sql: Sql }): void {
  app.post('/v1/business/ownWord/add', request =>
    changing(sql, request, async (tx, session) => {
      const sent = bodyOf(request, ['dictionary_code', 'name'])
      const [code, name] = [textOf(sent.dictionary_code), textOf(sent.name)]
      if (name === '' || name.length > 60)
        throw new BusinessError('invalid', undefined, [{ field: 'name', msg: '请填写1至60个字的项名称' }])
      if (!NAME.test(name) || unseenAt(name) > 0)
        throw new BusinessError('invalid', undefined, [{ field: 'name', msg: '不能输入特殊字符' }])
      const [list] = await tx<{ id: string; name: string }[]>`
        select id, name from dictionary where code = ${code} and allows_own and status = 'enabled'
          and (cardinality(orgs) = 0 or ${session.org.type} = any(orgs))`
      if (!list || session.org.type === 'P') throw new BusinessError('rule', '该字典不允许机构扩展，请联系平台')
      mustWriteWords(session, code)
      const [word] = await tx<{ id: string }[]>`
        insert into dictionary_item as i (dictionary_id, code, name, pinyin, sort_no, kept_by_id)
        select ${list.id}, 'own', ${name}, ${pinyinInitials(name)}, 999, ${session.org.id}
         where not exists (select 1 from dictionary_item s where s.dictionary_id = ${list.id} and s.name = ${name}
           and s.status = 'enabled')
        on conflict (kept_by_id, dictionary_id, name) where kept_by_id is not null do update set status = 'enabled'
          returning i.id`
      if (!word) throw new BusinessError('duplicate', `【${name}】已在${list.name}中`)
      await logOperation(tx, session, {
        subject: subject(),
        action: 'add',
        actionName: '新增',
        key: word.id,
        after: { dictionary: list.name, name },
        summary: `${list.name}新增【${name}】`,
      })
      return done({ info: { sn: word.id } })
    }),
  )

  app.post('/v1/business/ownWord/del', request =>
    changing(sql, request, async (tx, session) => {
      const sn = textOf(bodyOf(request, ['sn']).sn)
      const [word] = /^\d{1,18}$/.test(sn)
        ? await tx<{ name: string; code: string }[]>`
            update dictionary_item i set status = 'disabled', version = i.version + 1 from dictionary d
              where i.id = ${sn} and i.kept_by_id = ${session.org.id} and i.status = 'enabled'
                and d.id = i.dictionary_id
            returning i.name, d.code`
        : []
      if (word) mustWriteWords(session, word.code)
      if (!word) throw new BusinessError('notFound', '字典项不存在，或不是本机构新增的')
      await logOperation(tx, session, {
        subject: subject(),
        action: 'disable',
        actionName: '停用',
        key: sn,
        after: { name: word.name },
        summary: `删除【${word.name}】`,
      })
      return done({ info: { sn } })
    }),
  )
}
