import { useQuery } from '@tanstack/react-query'
import { App, Button, Input, Space } from 'antd'
import type { Customisation } from '#web/engine/customisation.ts'
import type { Row } from '#web/fields/field-renderer.ts'

const SIDE = 168

/** The download address of a published version: as a link to copy, and as a QR code for phones. */
function PackageAddress({ info }: { readonly info: Row }) {
  const { message } = App.useApp()
  const address = `${window.location.origin}/v1/app/package/${String(info.app_version_sn)}`
  const { data: drawn } = useQuery({
    queryKey: ['package code', address],
    // The drawing library is larger than the page, so it is loaded only when a code is shown.
    queryFn: async () => (await import('#web/print/labels/draw-barcode.ts')).drawCode('qrcode', address),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (info.state !== 'published' || !drawn || 'message' in drawn) return null
  const picture = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawn.svg)}`
  const copy = () =>
    navigator.clipboard.writeText(address).then(
      () => message.success('下载地址已复制'),
      () => message.warning('浏览器不允许复制，请选中地址后按Ctrl+C'),
    )
  return (
    <section aria-label="下载地址" style={{ marginBottom: 16 }}>
      <Space.Compact style={{ width: '100%' }}>
        <Input
          readOnly
          value={address}
          className="mono"
          aria-label="下载地址"
          onFocus={event => event.target.select()}
        />
        <Button onClick={() => void copy()}>复制地址</Button>
      </Space.Compact>
      <Space align="end" style={{ marginTop: 12 }}>
        <img src={picture} alt="安装包下载二维码" width={SIDE} height={SIDE} style={{ background: '#fff' }} />
        <Button type="primary" href={picture} download={`${String(info.name)}-${String(info.version_name)}.svg`}>
          下载二维码
        </Button>
      </Space>
    </section>
  )
}

export const appVersionLook: Customisation = { of: 'appVersion', heads: [PackageAddress] }
