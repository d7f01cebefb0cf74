import { App } from 'antd'
import { useEffect } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { hasLoginCookie, restoreSession } from '#web/engine/session.ts'
import { ChainPicture } from '#web/sign-in/ChainPicture.tsx'
import { SignInForm } from '#web/sign-in/SignInForm.tsx'
import css from '#web/sign-in/SignInPage.module.css'

/** Only addresses of this site: a redirect parameter is something that strangers can write. */
const safeAddress = (wanted: string | null): string =>
  wanted?.startsWith('/') && !/^\/[\\/]/.test(wanted) && !wanted.startsWith('/Login') ? wanted : '/'

const YEAR = new Date().getFullYear()

/** /Login: the product's face. Somebody who is still signed in goes straight on. */
export default function SignInPage() {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const { message } = App.useApp()
  const target = safeAddress(search.get('redirect'))
  useEffect(() => {
    document.title = '登录 - 医疗器械全生命周期追溯系统'
    if (hasLoginCookie())
      restoreSession().then(
        () => navigate(target, { replace: true }),
        () => undefined,
      )
  }, [navigate, target])
  return (
    <div className={css.page}>
      <aside className={css.story}>
        <div className={css.brand}>
          <img src="/brand.svg" alt="" width={36} height={36} />
          医疗器械全生命周期追溯系统
        </div>
        <div className={css.words}>
          <p className={css.headline}>
            每一件耗材，
            <br />
            从生产到使用，都有据可查。
          </p>
          <p className={css.mission}>
            覆盖医疗器械生产、经营、使用全过程：厂商、经销商与医院在同一条链上下单、发货、验收、发放、使用与结算，一物一码，扫码即见来处与去处。
          </p>
        </div>
        <ChainPicture />
      </aside>
      <main className={css.side}>
        <div className={css.card}>
          <h1 className={css.title}>登录</h1>
          <p className={css.lead}>使用机构账号登录</p>
          <SignInForm
            onSignedIn={() => {
              void message.success('登录成功')
              void navigate(target, { replace: true })
            }}
          />
        </div>
        <footer className={css.footer}>
          <p>让每一件医疗器械来源可查、去向可追、责任可究</p>
          <p>© {YEAR} 医疗器械全生命周期追溯系统 · 建议使用1920×1080分辨率及Chrome浏览器</p>
        </footer>
      </main>
    </div>
  )
}
