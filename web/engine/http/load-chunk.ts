/** Timeout for loading a page's script. */
export const CHUNK_MS = 120_000

/** A page's script did not load: a bad connection, or a newer version was installed meanwhile. */
export class ChunkFailed extends Error {
  override readonly name = 'ChunkFailed'
  constructor() {
    super('页面加载失败，请检查网络后刷新页面再试。')
  }
}

/** Loads a page's script with a timeout. */
export function loadChunk<T>(load: () => Promise<T>, patience = CHUNK_MS): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ChunkFailed()), patience)
    load().then(
      loaded => {
        clearTimeout(timer)
        resolve(loaded)
      },
      () => {
        clearTimeout(timer)
        reject(new ChunkFailed())
      },
    )
  })
}
