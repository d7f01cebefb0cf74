import { theme as antd, type ThemeConfig } from 'antd'
import { palettes, type ThemeName } from '#web/theme/palette.ts'

export const fontStack =
  '"PingFang SC", "HarmonyOS Sans SC", "Microsoft YaHei", "Noto Sans CJK SC", system-ui, sans-serif'

/** With reduced motion set in the system, dialogs and menus open without animation. */
const isStill = () => globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false

/** Ant Design's tokens for one of the two themes. */
export function antdTheme(name: ThemeName): ThemeConfig {
  const p = palettes[name]
  return {
    algorithm: name === 'dark' ? antd.darkAlgorithm : antd.defaultAlgorithm,
    token: {
      fontFamily: fontStack,
      fontSize: 14,
      borderRadius: 6,
      borderRadiusLG: 8,
      controlHeight: 32,
      colorPrimary: p.brand,
      colorInfo: p.info,
      colorSuccess: p.success,
      colorWarning: p.warning,
      colorError: p.danger,
      colorLink: p.brand,
      colorLinkHover: p.brandHover,
      colorBgLayout: p.canvas,
      colorBgContainer: p.surface,
      colorBgElevated: p.raised,
      colorBorder: p.border,
      colorBorderSecondary: p.split,
      colorText: p.ink,
      colorTextSecondary: p.inkSoft,
      colorTextTertiary: p.inkFaint,
      colorTextQuaternary: p.inkFaint,
      colorTextPlaceholder: p.inkFaint,
      colorTextDescription: p.inkFaint,
      boxShadow: p.shadow,
      boxShadowSecondary: p.shadow,
      motion: !isStill(),
      motionDurationMid: '0.12s',
      motionDurationSlow: '0.18s',
      controlItemBgActive: p.brandSoft,
    },
    components: componentsOf(name),
  }
}

/** Per-component settings besides the tokens. */
function componentsOf(name: ThemeName): NonNullable<ThemeConfig['components']> {
  const p = palettes[name]
  return {
    Button: {
      colorPrimary: p.brandStrong,
      colorPrimaryHover: name === 'dark' ? '#0e8f88' : p.brandHover,
      primaryShadow: 'none',
      defaultShadow: 'none',
      dangerShadow: 'none',
      paddingInline: 14,
    },
    Menu: {
      itemBg: 'transparent',
      subMenuItemBg: 'transparent',
      itemHeight: 36,
      itemMarginBlock: 2,
      itemMarginInline: 8,
      itemBorderRadius: 6,
      iconSize: 16,
      collapsedIconSize: 18,
      itemSelectedBg: p.brandSoft,
      itemSelectedColor: p.brand,
      itemColor: p.inkSoft,
      itemHoverColor: p.ink,
      itemHoverBg: p.hover,
      activeBarBorderWidth: 0,
    },
    Switch: {
      colorTextQuaternary: name === 'dark' ? '#4d6063' : '#64777c',
      colorTextTertiary: name === 'dark' ? '#5a6e71' : '#586b70',
    },
    Radio: { buttonSolidCheckedBg: p.brandStrong, buttonSolidCheckedHoverBg: p.brandStrong },
    Modal: { contentBg: p.raised, headerBg: p.raised },
    Tooltip: { colorBgSpotlight: name === 'dark' ? '#2c3b3e' : '#1d3236', colorTextLightSolid: '#f2f7f7' },
    Segmented: { itemSelectedBg: p.surface, trackBg: p.neutralSoft },
    Select: { optionSelectedBg: p.brandSoft, optionActiveBg: p.hover, optionHeight: 32, optionPadding: '5px 10px' },
  }
}
