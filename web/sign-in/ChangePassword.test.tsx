import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { Surroundings } from '#tests/support/page/open-page.tsx'
import { ChangePassword } from '#web/sign-in/ChangePassword.tsx'
import { ResetPassword } from '#web/sign-in/ResetPassword.tsx'
import { fakeServer } from '#tests/support/page/server.ts'

/** The errors at the fields of the open dialog, without those that are fading. */
const marked = () =>
  [...document.querySelectorAll('.ant-form-item-explain-error')]
    .filter(line => !line.className.includes('-leave'))
    .map(line => line.textContent)

it('an empty repeat of the new password is named once, and a different one as different', async () => {
  const user = userEvent.setup()
  render(
    <Surroundings>
      <ChangePassword open login="buyer" onClose={() => undefined} />
    </Surroundings>,
  )
  await user.type(screen.getByLabelText('当前密码'), 'Old@2026')
  await user.type(screen.getByLabelText('登录密码'), 'New@2026')
  await user.click(screen.getByRole('button', { name: /提\s*交/ }))
  await expect.poll(marked).toEqual(['【再次输入登录密码】输入不能为空'])
  await user.type(screen.getByLabelText('再次输入登录密码'), 'New@2027')
  await user.click(screen.getByRole('button', { name: /提\s*交/ }))
  await expect.poll(marked).toEqual(['两次登录密码输入不一致'])
})

it('resetting a password names an empty repeat once as well', async () => {
  const user = userEvent.setup()
  fakeServer('/', { org: 'D', operations: [], rights: [] }, { '/v1/user/retrieve_pwd/verify_code': {} })
  render(
    <Surroundings>
      <ResetPassword onClose={() => undefined} />
    </Surroundings>,
  )
  await user.type(screen.getByLabelText('手机号'), '13800000000')
  await user.type(screen.getByLabelText('验证码'), '123456')
  await user.click(screen.getByRole('button', { name: '下一步' }))
  await user.type(await screen.findByLabelText('新密码'), 'New@2026')
  await user.click(screen.getByRole('button', { name: /提\s*交/ }))
  await expect.poll(marked).toEqual(['确认密码不能为空'])
})
