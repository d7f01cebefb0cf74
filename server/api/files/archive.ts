import { PassThrough } from 'node:stream'
import { strToU8, Zip, ZipPassThrough } from 'fflate'
import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { entities } from '#kernel/registry.ts'
import type { FileStore } from '#server/files/store.ts'
import type { PackedFiles } from '#server/records/hooks.ts'
import { rulesOf } from '#server/registry/hooks.ts'
import { requirePermission } from '#server/access/session.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { sessionOf } from '#server/plugins/session.ts'
import { asks } from '#server/api/request/query-names.ts'

/** Several rows' files in one archive, for records that support it: named by document number. */
export function addPackedFiles(app: FastifyInstance, sql: Sql, store: FileStore): void {
  for (const definition of entities()) {
    const packs = rulesOf(definition.kind).packs
    if (!packs) continue
    app.get<{ Querystring: { sn?: unknown } }>(
      `/v1/business/${definition.kind}/packed`,
      asks('sn'),
      async (request, reply) => {
        const session = sessionOf(request)
        const packed = await inOrganisation(sql, session.org.id, session.userId, async tx => {
          requirePermission(session, `${definition.kind}.${packs.call}`)
          return packs.of(tx, session, String(request.query.sn ?? ''))
        })
        return reply
          .type('application/zip')
          .header(
            'content-disposition',
            `attachment; filename="files.zip"; filename*=UTF-8''${encodeURIComponent(`${packed.title}.zip`)}`,
          )
          .send(archiveOf(packed, store))
      },
    )
  }
}

/** The archive is streamed: one file at a time is read from the store, and a list of missing files is included. */
function archiveOf({ files, notes }: PackedFiles, store: FileStore): PassThrough {
  const out = new PassThrough()
  const zip = new Zip((error, chunk, final) => {
    if (error) return void out.destroy(error)
    out.write(chunk)
    if (final) out.end()
  })
  const add = (name: string) => {
    const entry = new ZipPassThrough(name)
    zip.add(entry)
    return entry
  }
  const fill = async () => {
    const missing: string[] = []
    for (const { name, as } of files) {
      const bytes = await store.open(name)
      if (!bytes) {
        missing.push(as)
        continue
      }
      const entry = add(as)
      for await (const chunk of bytes) entry.push(chunk as Buffer)
      entry.push(new Uint8Array(0), true)
    }
    const text = [...notes, ...missing.map(as => `文件不存在：${as}`)].join('\r\n')
    add('清单.txt').push(strToU8(`\uFEFF${text}\r\n`), true)
    zip.end()
  }
  fill().catch(error => out.destroy(error as Error))
  return out
}
