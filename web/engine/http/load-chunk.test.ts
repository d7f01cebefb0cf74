import { afterEach, describe, expect, it, vi } from 'vitest'
import { ChunkFailed, loadChunk } from '#web/engine/http/load-chunk.ts'

describe('the script of a page', () => {
  afterEach(() => void vi.useRealTimers())
  it('that loads is the page', async () => {
    await expect(loadChunk(() => Promise.resolve('page'))).resolves.toBe('page')
  })
  it('that is missing fails with our message, not the browser’s', async () => {
    await expect(loadChunk(() => Promise.reject(new TypeError('Failed to fetch')))).rejects.toThrow(
      '页面加载失败，请检查网络后刷新页面再试。',
    )
  })
  it('times out after two minutes', async () => {
    vi.useFakeTimers()
    const settled = vi.fn()
    loadChunk(() => new Promise(() => undefined)).catch(settled)
    await vi.advanceTimersByTimeAsync(119_999)
    expect(settled).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(settled).toHaveBeenCalledWith(expect.any(ChunkFailed))
  })
})
