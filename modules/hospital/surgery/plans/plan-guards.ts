import type { CommonHeader, CommonLine } from '#kernel/definition/document.ts'
import { clock } from '#kernel/values/date.ts'
import { everyLine, type Has } from '#modules/base/vocabulary/validators.ts'

const HOUR = 3_600_000
const LATE_HOURS = 72

/** An elective operation must be in the future; an urgent one may be entered up to three days afterwards. */
export function notPast({ surgery_at: at, surgery_type }: Has<'surgery_at' | 'surgery_type'>): true | string {
  if (!at) return true
  const passed = (clock.at ?? new Date()).getTime() - Date.parse(String(at))
  if (surgery_type !== 'emergency') return passed <= 0 || '手术时间不能早于当前时间'
  return passed <= LATE_HOURS * HOUR || '急诊手术须在术后72小时内补录'
}

/** Each line names the needed item: a size, or a kit or set by its name. */
export const namesNeed = everyLine<CommonHeader & { readonly lines: readonly (CommonLine & Has<'item_name'>)[] }>(
  '请选择规格型号，或填写套包/工具名称',
  line => Boolean(line.specification_sn ?? line.item_name),
)
