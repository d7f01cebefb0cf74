import type { OrgTypes } from '#kernel/values/organisation-type.ts'
import { inexact } from '#kernel/values/inexact.ts'
/**
 * A switch or limit the platform sets for each organisation. Users enter the label; the engine reads the setting
 * behind it.
 */
export type ConfigItem = {
  /** The engine setting, or what the sign-in reads. */
  readonly name: string
  readonly title: string
  readonly category: string
  readonly kind: 'switch' | 'number' | 'choice'
  readonly choices?: Readonly<Record<string, string>>
  readonly least?: number
  readonly most?: number
  /** 0 is outside the range and means never. */
  readonly zero?: boolean
  readonly preset: string
  /** The preset of dealers and manufacturers, where it is another. */
  readonly tradePreset?: string
}

/** The engine's value for what was entered. */
export function settingOf(item: ConfigItem, written: string): unknown {
  if (item.kind === 'switch') return written === '是'
  if (item.kind === 'number') return inexact(written)
  return Object.entries(item.choices ?? {}).find(([, word]) => word === written)?.[0] ?? null
}

/** 禁止: refused. 提醒: needs a confirmation. 不控制: neither. */
export const controls = { refuse: '禁止', warn: '提醒', off: '不控制' } as const
export type Control = keyof typeof controls

type Figure = {
  readonly kind: 'number' | 'switch' | 'hours' | 'settleDay' | 'choice' | 'weights'
  /** The words one of which is chosen; of weights, what each of them weighs, in their order. */
  readonly choices?: readonly string[]
  readonly preset: string
  readonly unit?: string
  readonly min?: number
  readonly max?: number
  /** Whole numbers only. */
  readonly whole?: boolean
}

/**
 * A rule an organisation can adjust: its strictness, its figure, where it may be set differently, and the engine
 * setting behind it.
 */
export type HospitalPolicy = {
  readonly name: string
  /** Types of organisations that have it; default hospitals. */
  readonly orgs?: OrgTypes
  readonly title: string
  readonly category: string
  /**
   * The allowed strictness levels; the first is the preset. A single one cannot be changed; none: the rule is only
   * its figure.
   */
  readonly controls: readonly Control[]
  readonly figure?: Figure
  /** May be set differently for a warehouse, a department, a class of products. */
  readonly scopes?: readonly ('warehouse' | 'department' | 'class')[]
  readonly note: string
  /** The platform's items that apply until the organisation sets the rule. */
  readonly from?: { readonly control?: string; readonly figure?: string }
  /** The engine settings it results in. */
  readonly sets: (control: Control | null, figure: string) => Readonly<Record<string, boolean | number | string>>
}

/**
 * Rules that an organisation switches. The engine names those that it reads itself; modules add their own by
 * declaring them here, and register what holds where nothing was set.
 */
export interface Settings {
  /** 允许制单人自审 */
  allow_self_review: boolean
  /** 允许反审核天数 */
  unreview_days: number
  /** 超订单入库比例: percent that may be received beyond the ordered quantity. */
  over_receive: number
  /** 可补录天数 and 可预填天数: how many days before and after today a document's date may be. */
  date_back_days: number
  date_ahead_days: number
}
