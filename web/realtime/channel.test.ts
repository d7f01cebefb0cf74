import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { channelUrl, openChannel } from '#web/realtime/channel.ts'
import { messageAddress } from '#web/realtime/message-address.ts'

class Line {
  static all: Line[] = []
  onopen: (() => void) | null = null
  onclose: (() => void) | null = null
  onmessage: ((event: { data: unknown }) => void) | null = null
  sent: string[] = []
  closed = false
  readonly url: string
  constructor(url: string) {
    this.url = url
    Line.all.push(this)
  }
  send(text: string) {
    this.sent.push(text)
  }
  close() {
    this.closed = true
    this.onclose?.()
  }
}

let token = 't1'
let received: unknown[] = []
const open = () =>
  openChannel({
    token: () => token,
    onMessage: message => received.push(message),
    openSocket: url => new Line(url) as never,
  })

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('location', { protocol: 'http:', host: 'spd.example:8080' })
  Line.all = []
  received = []
  token = 't1'
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('the realtime channel', () => {
  it('connects to the same host with the token, secure if the page is', () => {
    expect(channelUrl({ protocol: 'http:', host: 'a:1' }, 'x y')).toBe('ws://a:1/ws?token=x%20y')
    expect(channelUrl({ protocol: 'https:', host: 'a' }, 'x')).toBe('wss://a/ws?token=x')
  })

  it('pings every nine minutes', () => {
    const end = open()
    Line.all[0]?.onopen?.()
    vi.advanceTimersByTime(9 * 60_000 - 1)
    expect(Line.all[0]?.sent).toEqual([])
    vi.advanceTimersByTime(1)
    expect(Line.all[0]?.sent).toEqual(['{"type":"heart_beat","msg":"ping"}'])
    end()
  })

  it('reconnects every five seconds without limit while signed in, and stops on sign-out', () => {
    open()
    for (let times = 0; times < 50; times++) {
      Line.all.at(-1)?.onclose?.()
      vi.advanceTimersByTime(4_999)
      expect(Line.all).toHaveLength(times + 1)
      vi.advanceTimersByTime(1)
      expect(Line.all).toHaveLength(times + 2)
    }
    token = ''
    Line.all.at(-1)?.onclose?.()
    vi.advanceTimersByTime(60_000)
    expect(Line.all).toHaveLength(51)
  })

  it('passes on messages with a body, and none when signed out or closed', () => {
    const end = open()
    const say = (message: unknown) => Line.all[0]?.onmessage?.({ data: JSON.stringify(message) })
    say({ title: 'pong' })
    Line.all[0]?.onmessage?.({ data: 'no json' })
    say({ title: '新订单', body: '请查看' })
    expect(received).toEqual([{ title: '新订单', body: '请查看' }])
    token = ''
    say({ body: '再来' })
    end()
    token = 't1'
    say({ body: '又来' })
    expect(received).toHaveLength(1)
    expect(Line.all[0]?.closed).toBe(true)
  })
})

describe('a click on a message', () => {
  it('opens the page that its uri names', () => {
    const extra = { salesOrderSn: 'XS1', org_name: '仁和 医院', system_type: 1 }
    expect(messageAddress({ uri: 'salesOrder', extra })).toBe('/commonView/salesOrder?salesOrderSn=XS1')
    expect(messageAddress({ uri: 'voucher', objectID: 'SL9' })).toBe('/hospital/SuppliesClaim?voucher_sn=SL9')
    expect(messageAddress({ uri: 'so_sn', objectID: 'XS2' })).toBe('/commonView/salesOrder?so_sn=XS2')
    expect(messageAddress({ uri: 'registration', extra: JSON.stringify(extra) })).toBe(
      '/ptm/agencyManage/RegistAudit?name=%E4%BB%81%E5%92%8C+%E5%8C%BB%E9%99%A2&system_type=1',
    )
  })
  it('opens any internal page but no external one', () => {
    expect(messageAddress({ uri: '/hospital/purchaseOrder/CG1' })).toBe('/hospital/purchaseOrder/CG1')
    expect(
      ['//evil.example', '/\\evil', 'https://evil.example', undefined].map(uri =>
        messageAddress({ ...(uri && { uri }) }),
      ),
    ).toEqual([null, null, null, null])
  })
})
