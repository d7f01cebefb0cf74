import { MoonOutlined, SunOutlined } from '@ant-design/icons'
import { Alert, App, Button } from 'antd'
import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { letAskToSignIn } from '#web/engine/actions/prompts.ts'
import { followOtherTabs, hasLoginCookie, restoreSession, type Session } from '#web/engine/session/session.ts'
import { ChangePassword } from '#web/sign-in/ChangePassword.tsx'
import { ChainPicture } from '#web/sign-in/ChainPicture.tsx'
import { useInvitation } from '#web/sign-in/registration/invitation.ts'
import { RegisterDialog } from '#web/sign-in/registration/RegisterDialog.tsx'
import { ResetPassword } from '#web/sign-in/ResetPassword.tsx'
import { SignInTabs } from '#web/sign-in/SignInTabs.tsx'
import { toggleTheme, useThemeName } from '#web/theme/theme-store.ts'
import css from '#web/sign-in/SignInPage.module.css'

/** Only addresses of this site: a redirect parameter can be written by outsiders. */
const safeAddress = (wanted: string | null): string =>
  wanted?.startsWith('/') && !/^\/[\\/]/.test(wanted) && !wanted.startsWith('/Login') ? wanted : '/'

const YEAR = new Date().getFullYear()

/** Continues after sign-in; users who must first change the password stay here. */
function useArrival() {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const { message } = App.useApp()
  const [changing, setChanging] = useState<Session | null>(null)
  const target = safeAddress(search.get('redirect'))
  useEffect(() => {
    document.title = '登录 - 医疗器械全生命周期追溯系统'
    letAskToSignIn(true)
    if (hasLoginCookie())
      restoreSession().then(
        session => (session.mustChange ? setChanging(session) : navigate(target, { replace: true })),
        () => undefined,
      )
    return followOtherTabs()
  }, [navigate, target])
  const arrive = (session: Session) => {
    void message.success('登录成功')
    if (session.mustChange) setChanging(session)
    else void navigate(target, { replace: true })
  }
  return { arrive, changing, changed: () => setChanging(null) }
}

/** /Login: the product's sign-in page. A user who is still signed in goes straight on. */
export default function SignInPage() {
  const { arrive, changing, changed } = useArrival()
  const { invited, refused } = useInvitation()
  // An invitation link opens the form, until the user closes it.
  const [chosen, setDialog] = useState<'register' | 'reset' | 'none' | null>(null)
  const dialog = chosen ?? (invited === null ? null : 'register')
  return (
    <div className={css.page}>
      <Story />
      <main className={css.side}>
        <ThemeSwitch />
        <div className={css.card}>
          <h1 className={css.title}>登录</h1>
          <p className={css.lead}>医院、经销商、厂商与平台使用同一入口</p>
          {refused !== null && <Alert type="warning" showIcon title={refused} />}
          <SignInTabs wording="page" onSignedIn={arrive} />
          <div className={css.links}>
            <span>
              还没有账号？
              <button type="button" className="link" onClick={() => setDialog('register')}>
                立即注册
              </button>
            </span>
            <button type="button" className="link" onClick={() => setDialog('reset')}>
              重置密码
            </button>
          </div>
        </div>
        <footer className={css.footer}>
          <p>让每一件医疗器械来源可查、去向可追、责任可究</p>
          <p>© {YEAR} 医疗器械全生命周期追溯系统 版权所有</p>
          <p>建议使用1920×1080分辨率及Chrome浏览器</p>
        </footer>
      </main>
      {dialog === 'register' && <RegisterDialog invited={invited} onClose={() => setDialog('none')} />}
      {dialog === 'reset' && <ResetPassword onClose={() => setDialog(null)} />}
      {changing !== null && (
        <ChangePassword open forced verified={changing.mustVerify} login={changing.login} onClose={changed} />
      )}
    </div>
  )
}

const stages = [
  { name: '生产', what: '注册证、赋码、批次与放行一次登记，随货流转' },
  { name: '经营', what: '订单、冷链、验收与两票制逐单可核，寄售货权清楚' },
  { name: '使用', what: '扫码到患者与手术，按实际使用结算，召回当日可达' },
] as const

function Story() {
  return (
    <aside className={css.story}>
      <div className={css.brand}>
        <img src="/brand.svg" alt="" width={40} height={40} />
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
      <dl className={css.stages}>
        {stages.map(({ name, what }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </aside>
  )
}

function ThemeSwitch() {
  const theme = useThemeName()
  const label = theme === 'light' ? '切换到深色' : '切换到浅色'
  return (
    <Button
      type="text"
      className={css.theme ?? ''}
      aria-label={label}
      title={label}
      icon={theme === 'light' ? <MoonOutlined /> : <SunOutlined />}
      onClick={toggleTheme}
    />
  )
}
