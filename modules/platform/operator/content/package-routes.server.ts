import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { filesOf, type FileStore } from '#server/public/files.ts'
import { platformId } from '#server/public/organisations.ts'
import { inOrganisation } from '#server/public/database.ts'

const open = { config: { access: 'open' } } as const
const gone = () => new BusinessError('notFound', '安装包不存在或已撤回')

/**
 * The package of a published version, for a phone without a session; one limited to certain organisations only goes
 * to their users.
 */
export function addPackages(
  app: FastifyInstance,
  { sql, store }: { readonly sql: Sql; readonly store: FileStore },
): void {
  app.get<{ Params: { sn: string } }>('/v1/app/package/:sn', open, async (request, reply) => {
    const { sn } = request.params
    const platform = await platformId(sql)
    if (platform === null || !/^\d{1,18}$/.test(sn)) throw gone()
    const org = request.signedIn?.org
    const kept = await inOrganisation(sql, platform, '0', async tx => {
      const [version] = await tx<{ package: readonly string[] }[]>`
        select package from app_version where id = ${sn} and state = 'published'
           and (cardinality(only_orgs) = 0 or ${org?.type === 'P'} or ${org?.id ?? '0'} = any(only_orgs))`
      const [name] = version?.package ?? []
      return name === undefined ? undefined : (await filesOf(tx, [name])).get(name)
    })
    const bytes = kept && (await store.open(kept.name))
    if (!kept || !bytes) throw gone()
    await sql`update app_version set downloads = downloads + 1 where id = ${sn}`
    return reply
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(kept.original_name)}`)
      .header('content-length', kept.size)
      .type(kept.content_type)
      .send(bytes)
  })
}
