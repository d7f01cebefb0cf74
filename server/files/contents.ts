import { buffer } from 'node:stream/consumers'
import { BusinessError } from '#kernel/rules/errors.ts'
import { filesOf } from '#server/files/save.ts'
import { fileStore } from '#server/registry/connections.ts'
import type { Tx } from '#server/database/transaction.ts'

const MB = 1024 * 1024

/** A whole file that the organisation may see, with the name its user gave it; refused when it is too large. */
export async function fileBytes(
  tx: Tx,
  name: string,
  mostMegabytes: number,
): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const kept = (await filesOf(tx, [name])).get(name)
  if (!kept) throw new BusinessError('notFound', '文件不存在，请重新上传')
  if (kept.size > mostMegabytes * MB)
    throw new BusinessError('invalid', `文件【${kept.original_name}】超过${mostMegabytes}MB，不能读取`)
  const stream = await fileStore().open(name)
  if (stream === null) throw new BusinessError('notFound', `文件【${kept.original_name}】已丢失，请重新上传`)
  return { name: kept.original_name, bytes: await buffer(stream) }
}
