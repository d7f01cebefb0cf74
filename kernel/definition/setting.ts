import { inexact } from '#kernel/values/inexact.ts'
/** A switch or limit that the platform sets for each organisation. People write the words; the engine reads the setting behind them. */
export type ConfigItem = {
  /** The setting of the engine, or what the sign-in reads. */
  readonly name: string
  readonly title: string
  readonly category: string
  readonly kind: 'switch' | 'number' | 'choice'
  readonly choices?: Readonly<Record<string, string>>
  readonly least?: number
  readonly most?: number
  /** 0 stands outside the range and means never. */
  readonly zero?: boolean
  readonly preset: string
}

/** The engine's value behind what people wrote. */
export function settingOf(item: ConfigItem, written: string): unknown {
  if (item.kind === 'switch') return written === '是'
  if (item.kind === 'number') return inexact(written)
  return Object.entries(item.choices ?? {}).find(([, word]) => word === written)?.[0] ?? null
}

/** 禁止: refused. 提醒: asked about. 不控制: neither. */
export const controls = { refuse: '禁止', warn: '提醒', off: '不控制' } as const
export type Control = keyof typeof controls

type Figure = {
  readonly kind: 'number' | 'switch' | 'hours' | 'settleDay'
  readonly preset: string
  readonly unit?: string
  readonly min?: number
  readonly max?: number
  /** No parts of one. */
  readonly whole?: boolean
}

/** A rule that a hospital tunes: how hard it is, its figure, where it may be told otherwise, and which setting of the engine it is. */
export type HospitalPolicy = {
  readonly name: string
  readonly title: string
  readonly category: string
  /** How hard it may be; the first is the preset. One alone cannot be changed; none: the rule is its figure. */
  readonly controls: readonly Control[]
  readonly figure?: Figure
  /** May be told otherwise for a store, a department, a class of products. */
  readonly scopes?: readonly ('warehouse' | 'department' | 'class')[]
  readonly note: string
  /** The platform's or the house's older settings that say it while the hospital did not. */
  readonly from?: { readonly control?: string; readonly figure?: string }
  /** What it means to the engine. */
  readonly sets: (control: Control | null, figure: string) => Readonly<Record<string, boolean | number | string>>
}

/**
 * Rules that an organisation switches. The engine names those that it reads itself; modules add their own by declaring them
 * here, and register what holds where nothing was set.
 */
export interface Settings {
  /** 允许制单人自审 */
  allow_self_review: boolean
  /** 允许反审核天数 */
  unreview_days: number
  /** 超订单入库比例: percent that may come beyond what was ordered. */
  over_receive: number
}
