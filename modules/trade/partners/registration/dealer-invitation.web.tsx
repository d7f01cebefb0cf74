import { App, Button, Input, Space } from 'antd'
import type { Customisation } from '#web/engine/customisation.ts'
import type { Row } from '#web/fields/field-renderer.ts'

/** The link that opens the registration prefilled, to be copied while it is valid. */
function InvitationLink({ info }: { readonly info: Row }) {
  const { message } = App.useApp()
  if (typeof info.token !== 'string') return null
  const link = `${window.location.origin}/Login?invite=${info.token}`
  const copy = () =>
    navigator.clipboard.writeText(link).then(
      () => message.success('链接已复制，请发给对方'),
      () => message.warning('浏览器不允许复制，请选中链接后按Ctrl+C'),
    )
  return (
    <section aria-label="邀请链接" style={{ marginBottom: 16 }}>
      <Space.Compact style={{ width: '100%' }}>
        <Input readOnly value={link} className="mono" aria-label="注册链接" onFocus={event => event.target.select()} />
        <Button type="primary" onClick={() => void copy()}>
          复制链接
        </Button>
      </Space.Compact>
      <p className="quiet">
        链接在{String(info.expires_on)}
        前有效，只能使用一次。对方打开后注册信息已填好，平台审核通过后合作关系与授权随即生效。
      </p>
    </section>
  )
}

export const invitationLook: Customisation = { of: 'dealerInvitation', heads: [InvitationLink] }
