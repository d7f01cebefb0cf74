import {
  DownOutlined,
  EditOutlined,
  LaptopOutlined,
  LogoutOutlined,
  MenuFoldOutlined,
  MenuUnfoldOutlined,
  MoonOutlined,
  QuestionCircleOutlined,
  SafetyOutlined,
  SunOutlined,
  UserSwitchOutlined,
} from '@ant-design/icons'
import { Button, Dropdown, Tooltip } from 'antd'
import { useState } from 'react'
import { orgTypeName } from '#kernel/values/organisation-type.ts'
import { prefer, usePreferences } from '#web/engine/session/preferences.ts'
import { type Session, signOut } from '#web/engine/session/session.ts'
import { Tag } from '#web/fields/Tag.tsx'
import { openHelp } from '#web/help/help-store.ts'
import { HelpDrawer } from '#web/help/HelpDrawer.tsx'
import { MessageBell } from '#web/realtime/MessageBell.tsx'
import { OnBehalfDialog } from '#web/shell/OnBehalfDialog.tsx'
import { DevicesDialog } from '#web/shell/DevicesDialog.tsx'
import { GlobalSearch } from '#web/shell/GlobalSearch.tsx'
import { SigningPinDialog } from '#web/shell/SigningPinDialog.tsx'
import { ChangePassword } from '#web/sign-in/ChangePassword.tsx'
import { toggleTheme, useThemeName } from '#web/theme/theme-store.ts'
import css from '#web/shell/Shell.module.css'

/** On a phone the menu covers the page: `menu` opens and closes it. */
type Props = { session: Session; menu?: { readonly open: boolean; readonly toggle: () => void } }

export function Header({ session, menu }: Props) {
  const preferred = usePreferences().menuFolded
  const menuFolded = menu === undefined ? preferred : !menu.open
  const theme = useThemeName()
  return (
    <header className={css.header}>
      <div className={css.brand} data-folded={menuFolded}>
        <img src="/brand.svg" alt="" width={28} height={28} />
        {!menuFolded && <span className={css.product}>医械全程追溯</span>}
      </div>
      <Button
        type="text"
        aria-label={menuFolded ? '展开菜单' : '收起菜单'}
        icon={menuFolded ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
        aria-expanded={!menuFolded}
        onClick={menu?.toggle ?? (() => prefer({ menuFolded: !menuFolded }))}
      />
      <GlobalSearch org={session.orgType} />
      <span className={css.gap} />
      <span className={css.org}>
        <span className={css.orgName} title={session.orgName}>
          {session.orgName}
        </span>
        <Tag tone="brand">{orgTypeName[session.orgType]}</Tag>
      </span>
      <HelpButton />
      <MessageBell />
      <Tooltip title={theme === 'light' ? '切换到深色' : '切换到浅色'}>
        <Button
          type="text"
          className={css.beside ?? ''}
          aria-label={theme === 'light' ? '切换到深色' : '切换到浅色'}
          icon={theme === 'light' ? <MoonOutlined /> : <SunOutlined />}
          onClick={toggleTheme}
        />
      </Tooltip>
      <UserMenu session={session} />
    </header>
  )
}

function HelpButton() {
  return (
    <>
      <Tooltip title="帮助中心">
        <Button type="text" aria-label="帮助中心" icon={<QuestionCircleOutlined />} onClick={() => openHelp()} />
      </Tooltip>
      <HelpDrawer />
    </>
  )
}

function UserMenu({ session }: { session: Session }) {
  const { trail, footer } = usePreferences()
  const [changing, setChanging] = useState(false)
  const [pinning, setPinning] = useState(false)
  const [devices, setDevices] = useState(false)
  const [onBehalf, setOnBehalf] = useState(false)
  return (
    <>
      <Dropdown
        trigger={['click']}
        placement="bottomRight"
        menu={{
          items: [
            { key: 'who', type: 'group', label: `${session.login}${session.position ? ` · ${session.position}` : ''}` },
            { key: 'password', icon: <SafetyOutlined />, label: '修改密码', onClick: () => setChanging(true) },
            { key: 'signingPin', icon: <EditOutlined />, label: '签名PIN', onClick: () => setPinning(true) },
            ...(session.orgType === 'P'
              ? [{ key: 'onBehalf', icon: <UserSwitchOutlined />, label: '平台代办', onClick: () => setOnBehalf(true) }]
              : []),
            { key: 'devices', icon: <LaptopOutlined />, label: '登录设备', onClick: () => setDevices(true) },
            { type: 'divider' },
            {
              key: 'trail',
              label: trail ? '隐藏面包屑与页签' : '显示面包屑与页签',
              onClick: () => prefer({ trail: !trail }),
            },
            { key: 'footer', label: footer ? '隐藏页脚' : '显示页脚', onClick: () => prefer({ footer: !footer }) },
            { type: 'divider' },
            { key: 'leave', icon: <LogoutOutlined />, label: '退出登录', onClick: () => void signOut() },
          ],
        }}
      >
        <Button type="text" className={css.user ?? ''}>
          <span className={css.avatar} aria-hidden>
            {session.name.slice(-2)}
          </span>
          <span className={css.userName}>{session.name}</span>
          <DownOutlined style={{ fontSize: 10 }} />
        </Button>
      </Dropdown>
      {onBehalf && <OnBehalfDialog onClose={() => setOnBehalf(false)} />}
      {devices && <DevicesDialog onClose={() => setDevices(false)} />}
      {pinning && <SigningPinDialog onClose={() => setPinning(false)} />}
      <ChangePassword open={changing} login={session.login} onClose={() => setChanging(false)} />
    </>
  )
}
