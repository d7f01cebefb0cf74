import { afterEach, describe, expect, it, vi } from 'vitest'
import { asks, lendAsks } from '#web/engine/actions/prompts.ts'
import { forgetShellData, stores, storeType } from '#web/engine/session/shell-data.ts'

describe('the lists of warehouses', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    forgetShellData()
  })
  const answering = (body: () => unknown) => {
    const asked: string[] = []
    vi.stubGlobal('fetch', (url: string) => {
      asked.push(url)
      return Promise.resolve(new Response(JSON.stringify(body())))
    })
    return asked
  }

  it('are the general one, that of stop-sale warehouses, and the others', () => {
    expect(['all', '', 'stopSale', 'leased', 'x'].map(storeType)).toEqual([undefined, undefined, 2, 3, 3])
  })

  it('are read once for each type, and again after the user changed', async () => {
    const asked = answering(() => ({ code: 0, list: [{ name: '中心库' }] }))
    await Promise.all([stores('all'), stores('stopSale')])
    await stores('all')
    expect(asked.toSorted()).toEqual(['/v1/business/warehouse/list', '/v1/business/warehouse/list?type=2'])
    forgetShellData()
    await stores()
    expect(asked).toHaveLength(3)
  })

  it('that cannot be read are reported', async () => {
    const [notify, before] = [vi.fn(), asks.notify]
    lendAsks({ notify })
    answering(() => ({ code: 2106, msg: '仓库列表暂时不可用' }))
    await expect(stores('all')).rejects.toThrow('仓库列表暂时不可用')
    expect(notify).toHaveBeenCalledWith('仓库列表暂时不可用')
    lendAsks({ notify: before })
  })

  it('that fail while the shell is still mounting are reported once it is there, and to nobody else', async () => {
    const before = asks.notify
    answering(() => ({ code: 2106, msg: '仓库列表暂时不可用' }))
    await expect(stores('all')).rejects.toThrow('仓库列表暂时不可用')
    const notify = vi.fn()
    lendAsks({ notify })
    expect(notify.mock.calls).toEqual([['仓库列表暂时不可用']])
    lendAsks({ notify: before })
    await expect(stores('all')).rejects.toThrow('仓库列表暂时不可用')
    forgetShellData()
    const ofTheNext = vi.fn()
    lendAsks({ notify: ofTheNext })
    expect(ofTheNext).not.toHaveBeenCalled()
    lendAsks({ notify: before })
  })
})
